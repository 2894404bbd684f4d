"""The search of `PlainLines`: principal variation search over few moves, with forced answers."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Final, NamedTuple

from tic_tac_toe.logic.search.line_board import LineBoard, cells_of
from tic_tac_toe.logic.search.threat_search import ThreatSearch

#: Values beyond this are games that the search holds for won: ``WON - n`` in n plies.
WON: Final = 1_000_000
#: How many moves are tried in a position.
_WIDTH: Final = 9
#: How many plies forced answers are followed beyond the depth.
_BEYOND: Final = 8
#: The plies after which deepening ends, and the depth from which late moves are searched less deep.
_DEEPEST, _REDUCED = 30, 3
#: A look for fours at the end of a line: how many positions it takes, how many fours, and from how
#: many cells on that make a four it is always worth it.
_FOURS_NODES, _SHORT_FOURS, _MANY_FOURS = 30, 4, 4
#: What it is worth to be the side to move, as `row_patterns` counts.
_TEMPO: Final = 99


class Stopped(Exception):
    """The work came to its end; the board is left as it was then."""


class _Known(NamedTuple):
    """What is kept of a position: a value, whether it is a bound, and the best move."""

    depth: int
    kind: int  # -1: at most this value; 0: this value; 1: at least this value
    value: int
    move: int


class LineSearch:
    """Searches a board within a number of positions.

    Args:
        stop: asked every 64 positions, ends the search when true.

    Attributes:
        nodes: the positions looked at so far.
        value: of the line that `deepened` yielded last, for the side that begins it.
    """

    def __init__(
        self, board: LineBoard, node_limit: float, stop: Callable[[], bool] | None
    ) -> None:
        self.board: LineBoard = board
        self.nodes: int = 0
        self.value: int = 0
        self._node_limit = node_limit
        self._stop = stop
        self._table: dict[tuple[int, int], _Known] = {}
        self._killers: dict[int, int] = {}
        self._attacks = [ThreatSearch(board, side, 0) for side in (0, 1)]

    def deepened(self, moves: list[int], side: int) -> Iterator[tuple[int, ...]]:
        """Yield for each depth from 1 the line expected, which begins with the best move.

        Args:
            moves: those to choose from. They are sorted while it searches; where the caller takes
                out the move that looked best, the same depth is searched again without it.

        Raises:
            Stopped: in the midst of a depth.
        """
        depth = 1
        while moves and depth <= _DEEPEST:
            best = -WON
            for number, move in enumerate(moves):
                value = self._tried(move, side, depth, best, WON, 0, number)
                if value > best:
                    best = value
                    moves.insert(0, moves.pop(number))
            chosen, self.value = moves[0], best
            yield (chosen, *self._expected(chosen, side))
            if moves and moves[0] == chosen:
                if abs(best) > WON // 2:
                    return
                depth += 1

    def _expected(self, move: int, side: int) -> list[int]:
        """Return the moves that the table expects after a move."""
        line, board = [], self.board
        board.toggle(move, side)
        played = [move]
        while (known := self._table.get((board.stones[0], board.stones[1]))) and known.move >= 0:
            side = 1 - side
            board.toggle(known.move, side)
            line.append(known.move)
            played.append(known.move)
            if board.threats().wins[side] or len(line) > _DEEPEST:
                break
        for back in reversed(played):
            board.toggle(back, board.stones[1] >> back & 1)
        return line

    def _tried(
        self, move: int, side: int, depth: int, alpha: int, beta: int, ply: int, number: int
    ) -> int:
        """Return the value of a move: exact between the bounds, else a bound."""
        self.board.toggle(move, side)
        if number == 0:
            value = -self._value(1 - side, depth - 1, -beta, -alpha, ply + 1)
        else:
            less = 1 if depth >= _REDUCED and number > 3 else 0
            value = -self._value(1 - side, depth - 1 - less, -alpha - 1, -alpha, ply + 1)
            if value > alpha and (less or value < beta):
                value = -self._value(1 - side, depth - 1, -beta, -alpha, ply + 1)
        self.board.toggle(move, side)
        return value

    def _value(self, side: int, depth: int, alpha: int, beta: int, ply: int) -> int:
        self._count()
        board = self.board
        threats = board.threats()
        if threats.wins[side]:
            return WON - ply - 1
        if against := threats.wins[1 - side]:
            moves = cells_of(self._allowed(board.stops(1 - side, against), side))
            if not moves:
                return ply + 2 - WON
            if len(moves) == 1 and depth > 0:
                depth += 1
        else:
            moves = []
            open_fours, threes = board.threes()
            if not board.gravity:
                if self._allowed(open_fours[side], side):
                    return WON - ply - 3
                if open_fours[1 - side]:
                    answers = threats.fours[0] | threats.fours[1]
                    moves = board.by_worth(self._allowed(answers, side), side)
            if depth <= 0 and self._wins_by_fours(side, threats.fours[side], threes[side]):
                return WON - ply - 5
        if depth <= 0 and (not moves or depth < -_BEYOND):
            return (-board.worth if side else board.worth) + _TEMPO
        return self._best(side, depth, alpha, beta, ply, moves)

    def _count(self) -> None:
        """Count a position, or raise `Stopped`."""
        self.nodes += 1
        if self.nodes >= self._node_limit or (self._stop and self.nodes % 64 == 0 and self._stop()):
            raise Stopped

    def _allowed(self, cells: int, side: int) -> int:
        """Return the cells that are not forbidden to a side."""
        return cells & ~self.board.barred(side) if cells else 0

    def _wins_by_fours(self, side: int, fours: int, threes: int) -> bool:
        """Return whether a short look finds a win by fours; only where it is likely."""
        if not fours & threes and fours.bit_count() <= _MANY_FOURS:
            return False
        attack = self._attacks[side]
        before = attack.nodes
        attack.node_limit = before + _FOURS_NODES
        found = attack.by_fours(_SHORT_FOURS)
        self.nodes += (attack.nodes - before) // 2
        return found is not None

    def _best(
        self, side: int, depth: int, alpha: int, beta: int, ply: int, moves: list[int]
    ) -> int:
        board = self.board
        key = board.stones[0], board.stones[1]
        known = self._table.get(key)
        if known and known.depth >= depth:
            value = _to_table(known.value, -ply)
            bound = value >= beta if known.kind > 0 else value <= alpha
            if known.kind == 0 or bound:
                return value
        moves = (
            moves or board.best_cells(side, _WIDTH) or cells_of(self._allowed(board.playable, side))
        )
        if not moves:
            return 0
        for first in (self._killers.get(ply, -1), known.move if known else -1):
            if first in moves:
                moves.remove(first)
                moves.insert(0, first)
        best, choice, floor = -WON, moves[0], alpha
        for number, move in enumerate(moves):
            value = self._tried(move, side, depth, floor, beta, ply, number)
            if value > best:
                best, choice = value, move
                floor = max(floor, best)
                if best >= beta:
                    self._killers[ply] = move
                    break
        kind = 1 if best >= beta else -1 if best <= alpha else 0
        self._table[key] = _Known(depth, kind, _to_table(best, ply), choice)
        return best


def _to_table(value: int, ply: int) -> int:
    """Return a value as seen from the position itself, where it stands ``ply`` plies deep."""
    if abs(value) <= WON // 2:
        return value
    return value + ply if value > 0 else value - ply
