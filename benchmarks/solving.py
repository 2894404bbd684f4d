"""Solving a game from its empty board, in a fresh process: CPU time and peak memory."""

from __future__ import annotations

from collections.abc import Callable

from benchmarks.measurement import Contestant, Effort, Sampler, Unavailable, alternate
from benchmarks.processes import fresh
from benchmarks.report import MEGABYTES, SECONDS, AtMost, Section
from tic_tac_toe.logic.rules import Rules
from tic_tac_toe.logic.rules.catalogue import find_rules
from tic_tac_toe.logic.rules.line import LineRules
from tic_tac_toe.logic.rules.lines import PLANE

SCORE = """
from tic_tac_toe import Position, find_rules
from tic_tac_toe.logic.search.exact import AlphaBeta
AlphaBeta(find_rules({board!r})).score(Position())
"""
VERDICT = """
from tic_tac_toe import GameState, find_rules, verdict
from tic_tac_toe.limits import Limits
verdict(GameState.new(find_rules({board!r})), Limits())
"""
OPENSPIEL = """
from open_spiel.python.algorithms.minimax_solver import MinimaxSolver
MinimaxSolver({game!r}).solve()
"""


def measure(effort: Effort) -> list[Section]:
    """Return the figures of solving: the value alone, and the verdict with every best move."""
    score, verdict = "`AlphaBeta(rules).score`", "`verdict`, every best move"
    openspiel = "OpenSpiel `MinimaxSolver`"
    rules = find_rules(effort.board)
    contestants = [
        Contestant(score, fresh(SCORE.format(board=effort.board), warm=False, peak=True)),
        Contestant(verdict, fresh(VERDICT.format(board=effort.board), warm=False, peak=True)),
        Contestant(openspiel, _prepare_openspiel(rules, effort.slow), once=True),
    ]
    runs = alternate(contestants, min(effort.rounds, 5))
    title = f"solving {effort.board} in a fresh process"
    return [
        Section(
            f"{title}, CPU time",
            runs,
            SECONDS,
            reference=openspiel,
            goals={score: AtMost(60), verdict: AtMost(60)},
        ),
        Section(
            f"{title}, peak memory",
            runs,
            MEGABYTES,
            goals={score: AtMost(500), verdict: AtMost(500)},
        ),
    ]


def _prepare_openspiel(rules: Rules, slow: bool) -> Callable[[], Sampler]:
    def prepare() -> Sampler:
        if not slow:
            raise Unavailable("left out without --slow")
        if not isinstance(rules, LineRules) or type(rules) is not LineRules:
            raise Unavailable("does not have this game")
        if rules.gravity or rules.exact or rules.topology != PLANE:
            raise Unavailable("does not have this game")
        rows, columns = rules.shape
        game = f"mnk(m={columns},n={rows},k={rules.length})"
        return fresh(OPENSPIEL.format(game=game), "pyspiel", warm=False, peak=True)()

    return prepare
