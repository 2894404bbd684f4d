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
            {"tic_tac_toe/solver/kernels/mnk/pairing.py": {old: new}},
            ("tests/solver/test_mnk_kernel.py::test_an_attacker_that_pairs_hold_wins_nothing",),
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
            "tic_tac_toe/protocols/online/outbox.py": {
                "import random\n": "import random\nfrom dataclasses import replace\n",
                "self._again_at.clear()": (
                    "again = [replace(each, id=self.new_id()) for each in self.pending.values()]\n"
                    "        self.pending = {each.id: each for each in again}"
                ),
            },
        },
        (f"{RESUMPTION}::test_a_connection_may_be_lost_after_any_text_in_either_direction",),
    ),
    Sabotage(
        "what has no answer is asked again after a loss",
        {
            "tic_tac_toe/protocols/online/outbox.py": {
                "self._again_at.clear()": "self.pending.clear()",
            },
        },
        (f"{RESUMPTION}::test_a_connection_may_be_lost_after_any_text_in_either_direction",),
    ),
    Sabotage(
        "whatever is asked in a storm has an answer",
        {
            "tic_tac_toe/protocols/online/outbox.py": {
                "self._again_at.clear()": "self.pending.clear()",
            },
        },
        (
            f"{RESUMPTION}::test_every_answer_is_true_whatever_is_asked_and_whenever_connections_break",
        ),
    ),
    Sabotage(
        "events are applied by their numbers, and not as they come",
        {
            "tic_tac_toe/protocols/online/following.py": {
                "ours = [event for event in events if event.game == self.address]": (
                    "here = (event for event in events if event.game == self.address)\n"
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
            "tic_tac_toe/protocols/online/following.py": {
                "self._outbox.ask_aside(request)": 'self._events_id = ""',
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

SERVER: list[Sabotage] = []

SCREENS: list[Sabotage] = []

SABOTAGES = (*LIBRARY, *PROTOCOLS, *SERVER, *SCREENS)
