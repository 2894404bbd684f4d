"""Evaluations that know the state they are about, so that notebooks can draw them."""

from __future__ import annotations

from collections.abc import Iterable

from tic_tac_toe.logic.models import GameState
from tic_tac_toe.logic.registry import Frozen
from tic_tac_toe.logic.search.evaluation import Evaluation, MoveEvaluation


class StateEvaluation(Frozen, Evaluation):
    """An evaluation that knows which state it is about.

    Attributes:
        state: what was evaluated.
    """

    state: GameState

    @classmethod
    def on(cls, state: GameState, found: Evaluation) -> StateEvaluation:
        """Return an evaluation together with the state that it was found for."""
        evaluation = cls(*found)
        object.__setattr__(evaluation, "state", state)
        return evaluation

    def __reduce__(self) -> tuple[object, ...]:
        return StateEvaluation.on, (self.state, Evaluation(*self))

    def _repr_svg_(self) -> str:
        """Return the picture that notebooks show: the best moves ringed, and the result below."""
        from tic_tac_toe.pictures.svg import svg

        ends = f" in {self.moves} move{'s' if self.moves > 1 else ''}" if self.moves else ""
        if self.plies == 0 and not self.state.game_over:
            ends = ": play goes on for ever"
        return svg(self.state, best=self.best, caption=f"{self.outcome}{ends}")


class Analysis(Frozen, tuple[MoveEvaluation, ...]):
    """The evaluations of all moves of a state, which notebooks draw into its cells.

    Attributes:
        state: what was analysed.

    The moves come in the order of their numbers; `of` finds one by number or name::

        >>> from tic_tac_toe import analyse
        >>> analyse("XXO/O.X/.O.").of("B2").outcome
        'draw'
    """

    state: GameState

    @classmethod
    def on(cls, state: GameState, moves: Iterable[MoveEvaluation]) -> Analysis:
        """Return evaluations of moves together with the state in which they can be made."""
        analysis = cls(moves)
        object.__setattr__(analysis, "state", state)
        return analysis

    def of(self, move: int | str) -> MoveEvaluation:
        """Return the evaluation of a move; see `GameState.move`.

        Raises:
            InvalidMove, InvalidNotation: it is not legal, or no move.
        """
        number = self.state.move(move).number
        return next(each for each in self if each.move == number)

    def __reduce__(self) -> tuple[object, ...]:
        return Analysis.on, (self.state, tuple(self))

    def _repr_svg_(self) -> str:
        """Return the picture that notebooks show."""
        from tic_tac_toe.pictures.svg import svg

        return svg(self.state, values=self)
