"""The end of games in which positions come back: at the third time the game is a draw."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable

from tic_tac_toe.logic.models import GameState
from tic_tac_toe.logic.positions import Position
from tic_tac_toe.logic.rules import Rules
from tic_tac_toe.logic.rules.traits import traits_of

#: A position that comes this often in a game, with the same side to move, makes it a draw.
REPETITIONS = 3


def is_repeated(rules: Rules, position: Position, earlier: Iterable[Position]) -> bool:
    """Return whether a position makes the game a draw after those that came before it.

    As in chess, it does where it comes for the third time; never in games that end by themselves.
    """
    if traits_of(rules).longest is not None:
        return False
    return 1 + tuple(earlier).count(position) >= REPETITIONS


class Repetitions:
    """Counts how often positions come in one game, in the same time however long it is."""

    def __init__(self, rules: Rules) -> None:
        self._counts: Counter[Position] | None = Counter()
        if traits_of(rules).longest is not None:
            self._counts = None

    def make_a_draw(self, position: Position) -> bool:
        """Return whether the game is a draw with this position, after all that came before."""
        if self._counts is None:
            return False
        self._counts[position] += 1
        return self._counts[position] >= REPETITIONS


def settle(state: GameState, earlier: Iterable[GameState]) -> GameState:
    """Return the state of a game after those that came before it, drawn if its position repeats."""
    repeats = is_repeated(state.rules, state.position, (before.position for before in earlier))
    return state.as_drawn() if repeats and not state.game_over else state
