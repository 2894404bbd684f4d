"""Reasons in games of lines: threats, and strategies against which no line can be completed.

A side is to move, *own* are its marks and *other* those of its opponent, as bit boards. A reason
begins with a move of that side. Each is also a theorem, or a few, that
`tic_tac_toe.certificate_check` accepts: see `LineProver.theorems`.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import lru_cache

from tic_tac_toe.insight.facts import Fact
from tic_tac_toe.insight.provers import KEPT, BoardProver, Theorem, sides_of
from tic_tac_toe.logic.positions import Position
from tic_tac_toe.logic.search.line_board import cells_of
from tic_tac_toe.solver.certificates.proving import Board

#: The most threats of a forced win, and of one that follows a quiet move.
MOST_THREATS, MOST_AFTER_QUIET = 6, 3
#: The most pairs, and replies with an answer of their own, that a sentence can hold.
MOST_PAIRS, MOST_ANSWERED = 2, 3


class LineProver(BoardProver):
    """Finds why a side wins or does not lose in a game of lines that is not misère.

    Args:
        board: the game.
    """

    def __init__(self, board: Board) -> None:
        super().__init__(board)
        self._completing = lru_cache(KEPT)(self._find_completing)
        self._columns = board.rules.shape.columns

    # -- what is on the board --------------------------------------------------------------------

    def ways(self, stones: int, occupied: int) -> int:
        """Return the playable cells in which one more mark completes a line of these."""
        return self._completing(stones) & self.board.playable(occupied)

    def _find_completing(self, stones: int) -> int:
        found = 0
        for line in self.board.lines:
            missing = line & ~stones
            if not missing & (missing - 1):
                found |= missing
        return found

    # -- wins ------------------------------------------------------------------------------------

    def win(self, position: Position, move: int) -> Fact | None:
        """Return why a move wins, if that is seen."""
        own, other, side = sides_of(position)
        if line := self.line_at(own, move):
            return Fact("completes", side, (move,), lines=(line,))
        after = own | 1 << move
        if self.ways(other, after | other):
            return None
        ways = self.ways(after, after | other)
        if ways & (ways - 1):
            return self._fork(after, side, move, ways)
        if ways:
            answer = ways.bit_length() - 1
            return self._stacked(after, other, side, move, answer) or self._forces(
                after, other, side, move, answer
            )
        return self._follow_win(after, other, side, move) or self._quiet(after, other, side, move)

    def _fork(self, after: int, side: int, move: int, ways: int) -> Fact:
        cells = tuple(cells_of(ways))
        lines = tuple(self.line_at(after, cell) for cell in cells)
        return Fact("fork", side, (move,), cells, lines)

    def _stacked(self, after: int, other: int, side: int, move: int, answer: int) -> Fact | None:
        above = answer - self._columns
        if not self.board.gravity or above < 0 or not (line := self.line_at(after, above)):
            return None
        if self.line_at(other, answer):
            return None
        return Fact("stacked", side, (move, answer, above), (answer,), (line,))

    def _forces(self, after: int, other: int, side: int, move: int, answer: int) -> Fact | None:
        for depth in range(1, MOST_THREATS):
            if rest := self.forced(after, other | 1 << answer, depth):
                return Fact("forces", side, (move, answer, *rest))
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
        urgent = self.ways(other, occupied)
        if urgent & (urgent - 1):
            return ()
        for move in cells_of(urgent or self.board.playable(occupied)):
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
        sure = after | self._upper(after | other)
        line = next(line for line in self.board.lines if line & sure == line)
        return Fact("follow_win", side, (move,), lines=(tuple(cells_of(line)),))

    def _upper(self, occupied: int) -> int:
        """Return every other empty cell of each column, from the second lowest up."""
        upper = 0
        for column in range(self._columns):
            cells = range(column, self.board.rules.shape.cells, self._columns)
            empty = [cell for cell in cells if not occupied >> cell & 1]
            upper |= sum(1 << cell for cell in empty[len(empty) % 2 :: 2])
        return upper

    # -- no loss ---------------------------------------------------------------------------------

    def hold(self, position: Position, move: int) -> Fact | None:
        """Return why the side does not lose after a move, if that is seen."""
        own, other, side = sides_of(position)
        after = own | 1 << move
        if self.ways(other, after | other):
            return None
        return self._holds(after, other, side, move) or self._forced_hold(after, other, side, move)

    def _holds(self, after: int, other: int, side: int, move: int) -> Fact | None:
        reason = self.board.reason(after, other, False)
        if reason == "closed":
            return Fact("closed", side, (move,))
        if reason == "follow":
            return Fact("follow", side, (move,))
        pairs = self._pairs(after, other)
        if 0 < len(pairs) <= MOST_PAIRS:
            cells = tuple(cell for pair in pairs for cell in pair)
            return Fact("pair" if len(pairs) == 1 else "pairs", side, (move,), cells)
        return None

    def _forced_hold(self, after: int, other: int, side: int, move: int) -> Fact | None:
        ways = self.ways(after, after | other)
        if not ways:
            return self._answers(after, other, side, move)
        if ways & (ways - 1):
            return None
        answer, replied = ways.bit_length() - 1, other | ways
        for goes_on in cells_of(self.board.playable(after | replied)):
            blocks = after | 1 << goes_on
            if self.ways(replied, blocks | replied):
                continue
            if rest := self._holds(blocks, replied, side, goes_on):
                return Fact("must_stop", side, (move, answer, goes_on), (answer,), because=(rest,))
        return None

    def _answers(self, after: int, other: int, side: int, move: int) -> Fact | None:
        """Return how every reply is answered, if it takes two answers at most."""
        replies = cells_of(self.board.playable(after | other))
        good = {reply: self._good_answers(after, other | 1 << reply, side) for reply in replies}
        for usual in replies:
            rest = [reply for reply in replies if usual not in good[reply]]  # itself among them
            if len(rest) > MOST_ANSWERED:
                continue
            for answer in sorted(good[usual]):
                if all(answer in good[reply] for reply in rest):
                    return Fact("answers", side, (move,), (answer, *rest, usual))
        return None

    def _good_answers(self, after: int, other: int, side: int) -> set[int]:
        """Return the cells by which a side, which is to move, completes a line or stops all."""
        occupied = after | other
        if ways := self.ways(after, occupied):
            return set(cells_of(ways))
        urgent = self.ways(other, occupied)
        if urgent & (urgent - 1):
            return set()
        return {
            cell
            for cell in cells_of(urgent or self.board.playable(occupied))
            if self.board.reason(after | 1 << cell, other, False) == "closed"
            or len(self._pairs(after | 1 << cell, other)) == 1
        }

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
        for cell in cells_of(self.board.playable(own | other)):
            ways = self.ways(own | 1 << cell, own | other | 1 << cell)
            if ways & (ways - 1):
                return True
        return False

    def must(self, position: Position, move: int) -> Fact | None:
        """Return that after every other move the other side completes a line at once."""
        own, other, side = sides_of(position)
        occupied = own | other
        others = cells_of(self.board.playable(occupied) & ~(1 << move))
        for cell in others:
            if self.line_at(own, cell) or not self.ways(other, occupied | 1 << cell):
                return None
        return Fact("must", side, (move,)) if others else None

    # -- proofs ----------------------------------------------------------------------------------

    def _theorems(self, own: int, other: int, fact: Fact, must_win: bool) -> Iterator[Theorem]:
        """Yield the theorems of a reason, each after those that it rests on."""
        move = fact.moves[0]
        after = own | 1 << move
        reason = ""
        if fact.code == "fork":
            for reply, answer in zip(fact.cells, (*fact.cells[1:], fact.cells[0])):
                yield self._theorem(after, other | 1 << reply, answer, fact.side)
        elif fact.code in ("stacked", "forces", "must_stop"):
            yield from self._follow_line(after, other, fact, must_win)
        elif fact.code == "quiet":
            for reply in cells_of(self.board.playable(after | other)):
                rest = self.forced(after, other | 1 << reply, MOST_AFTER_QUIET)
                line = Fact("forces", fact.side, (move, reply, *rest))
                yield from self._follow_line(after, other, line, must_win)
        elif fact.code == "answers":
            yield from self._answered(after, other, fact)
        elif fact.code in ("closed", "follow", "follow_win"):
            reason = fact.code.partition("_")[0]
        elif fact.code in ("pair", "pairs"):
            reason = self._pairs_reason(fact.cells)
        yield self._theorem(own, other, move, fact.side, reason)

    def _follow_line(self, after: int, other: int, fact: Fact, must_win: bool) -> Iterator[Theorem]:
        """Yield the theorems of a line of moves and answers, its end first."""
        answer, *rest = fact.moves[1:]
        replied = other | 1 << answer
        if fact.because:
            yield from self._theorems(after, replied, fact.because[0], must_win)
            return
        if len(rest) > 1:
            line = Fact(fact.code, fact.side, tuple(rest))
            yield from self._follow_line(after | 1 << rest[0], replied, line, must_win)
        yield self._theorem(after, replied, rest[0], fact.side)

    def _answered(self, after: int, other: int, fact: Fact) -> Iterator[Theorem]:
        answer, *replies, usual = fact.cells
        for reply in cells_of(self.board.playable(after | other)):
            cell, replied = answer if reply in replies else usual, other | 1 << reply
            reason = ""
            if not self.line_at(after, cell):
                blocks = after | 1 << cell
                pairs = self._pairs(blocks, replied)
                is_closed = self.board.reason(blocks, replied, False) == "closed"
                reason = "closed" if is_closed else self._pairs_reason(pairs[0] if pairs else ())
            yield self._theorem(after, replied, cell, fact.side, reason)
