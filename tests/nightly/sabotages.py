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


def _online(test: str, path: str, old: str, new: str) -> Sabotage:
    """Return a fault that a test of online play has to see, whose name says what is promised."""
    promise = test.partition("::test_")[2].replace("_", " ")
    return Sabotage(promise, {f"tic_tac_toe{path}": {old: new}}, (f"tests/online/{test}",))


#: What the checker of certificates looks at in plans and in theorems: a piece of its source, and
#: what stands there in one that looks away.
PLANS = {
    "a line of the opponent": (
        "answer & (answer - 1) or replies & losses",
        "answer & (answer - 1)",
    ),
    "a full board": ("if fails or (self.must_win and not replies):", "if fails:"),
    "every reply": ("replies ^= reply", "replies = 0"),
    "the reply that stops a line": ("0 if threats & (threats - 1) else threats", "0"),
    "new threats of the opponent": ("losses | game.completed_by(other, reply)", "losses"),
}
THEOREMS = {
    "a full board": ("if self.must_win and not replies:", "if False:"),
    "every reply": ("if cell & replies and not self.holds(own, other | cell):", "if False:"),
    "a line of the opponent": ("return self.game.misere", "return True"),
    "a draw": ("return not self.must_win", "return True"),
    "where a mark falls": ("if any(cells & playable == cells and", "if any("),
    "cells of a pair": ("free &= ~(first | second)", "pass"),
    "the lines in pairs": (
        "if any(all(line & pair != pair",
        "if False and any(all(line & pair != pair",
    ),
    "what lines weigh": (">= 1 << game.length", ">= 2 << game.length"),
    "what a line lacks": ("moves = (empty", "moves = 0 * (empty"),
    "odd columns": ("if sum(pairs) != lowest:", "if False:"),
    "a line to win by": (
        "if self.must_win and not any(line & (own",
        "if False and not any(line & (own",
    ),
    "a symmetry that is its own inverse": (
        "if any(image[to] != cell",
        "if False and any(image[to] != cell",
    ),
    "cells that are their own images": ("if fixed & ~(own | other) or", "if"),
    "marks that are copied": ("game.moved(own & ~fixed, image) != other & ~fixed", "False"),
    "lines that are copied": (
        "return all(line & game.moved(line, image) & ~fixed",
        "return all(line & game.moved(line, image)",
    ),
}
CHECKER = "tic_tac_toe/certificate_check.py"
#: How the m,n,k kernel counts lines that a pair leaves.
KEPT_LINES = "kept += U1 if pair & ~line != U0 else U0"

LIBRARY: list[Sabotage] = [
    *(
        Sabotage(
            f"the checker looks at {promise} in plans",
            {CHECKER: {old: new}},
            ("tests/test_plans_checked.py",),
        )
        for promise, (old, new) in PLANS.items()
    ),
    *(
        Sabotage(
            f"the checker looks at {promise} in theorems",
            {CHECKER: {old: new}},
            ("tests/test_certificate_check.py",),
        )
        for promise, (old, new) in THEOREMS.items()
    ),
    *(
        Sabotage(
            f"pairs hold an attacker: {what}",
            {"tic_tac_toe/solver/kernels/mnk/board.py": {old: new}},
            ("tests/solver/test_kernels.py::test_an_attacker_that_pairs_hold_wins_nothing",),
        )
        for what, old, new in (
            ("of each line both cells", KEPT_LINES, "kept += U1 if pair & line == U0 else U0"),
            (
                "each with cells of its own",
                "frames[free + kept] = line & ~pair",
                "frames[free + kept] = line",
            ),
        )
    ),
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

RESUMPTION = "tests/protocols/test_resumption.py"
EVENING = "tests/protocols/test_game.py::test_whatever_is_asked_a_game_is_the_replay_of_its_events"
PROTOCOLS: list[Sabotage] = [
    Sabotage(
        "what is asked again after a loss has the id that it had",
        {
            "tic_tac_toe/protocols/online/client.py": {
                "self._again_at.clear()": (
                    "new = [type(each)(**{**vars(each), 'id': self._new_id()})"
                    " for each in self.pending]\n"
                    "        self._asked = {each.id: each for each in new}"
                ),
            },
        },
        (f"{RESUMPTION}::test_a_connection_may_be_lost_after_any_text_in_either_direction",),
    ),
    Sabotage(
        "what has no answer is asked again after a loss",
        {
            "tic_tac_toe/protocols/online/client.py": {
                "self._again_at.clear()": "self._asked.clear()",
            },
        },
        (f"{RESUMPTION}::test_a_connection_may_be_lost_after_any_text_in_either_direction",),
    ),
    Sabotage(
        "whatever is asked in a storm has an answer",
        {
            "tic_tac_toe/protocols/online/client.py": {
                "self._again_at.clear()": "self._asked.clear()",
            },
        },
        (
            f"{RESUMPTION}::test_every_answer_is_true_whatever_is_asked_and_whenever_connections_break",
        ),
    ),
    Sabotage(
        "events are applied by their numbers, and not as they come",
        {
            "tic_tac_toe/protocols/online/game_copy.py": {
                "ours = [event for event in events if event.game == address]": (
                    "here = (event for event in events if event.game == address)\n"
                    "        now = self.version + 1\n"
                    "        ours = [replace(e, version=now + at) for at, e in enumerate(here)]"
                ),
            },
        },
        (f"{RESUMPTION}::test_events_may_be_lost_repeated_and_shuffled",),
    ),
    Sabotage(
        "events that are missing are asked for",
        {
            "tic_tac_toe/protocols/online/client.py": {
                "self._events_id = request.id": 'self._events_id = ""\n            return',
            },
        },
        (f"{RESUMPTION}::test_events_may_be_lost_repeated_and_shuffled",),
    ),
    Sabotage(
        "a move that was made in view of another board is stale",
        {
            "tic_tac_toe/protocols/online/judge.py": {
                "not game.changed <= version <= game.version": "version > game.version",
            },
        },
        (EVENING,),
    ),
    Sabotage(
        "nobody moves at the other player's turn",
        {
            "tic_tac_toe/protocols/online/judge.py": {
                "if game.turn != seat:": "if not game.turn:",
            },
        },
        (EVENING,),
    ),
    Sabotage(
        "time in a log does not run backwards, whatever the machine's clock does",
        {
            "tic_tac_toe/protocols/online/judge.py": {
                "seat, max(now, game.time)": "seat, now",
            },
        },
        (EVENING,),
    ),
]

SERVER: list[Sabotage] = [
    _online(
        "test_seats.py::test_every_request_gets_one_answer_each_time_that_it_is_sent",
        "_frontends/server/connection.py",
        "self.socket.send_frame(frame_of(reply))\n        if",
        "metrics.unanswered % 7 and self.socket.send_frame(frame_of(reply))\n        if",
    ),
    _online(
        "test_seats.py::test_every_request_gets_one_answer_each_time_that_it_is_sent",
        "_frontends/server/connection.py",
        "self.socket.send_frame(frame_of(reply))\n        if",
        "[self.socket.send_frame(frame_of(reply)) for _ in range(2)]\n        if",
    ),
    _online(
        "test_limits.py::test_whoever_asks_too_often_is_told_when_to_come_again_and_others_are_not_slowed_down",
        "_frontends/server/budgets.py",
        "if self.left_at(now) >= needed:",
        "if self.left_at(now) or needed:",
    ),
    _online(
        "test_http_limits.py::test_an_address_that_asks_for_too_much_is_told_so_and_its_connection_closed",
        "_frontends/server/web/request_limiter.py",
        "(budget.under_way >= most or budget.requests.spend(now, cost)):",
        "budget.under_way >= most:",
    ),
    _online(
        "test_limits.py::test_unknown_addresses_leave_nothing_behind",
        "_frontends/server/session.py",
        "return not (self.followers or self.is_at_work or self.loaded.clock_runs)",
        "return False",
    ),
    _online(
        "test_floods.py::test_a_client_that_never_ends_its_request_or_sends_none_is_sent_away",
        "_frontends/server/wire/http.py",
        "if self._last_progress == (self._begun, unread):",
        "if self._last_progress is self:",
    ),
    _online(
        "test_floods.py::test_a_client_that_does_not_read_is_cut_off",
        "_frontends/server/wire/web_socket.py",
        "if self.unread > MOST_MESSAGES or (before and before + len(data) > MOST_BYTES):",
        "if self.unread > MOST_MESSAGES**3:",
    ),
    _online(
        "test_clocks.py::test_a_player_who_is_back_or_was_a_moment_ago_has_not_left",
        "_frontends/server/followers.py",
        "return max(self._alone_since, self._core.uptime.woke_at) + 1000 * seconds",
        "return self._core.uptime.woke_at + 1000 * seconds",
    ),
    _online(
        "test_clocks.py::test_the_time_in_which_nobody_was_there_is_held_against_nobody",
        "_frontends/server/followers.py",
        "return max(self._alone_since, self._core.uptime.woke_at) + 1000 * seconds",
        "return 0",
    ),
    _online(
        "test_clocks.py::test_a_flag_falls_though_nobody_asks_for_anything",
        "_frontends/server/session.py",
        "            self._check_flag_in(left / 1000 + 0.01)",
        "            self._check_flag_in(1e6)",
    ),
    _online(
        "test_clocks.py::test_nobody_is_charged_for_the_time_in_which_no_server_was_there",
        "_frontends/server/storage/store.py",
        "if beat and now - beat[0][0] > grace:",
        "if beat and now - beat[0][0] > 10**9:",
    ),
    _online(
        "test_clocks.py::test_a_flag_falls_though_the_server_that_watched_the_clock_is_gone",
        "_frontends/server/housekeeping.py",
        "                await self.load_overdue_games()\n",
        "",
    ),
    _online(
        "test_computers.py::test_a_strategy_that_goes_wrong_is_replaced",
        "_frontends/server/computers.py",
        "args=arguments, timeout=self.longest",
        "args=arguments, timeout=3600.0",
    ),
    _online(
        "test_computers.py::test_nobody_waits_for_the_computers_of_a_stranger",
        "_frontends/server/computers.py",
        "owner = sessions[game.address].sponsor",
        "owner = None",
    ),
    _online(
        "test_computers.py::test_nobody_waits_for_the_computers_of_a_stranger",
        "_frontends/server/computers.py",
        'QUICK = frozenset({"random", "easy", "rules", "medium"})',
        "QUICK = frozenset[str]()",
    ),
    _online(
        "test_fairness.py::test_one_address_takes_a_few_places_in_the_lobby_and_others_see_theirs",
        "_frontends/server/players.py",
        "if places[held.budget] > self._limits.open_games.number:",
        "if places[held.budget] > 10**6:",
    ),
    _online(
        "test_fairness.py::test_one_connection_joins_two_games_before_it_moves_and_one_address_ten",
        "_frontends/server/players.py",
        'return "first_moves" if is_full else ""',
        'return ""',
    ),
    _online(
        "test_fairness.py::test_an_address_that_does_not_move_is_given_ten_strangers_and_no_more",
        "_frontends/server/players.py",
        "return all(usage.delayed < usage.most for held in seats for usage in held.usages)",
        "return True",
    ),
    _online(
        "test_fairness.py::test_one_address_does_not_fill_the_server_with_games",
        "_frontends/server/players.py",
        'return "too_many_games" if is_full else ""',
        'return ""',
    ),
    _online(
        "test_floods.py::test_of_many_frames_few_are_read_in_one_turn",
        "_frontends/server/wire/read_scheduler.py",
        "if size > SLICE or read > TURN or owner in self._waiting:",
        "if read < 0:",
    ),
    _online(
        "test_floods.py::test_few_requests_of_an_address_are_begun_in_one_turn",
        "_frontends/server/wire/read_scheduler.py",
        "if size > SLICE or read > TURN or owner in self._waiting:",
        "if read < 0:",
    ),
    _online(
        "test_floods.py::test_reading_stops_once_the_server_has_closed",
        "_frontends/server/wire/web_socket.py",
        "self._left_after_close -= len(data)",
        "self._left_after_close -= 0",
    ),
    _online(
        "test_floods.py::test_a_client_that_answers_a_close_and_reads_nothing_is_cut_off",
        "_frontends/server/wire/web_socket.py",
        "self.loop.call_later(CLOSE_SECONDS, self.transport.abort)",
        "self.loop.call_later(1e6, self.transport.abort)",
    ),
    _online(
        "test_frames.py::test_a_malformed_frame_closes_the_connection_with_the_right_code",
        "_frontends/server/wire/web_socket.py",
        "if not self._is_text:",
        "if self._is_text is None:",
    ),
    _online(
        "test_http_limits.py::test_pages_of_other_servers_cannot_play_unless_the_operator_lets_them",
        "_frontends/server/web/app.py",
        'if not is_allowed_origin(scope["headers"], self.origins):',
        'if is_allowed_origin(scope["headers"], self.origins) is None:',
    ),
    _online(
        "test_http_limits.py::test_little_is_kept_for_a_client_that_does_not_read",
        "_frontends/server/web/http.py",
        "await response(scope, receive, in_pieces(send))",
        "await response(scope, receive, send)",
    ),
    _online(
        "test_http_limits.py::test_an_address_has_a_limited_number_of_connections_of_any_kind",
        "_frontends/server/wire/connection_limiter.py",
        '                return "sockets"\n',
        '                return ""\n',
    ),
    _online(
        "test_lobby.py::test_open_games_appear_and_vanish_when_joined_closed_and_expired",
        "_frontends/server/lobby.py",
        "if is_last_move or not isinstance(event, Moved | Said",
        "if is_last_move or not isinstance(event, Joined | Moved | Said",
    ),
    _online(
        "test_lobby.py::test_a_game_is_hidden_while_its_creator_is_gone_and_comes_back_with_him",
        "_frontends/server/players.py",
        "return self.is_here(game, seat) or self._clock() - latest <= self.away_seconds",
        "return self.is_here(game, seat) or latest >= 0.0",
    ),
    _online(
        "test_stopping.py::test_a_server_believes_a_log_that_has_lost_its_end",
        "_frontends/server/game_server.py",
        "                session.start_over()\n",
        "                pass\n",
    ),
    _online(
        "test_stopping.py::test_time_in_which_the_machine_slept_is_charged_to_nobody",
        "_frontends/server/uptime.py",
        "return self._now() - self.awake_at > 1000 * self.sleep_seconds",
        "return False",
    ),
    _online(
        "test_stopping.py::test_a_client_gone_before_the_answer_enters_no_game",
        "_frontends/server/connection.py",
        "        self._is_gone = True\n",
        "",
    ),
    _online(
        "test_stopping.py::test_what_was_begun_is_finished_and_what_comes_later_refused",
        "_frontends/server/game_server.py",
        "self.finish_seconds = FINISH_SECONDS",
        "self.finish_seconds = 0.0",
    ),
    _online(
        "test_stopping.py::test_processes_that_think_go_with_the_server",
        "_frontends/server/computers.py",
        "    end_with_parent(parent)\n    if nice",
        "    if nice",
    ),
    _online(
        "test_lobby.py::test_who_finds_the_seat_taken_goes_on_waiting",
        "_frontends/server/pairing.py",
        "        result = await core.writer.write(Transaction(events_of_both, rows))\n",
        """\
        core.writer.write(left.transaction)
        result = await core.writer.write(taken.transaction)
""",
    ),
    _online(
        "test_personal.py::test_who_is_blocked_is_not_paired_with_who_blocked_him_but_with_others",
        "_frontends/server/players.py",
        "theirs in self._known[key][0]\n",
        "not theirs\n",
    ),
    _online(
        "test_seats.py::test_of_many_players_who_join_at_once_one_is_seated",
        "_frontends/server/session.py",
        "        change = self.prepare(event)\n",
        """\
        if pending is not None:
            pending.answer(self.loaded.done_answer(pending.request, OK, event.version))
        change = self.prepare(event)
""",
    ),
    _online(
        "test_seats.py::test_players_hear_what_watchers_say_once_the_game_is_over",
        "_frontends/server/followers.py",
        "self._followers.send_to_watchers(frame)",
        "self._followers.send(frame)",
    ),
    _online(
        "test_seats.py::test_a_wrong_token_is_as_good_as_an_unknown_game_and_watchers_cannot_act",
        "/protocols/online/game.py",
        "            if hmac.compare_digest(kept, key) and kept:",
        "            if kept:",
    ),
    _online(
        "test_lobby.py::test_of_fifty_who_want_the_same_at_once_each_gets_exactly_one_opponent",
        "/protocols/online/judge.py",
        "name=player.name, key=player.key)\n    return closed, joined",
        'name=player.name, key="nobody")\n    return closed, joined',
    ),
    Sabotage(
        "a visitor pays more for a page of a long game",
        {
            "tic_tac_toe_frontends/server/web/http.py": {
                "EVENTS_A_PAGE = 100": "EVENTS_A_PAGE = 1e9",
            },
        },
        (
            "tests/online/test_pages.py::test_pages_of_long_games_cost_more_and_those_that_are_kept_do_not",
        ),
    ),
]

SCREENS: list[Sabotage] = []


def _kept(promise: str, test: str, path: str, *pieces: str) -> Sabotage:
    """Return a fault of the server in one file: what stands there, and what in its place."""
    changes = {f"{SERVER_SOURCES}/{path}": dict(zip(pieces[::2], pieces[1::2]))}
    return Sabotage(promise, changes, (f"tests/online/{test}",))


SERVER_SOURCES = "tic_tac_toe_frontends/server"
SQLITE, POSTGRES = "storage/sqlite_store.py", "nodes/postgres_store.py"
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
SAY_ANSWER = "        self.socket.send_frame(frame_of(reply))\n"
TELL = "            self.followers.send(frame_of(Happened(event, clock, end)))\n"
COMMIT_HERE = "        written = super().commit(transactions)\n        self._since"
#: Acknowledges before anything is committed, and commits a moment later.
ACKNOWLEDGES_EARLY = (
    "        if self.failed:\n            result.set_result(",
    """\
        if transaction not in self._acknowledged:
            self._acknowledged.append(transaction)
            result.set_result(CommitResult.WRITTEN)
            loop.call_later(0.03, self.write, transaction)
            return result
        if self.failed:
            result.set_result(""",
    "        self._committing = False\n        self._timer",
    "        self._acknowledged = []\n        self._committing = False\n        self._timer",
)
#: Does what a message asks for a second time, by another id.
WRITES_AGAIN = {
    f"{SERVER_SOURCES}/referee.py": {
        "        if version is None:\n            return None\n        if not has_led_to": """\
        if version is None or not isinstance(request, Join):
            return None
        if not has_led_to""",
    },
    f"{SERVER_SOURCES}/session.py": {
        "from .writer import CommitResult": (
            "from .writer import CommitResult\nfrom dataclasses import replace"
        ),
        "        change = self.prepare(event)\n": """\
        if event.id and self.loaded.version_of(event.seat, event.id):
            event = replace(event, id=f"{event.id}-again")
        change = self.prepare(event)
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
        "admin/endpoint.py",
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
        "loaded_game.py",
        "AT_ONCE, EACH = 4, 2",
        "AT_ONCE, EACH = 4, 60",
    ),
    _kept(
        "games are replayed beside the event loop",
        "test_storage.py::test_others_play_on_while_a_game_is_replayed",
        "loaded_game.py",
        "loaded = await self._readers.run(read_game, self._store, address, pauses)",
        "loaded = read_game(self._store, address, pauses)",
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
        "            copy_games(source, partial)\n",
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
        "wire/web_socket.py",
        "        self._surplus += len(data)\n",
        """\
        if data[0] & 0x0F == Opcode.PING:
            raise AttributeError
        self._surplus += len(data)
""",
    ),
]


SABOTAGES = (*LIBRARY, *PROTOCOLS, *SERVER, *STORAGE, *SCREENS)
