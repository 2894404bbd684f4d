"""Exact answers about game states: what a position is worth, and each of its moves."""

from __future__ import annotations

from collections.abc import Iterable

from tic_tac_toe.logic.models import GameState
from tic_tac_toe.logic.search.verdict import (
    MoveVerdict,
    Verdict,
    analyse_moves,
    default_solver,
    find_verdict,
)

#: Half a minute of plain Python at most; all moves of the empty 4x4 need two thirds of it.
NODE_LIMIT = 2_000_000


class StateVerdict(Verdict):
    """A verdict that knows which state it is about, so that notebooks can draw it.

    Attributes:
        state: what was judged.
    """

    state: GameState

    @classmethod
    def on(cls, state: GameState, found: Verdict) -> StateVerdict:
        """Return a verdict together with the state that it was found for."""
        verdict_on_state = cls(*found)
        verdict_on_state.state = state
        return verdict_on_state

    def __repr__(self) -> str:
        return repr(Verdict(*self))

    def __reduce__(self) -> tuple[object, ...]:
        return StateVerdict.on, (self.state, Verdict(*self))

    def _repr_svg_(self) -> str:
        """Return the picture that notebooks show: the best moves ringed, and the verdict below."""
        from tic_tac_toe.game.svg import svg

        return svg(self.state, best=self.best, caption=f"{self.outcome} in {self.plies}")


class Analysis(tuple[MoveVerdict, ...]):
    """The verdicts on all moves of a state, which notebooks draw into its cells.

    Attributes:
        state: what was analysed.
    """

    state: GameState

    @classmethod
    def on(cls, state: GameState, moves: Iterable[MoveVerdict]) -> Analysis:
        """Return verdicts on moves together with the state in which they can be made."""
        analysis = cls(moves)
        analysis.state = state
        return analysis

    def __reduce__(self) -> tuple[object, ...]:
        return Analysis.on, (self.state, tuple(self))

    def _repr_svg_(self) -> str:
        """Return the picture that notebooks show."""
        from tic_tac_toe.game.svg import svg

        return svg(self.state, values=self)


def verdict(state: GameState, *, node_limit: int | None = NODE_LIMIT) -> StateVerdict:
    """Return the outcome for the side to move, the plies to the end and every best move.

    Args:
        node_limit: how many positions may be looked at, ``None`` for no end.

    Raises:
        SearchLimitReached: the game is too large to solve within the limit.
    """
    rules, position = state.rules, state.position
    solver = default_solver(rules, position, node_limit)
    return StateVerdict.on(state, find_verdict(rules, position, solver))


def analyse(state: GameState, *, node_limit: int | None = NODE_LIMIT) -> Analysis:
    """Return what each legal move is worth to the side that makes it, by ascending cell.

    Raises:
        SearchLimitReached: the game is too large to solve within the limit.
    """
    rules, position = state.rules, state.position
    solver = default_solver(rules, position, node_limit)
    return Analysis.on(state, analyse_moves(rules, position, solver))
