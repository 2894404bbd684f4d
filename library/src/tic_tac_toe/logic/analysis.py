"""Exact answers about game states: what a position is worth, and each of its moves."""

from __future__ import annotations

from tic_tac_toe.logic.models import GameState
from tic_tac_toe.logic.search.verdict import (
    MoveVerdict,
    Verdict,
    analyse_moves,
    default_solver,
    find_verdict,
)

#: Half a minute of plain Python at most; all moves of the empty 4x4 need two thirds of it.
NODE_LIMIT = 2_000_000


def verdict(state: GameState, *, node_limit: int | None = NODE_LIMIT) -> Verdict:
    """Return the outcome for the side to move, the plies to the end and every best move.

    Args:
        node_limit: how many positions may be looked at, ``None`` for no end.

    Raises:
        SearchLimitReached: the game is too large to solve within the limit.
    """
    rules, position = state.rules, state.position
    return find_verdict(rules, position, default_solver(rules, position, node_limit))


def analyse(state: GameState, *, node_limit: int | None = NODE_LIMIT) -> tuple[MoveVerdict, ...]:
    """Return what each legal move is worth to the side that makes it, by ascending cell.

    Raises:
        SearchLimitReached: the game is too large to solve within the limit.
    """
    rules, position = state.rules, state.position
    return analyse_moves(rules, position, default_solver(rules, position, node_limit))
