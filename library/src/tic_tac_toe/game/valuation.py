"""What a position is worth, and how that is known: exactly, proved, or by an engine's judgement."""

from __future__ import annotations

from random import Random
from typing import NamedTuple

from tic_tac_toe.engines.thought import bounded
from tic_tac_toe.game.effort import MOMENT, STUDY, Effort
from tic_tac_toe.game.moments import score_in_a_moment, solved_moves, think_a_moment
from tic_tac_toe.game.worth import MoveEstimate, MoveWorth
from tic_tac_toe.logic.models import GameState
from tic_tac_toe.logic.search.scores import Result, back_up, plies_of, result_of
from tic_tac_toe.logic.search.verdict import MoveVerdict

#: What one position may cost where many are valued one after the other.
VALUATION = Effort(solve_seconds=1.0, keep_seconds=0.0, early_part=1.0, think_seconds=0.4)
#: What each move may cost that is estimated because the moves could not all be solved.
ESTIMATE = MOMENT.share(0.4)
#: With more legal moves than this, none is estimated: all of them would take too long.
MOST_ESTIMATED = 12
#: What is expected where nothing at all is known.
LEVEL = 0.5
#: Only moves are followed for this number of plies where an engine does not judge them.
MOST_FORCED = 3


class Value(NamedTuple):
    """What a position is worth to one side.

    Attributes:
        chance: what the side can expect, from 0, a loss, over 0.5, a draw, to 1, a win. Where
            nothing is proved it is an engine's judgement, and never 0 or 1.
        score: what is proved, on the scale of `logic.search.scores`: a win or a loss in that many
            plies at most, or a draw; ``None`` where nothing is proved.
        is_exact: whether a win or a loss takes exactly that many plies under best play.
        best: the moves that an engine likes best, or proves it with, ascending; empty where no
            engine was asked.
        line: in that case, the moves that it expects, if it tells.
        depth: where nothing is proved, how many plies the engine looked ahead; 0 where that means
            nothing.
    """

    chance: float
    score: int | None = None
    is_exact: bool = False
    best: tuple[int, ...] = ()
    line: tuple[int, ...] = ()
    depth: int = 0

    @classmethod
    def of_score(cls, score: int, *, is_exact: bool) -> Value:
        """Return the value of a position whose score is proved."""
        return cls({"win": 1.0, "draw": LEVEL, "loss": 0.0}[result_of(score)], score, is_exact)

    @property
    def result(self) -> Result | None:
        """What is proved, ``None`` where nothing is."""
        return None if self.score is None else result_of(self.score)

    @property
    def plies(self) -> int | None:
        """The plies to the end of a game that is won or lost; ``None`` where they are not known."""
        return plies_of(self.score) if self.score and self.is_exact else None

    def before(self) -> Value:
        """Return what this value is worth to the side that moves to the position."""
        score = None if self.score is None else back_up(self.score)
        return Value(1 - self.chance, score, self.is_exact, depth=self.depth)


def value_in_a_moment(state: GameState, effort: Effort = VALUATION) -> Value:
    """Return what a state is worth to the side to move; the same effort gives the same answer.

    It is exact where the effort suffices to solve the position, else what a theory or a search
    proves of it, else the judgement of the engine for the game.
    """
    return _value(state, effort, MOST_FORCED)


def value_moves(
    state: GameState, effort: Effort = STUDY, each: Effort = ESTIMATE
) -> tuple[MoveWorth, ...] | None:
    """Return what every legal move is worth, ascending: a verdict if it was solved, or an estimate.

    Args:
        effort: what solving all moves may cost.
        each: what the estimate of a move may cost after that.

    Returns:
        ``None`` where not all moves are solved, and there are too many to estimate.
    """
    solved = {verdict.cell: verdict for verdict in solved_moves(state, effort)}
    moves = state.legal_moves
    if len(solved) < len(moves) and len(moves) > MOST_ESTIMATED:
        return None
    return tuple(solved.get(move) or _estimate(state, move, each) for move in moves)


def _estimate(state: GameState, move: int, effort: Effort) -> MoveWorth:
    value = value_in_a_moment(state.make_move_to(move).after_state, effort).before()
    if value.result is None:
        return MoveEstimate(move, value.chance)
    if value.plies is None:
        return MoveEstimate(move, value.chance, value.result)
    return MoveVerdict(move, value.result, value.plies)


def _value(state: GameState, effort: Effort, forced: int) -> Value:
    low, high = score_in_a_moment(state, effort)
    if low == high:
        return Value.of_score(low, is_exact=True)
    if low > 0 or high < 0:
        return Value.of_score(low if low > 0 else high, is_exact=False)
    thought = think_a_moment(state, effort, Random(0))
    if thought.score is not None:
        proved = Value.of_score(thought.score, is_exact=False)
        return proved._replace(best=thought.best, line=thought.line)
    chance = thought.chance
    if chance is None and forced:  # the engine has not judged an only move
        after = _value(state.make_move_to(thought.best[0]).after_state, effort, forced - 1)
        backed, is_only = after.before(), len(state.legal_moves) == 1
        if backed.score is not None and (backed.score > 0 or is_only):
            proved = Value.of_score(backed.score, is_exact=backed.is_exact and is_only)
            return proved._replace(best=thought.best, line=thought.line)
        chance = backed.chance
    least, most = (LEVEL if low == 0 else 0.0), (LEVEL if high == 0 else 1.0)
    chance = min(max(LEVEL if chance is None else bounded(chance), least), most)
    return Value(chance, None, False, thought.best, thought.line, thought.depth)
