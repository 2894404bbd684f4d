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

SABOTAGES = (*LIBRARY, *PROTOCOLS, *SERVER, *SCREENS)
