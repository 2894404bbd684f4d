"""Reasons in games of lines where completing a line loses.

A cell is *safe* for a side if its mark there completes no line. A side wins by leaving the other
one no safe cell, and does not lose if it never has to complete a line itself.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from functools import lru_cache

from tic_tac_toe.insight.facts import WINS, Fact
from tic_tac_toe.insight.provers import KEPT, BoardProver, sides_of
from tic_tac_toe.logic.positions import Position
from tic_tac_toe.logic.search.line_board import cells_of
from tic_tac_toe.logic.shapes import Symmetry
from tic_tac_toe.solver.certificates.proving import Board

#: Within how many moves a side is made to complete a line, and the most positions looked at for it.
MOST_MOVES, MOST_POSITIONS = 3, 5_000


class MisereProver(BoardProver):
    """Finds why a side wins or does not lose in the misère play of a game of lines.

    Args:
        board: the game.
    """

    def __init__(self, board: Board) -> None:
        super().__init__(board)
        self._must_lose = lru_cache(KEPT)(self._find_must_lose)
        self._copyings = tuple(_copyings(board))

    def safe(self, stones: int, occupied: int) -> int:
        """Return the playable cells in which one more mark completes no line of these."""
        return self.board.playable(occupied) & ~self._completing(stones)

    # -- wins ------------------------------------------------------------------------------------

    def _win(self, own: int, other: int, side: int, move: int) -> Fact | None:
        count = 0 if self.line_at(own, move) else self._soonest(own | 1 << move, other)
        if not count:
            return None
        code = "no_safe_cell" if count == 1 else "no_safe_soon"
        return Fact(code, side, (move,), count=count)

    def _soonest(self, own: int, other: int) -> int:
        """Return within how many moves the other side, to move, completes a line; else 0."""
        moves = self.board.playable(own | other).bit_count()
        for count in range(1, MOST_MOVES + 1):
            if moves ** (2 * count - 2) > MOST_POSITIONS:
                break
            if self._must_lose(own, other, count):
                return count
        return 0

    def _find_must_lose(self, own: int, other: int, count: int) -> bool:
        """Return whether the other side, to move, completes a line within some moves."""
        occupied = own | other
        if not self.board.playable(occupied):
            return False
        replies = cells_of(self.safe(other, occupied))
        if count == 1:
            return not replies
        return all(self._winning(own, other | 1 << cell, count - 1) is not None for cell in replies)

    def _winning(self, own: int, other: int, count: int) -> int | None:
        """Return a move after which the other side completes a line within some moves."""
        for cell in cells_of(self.safe(own, own | other)):
            if self._must_lose(own | 1 << cell, other, count):
                return cell
        return None

    def loses(self, position: Position, move: int) -> Fact | None:
        """Return that a move completes a line of its own side."""
        own, _, side = sides_of(position)
        line = self.line_at(own, move)
        return Fact("poison", side, (move,), lines=(line,)) if line else None

    def must(self, position: Position, move: int) -> Fact | None:
        """Return that every other move completes a line, or makes its side complete one soon."""
        own, other, side = sides_of(position)
        others = cells_of(self.board.playable(own | other) & ~(1 << move))
        count = 0
        for cell in others:
            if not self.line_at(own, cell):
                soonest = self._loss_after(own | 1 << cell, other)
                if not soonest:
                    return None
                count = max(count, soonest)
        if not others:
            return None
        if not count:
            return Fact("must_poison", side, (move,))
        return Fact("must_soon", side, (move,), count=max(count, 2))

    def _loss_after(self, own: int, other: int) -> int:
        """Return within how many moves a side completes a line that has just moved; else 0."""
        replies = cells_of(self.safe(other, own | other))
        found = [self._soonest(other | 1 << cell, own) for cell in replies]
        return min(filter(None, found), default=0)

    # -- no loss ---------------------------------------------------------------------------------

    def _hold(self, own: int, other: int, side: int, move: int) -> Fact | None:
        if self.line_at(own, move):
            return None
        after = own | 1 << move
        return self._strategy(after, other, side, move) or self._answers(after, other, side, move)

    def _copies(self, after: int, other: int) -> str:
        for code, image, fixed in self._copyings:
            if fixed & ~(after | other) or image(after & ~fixed) != other & ~fixed:
                continue
            lines = (line for line in self.board.lines if line & fixed and not line & other)
            if all(line & image(line) & ~fixed for line in lines):
                return code
        return ""

    # -- proofs ----------------------------------------------------------------------------------

    def certificate(self, position: Position, fact: Fact) -> str:
        """Return a reason as a file that `certificate_check` reads; empty where it has none."""
        if fact.code == "poison":  # the other side has won
            return self._claim(self.board.rules.play(position, fact.moves[0]), True, ())
        return super().certificate(position, fact)

    def _goes_on(self, after: int, other: int, fact: Fact) -> Iterator[tuple[int, Fact]]:
        """Yield replies to the move of a reason, each with the reason of the answer to it."""
        yield from super()._goes_on(after, other, fact)
        if fact.code not in WINS:
            return
        for reply in cells_of(self.safe(other, after | other)):
            answer = self._winning(after, other | 1 << reply, fact.count - 1)
            assert answer is not None, "the reason holds"
            yield reply, replace(fact, moves=(answer,), count=fact.count - 1)


def _copyings(board: Board) -> Iterator[tuple[str, Symmetry, int]]:
    """Yield the half turn and the reflections of a board, with its code and the cells that stay."""
    cells = range(board.rules.shape.cells)
    half_turn = tuple(reversed(cells))
    for image in board.rules.list_symmetries():
        if any(image[image[cell]] != cell for cell in cells):
            continue
        fixed = sum(1 << cell for cell in cells if image[cell] == cell)
        code = "opposite" if image == half_turn else "mirror"
        yield code, Symmetry(image), fixed
