"""Faults that are built into the sources one at a time, and the tests that have to see each."""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple


class Sabotage(NamedTuple):
    """A change of the sources that breaks one promise.

    Attributes:
        promise: what is broken; the sabotage's name.
        changes: by the path of a file, below the folder of its package's sources: pieces of it, of
            which there is one each, and what stands there instead.
        tests: the tests that have to fail then, as pytest selects them.
    """

    promise: str
    changes: Mapping[str, Mapping[str, str]]
    tests: tuple[str, ...]


LIBRARY: list[Sabotage] = [
    Sabotage(
        "a position in which both players own a line is refused",
        {
            "tic_tac_toe/logic/rules/line.py": {
                "if len(winners) == 2:": "if len(winners) == 3:",
            },
        },
        ("tests/logic/test_rules.py",),
    ),
]

PROTOCOLS: list[Sabotage] = []

SERVER_SOURCES = "tic_tac_toe_frontends/server"
SQLITE = f"{SERVER_SOURCES}/storage/sqlite_store.py"
POSTGRES = f"{SERVER_SOURCES}/storage/postgres_store.py"
ACKNOWLEDGES_EARLY = {
    f"{SERVER_SOURCES}/writer.py": {
        "        if self.failed:\n            loop.call_soon(": """\
        if then is not _nothing:
            loop.call_soon(then, CommitResult.WRITTEN)
            loop.call_later(0.03, self.write, transaction, _nothing)
            return
        if self.failed:
            loop.call_soon(""",
        "def _call(": "def _nothing(result: CommitResult) -> None:\n    pass\n\n\ndef _call(",
    },
}
WRITES_AGAIN = {
    f"{SERVER_SOURCES}/referee.py": {
        "        return None if version is None else self": """\
        return None if version is None or not isinstance(request, Join) else self""",
    },
    f"{SERVER_SOURCES}/session.py": {
        "from .writer import CommitResult": """\
from .writer import CommitResult
from dataclasses import replace""",
        "        transaction, committed = self.begin_to_write(event, pending)\n": """\
        if event.id and self.loaded.version_of(event.seat, event.id):
            event = replace(event, id=f"{event.id}-again")
        transaction, committed = self.begin_to_write(event, pending)
""",
    },
}
SAY_ANSWER = "        self.socket.say(frame_of(reply))\n"
TELL = "            self.followers.say(frame_of(Happened(event, clock, end)))\n"
COMMIT_HERE = "        written = super().commit(transactions)\n        self._since"
MODEL = ("tests/online/test_model.py::test_server_and_model_agree[1500]",)
KILLS = (
    "tests/online/test_kills.py"
    "::test_after_many_kills_every_acknowledged_move_is_in_the_log_once[120-sqlite]",
)
RACES = (
    "tests/online/test_races.py"
    "::test_of_two_players_who_race_for_a_seat_or_a_version_exactly_one_gets_it[300]",
)
POWER_CUTS = ("tests/online/test_power_cuts.py::test_no_power_cut_loses_what_was_acknowledged",)
DISK_FAULTS = (
    "tests/online/test_power_cuts.py"
    "::test_a_disk_that_fails_loses_nothing_that_was_acknowledged[EIO at a sync]",
)

SERVER: list[Sabotage] = [
    Sabotage(
        "what is acknowledged is committed, when storage fails",
        ACKNOWLEDGES_EARLY,
        ("tests/online/test_storage.py::test_nothing_is_acknowledged_that_could_not_be_written",),
    ),
    Sabotage("what is acknowledged is committed, when it is killed", ACKNOWLEDGES_EARLY, KILLS),
    Sabotage("what is acknowledged is committed, says the model", ACKNOWLEDGES_EARLY, MODEL),
    Sabotage("a message is done once, when it is killed", WRITES_AGAIN, KILLS),
    Sabotage("a message is done once, says the model", WRITES_AGAIN, MODEL),
    Sabotage(
        "a request is answered",
        {
            f"{SERVER_SOURCES}/connection.py": {
                SAY_ANSWER: f"        if getattr(reply, 'version', 0) % 5 != 3:\n    {SAY_ANSWER}",
            },
        },
        KILLS,
    ),
    Sabotage(
        "a request is answered once",
        {f"{SERVER_SOURCES}/connection.py": {SAY_ANSWER: 2 * SAY_ANSWER}},
        KILLS,
    ),
    Sabotage(
        "an event is told once",
        {f"{SERVER_SOURCES}/session.py": {TELL: 2 * TELL}},
        KILLS,
    ),
    Sabotage(
        "every event is told",
        {
            f"{SERVER_SOURCES}/session.py": {
                TELL: f"            if event.version % 10:\n    {TELL}",
            },
        },
        MODEL,
    ),
    Sabotage(
        "who moves sits at the seat whose turn it is",
        {
            f"{SERVER_SOURCES}/referee.py": {
                "is_removed else pending.seat": "is_removed else game.turn",
            },
        },
        MODEL,
    ),
    Sabotage(
        "who comes back is told of every event",
        {
            f"{SERVER_SOURCES}/loaded_game.py": {
                "*self._events_after(seen)),": "*self._events_after(seen)[1:]),",
            },
        },
        MODEL,
    ),
    Sabotage(
        "a node does not claim what another one has written",
        {
            POSTGRES: {
                "return [there for _index, there in sorted(zip(order, written))]": (
                    "return [True] * len(written)"
                ),
            },
        },
        RACES,
    ),
    Sabotage(
        "a version is not first looked for and then written",
        {
            POSTGRES: {
                "        order = sorted(range(len(transactions)),": """\
        firsts = [each.events[0] for each in transactions if each.events]
        heads = self.heads([first.game for first in firsts])
        free = [
            not each.events or each.events[0].version > heads.get(each.events[0].game, 0)
            for each in transactions
        ]
        super().commit([each for each, is_free in zip(transactions, free) if is_free])
        return free
        order = sorted(range(len(transactions)),""",
            },
        },
        RACES,
    ),
    Sabotage(
        "nobody but the operator operates",
        {
            f"{SERVER_SOURCES}/admin/place.py": {
                "0o700, 0o600": "0o755, 0o666",
                "there.st_mode & 0o077": "there.st_mode & 0o022",
                "in (0, os.geteuid())": "is not None",
            },
        },
        ("tests/online/test_admin_socket.py::test_only_the_operator_reaches_a_server",),
    ),
    Sabotage(
        "what is committed is synced",
        {SQLITE: {"synchronous = {self._synchronous}": "synchronous = NORMAL"}},
        POWER_CUTS,
    ),
    Sabotage(
        "the database itself is synced",
        {SQLITE: {"synchronous = {self._synchronous}": "synchronous = OFF"}},
        (
            "tests/online/test_power_cuts.py"
            "::test_a_store_that_syncs_less_loses_moves_and_nothing_else",
        ),
    ),
    *(
        Sabotage(
            promise,
            {
                SQLITE: {
                    "            self._files.rewrite(": "            str(",
                },
            },
            tests,
        )
        for promise, tests in (
            ("what a killed server has not synced is not believed", POWER_CUTS),
            ("what could not be synced is written again", DISK_FAULTS),
        )
    ),
    Sabotage(
        "an error of the disk is told",
        {
            SQLITE: {
                COMMIT_HERE: """\
        try:
            super().commit(transactions)
        except StorageError:
            pass
        written = [True] * len(transactions)
        self._since""",
            },
        },
        DISK_FAULTS,
    ),
    Sabotage(
        "after an error nothing is written before it is told",
        {
            SQLITE: {
                COMMIT_HERE: """\
        try:
            written = super().commit(transactions)
        except StorageError:
            self.open()
            written = super().commit(transactions)
        self._since""",
            },
        },
        DISK_FAULTS,
    ),
    Sabotage(
        "one address does not keep all others from loading games",
        {f"{SERVER_SOURCES}/loading.py": {"AT_ONCE, EACH = 4, 2": "AT_ONCE, EACH = 4, 60"}},
        (
            "tests/online/test_storage.py"
            "::test_nobody_waits_behind_the_games_that_one_address_has_loaded",
        ),
    ),
    Sabotage(
        "games are replayed beside the event loop",
        {
            f"{SERVER_SOURCES}/readers.py": {
                "future = loop.run_in_executor(self._threads, read, self.store, *arguments)": (
                    "(future := loop.create_future()).set_result(read(self.store, *arguments))"
                ),
            },
        },
        ("tests/online/test_storage.py::test_others_play_on_while_a_game_is_replayed",),
    ),
    Sabotage(
        "the checksum depends on the event",
        {
            f"{SERVER_SOURCES}/storage/game_rows.py": {
                'return int.from_bytes(digest, "big", signed=True)': "return 1",
            },
        },
        ("tests/online/test_stores.py::test_an_event_that_is_not_as_it_was_written_is_found",),
    ),
    Sabotage(
        "a file is known by whatever name",
        {
            SQLITE: {
                "self._file = Path(os.path.realpath(path))": "self._file = path",
                "                check_name(self._file, doing)\n": "",
            },
        },
        ("tests/online/test_stores.py::test_a_file_serves_one_server_by_whatever_name",),
    ),
    Sabotage(
        "an upgrade is done whole or not at all",
        {
            SQLITE: {
                '        writer.execute("BEGIN IMMEDIATE")\n        done': "        done",
                '        writer.execute("COMMIT")\n        return done': "        return done",
            },
        },
        (
            "tests/online/test_backup.py"
            "::test_an_upgrade_that_is_killed_leaves_a_file_that_can_be_upgraded",
        ),
    ),
    Sabotage(
        "a backup has what is in the log beside the file",
        {
            f"{SERVER_SOURCES}/storage/backup.py": {
                "            _copy(source, partial)\n": (
                    "            partial.write_bytes(source.read_bytes())\n"
                ),
            },
        },
        (
            "tests/online/test_backup.py::test_a_backup_of_a_server_at_work_has_all_that_was_committed",
        ),
    ),
    Sabotage(
        "errors that are the same do not fill the log",
        {f"{SERVER_SOURCES}/logs.py": {"return seen.count <= AT_ONCE": "return True"}},
        (
            "tests/online/test_operation.py"
            "::test_of_errors_that_are_the_same_few_are_written_and_the_rest_counted",
        ),
    ),
    Sabotage(
        "a reader of messages lets no other exception out",
        {
            "tic_tac_toe/protocols/online/requests.py": {
                "        check_frame(text)\n        values": """\
        __import__("json").loads(text)
        check_frame(text)
        values""",
            },
        },
        ("tests/online/test_mutations.py::test_mutated_messages_are_read_or_refused[6000]",),
    ),
    Sabotage(
        "a connection lets no exception out",
        {
            f"{SERVER_SOURCES}/net/web_socket.py": {
                "    def send_receive_event_to_app(self) -> None:": """\
    def handle_ping(self) -> None:
        raise AttributeError

    def send_receive_event_to_app(self) -> None:""",
            },
        },
        (
            "tests/online/test_mutations.py::test_mutated_frames_end_no_connection_but_their_own[2000]",
        ),
    ),
]

SCREENS: list[Sabotage] = []

SABOTAGES = (*LIBRARY, *PROTOCOLS, *SERVER, *SCREENS)
