"""Reasons in games of lines: threats, and strategies against which no line can be completed.

A reason begins with a move of the side that is to move. Each is also a theorem, or a few, that
`tic_tac_toe.certificate_check` accepts.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from tic_tac_toe.insight.facts import Fact
from tic_tac_toe.insight.provers import BoardProver, sides_of
from tic_tac_toe.logic.positions import Position
from tic_tac_toe.logic.search.line_board import cells_of
from tic_tac_toe.solver.certificates.proving import Board

#: The most threats of a forced win, and of one that follows a quiet move.
MOST_THREATS, MOST_AFTER_QUIET = 6, 3
#: With more replies than this no answers to them are looked for.
MOST_REPLIES = 24


class LineProver(BoardProver):
    """Finds why a side wins or does not lose in a game of lines that is not misère.

    Args:
        board: the game.

    Attributes:
        musts: how the other side wins after every other move: the code, and the most threats.
    """

    musts: tuple[tuple[str, int], ...] = (("must", 0),)

    def __init__(self, board: Board) -> None:
        super().__init__(board)
        self._columns = board.rules.shape.columns

    # -- what is on the board --------------------------------------------------------------------

    def ways(self, stones: int, occupied: int) -> int:
        """Return the playable cells in which one more mark completes a line of these."""
        return self._completing(stones) & self.board.playable(occupied)

    # -- wins ------------------------------------------------------------------------------------

    def _win(self, own: int, other: int, side: int, move: int) -> Fact | None:
        if line := self.line_at(own, move):
            return Fact("completes", side, (move,), lines=(line,))
        after = own | 1 << move
        if self.ways(other, after | other):
            return None
        ways = self.ways(after, after | other)
        cells = tuple(cells_of(ways))
        if len(cells) > 1:
            lines = tuple(self.line_at(after, cell) for cell in cells)
            return Fact("fork", side, (move,), cells, lines)
        if not cells:
            return self._follow_win(after, other, side, move) or self._quiet(
                after, other, side, move
            )
        above = cells[0] - self._columns
        if self.board.gravity and above >= 0 and (line := self.line_at(after, above)):
            return Fact("stacked", side, (move, cells[0], above), cells, (line,))
        for depth in range(1, MOST_THREATS):
            if rest := self.forced(after, other | ways, depth):
                return Fact("forces", side, (move, cells[0], *rest))
        return None

    def forced(self, own: int, other: int, depth: int) -> tuple[int, ...]:
        """Return moves by which the side to move completes a line or gets two ways to.

        Each before the last is a threat, and is followed by the only answer.

        Args:
            depth: the most moves of the side; the one that completes a line counts for nothing.
        """
        occupied = own | other
        if ways := self.ways(own, occupied):
            return ((ways & -ways).bit_length() - 1,)
        if depth < 1:
            return ()
        for move in cells_of(self._likely(own, other)):
            after = own | 1 << move
            ways = self.ways(after, occupied | 1 << move)
            if not ways or self.ways(other, occupied | 1 << move):
                continue
            if ways & (ways - 1):
                return (move,)
            if rest := self.forced(after, other | ways, depth - 1):
                return (move, ways.bit_length() - 1, *rest)
        return ()

    def _quiet(self, after: int, other: int, side: int, move: int) -> Fact | None:
        replies = cells_of(self.board.playable(after | other))
        for reply in replies:
            if not self.forced(after, other | 1 << reply, MOST_AFTER_QUIET):
                return None
        return Fact("quiet", side, (move,), count=len(replies)) if replies else None

    def _follow_win(self, after: int, other: int, side: int, move: int) -> Fact | None:
        if not self.board.gravity or self.board.reason(after, other, True) != "follow":
            return None
        # As each column has an even number of empty cells, the upper ones are in every other row.
        empty = cells_of(self.board.full & ~(after | other))
        sure = after | sum(1 << cell for cell in empty if cell // self._columns % 2 == 0)
        line = next(line for line in self.board.lines if line & sure == line)
        return Fact("follow_win", side, (move,), lines=(tuple(cells_of(line)),))

    # -- no loss ---------------------------------------------------------------------------------

    def _hold(self, own: int, other: int, side: int, move: int) -> Fact | None:
        after = own | 1 << move
        occupied = after | other
        if self.ways(other, occupied):
            return None
        if found := self._strategy(after, other, side, move):
            return found
        ways = self.ways(after, occupied)
        if not ways and self.board.playable(occupied).bit_count() <= MOST_REPLIES:
            return self._answers(after, other, side, move)
        if ways.bit_count() != 1:
            return None
        answer, replied = ways.bit_length() - 1, other | ways
        for goes_on in cells_of(self.board.playable(occupied | ways)):
            if rest := self._strategy(after | 1 << goes_on, replied, side, goes_on):
                return Fact("must_stop", side, (move, answer, goes_on), (answer,), because=(rest,))
        return None

    def _copies(self, after: int, other: int) -> str:
        follows = self.board.gravity and self.board.reason(after, other, False) == "follow"
        return "follow" if follows else ""

    def _likely(self, own: int, other: int) -> int:
        """Return the cells that complete a line, else those that stop one, else all."""
        occupied = own | other
        if ways := self.ways(own, occupied):
            return ways
        urgent = self.ways(other, occupied)
        return 0 if urgent & (urgent - 1) else urgent or self.board.playable(occupied)

    # -- beside the reason -----------------------------------------------------------------------

    def stopped(self, position: Position, move: int) -> Fact | None:
        """Return the line, or the two ways to lines, that the other side had and has no more."""
        own, other, side = sides_of(position)
        ways = self.ways(other, own | other)
        if ways == 1 << move:
            return Fact("stops", side, (move,), lines=(self.line_at(other, move),))
        if ways or not self._forks(other, own) or self._forks(other, own | 1 << move):
            return None
        return Fact("stops_fork", side, (move,))

    def two_ways(self, position: Position, move: int) -> Fact | None:
        """Return that the other side has more ways to complete a line than one move can stop."""
        own, other, side = sides_of(position)
        cells = tuple(cells_of(self.ways(other, own | other)))
        if len(cells) < 2 or self.ways(own, own | other):
            return None
        return Fact("two_ways", side, (move,), cells)

    def _forks(self, own: int, other: int) -> bool:
        """Return whether a side, if it were to move, could get two ways to a line at once."""
        cells = cells_of(self.board.playable(own | other))
        ways = (self.ways(own | 1 << cell, own | other | 1 << cell) for cell in cells)
        return any(each & (each - 1) for each in ways)

    def must(self, position: Position, move: int) -> Fact | None:
        """Return that after every other move the other side completes a line, or can force one."""
        own, other, side = sides_of(position)
        others = cells_of(self.board.playable(own | other) & ~(1 << move))
        if not others or any(self.line_at(own, cell) for cell in others):
            return None
        for code, threats in self.musts:
            if all(self.forced(other, own | 1 << cell, threats) for cell in others):
                return Fact(code, side, (move,))
        return None

    # -- proofs ----------------------------------------------------------------------------------

    def _goes_on(self, after: int, other: int, fact: Fact) -> Iterator[tuple[int, Fact]]:
        """Yield replies to the move of a reason, each with the reason of the answer to it."""
        yield from super()._goes_on(after, other, fact)
        if fact.code == "fork":
            for reply, answer in zip(fact.cells, (*fact.cells[1:], fact.cells[0])):
                yield reply, Fact("completes", fact.side, (answer,))
        elif fact.code == "quiet":
            for reply in cells_of(self.board.playable(after | other)):
                moves = self.forced(after, other | 1 << reply, MOST_AFTER_QUIET)
                yield reply, Fact("forces", fact.side, moves)
        elif fact.code == "must_stop":
            yield fact.moves[1], fact.because[0]
        elif fact.code in ("stacked", "forces") and len(fact.moves) > 1:
            yield fact.moves[1], replace(fact, moves=fact.moves[2:])
