"""How good a position is: one number where that is exact, and what is known of it where it is not.

A *score* is an int for the side to move. 0 is a draw; a win that ends the game in *n* plies is
``MATE - n``, a loss in *n* plies is ``n - MATE``. So the higher score is always the better one:
the shortest win, else a draw, else the longest loss.

An `Evaluation` of a position and a `MoveEvaluation` of a move hold the bounds of the score that are
proved, an engine's judgement, and the source of both.
"""

from __future__ import annotations

import math
from collections.abc import Iterable
from typing import Final, Literal, NamedTuple, TypeAlias

from tic_tac_toe.logic.exceptions import Message, SearchLimitReached, message
from tic_tac_toe.logic.rules import Outcome as Ending
from tic_tac_toe.logic.rules import Rules
from tic_tac_toe.logic.rules.traits import traits_of

Result = Literal["win", "draw", "loss"]

#: More than the plies of the longest game, 26 x 26 cells.
MATE: Final = 1000


def final_score(outcome: Ending, turn: int) -> int:
    """Return the score of a game that is over, for the side that would be to move."""
    if outcome.winner is None:
        return 0
    return MATE if outcome.winner == turn else -MATE


def back_up(score: int, decided: int = 1) -> int:
    """Return what a move is worth to the side that makes it, from the score after it.

    Args:
        decided: the least score of a game that is decided, which gets one ply farther away; other
            scores are evaluations.
    """
    if score >= decided:
        return 1 - score
    return -1 - score if score <= -decided else -score


def push_down(bound: int, decided: int = 1) -> int:
    """Return the score after a move that `back_up` turns into this bound."""
    if bound >= decided:
        return -1 - bound
    return 1 - bound if bound <= -decided else -bound


def result_of(score: int) -> Result:
    """Return what a score means for the side to move."""
    if score == 0:
        return "draw"
    return "win" if score > 0 else "loss"


def score_of(result: Result, plies: int) -> int:
    """Return the score of a result that comes after this number of plies."""
    return {"win": MATE - plies, "draw": 0, "loss": plies - MATE}[result]


def check_end(rules: Rules) -> None:
    """Raise `SearchLimitReached` if positions can come back, so that a game need not end."""
    if traits_of(rules).longest is None:
        raise SearchLimitReached(
            "positions can come back in this game: it cannot be searched to its end",
            "endless_game",
        )


def too_many_positions(limit: int) -> Message:
    """Return what a search says that has looked at as many positions as it may."""
    if limit == 1:
        return message("no answer after 1 position", "node_limit")
    return message("no answer after {count:,} positions", "node_limit", count=limit)


def plies_of(score: int) -> int:
    """Return after how many plies a decided game ends; a drawn score does not tell.

    Raises:
        ValueError: the score is a draw.
    """
    if score == 0:
        raise ValueError("A draw's score does not hold its length")
    return MATE - abs(score)


#: What is known of an outcome.
Outcome: TypeAlias = Literal[Result, "open"]
#: Where an evaluation comes from: the end of the game, a theory of it, the table of a small game,
#: the opening book, a solver, a win by fours or by other threats, or an engine.
Source: TypeAlias = Literal[
    "", "end", "theory", "table", "book", "solver", "fours", "threats", "engine"
]
#: What a result is worth, a draw counted as half a win.
WORTH = {"win": 1.0, "draw": 0.5, "loss": 0.0}
#: No engine's judgement is nearer than this to a certain loss or win.
LEAST_CHANCE = 0.02


class Evaluation(NamedTuple):
    """What is known of a position, for the side that is to move there.

    Attributes:
        low: the least score that the position can have, above 0 a win in ``MATE - low``
            plies at most is proved, at 0 a draw at least.
        high: the greatest score that it can have. Equal bounds are the exact score.
        chance: what the side can expect by an engine's judgement, from 0, a loss, to 1, a win;
            ``None`` where no engine has judged, or its judgement is not needed.
        best: the best moves that are known, ascending, or those that look best; see `is_proved`.
            Empty where no move was looked for, or the game is over.
        line: the moves that follow under best play, or that an engine expects, as far as known.
        length: the plies that an exact draw takes, 0 where the game goes on for ever; ``None``
            where that is not known.
        source: where this comes from; see `Source`.
        depth: how many plies an engine looked ahead; 0 where that means nothing.
        nodes: the positions or playouts that an engine took.
    """

    low: int = -MATE
    high: int = MATE
    chance: float | None = None
    best: tuple[int, ...] = ()
    line: tuple[int, ...] = ()
    length: int | None = None
    source: Source = ""
    depth: int = 0
    nodes: int = 0

    @classmethod
    def exact(
        cls,
        score: int,
        best: tuple[int, ...] = (),
        line: tuple[int, ...] = (),
        length: int | None = None,
        source: Source = "solver",
    ) -> Evaluation:
        """Return the evaluation of a position whose score is known."""
        return cls(score, score, None, best, line, None if score else length, source)

    @classmethod
    def proved(
        cls,
        score: int,
        best: tuple[int, ...],
        source: Source,
        *,
        line: tuple[int, ...] = (),
        depth: int = 0,
        nodes: int = 0,
    ) -> Evaluation:
        """Return that a position is drawn, or won or lost in as many plies at most as a score says.

        Args:
            score: as above.
        """
        low, high = (score if score >= 0 else -MATE), (score if score <= 0 else MATE - 1)
        return cls(low, high, None, best, line, None, source, depth, nodes)

    @classmethod
    def judged(
        cls,
        best: tuple[int, ...],
        chance: float | None = None,
        *,
        line: tuple[int, ...] = (),
        depth: int = 0,
        nodes: int = 0,
    ) -> Evaluation:
        """Return which moves look best to an engine, and what it expects."""
        return cls(-MATE, MATE, chance, best, line, None, "engine", depth, nodes)

    @property
    def is_exact(self) -> bool:
        """Whether the score is known."""
        return self.low == self.high

    @property
    def score(self) -> int | None:
        """The exact score of a position, ``None`` where it is not known."""
        return self.low if self.low == self.high else None

    @property
    def bound(self) -> int | None:
        """The score that is proved at least: of a win, of a draw, or of a loss; else ``None``."""
        if self.low > 0 or self.is_exact:
            return self.low
        return self.high if self.high < 0 else None

    @property
    def outcome(self) -> Outcome:
        """Who wins, for the side to move; ``open`` where that is not proved."""
        return "open" if self.bound is None else result_of(self.bound)

    @property
    def is_judged(self) -> bool:
        """Whether the outcome is proved, or an engine has judged it."""
        return self.outcome != "open" or self.chance is not None

    @property
    def is_proved(self) -> bool:
        """Whether it is proved who wins, and that the best moves keep it."""
        return self.outcome != "open" and self.chance is None

    @property
    def plies(self) -> int | None:
        """The plies to the end under best play, 0 where it never comes; ``None`` if not known."""
        if not self.is_exact:
            return None
        return plies_of(self.low) if self.low else self.length

    @property
    def moves(self) -> int | None:
        """The moves that the winning side still makes, as people count them; else ``None``."""
        if not self.is_exact or not self.low:
            return None
        return plies_of(self.low) + (self.low > 0) >> 1

    @property
    def expectation(self) -> float:
        """What the side can expect, from 0 to 1: as is proved, else the chance, else a half."""
        if (outcome := self.outcome) != "open":
            return WORTH[outcome]
        least, most = (WORTH["draw"] if self.low == 0 else 0.0), (0.5 if self.high == 0 else 1.0)
        return min(max(0.5 if self.chance is None else self.chance, least), most)

    @property
    def rank(self) -> tuple[int, float, int]:
        """What is better ranks higher: what is proved at least, then what can be expected."""
        return max(self.low, -1), self.expectation, self.bound or 0

    def before_move(self) -> Evaluation:
        """Return what the move to this position is worth to the side that has made it."""
        goes_on_for_ever = self.length == 0 and self.source != "end"
        return Evaluation(
            back_up(self.high),
            back_up(self.low),
            None if self.chance is None else 1 - self.chance,
            length=None if self.length is None else 0 if goes_on_for_ever else self.length + 1,
            source=self.source,
            depth=self.depth,
            nodes=self.nodes,
        )

    def narrowed(self, low: int, high: int) -> Evaluation:
        """Return the same evaluation with what else is proved of the score."""
        return self._replace(low=max(self.low, low), high=min(self.high, high))

    def __repr__(self) -> str:
        best = f", best={self.best}" if self.best else ""
        line = f", line={self.line}" if self.line else ""
        source = f", source={self.source!r}" if self.source else ""
        return f"Evaluation({_told(self)}{best}{line}{source})"


#: Of a position of which nothing is known.
UNKNOWN = Evaluation()


class MoveEvaluation(NamedTuple):
    """What is known of a move, for the side that makes it.

    Attributes:
        move: its number, as the rules count moves: in plain games the cell.
        evaluation: of the game from this move on, which is counted as a ply.
    """

    move: int
    evaluation: Evaluation

    @classmethod
    def solved(cls, move: int, outcome: Result, plies: int) -> MoveEvaluation:
        """Return the evaluation of a move whose outcome and distance are known.

        Args:
            plies: to the end, this move included; 0 for a draw that goes on for ever.
        """
        return cls(move, Evaluation.exact(score_of(outcome, plies), length=plies))

    @property
    def outcome(self) -> Outcome:
        """Who wins, for the side that makes the move; ``open`` where that is not proved."""
        return self.evaluation.outcome

    @property
    def plies(self) -> int | None:
        """The plies to the end, this move included; see `Evaluation.plies`."""
        return self.evaluation.plies

    @property
    def moves(self) -> int | None:
        """The moves that the winning side still makes, this one included; else ``None``."""
        return self.evaluation.moves

    @property
    def chance(self) -> float:
        """What the side can expect, from 0, a loss, to 1, a win."""
        return self.evaluation.expectation

    @property
    def is_judged(self) -> bool:
        """Whether anything is known of the move."""
        return self.evaluation.is_judged

    def __repr__(self) -> str:
        return f"MoveEvaluation({self.move}: {_told(self.evaluation)})"


def best_of_moves(moves: Iterable[MoveEvaluation]) -> Evaluation:
    """Return what is known of a position from the evaluations of all its moves.

    A move of which nothing is known is only better than one that is known to lose.
    """
    each = tuple(moves)
    likely = [move for move in each if move.is_judged and move.outcome != "loss"] or each
    ranks = [move.evaluation.rank for move in likely]
    top = max(ranks)
    chosen = [move for move, rank in zip(likely, ranks) if rank == top]
    first, best = chosen[0].evaluation, tuple(move.move for move in chosen)
    low = min(move.evaluation.low for move in chosen)  # a later loss may have been left out
    high = max(move.evaluation.high for move in each)
    return first._replace(low=low, high=min(high, MATE - 1), best=best, line=best[:1])


def chance_of(value: float, unit: float) -> float:
    """Return what can be expected where a static evaluation has a value.

    Args:
        unit: the difference that multiplies the odds of winning by 2.7.
    """
    return bounded(0.5 + 0.5 * math.tanh(value / (2 * unit)))


def bounded(chance: float) -> float:
    """Return a chance that claims no certainty."""
    return min(max(chance, LEAST_CHANCE), 1 - LEAST_CHANCE)


def _told(evaluation: Evaluation) -> str:
    """Return in some words what is known."""
    outcome, plies = evaluation.outcome, evaluation.plies
    if outcome == "open":
        known = {0: "at least a draw"}.get(evaluation.low) or {0: "at most a draw"}.get(
            evaluation.high, "open"
        )
        return known if evaluation.chance is None else f"{known}, {evaluation.chance:.0%}"
    if plies is not None:
        return f"{outcome} in {plies}"
    if outcome == "draw" or evaluation.bound is None:
        return outcome
    return f"{outcome} in at most {plies_of(evaluation.bound)}"
