"""Exact answers that know the state they are about, so that notebooks can draw them."""

from __future__ import annotations

from collections.abc import Iterable

from tic_tac_toe.logic.frozen import Frozen
from tic_tac_toe.logic.models import GameState
from tic_tac_toe.logic.search.verdict import MoveVerdict, Verdict


class StateVerdict(Frozen, Verdict):
    """A verdict that knows which state it is about, so that notebooks can draw it.

    Attributes:
        state: what was judged.
    """

    state: GameState

    @classmethod
    def on(cls, state: GameState, found: Verdict) -> StateVerdict:
        """Return a verdict together with the state that it was found for."""
        verdict_on_state = cls(*found)
        object.__setattr__(verdict_on_state, "state", state)
        return verdict_on_state

    def __repr__(self) -> str:
        return repr(Verdict(*self))

    def __reduce__(self) -> tuple[object, ...]:
        return StateVerdict.on, (self.state, Verdict(*self))

    def _repr_svg_(self) -> str:
        """Return the picture that notebooks show: the best moves ringed, and the verdict below."""
        from tic_tac_toe.game.svg import svg

        is_endless = not self.plies and not self.state.game_over
        ends = ": play goes on for ever" if is_endless else f" in {self.plies}"
        return svg(self.state, best=self.best, caption=f"{self.outcome}{ends}")


class Analysis(Frozen, tuple[MoveVerdict, ...]):
    """The verdicts on all moves of a state, which notebooks draw into its cells.

    Attributes:
        state: what was analysed.
    """

    state: GameState

    @classmethod
    def on(cls, state: GameState, moves: Iterable[MoveVerdict]) -> Analysis:
        """Return verdicts on moves together with the state in which they can be made."""
        analysis = cls(moves)
        object.__setattr__(analysis, "state", state)
        return analysis

    def __reduce__(self) -> tuple[object, ...]:
        return Analysis.on, (self.state, tuple(self))

    def _repr_svg_(self) -> str:
        """Return the picture that notebooks show."""
        from tic_tac_toe.game.svg import svg

        return svg(self.state, values=self)
