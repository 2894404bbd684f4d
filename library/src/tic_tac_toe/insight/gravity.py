"""Reasons where marks fall: those of lines, and plans that win or hold against every reply."""

from __future__ import annotations

from tic_tac_toe.insight.facts import Fact
from tic_tac_toe.insight.lines import LineProver
from tic_tac_toe.insight.plans import Parity, Zugzwang, describe, find_plan
from tic_tac_toe.insight.provers import Claim
from tic_tac_toe.logic.positions import Position

#: How many positions are played out to find a plan, by the most empty cells. Where there are more,
#: plans are seldom found.
EFFORTS = ((26, 15_000), (30, 4_000))
PLANS = {True: ("plan_win", "odd_win", "even_win"), False: ("plan_hold", "odd_hold", "even_hold")}


class GravityProver(LineProver):
    """Finds why a side wins or does not lose in a game of lines with gravity."""

    def win(self, position: Position, move: int) -> Fact | None:
        """Return why a move wins, by threats or by a plan."""
        return super().win(position, move) or self._plan(position, move, must_win=True)

    def hold(self, position: Position, move: int) -> Fact | None:
        """Return why the side does not lose after a move, by lines or by a plan."""
        return super().hold(position, move) or self._plan(position, move, must_win=False)

    def claim(self, position: Position, fact: Fact) -> Claim | None:
        """Return what a reason proves, with theorems for a certificate."""
        plans = [each for each in (fact, *fact.because) if each.code in ("plan_win", "plan_hold")]
        if not plans:
            return super().claim(position, fact)
        theorem = self.board.plan(position.stones, plans[0].cells)
        outcome = "win" if plans[0].code == "plan_win" else "win or draw"
        return self._claimed(position, outcome, (theorem,))

    def _plan(self, position: Position, move: int, *, must_win: bool) -> Fact | None:
        board, side = self.board, position.turn
        own, other = position.stones[side], position.stones[1 - side]
        empty = board.rules.shape.cells - position.marks
        effort = next((effort for most, effort in EFFORTS if empty <= most), 0)
        found = find_plan(board, own, other, must_win, effort, move) if effort else None
        if found is None:
            return None
        any_code, odd, even = PLANS[must_win]
        plan = Fact(any_code, side, (move,), found)
        told = describe(board, own, other, must_win, found)
        if isinstance(told, Zugzwang):
            return Fact("zugzwang", side, (move,), told.cells, because=(plan,))
        if isinstance(told, Parity):
            return Fact(odd if told.odd else even, side, (move,), because=(plan,))
        return plan
