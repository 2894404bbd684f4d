"""Searches by their names in the field: those of the textbooks, and those that can be watched.

A search holds rules and a position: ``state.rules`` and ``state.position``. A *score* is exact and
for the side to move: 0 for a draw, ``MATE - n`` for a win in *n* plies, ``n - MATE`` for a loss.
The searches here are plain Python; `evaluate` and `solve` of `tic_tac_toe` ask the fastest one.

    >>> from random import Random
    >>> from tic_tac_toe import parse_state
    >>> state = parse_state("OXX/..O/X..")  # O is to move
    >>> rules, position = state.rules, state.position
    >>> negamax(rules, position)  # O wins in three plies
    997
    >>> search = AlphaBeta(rules)
    >>> search.score(position), search.nodes
    (997, 33)
    >>> best_moves(rules, position, 997, search)
    (4,)
    >>> find_verdict(rules, position).line
    (4, 3, 8)
    >>> look_ahead(rules, position, depth_limit=2).best
    (4,)
    >>> best_of(monte_carlo(rules, position, Random(1), iterations=100))
    (4,)

`watch` yields the steps of minimax, alpha-beta or a Monte Carlo search one by one, for lessons that
show them; `tree` draws what they have found::

    >>> visits = [step for step in watch(state, search="alphabeta") if step.kind == "visit"]
    >>> len(visits), visits[1].depth, visits[1].node.move
    (14, 1, 3)
    >>> drawn = tree(state, 1, search="mcts", iterations=50, rng=Random(1))
    >>> max(drawn.root.children, key=lambda node: node.visits).move
    4
"""

from __future__ import annotations

from tic_tac_toe.game.tree import GameTree, Step, tree, watch
from tic_tac_toe.logic.search.deepening import Lookahead, look_ahead, static_evaluation
from tic_tac_toe.logic.search.evaluation import (
    MATE,
    Evaluation,
    MoveEvaluation,
    plies_of,
    result_of,
    score_of,
)
from tic_tac_toe.logic.search.exact import (
    AlphaBeta,
    Solver,
    analyse_moves,
    best_moves,
    default_solver,
    find_verdict,
    negamax,
)
from tic_tac_toe.logic.search.mcts import MoveStatistics, best_of, monte_carlo, random_playout
from tic_tac_toe.logic.search.tables import (
    Graph,
    Table,
    perft,
    small_table,
    solve_graph,
    solve_table,
)
from tic_tac_toe.logic.search.threats import (
    Force,
    ForcedMoves,
    ForcedWin,
    forced_moves,
    win_by_fours,
    win_by_threats,
)
from tic_tac_toe.pictures.tree import TreeNode

__all__ = [
    "MATE",
    "AlphaBeta",
    "Evaluation",
    "Force",
    "ForcedMoves",
    "ForcedWin",
    "GameTree",
    "Graph",
    "Lookahead",
    "MoveEvaluation",
    "MoveStatistics",
    "Solver",
    "Step",
    "Table",
    "TreeNode",
    "analyse_moves",
    "best_moves",
    "best_of",
    "default_solver",
    "find_verdict",
    "forced_moves",
    "look_ahead",
    "monte_carlo",
    "negamax",
    "perft",
    "plies_of",
    "random_playout",
    "result_of",
    "score_of",
    "small_table",
    "solve_graph",
    "solve_table",
    "static_evaluation",
    "tree",
    "watch",
    "win_by_fours",
    "win_by_threats",
]
