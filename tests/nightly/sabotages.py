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

SERVER: list[Sabotage] = []

SCREENS: list[Sabotage] = []


def _kept(promise: str, test: str, path: str, *pieces: str) -> Sabotage:
    """Return a fault of the server in one file: what stands there, and what in its place."""
    changes = {f"{SERVER_SOURCES}/{path}": dict(zip(pieces[::2], pieces[1::2]))}
    return Sabotage(promise, changes, (f"tests/online/{test}",))


SERVER_SOURCES = "tic_tac_toe_frontends/server"
SQLITE, POSTGRES = "storage/sqlite_store.py", "storage/postgres_store.py"
MODEL = "test_model.py::test_server_and_model_agree[1500]"
KILLS = (
    "test_kills.py::test_after_many_kills_every_acknowledged_move_is_in_the_log_once[120-sqlite]"
)
RACES = (
    "test_races.py::test_of_two_players_who_race_for_a_seat_or_a_version_exactly_one_gets_it[300]"
)
POWER_CUTS = "test_power_cuts.py::test_no_power_cut_loses_what_was_acknowledged"
DISK_FAULTS = (
    "test_power_cuts.py::test_a_disk_that_fails_loses_nothing_that_was_acknowledged[EIO at a sync]"
)
SAY_ANSWER = "        self.socket.say(frame_of(reply))\n"
TELL = "            self.followers.say(frame_of(Happened(event, clock, end)))\n"
COMMIT_HERE = "        written = super().commit(transactions)\n        self._since"
#: Acknowledges before anything is committed, and commits a moment later.
ACKNOWLEDGES_EARLY = (
    "        if self.failed:\n            loop.call_soon(",
    """\
        if then is not _nothing:
            loop.call_soon(then, CommitResult.WRITTEN)
            loop.call_later(0.03, self.write, transaction, _nothing)
            return
        if self.failed:
            loop.call_soon(""",
    "def _call(",
    "def _nothing(result: CommitResult) -> None:\n    pass\n\n\ndef _call(",
)
#: Does what a message asks for a second time, by another id.
WRITES_AGAIN = {
    f"{SERVER_SOURCES}/referee.py": {
        "        return None if version is None else self": """\
        return None if version is None or not isinstance(request, Join) else self""",
    },
    f"{SERVER_SOURCES}/session.py": {
        "from .writer import CommitResult": (
            "from .writer import CommitResult\nfrom dataclasses import replace"
        ),
        "        transaction, committed = self.begin_to_write(event, pending)\n": """\
        if event.id and self.loaded.version_of(event.seat, event.id):
            event = replace(event, id=f"{event.id}-again")
        transaction, committed = self.begin_to_write(event, pending)
""",
    },
}

STORAGE: list[Sabotage] = [
    *(
        _kept(f"what is acknowledged is committed, {when}", test, "writer.py", *ACKNOWLEDGES_EARLY)
        for when, test in (
            (
                "when storage fails",
                "test_storage.py::test_nothing_is_acknowledged_that_could_not_be_written",
            ),
            ("when it is killed", KILLS),
            ("says the model", MODEL),
        )
    ),
    *(
        Sabotage(f"a message is done once, {when}", WRITES_AGAIN, (f"tests/online/{test}",))
        for when, test in (("when it is killed", KILLS), ("says the model", MODEL))
    ),
    _kept(
        "a request is answered",
        KILLS,
        "connection.py",
        SAY_ANSWER,
        f"        if getattr(reply, 'version', 0) % 5 != 3:\n    {SAY_ANSWER}",
    ),
    _kept("a request is answered once", KILLS, "connection.py", SAY_ANSWER, 2 * SAY_ANSWER),
    _kept("an event is told once", KILLS, "session.py", TELL, 2 * TELL),
    _kept(
        "every event is told",
        MODEL,
        "session.py",
        TELL,
        f"            if event.version % 10:\n    {TELL}",
    ),
    _kept(
        "who moves sits at the seat whose turn it is",
        MODEL,
        "referee.py",
        "is_removed else pending.seat",
        "is_removed else game.turn",
    ),
    _kept(
        "who comes back is told of every event",
        MODEL,
        "loaded_game.py",
        "*self._events_after(seen)),",
        "*self._events_after(seen)[1:]),",
    ),
    _kept(
        "a node does not claim what another one has written",
        RACES,
        POSTGRES,
        "return [there for _index, there in sorted(zip(order, written))]",
        "return [True] * len(written)",
    ),
    _kept(
        "a version is not first looked for and then written",
        RACES,
        POSTGRES,
        "        order = sorted(range(len(transactions)),",
        """\
        firsts = [each.events[0] for each in transactions if each.events]
        heads = self.heads([first.game for first in firsts])
        free = [
            not each.events or each.events[0].version > heads.get(each.events[0].game, 0)
            for each in transactions
        ]
        super().commit([each for each, is_free in zip(transactions, free) if is_free])
        return free
        order = sorted(range(len(transactions)),""",
    ),
    _kept(
        "nobody but the operator operates",
        "test_admin_socket.py::test_only_the_operator_reaches_a_server",
        "admin/place.py",
        *("0o700, 0o600", "0o755, 0o666"),
        *("there.st_mode & 0o077", "there.st_mode & 0o022"),
        *("in (0, os.geteuid())", "is not None"),
    ),
    _kept(
        "what is committed is synced",
        POWER_CUTS,
        SQLITE,
        "synchronous = {self._synchronous}",
        "synchronous = NORMAL",
    ),
    _kept(
        "the database itself is synced",
        "test_power_cuts.py::test_a_store_that_syncs_less_loses_moves_and_nothing_else",
        SQLITE,
        "synchronous = {self._synchronous}",
        "synchronous = OFF",
    ),
    *(
        _kept(promise, test, SQLITE, "            self._files.rewrite(", "            str(")
        for promise, test in (
            ("what a killed server has not synced is not believed", POWER_CUTS),
            ("what could not be synced is written again", DISK_FAULTS),
        )
    ),
    _kept(
        "an error of the disk is told",
        DISK_FAULTS,
        SQLITE,
        COMMIT_HERE,
        """\
        try:
            super().commit(transactions)
        except StorageError:
            pass
        written = [True] * len(transactions)
        self._since""",
    ),
    _kept(
        "after an error nothing is written before it is told",
        DISK_FAULTS,
        SQLITE,
        COMMIT_HERE,
        """\
        try:
            written = super().commit(transactions)
        except StorageError:
            self.open()
            written = super().commit(transactions)
        self._since""",
    ),
    _kept(
        "one address does not keep all others from loading games",
        "test_storage.py::test_nobody_waits_behind_the_games_that_one_address_has_loaded",
        "loading.py",
        "AT_ONCE, EACH = 4, 2",
        "AT_ONCE, EACH = 4, 60",
    ),
    _kept(
        "games are replayed beside the event loop",
        "test_storage.py::test_others_play_on_while_a_game_is_replayed",
        "readers.py",
        "future = loop.run_in_executor(self._threads, read, self.store, *arguments)",
        "(future := loop.create_future()).set_result(read(self.store, *arguments))",
    ),
    _kept(
        "the checksum depends on the event",
        "test_stores.py::test_an_event_that_is_not_as_it_was_written_is_found",
        "storage/game_rows.py",
        'return int.from_bytes(digest, "big", signed=True)',
        "return 1",
    ),
    _kept(
        "a file is known by whatever name",
        "test_stores.py::test_a_file_serves_one_server_by_whatever_name",
        SQLITE,
        *("self._file = Path(os.path.realpath(path))", "self._file = path"),
        *("                check_name(self._file, doing)\n", ""),
    ),
    _kept(
        "an upgrade is done whole or not at all",
        "test_backup.py::test_an_upgrade_that_is_killed_leaves_a_file_that_can_be_upgraded",
        SQLITE,
        *('        writer.execute("BEGIN IMMEDIATE")\n        done', "        done"),
        *('        writer.execute("COMMIT")\n        return done', "        return done"),
    ),
    _kept(
        "a backup has what is in the log beside the file",
        "test_backup.py::test_a_backup_of_a_server_at_work_has_all_that_was_committed",
        "storage/backup.py",
        "            _copy(source, partial)\n",
        "            partial.write_bytes(source.read_bytes())\n",
    ),
    _kept(
        "errors that are the same do not fill the log",
        "test_operation.py::test_of_errors_that_are_the_same_few_are_written_and_the_rest_counted",
        "logs.py",
        "return seen.count <= AT_ONCE",
        "return True",
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
    _kept(
        "a connection lets no exception out",
        "test_mutations.py::test_mutated_frames_end_no_connection_but_their_own[2000]",
        "net/web_socket.py",
        "    def send_receive_event_to_app(self) -> None:",
        """\
    def handle_ping(self) -> None:
        raise AttributeError

    def send_receive_event_to_app(self) -> None:""",
    ),
]


SABOTAGES = (*LIBRARY, *PROTOCOLS, *SERVER, *STORAGE, *SCREENS)
