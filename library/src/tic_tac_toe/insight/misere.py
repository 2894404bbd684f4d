"""Reasons in games of lines where completing a line loses.

A cell is *safe* for a side if its mark there completes no line. A side wins by leaving the other
one no safe cell, and does not lose if it never has to complete a line itself.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from functools import lru_cache
from typing import NamedTuple

from tic_tac_toe.insight.facts import Fact
from tic_tac_toe.insight.provers import KEPT, BoardProver, Claim, Theorem, sides_of
from tic_tac_toe.logic.positions import Position
from tic_tac_toe.logic.search.line_board import cells_of
from tic_tac_toe.logic.shapes import Symmetry
from tic_tac_toe.solver.certificates.proving import Board

#: Within how many moves a side is made to complete a line, and the most positions looked at for it.
MOST_MOVES, MOST_POSITIONS = 3, 5_000
#: The most pairs, and replies with an answer of their own, that a sentence can hold.
MOST_PAIRS, MOST_ANSWERED = 2, 3


class _Copying(NamedTuple):
    """A symmetry by which a side may copy: its image of a bit board, and the cells that stay."""

    code: str
    image: Symmetry
    fixed: int


class MisereProver(BoardProver):
    """Finds why a side wins or does not lose in the misère play of a game of lines.

    Args:
        board: the game.
    """

    def __init__(self, board: Board) -> None:
        super().__init__(board)
        self._completing = lru_cache(KEPT)(lambda stones: board.completing(stones, board.full))
        self._must_lose = lru_cache(KEPT)(self._find_must_lose)
        self._copyings = tuple(_copyings(board))

    def safe(self, stones: int, occupied: int) -> int:
        """Return the playable cells in which one more mark completes no line of these."""
        return self.board.playable(occupied) & ~self._completing(stones)

    # -- wins ------------------------------------------------------------------------------------

    def win(self, position: Position, move: int) -> Fact | None:
        """Return why a move wins, if that is seen."""
        own, other, side = sides_of(position)
        if self.line_at(own, move):
            return None
        after = own | 1 << move
        count = self._soonest(after, other)
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
        return all(self._answer(own, other | 1 << cell, count - 1) is not None for cell in replies)

    def _answer(self, own: int, other: int, count: int) -> int | None:
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

    def hold(self, position: Position, move: int) -> Fact | None:
        """Return why the side does not lose after a move, if that is seen."""
        own, other, side = sides_of(position)
        if self.line_at(own, move):
            return None
        after = own | 1 << move
        return self._holds(after, other, side, move) or self._answers(after, other, side, move)

    def _holds(self, after: int, other: int, side: int, move: int) -> Fact | None:
        if self.board.reason(after, other, False) == "closed":
            return Fact("own_closed", side, (move,))
        if copying := self._copying(after, other):
            return Fact(copying.code, side, (move,))
        pairs = self._pairs(after, other)
        if not 0 < len(pairs) <= MOST_PAIRS:
            return None
        cells = tuple(cell for pair in pairs for cell in pair)
        return Fact("own_pair" if len(pairs) == 1 else "own_pairs", side, (move,), cells)

    def _copying(self, own: int, other: int) -> _Copying | None:
        """Return how a side that has just moved copies each move and completes no line first."""
        for copying in self._copyings:
            _, image, fixed = copying
            if fixed & ~(own | other) or image(own & ~fixed) != other & ~fixed:
                continue
            lines = (line for line in self.board.lines if line & fixed and not line & other)
            if all(line & image(line) & ~fixed for line in lines):
                return copying
        return None

    def _answers(self, after: int, other: int, side: int, move: int) -> Fact | None:
        """Return how every safe reply is answered, if it takes two answers at most."""
        replies = cells_of(self.safe(other, after | other))
        good = {reply: self._good_answers(after, other | 1 << reply, side) for reply in replies}
        if not replies or not all(good.values()):
            return None
        for usual in sorted(set[int]().union(*good.values())):
            rest = [reply for reply in replies if usual not in good[reply]]
            if not rest:
                return Fact("safe_answer", side, (move,), (usual,))
            if len(rest) <= MOST_ANSWERED:
                for answer in sorted(good[rest[0]]):
                    if all(answer in good[reply] for reply in rest):
                        return Fact("safe_answers", side, (move,), (answer, *rest, usual))
        return None

    def _good_answers(self, own: int, other: int, side: int) -> set[int]:
        """Return the cells by which a side, which is to move, does not lose for one reason."""
        return {
            cell
            for cell in cells_of(self.safe(own, own | other))
            if (fact := self._holds(own | 1 << cell, other, side, cell)) and len(fact.cells) <= 2
        }

    # -- proofs ----------------------------------------------------------------------------------

    def claim(self, position: Position, fact: Fact) -> Claim | None:
        """Return what a reason proves, with theorems for a certificate."""
        if fact.code == "poison":  # the other side has won
            return self._claimed(self.board.rules.play(position, fact.moves[0]), "win", ())
        return super().claim(position, fact)

    def _theorems(self, own: int, other: int, fact: Fact, must_win: bool) -> Iterator[Theorem]:
        """Yield the theorems of a reason, each after those that it rests on."""
        move, side = fact.moves[0], fact.side
        after, reason = own | 1 << move, ""
        if must_win:
            yield from self._forced(after, other, fact.count, side)
        elif fact.code in ("safe_answer", "safe_answers"):
            answer, usual = fact.cells[0], fact.cells[-1]
            for reply in cells_of(self.safe(other, after | other)):
                cell, replied = answer if reply in fact.cells[1:-1] else usual, other | 1 << reply
                held = self._holds(after | 1 << cell, replied, side, cell)
                assert held, "it is a good answer"
                yield self._theorem(after, replied, cell, side, self._reason(held))
        else:
            reason = self._reason(fact)
        yield self._theorem(own, other, move, side, reason)

    def _forced(self, own: int, other: int, count: int, side: int) -> Iterator[Theorem]:
        """Yield how each safe reply is answered, until the other side has none."""
        for reply in cells_of(self.safe(other, own | other)):
            replied = other | 1 << reply
            answer = self._answer(own, replied, count - 1)
            assert answer is not None, "the reason holds"
            yield from self._forced(own | 1 << answer, replied, count - 1, side)
            yield self._theorem(own, replied, answer, side)

    def _reason(self, fact: Fact) -> str:
        """Return a reason as a certificate has it."""
        if fact.code in ("own_pair", "own_pairs"):
            return self._pairs_reason(fact.cells)
        return "closed" if fact.code == "own_closed" else "mirror"


def _copyings(board: Board) -> Iterable[_Copying]:
    """Yield the half turn and the reflections of a board."""
    cells = range(board.rules.shape.cells)
    half_turn = tuple(reversed(cells))
    for image in board.rules.list_symmetries():
        if any(image[image[cell]] != cell for cell in cells):
            continue
        fixed = sum(1 << cell for cell in cells if image[cell] == cell)
        code = "opposite" if image == half_turn else "mirror"
        yield _Copying(code, Symmetry(image), fixed)
