"""Review of a game: what each move gave away, and what would have been better.

A position is valued by itself: that it came before in the game, as it can in games in which
positions come back, counts only where the game ended by it.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from enum import Enum
from typing import NamedTuple

from tic_tac_toe.game.evaluate import REVIEW, evaluate
from tic_tac_toe.limits import Limits
from tic_tac_toe.logic.models import GameState
from tic_tac_toe.logic.notation import StateLike
from tic_tac_toe.logic.records import Record
from tic_tac_toe.logic.search.evaluation import Evaluation, MoveEvaluation, best_of_moves
from tic_tac_toe.logic.search.scores import MATE

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
    """How good a move was for the side that made it.

    Attributes:
        state: the state before the move.
        number: the move, as its rules number it.
        before: what could be had in that state.
        after: what the move has left of it.
        fault: what is wrong with the move, ``None`` if nothing is, or if it cannot be judged.
        better: the best moves instead, ascending; empty without a fault.
        line: how the game goes on after the first of them with best play, or as an engine expects.
    """

    state: GameState
    number: int
    before: Evaluation
    after: Evaluation
    fault: Fault | None = None
    better: tuple[int, ...] = ()
    line: tuple[int, ...] = ()

    @property
    def is_turning_point(self) -> bool:
        """Whether the move changed what its side could expect."""
        return self.fault in (Fault.MISTAKE, Fault.BLUNDER)

    @property
    def is_proved(self) -> bool:
        """Whether the outcomes before and after the move are proved, so that nothing is guessed."""
        return "open" not in (self.before.outcome, self.after.outcome)


def review(
    start: StateLike | Record, moves: str | Iterable[int | str] = (), limits: Limits = REVIEW
) -> Iterator[ReviewedMove]:
    """Yield what each move of a game was worth, the last move first.

    The end of a game is cheapest to solve, and what is known of it helps with the moves before.
    The same work gives the same answers.

        >>> for move in review("tic-tac-toe", "A1 B1 B2"):
        ...     print(move.state.move(move.number), move.before.outcome, move.after.outcome)
        B2 win win
        B1 draw loss
        A1 draw draw

    Args:
        start: the game as a record, or where it began: a state, or the rules or name of the game.
        moves: the numbers or names of its moves, or a text of names; a record has its own.
        limits: what each position may cost.

    Raises:
        InvalidMove, InvalidNotation: a move is illegal; the message gives its number and name.
    """
    game = start if isinstance(start, Record) else Record.from_moves(start, moves)
    states = [*game.states()]
    value = evaluate(states[-1], limits)
    for state, number in zip(reversed(states[:-1]), reversed(game.moves)):
        reviewed = review_move(state, number, value, limits)
        yield reviewed
        value = reviewed.before


def review_move(
    state: GameState, number: int, there: Evaluation, limits: Limits = REVIEW
) -> ReviewedMove:
    """Return how good a move was.

    A move is judged where it and what could be had are both proved, or are both estimates of the
    positions after a move. Else no fault is found with it.

    Args:
        there: of the state after the move, for the side that is to move there.
        limits: what the state may cost.
    """
    before, after = evaluate(state, limits), there.before_move()
    if before.outcome == "open":
        before = _by_moves(state, number, before, after, limits)
    fault = None if number in before.best else _fault(before, after)
    if fault is None:
        return ReviewedMove(state, number, before, after)
    if before.is_exact:
        before = evaluate(state, limits, full=True)
    if number in before.best:
        return ReviewedMove(state, number, before, after)
    return ReviewedMove(
        state, number, before, after, fault, before.best, before.line or before.best[:1]
    )


def review_by_moves(
    state: GameState, number: int, moves: Iterable[MoveEvaluation]
) -> ReviewedMove | None:
    """Return how good a move was where every legal move is solved, else ``None``."""
    known = {move.cell: move.evaluation for move in moves}
    if not known or not all(evaluation.is_exact for evaluation in known.values()):
        return None
    before = best_of_moves(MoveEvaluation(*move) for move in known.items())
    after = known[number]
    fault = None if number in before.best else _fault(before, after)
    better = before.best if fault else ()
    return ReviewedMove(state, number, before, after, fault, better, better[:1])


def _by_moves(
    state: GameState, number: int, before: Evaluation, after: Evaluation, limits: Limits
) -> Evaluation:
    """Return what is known of a state by the move that was made and the one that looks best.

    So both are judged by what comes after them.
    """
    other = before.best[0]
    if number in before.best:
        return after._replace(best=(number,), line=(number,), high=MATE)
    instead = evaluate(state.make_move_to(other).after_state, limits).before_move()
    moves = MoveEvaluation(number, after), MoveEvaluation(other, instead)
    found = best_of_moves(moves)
    line = before.line if found.best[0] == other else found.line
    return found._replace(high=MATE, line=line)


def _fault(before: Evaluation, after: Evaluation) -> Fault | None:
    proved = [value.outcome != "open" for value in (before, after)]
    if any(proved) and not all(proved):
        return None  # an estimate says nothing about what is proved
    if not (before.is_judged and after.is_judged):
        return None
    lost = before.expectation - after.expectation
    if lost >= MISTAKE:
        return Fault.BLUNDER if lost >= BLUNDER else Fault.MISTAKE
    distances = before.plies, after.plies
    if None in distances or before.outcome != after.outcome or distances[0] == distances[1]:
        return None
    return Fault.SLOWER
