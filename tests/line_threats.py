"""What boards of lines tell about threats, in questions that only tests and tools ask."""

from __future__ import annotations

from typing import NamedTuple

from tic_tac_toe.logic.positions import Position
from tic_tac_toe.logic.rules import Rules
from tic_tac_toe.logic.search.line_board import LineBoard, cells_of
from tic_tac_toe.logic.search.threats import (
    MOST_THREATS,
    NODE_LIMIT,
    ThreatSearch,
    board_of,
    deepened,
)


def fours(rules: Rules, position: Position) -> tuple[int, ...]:
    """Return the moves that make a four, ascending; moves that win at once are none of them."""
    board = board_of(rules, position)
    if board is None:
        return ()
    threats = board.threats()
    cells = threats.fours[position.turn] & ~threats.wins[position.turn]
    return tuple(
        move
        for move in cells_of(cells & ~board.barred(position.turn))
        if _wins_after(board, move, position.turn)
    )


def open_threes(rules: Rules, position: Position) -> tuple[int, ...]:
    """Return the moves that make an open three in one row and no four, ascending."""
    board = board_of(rules, position)
    if board is None:
        return ()
    side, threats = position.turn, board.threats()
    cells = board.threes()[1][side] & ~threats.fours[side] & ~threats.wins[side]
    return tuple(cells_of(cells & ~board.barred(side)))


class Defence(NamedTuple):
    """What the side to move can do against a win of the other side.

    Attributes:
        kind: how the other side would win, were it to move; see `ForcedWin`.
        moves: those after which that search finds no win any more, ascending.
    """

    kind: str
    moves: tuple[int, ...]


def find_defence(
    rules: Rules,
    position: Position,
    *,
    node_limit: int = NODE_LIMIT,
    depth_limit: int = MOST_THREATS,
) -> Defence | None:
    """Return how the side to move stops a win by threats of the other side, if there is one.

    Args:
        node_limit: how many positions to look at for the win, and again for each defence.
        depth_limit: as for `win_by_threats`; 0 looks for wins by fours.
    """
    board = board_of(rules, position)
    if board is None:
        return None
    side = position.turn
    attack = ThreatSearch(board, 1 - side, node_limit)
    kind, proof = deepened(attack, depth_limit)
    if proof is None:
        return None
    moves = []
    for move in cells_of(attack.disturbing(proof) & ~board.barred(side)):
        board.toggle(move, side)
        _, still = deepened(ThreatSearch(board, 1 - side, node_limit), depth_limit)
        board.toggle(move, side)
        if still is None:
            moves.append(move)
    return Defence(kind, tuple(moves))


def _wins_after(board: LineBoard, move: int, side: int) -> bool:
    board.toggle(move, side)
    wins = board.threats().wins[side]
    board.toggle(move, side)
    return bool(wins)
