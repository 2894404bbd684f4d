"""Solving 3x3 whole: a table of every position with its outcome, distance and best moves."""

from __future__ import annotations

from collections.abc import Callable

from benchmarks import peers
from benchmarks.measurement import Effort, Sampler, alternate_all, load, repeated
from benchmarks.report import SECONDS, AtMost, Section
from tic_tac_toe.logic.positions import Position
from tic_tac_toe.logic.rules.catalogue import TIC_TAC_TOE
from tic_tac_toe.logic.rules.line import LineRules
from tic_tac_toe.logic.search.tables import small_table, solve_table

LIBRARY, WITH_RULES, GENERIC = "`small_table`", "`LineRules` and `small_table`", "`solve_table`"
EASYAI, OPENSPIEL = "easyAI `Negamax(9)`, prunes", "OpenSpiel `MinimaxSolver`, no distances"


def measure(effort: Effort) -> list[Section]:
    """Return the figures of solving 3x3 from nothing."""
    preparations: dict[str, Callable[[float], Sampler]] = {
        LIBRARY: _solve_small,
        WITH_RULES: _solve_with_rules,
        GENERIC: _solve_generic,
        EASYAI: _solve_easyai,
        OPENSPIEL: _solve_openspiel,
    }
    runs = alternate_all(preparations, effort)
    return [
        Section(
            "complete 3x3 table, with distances",
            runs,
            SECONDS,
            reference=OPENSPIEL,
            goals={LIBRARY: AtMost(0.010)},
        )
    ]


def _solve_small(seconds: float) -> Sampler:
    return _repeated(lambda: small_table(TIC_TAC_TOE, 0), seconds)


def _solve_with_rules(seconds: float) -> Sampler:
    """Make the rules themselves as well, that hold which of the 512 bit boards have a line."""
    return _repeated(lambda: small_table(LineRules(), 0), seconds)


def _solve_generic(seconds: float) -> Sampler:
    return _repeated(lambda: solve_table(TIC_TAC_TOE), seconds)


def _solve_easyai(seconds: float) -> Sampler:
    """Search once from the empty board; easyAI tables what that meets, a part of the game."""
    load("easyAI")
    opening = peers.easyai_game(peers.easyai_class(), Position())
    return _repeated(lambda: peers.easyai_table([opening]), seconds)


def _solve_openspiel(seconds: float) -> Sampler:
    peers.openspiel_game("tic_tac_toe")
    return _repeated(lambda: peers.openspiel_solver("tic_tac_toe"), seconds)


def _repeated(solve: Callable[[], object], seconds: float) -> Sampler:
    """Return a sampler of solving; what was made is held until the clock has stopped."""
    made: list[object] = []

    def work() -> int:
        made.append(solve())
        return 1

    def forget() -> None:
        small_table.cache_clear()
        made.clear()

    return repeated(work, seconds, between=forget)
