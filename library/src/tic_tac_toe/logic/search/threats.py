"""Forced moves, and wins that are forced by them, in every game of lines.

A *four* is a move after which its side wins with its next move unless that is stopped. An *open
three* is a move after which its side threatens a four that no mark stops. The names come from
gomoku, where a line has five marks; they mean the same here for lines of any length.

Victory by continuous fours (VCF) and by continuous threats (VCT) are the terms of gomoku players:
each move of the winner leaves the other side hardly a choice. What these functions claim is proved.
Misère games, and games whose players choose letters, have no such threats: the answers are empty.
"""

from __future__ import annotations

from enum import Enum
from typing import Final, NamedTuple

from tic_tac_toe.logic.positions import Position
from tic_tac_toe.logic.rules import Rules
from tic_tac_toe.logic.rules.line import LineRules
from tic_tac_toe.logic.rules.pie import Pie
from tic_tac_toe.logic.search.line_board import LineBoard, cells_of
from tic_tac_toe.logic.search.threat_search import Proof, ThreatSearch

#: How many positions a search looks at unless told otherwise: about a quarter of a second.
NODE_LIMIT: Final = 5_000
#: How many moves of a win by threats may make threes or fours before fours win.
MOST_THREATS: Final = 6


class Force(Enum):
    """Why moves are forced: they win, or they stop a win in the next ply."""

    WIN = "win"
    STOP = "stop"


class ForcedMoves(NamedTuple):
    """The moves that have to be considered alone.

    Attributes:
        force: why; ``None`` if nothing is forced.
        moves: ascending; with `Force.STOP` they may be none, and the game is lost.
    """

    force: Force | None
    moves: tuple[int, ...] = ()


class ForcedWin(NamedTuple):
    """A win that is proved against every defence.

    Attributes:
        kind: ``fours`` if each move but the last threatens to complete a line, else ``threats``.
        plies: how many the win takes at most.
        line: moves of the winner and answers in turns, one of the longest defences; the last move
            wins.
    """

    kind: str
    plies: int
    line: tuple[int, ...]


class Defence(NamedTuple):
    """What the side to move can do against a win of the other side.

    Attributes:
        win: how the other side would win, were it to move.
        moves: those after which that search finds no win any more, ascending.
    """

    win: ForcedWin
    moves: tuple[int, ...]


def forced_moves(rules: Rules, position: Position) -> ForcedMoves:
    """Return the moves that win at once; failing that, those that stop the other side from it."""
    board = _board(rules, position)
    if board is None:
        return ForcedMoves(None)
    side = position.turn
    own, other = board.threats().wins[side], board.threats().wins[1 - side]
    if own:
        return ForcedMoves(Force.WIN, tuple(cells_of(own)))
    if other:
        stops = board.stops(1 - side, other) & ~board.barred(side)
        return ForcedMoves(Force.STOP, tuple(cells_of(stops)))
    return ForcedMoves(None)


def fours(rules: Rules, position: Position) -> tuple[int, ...]:
    """Return the moves that make a four, ascending; moves that win at once are none of them."""
    board = _board(rules, position)
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
    board = _board(rules, position)
    if board is None:
        return ()
    side, threats = position.turn, board.threats()
    cells = board.threes()[1][side] & ~threats.fours[side] & ~threats.wins[side]
    return tuple(cells_of(cells & ~board.barred(side)))


def win_by_fours(
    rules: Rules, position: Position, *, node_limit: int = NODE_LIMIT
) -> ForcedWin | None:
    """Return how the side to move wins by continuous fours, if it is found.

    A win with few fours is found first.

    Args:
        node_limit: how many positions to look at, about.
    """
    board = _board(rules, position)
    if board is None:
        return None
    search = ThreatSearch(board, position.turn, node_limit)
    return _forced_win("fours", search.shortest_by_fours())


def win_by_threats(
    rules: Rules,
    position: Position,
    *,
    node_limit: int = NODE_LIMIT,
    depth_limit: int = MOST_THREATS,
) -> ForcedWin | None:
    """Return how the side to move wins by continuous threats, if it is found.

    Deeper and deeper is searched, so that a win with few threats is found first.

    Args:
        node_limit: how many positions to look at, about.
        depth_limit: how many moves may make threes or fours before fours alone win.
    """
    board = _board(rules, position)
    return _by_threats(board, position.turn, node_limit, depth_limit) if board else None


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
    board = _board(rules, position)
    if board is None:
        return None
    side = position.turn
    attack = ThreatSearch(board, 1 - side, node_limit)
    proof, kind = _deepened(attack, depth_limit)
    win = _forced_win(kind, proof)
    if proof is None or win is None:
        return None
    moves = []
    for move in cells_of(attack.disturbing(proof) & ~board.barred(side)):
        board.toggle(move, side)
        stopped = _by_threats(board, 1 - side, node_limit, depth_limit) is None
        board.toggle(move, side)
        if stopped:
            moves.append(move)
    return Defence(win, tuple(moves))


def _by_threats(board: LineBoard, side: int, node_limit: int, depth_limit: int) -> ForcedWin | None:
    proof, kind = _deepened(ThreatSearch(board, side, node_limit), depth_limit)
    return _forced_win(kind, proof)


def _deepened(search: ThreatSearch, depth_limit: int) -> tuple[Proof | None, str]:
    """Return a proof with as few threats as the search finds, and the kind of the win."""
    if proof := search.shortest_by_fours():
        return proof, "fours"
    for depth in range(1, depth_limit + 1):
        if search.nodes >= search.node_limit:
            break
        if proof := search.by_threats(depth):
            return proof, "threats"
    return None, ""


def _forced_win(kind: str, proof: Proof | None) -> ForcedWin | None:
    return ForcedWin(kind, proof.plies, proof.line) if proof else None


def _wins_after(board: LineBoard, move: int, side: int) -> bool:
    board.toggle(move, side)
    wins = board.threats().wins[side]
    board.toggle(move, side)
    return bool(wins)


def _board(rules: Rules, position: Position) -> LineBoard | None:
    """Return the board of a game that goes on, unless the game has no threats."""
    if isinstance(rules, Pie):
        if not position.marks or rules.can_swap(position):
            return None
        rules, position = rules.rules, position._replace(memory=0)
    if not isinstance(rules, LineRules) or not rules.moves(position):
        return None
    return LineBoard(rules, position)
