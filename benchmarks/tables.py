"""Solving 3x3 whole: a table of every position with its outcome, distance and best moves."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

from benchmarks import peers
from benchmarks.measurement import Contestant, Effort, Sampler, alternate, load, repeated
from benchmarks.report import SECONDS, AtMost, Section
from tic_tac_toe.logic.positions import Position
from tic_tac_toe.logic.rules.catalogue import TIC_TAC_TOE
from tic_tac_toe.logic.rules.line import LineRules
from tic_tac_toe.logic.search.table import small_table, solve_table

LIBRARY, WITH_RULES, GENERIC = "`small_table`", "`LineRules` and `small_table`", "`solve_table`"
EASYAI, OPENSPIEL = "easyAI `Negamax(9)`, prunes", "OpenSpiel `MinimaxSolver`, no distances"


#: Holds what was made until the clock has stopped: freeing it is nobody's work.
made: list[object] = []


def measure(effort: Effort) -> list[Section]:
    """Return the figures of solving 3x3 from nothing."""
    preparations: dict[str, Callable[[float], Sampler]] = {
        LIBRARY: _solve_small,
        WITH_RULES: _solve_with_rules,
        GENERIC: _solve_generic,
        EASYAI: _solve_easyai,
        OPENSPIEL: _solve_openspiel,
    }
    runs = alternate(
        [
            Contestant(name, partial(prepare, effort.seconds))
            for name, prepare in preparations.items()
        ],
        effort.rounds,
    )
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
    def solve() -> int:
        small_table(TIC_TAC_TOE, 0)
        return 1

    return repeated(solve, seconds, between=_forget)


def _solve_with_rules(seconds: float) -> Sampler:
    """Make the rules themselves as well, that hold which of the 512 bit boards have a line."""

    def solve() -> int:
        small_table(LineRules(), 0)
        return 1

    return repeated(solve, seconds, between=_forget)


def _solve_generic(seconds: float) -> Sampler:
    def solve() -> int:
        made.append(solve_table(TIC_TAC_TOE))
        return 1

    return repeated(solve, seconds, between=_forget)


def _solve_easyai(seconds: float) -> Sampler:
    """Search once from the empty board; easyAI tables what that meets, a part of the game."""
    load("easyAI")
    opening = peers.easyai_game(peers.easyai_class(), Position())

    def solve() -> int:
        made.append(peers.easyai_table([opening]))
        return 1

    return repeated(solve, seconds, between=_forget)


def _solve_openspiel(seconds: float) -> Sampler:
    peers.openspiel_game("tic_tac_toe")

    def solve() -> int:
        made.append(peers.openspiel_solver("tic_tac_toe"))
        return 1

    return repeated(solve, seconds, between=_forget)


def _forget() -> None:
    small_table.cache_clear()
    made.clear()
