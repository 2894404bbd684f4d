"""A checker that keeps all but one of its promises accepts something false: each of them counts."""

from __future__ import annotations

from itertools import permutations
from pathlib import Path
from types import ModuleType

import pytest

from tests.theorems import judge_all_theorems, planned, rows_of
from tic_tac_toe import certificate_check
from tic_tac_toe.logic.rules.catalogue import find_rules
from tic_tac_toe.logic.search.table import solve_table

pytestmark = pytest.mark.once

SOURCE = Path(certificate_check.__file__).read_text(encoding="utf-8")


def changed(old: str, new: str) -> ModuleType:
    """Return the checker with a piece of its source, of which there is one, replaced."""
    assert SOURCE.count(old) == 1
    module = ModuleType("broken_checker")
    exec(compile(SOURCE.replace(old, new), "broken_checker", "exec"), vars(module))
    return module


def false_plan(checker: ModuleType, game: str, must_win: bool) -> str | None:
    """Return a plan for the end of a game that a checker accepts, and that is false."""
    rules = find_rules(f"mnk:{game}")
    table = solve_table(rules)
    for position in table:
        count = rules.shape.cells - position.marks
        if rules.outcome(position) is not None or count > 5 or table.score(position) >= must_win:
            continue
        rows, prover = rows_of(rules.shape, position.stones), "XO"[position.turn]
        for order in permutations(range(count)):
            text = planned(rows, order)
            proof = checker.Proof(checker.Game(game), prover, must_win=must_win)
            try:
                proof.add(text)
            except checker.InvalidCertificate:
                continue
            return text
    return None


#: What a checker of plans must look at, and what stands there in one that does not.
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
#: The same of theorems about one position, with a game that it matters in.
THEOREMS = {
    "a full board": ("if self.must_win and not replies:", "if False:", "3,3,3"),
    "every reply": (
        "if cell & replies and not self.holds(own, other | cell):",
        "if False:",
        "3,3,3",
    ),
    "a line of the opponent": ("return self.game.misere", "return True", "3,3,3"),
    "a draw": ("return not self.must_win", "return True", "3,3,3"),
    "where a mark falls": ("if any(cells & playable == cells and", "if any(", "3,3,3,gravity"),
    "cells of a pair": ("free &= ~(first | second)", "pass", "5,2,3"),
    "the lines in pairs": (
        "if any(all(line & pair != pair",
        "if False and any(all(line & pair != pair",
        "5,2,3",
    ),
    "what lines weigh": (">= 1 << game.length", ">= 2 << game.length", "3,3,3"),
    "what a line lacks": ("moves = (empty", "moves = 0 * (empty", "3,3,3"),
    "odd columns": ("if sum(pairs) != lowest:", "if False:", "3,3,3,gravity"),
    "a line to win by": (
        "if self.must_win and not any(line & (own",
        "if False and not any(line & (own",
        "3,4,3,gravity",
    ),
}


@pytest.mark.parametrize("promise", PLANS)
def test_a_checker_that_looks_away_accepts_a_false_plan(promise: str) -> None:
    broken = changed(*PLANS[promise])

    assert any(
        false_plan(broken, game, must_win)
        for game in ("3,3,3,gravity", "4,3,3,gravity", "3,3,3")
        for must_win in (False, True)
    )


@pytest.mark.parametrize("promise", THEOREMS)
def test_a_checker_that_looks_away_accepts_a_false_theorem(promise: str) -> None:
    old, new, game = THEOREMS[promise]
    broken = changed(old, new)

    assert any(
        judge_all_theorems(game, prover, must_win, broken).false
        for prover in (0, 1)
        for must_win in (False, True)
    )
