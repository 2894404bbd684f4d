"""Review of a game: what each move gave away, and what would have been better.

A position is valued by itself: that it came before in the game, as it can in games in which
positions come back, counts only where the game ended by it.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from enum import Enum
from operator import index
from typing import NamedTuple

from tic_tac_toe.engines.thought import bounded
from tic_tac_toe.game.effort import Effort
from tic_tac_toe.game.moments import best_play_in_a_moment, find_hint
from tic_tac_toe.game.valuation import VALUATION, Value, value_in_a_moment
from tic_tac_toe.logic.models import GameState, require_state
from tic_tac_toe.logic.repetition import settle
from tic_tac_toe.logic.search.scores import score_of
from tic_tac_toe.logic.search.verdict import MoveVerdict

#: A move that costs this much of what its side could expect is a mistake, or even a blunder. From a
#: win to a draw, or from a draw to a loss, it is a half.
MISTAKE, BLUNDER = 0.25, 0.75


class Fault(str, Enum):
    """What is wrong with a move."""

    #: It wins later or less surely, or loses sooner, than it has to; the result is the same as far
    #: as is known.
    SLOWER = "slower"
    #: It gives half a point away: a draw for a win, or a loss for a draw.
    MISTAKE = "mistake"
    #: It gives a win away for a loss.
    BLUNDER = "blunder"


class ReviewedMove(NamedTuple):
    """What a move was worth to the side that made it.

    Attributes:
        state: the state before the move.
        number: the move, as its rules number it.
        before: what could be had in that state.
        after: what the move has left of it.
        fault: what is wrong with the move, ``None`` if nothing is.
        better: the best moves instead, ascending; empty without a fault, or if none was found.
        line: how the game goes on after the first of them with best play, or as an engine expects.
    """

    state: GameState
    number: int
    before: Value
    after: Value
    fault: Fault | None = None
    better: tuple[int, ...] = ()
    line: tuple[int, ...] = ()

    @property
    def is_turning_point(self) -> bool:
        """Whether the move changed what its side could expect."""
        return self.fault in (Fault.MISTAKE, Fault.BLUNDER)

    @property
    def is_proved(self) -> bool:
        """Whether the results before and after the move are proved, so that nothing is guessed."""
        return self.before.score is not None and self.after.score is not None


def review(
    start: GameState, moves: Sequence[int], effort: Effort = VALUATION
) -> Iterator[ReviewedMove]:
    """Yield what each move of a game was worth, the last move first.

    The end of a game is cheapest to solve, and what is known of it helps with the moves before.
    The same effort gives the same answers.

    Args:
        start: where the game began.
        moves: the numbers of its moves.
        effort: what each position may cost.

    Raises:
        InvalidMove: a move is illegal.
    """
    states = states_of(start, moves)
    value = value_in_a_moment(states[-1], effort)
    for state, number in zip(reversed(states[:-1]), map(index, reversed(moves))):
        reviewed = review_move(state, number, value, effort)
        yield reviewed
        value = reviewed.before


def states_of(start: GameState, moves: Sequence[int]) -> list[GameState]:
    """Return all states of a game, the first and the last ones included.

    Raises:
        InvalidMove: a move is illegal.
    """
    require_state(start)
    states = [start]
    for number in moves:
        states.append(settle(states[-1].make_move_to(number).after_state, states))
    return states


def review_move(
    state: GameState, number: int, there: Value, effort: Effort = VALUATION
) -> ReviewedMove:
    """Return what a move was worth.

    Args:
        there: the value of the state after the move, for the side that is to move there.
        effort: what the state may cost.
    """
    after, before = there.before(), value_in_a_moment(state, effort)
    if before.score is None:
        before = _compared(state, number, before, after, effort)
    elif after.score is not None and after.score > max(before.score, 0):
        before = after._replace(is_exact=False)  # the move itself wins sooner than was known
    fault = _fault(before, after)
    if fault is None:
        return ReviewedMove(state, number, before, after)
    best, line = before.best, before.line
    if before.is_exact and before.score is not None:
        best, line = best_play_in_a_moment(state, before.score, effort)
    if not best:
        hint = find_hint(state, effort)
        best, line = hint.best, hint.line
    if number in best:  # what was known of the move after it was less than what is known of it now
        return ReviewedMove(state, number, before, before._replace(is_exact=False))
    return ReviewedMove(state, number, before, after, fault, best, line or best[:1])


def review_solved_move(
    state: GameState, number: int, solved: Iterable[MoveVerdict]
) -> ReviewedMove:
    """Return what a move was worth where every legal move is solved.

    Args:
        solved: the verdicts on all legal moves.
    """
    scores = {verdict.cell: score_of(verdict.outcome, verdict.plies) for verdict in solved}
    most = max(scores.values())
    before = Value.of_score(most, is_exact=True)
    after = Value.of_score(scores[number], is_exact=True)
    fault = _fault(before, after)
    best = tuple(sorted(move for move, score in scores.items() if score == most)) if fault else ()
    return ReviewedMove(state, number, before, after, fault, best, best[:1])


def _compared(state: GameState, number: int, before: Value, after: Value, effort: Effort) -> Value:
    """Return an estimate of a state that holds beside the value of a move from there.

    Both the move and the one that looks best are judged by what comes after them.
    """
    known = after
    best: tuple[int, ...] = (number,)
    line = best
    if number in before.best:
        best, line = before.best, before.line
    elif after.result != "win":
        instead = state.make_move_to(before.best[0]).after_state
        other = value_in_a_moment(instead, effort).before()
        if other.chance > after.chance:
            known, best, line = other, before.best[:1], before.line
    if known.result == "win" or len(state.legal_moves) == 1:
        return known._replace(is_exact=False, best=best, line=line)
    return Value(bounded(known.chance), None, False, best, line, before.depth)


def _fault(before: Value, after: Value) -> Fault | None:
    lost = before.chance - after.chance
    if lost >= MISTAKE:
        return Fault.BLUNDER if lost >= BLUNDER else Fault.MISTAKE
    if before.result == "win" and after.result is None:
        return Fault.SLOWER
    distances = before.plies, after.plies
    if None in distances or before.result != after.result or distances[0] == distances[1]:
        return None
    return Fault.SLOWER
