"""Reasons where marks fall: those of lines, and plans that win or hold against every reply."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from itertools import islice
from threading import Lock
from typing import TYPE_CHECKING

from tic_tac_toe.engines.choice import is_ready
from tic_tac_toe.insight.facts import Fact
from tic_tac_toe.insight.lines import LineProver
from tic_tac_toe.insight.plans import Parity, Zugzwang, describe, find_plan
from tic_tac_toe.insight.provers import plainest, sides_of
from tic_tac_toe.limits import Limits
from tic_tac_toe.logic.positions import Position
from tic_tac_toe.logic.search.line_board import cells_of
from tic_tac_toe.solver.certificates.plans import answer, has_plans
from tic_tac_toe.solver.certificates.proving import Board

if TYPE_CHECKING:
    from tic_tac_toe.solver.certificates.plan_search import PlanSearch
    from tic_tac_toe.solver.session import FastSolver

#: How many positions are played out to find a plan, by the most empty cells. Where there are more,
#: plans are seldom found.
EFFORTS = ((26, 8_000), (30, 4_000))
#: The same for all plans of one move, one against each reply.
EFFORTS_OF_ALL = ((26, 25_000), (30, 16_000))
#: How compiled code looks for a plan: orders to begin with, steps from each, and the most positions
#: that it may lead through; and the bytes of its solver.
STARTS, STEPS, LONGEST_COMPILED, MEMORY = 5, 300, 20_000, 1 << 24
#: How many moves get a plan against each reply, where one of several is to be explained.
MOST_TRIED = 2
#: The most threats with which the side wins after a reply that needs no plan.
MOST_AFTER_REPLY = 3
#: The codes of plans by whether the prover is to win: any plan, the odd rows, the even rows, and a
#: plan against each reply.
CODES = {
    True: ("plan_win", "odd_win", "even_win", "plans_win"),
    False: ("plan_hold", "odd_hold", "even_hold", "plans_hold"),
}
#: Reasons that name every empty cell, the most wanted first; and those with a plan for each reply.
PLANS, EACH = ("plan_win", "plan_hold"), ("plans_win", "plans_hold")


class GravityProver(LineProver):
    """Finds why a side wins or does not lose in a game of lines with gravity.

    Plans are looked for in plain Python first, then by compiled code if that is ready.
    """

    musts: tuple[tuple[str, int], ...] = (("must", 0), ("must_forced", MOST_AFTER_REPLY))

    def __init__(self, board: Board) -> None:
        super().__init__(board)
        self._searches: dict[bool, PlanSearch] = {}
        self._solver: FastSolver | None = None
        self._lock = Lock()

    def reason(self, position: Position, move: int, must_win: bool) -> Fact | None:
        """Return why the side wins by a move, or else does not lose: by lines, or by plans."""
        return (
            super().reason(position, move, must_win)
            or self._plan(position, must_win, move)
            or self._plans(position, move, must_win)
        )

    def best(self, position: Position, moves: Sequence[int], must_win: bool) -> Fact | None:
        """Return the plainest reason of one of these moves."""
        found = plainest(LineProver.reason(self, position, move, must_win) for move in moves)
        first = moves[0] if len(moves) == 1 else None
        if found := found or self._plan(position, must_win, first):
            return found
        if not self._effort(position, EFFORTS):
            return None
        likely: Iterable[int] = sorted(moves, key=lambda move: self._promise(position, move))
        if self._is_compiled:
            likely = (move for move in likely if self._reaches(position, move, must_win))
        plans = (self._plans(position, move, must_win) for move in islice(likely, MOST_TRIED))
        return next(filter(None, plans), None)

    def _answers(self, after: int, other: int, side: int, move: int) -> Fact | None:
        """Return answers as for lines, if each column is told of once."""
        found = super()._answers(after, other, side, move)
        if found is None or len({cell % self._columns for cell in found.cells}) < len(found.cells):
            return None
        return found

    def _reaches(self, position: Position, move: int, must_win: bool) -> bool:
        """Ask the fast solver whether a move reaches the goal."""
        from tic_tac_toe.solver.session import FastSolver

        rules = self.board.rules
        after = rules.play(position, move)
        if rules.outcome(after) is not None:
            return False
        with self._lock:
            self._solver = self._solver or FastSolver(rules, Limits(memory=MEMORY, threads=1))
            return not self._solver.reaches(after, 0 if must_win else 1)

    def _promise(self, position: Position, move: int) -> tuple[bool, bool, int]:
        """Return how little a move promises; the least comes first: threats, stops, the centre."""
        own, other, _ = sides_of(position)
        after, columns = own | 1 << move, self._columns
        is_threat = bool(self.ways(after, after | other))
        stops = bool(self.line_at(other, move))
        return not stops, not is_threat, abs(2 * (move % columns) - columns + 1)

    def _plan(self, position: Position, must_win: bool, move: int | None) -> Fact | None:
        """Return a plan, with what can be said of it."""
        own, other, side = sides_of(position)
        effort = self._effort(position, EFFORTS)
        if not effort or self.ways(own, own | other):  # a plan would complete that line first
            return None
        found = find_plan(self.board, own, other, must_win, effort, move)
        if found is None and move is None and self._is_compiled:
            found = self._compiled(position, must_win)
        if found is None:
            return None
        plan = self._fact(position, must_win, found)
        told = describe(self.board, own, other, must_win, plan.cells)
        _, odd, even, _ = CODES[must_win]
        if isinstance(told, Zugzwang):
            return Fact("zugzwang", side, plan.moves, told.cells, because=(plan,))
        if isinstance(told, Parity):
            return Fact(odd if told.odd else even, side, plan.moves, because=(plan,))
        return plan

    def _fact(self, position: Position, must_win: bool, plan: tuple[int, ...]) -> Fact:
        first = answer(self.board.rules, position, plan)
        assert first is not None, "a plan begins with an answer"
        return Fact(CODES[must_win][0], position.turn, (first.cell,), plan)

    @property
    def _is_compiled(self) -> bool:
        return has_plans(self.board.rules) and is_ready(self.board.rules)

    def _compiled(self, position: Position, must_win: bool) -> tuple[int, ...] | None:
        """Return a plan that compiled code finds."""
        from tic_tac_toe.solver.certificates.plan_search import Effort, PlanSearch

        own, other, _ = sides_of(position)
        with self._lock:
            if must_win not in self._searches:
                search = PlanSearch(self.board.rules, must_win, LONGEST_COMPILED, MEMORY)
                self._searches[must_win] = search
            return self._searches[must_win].find(own, other, Effort(STARTS, STEPS))

    def _plans(self, position: Position, move: int, must_win: bool) -> Fact | None:
        """Return that the side has a reason after each reply, a plan or a line."""
        rules = self.board.rules
        after = rules.play(position, move)
        if rules.outcome(after) is not None:
            return None
        own, other, side = sides_of(position)
        if self.ways(other, own | other | 1 << move):
            return None
        left = self._effort(position, EFFORTS_OF_ALL)
        replies = [rules.play(after, reply) for reply in rules.moves(after)]
        if not left or any(rules.outcome(child) is not None for child in replies):
            return None
        reasons = {child: self._forced_win(child) for child in replies}
        rest = [child for child in replies if reasons[child] is None]
        for child in rest:
            if self._is_compiled:
                plan = self._compiled(child, must_win)
            else:
                own, other, _ = sides_of(child)
                plan = find_plan(self.board, own, other, must_win, left // len(rest))
            if plan is None:
                return None
            reasons[child] = self._fact(child, must_win, plan)
        because = tuple(filter(None, reasons.values()))
        return Fact(CODES[must_win][3], side, (move,), count=len(replies), because=because)

    def _forced_win(self, position: Position) -> Fact | None:
        """Return how the side to move wins by threats, if that is seen."""
        own, other, side = sides_of(position)
        moves = self.forced(own, other, MOST_AFTER_REPLY)
        return self._win(own, other, side, moves[0]) if moves else None

    def _effort(self, position: Position, efforts: tuple[tuple[int, int], ...]) -> int:
        empty = self.board.rules.shape.cells - position.marks
        return next((effort for most, effort in efforts if empty <= most), 0)

    def _goes_on(self, after: int, other: int, fact: Fact) -> Iterator[tuple[int, Fact]]:
        """Yield replies to the move of a reason, each with the reason of the answer to it."""
        if fact.code in EACH:
            yield from zip(cells_of(self.board.playable(after | other)), fact.because)
        else:
            yield from super()._goes_on(after, other, fact)

    def _theorem(self, stones: tuple[int, int], fact: Fact) -> str:
        """Return the theorem of a reason about the position in which it begins."""
        told = () if fact.code in EACH else (fact, *fact.because)
        for plan in told:
            if plan.code in PLANS:
                return self.board.plan(stones, plan.cells)
        return super()._theorem(stones, fact)
