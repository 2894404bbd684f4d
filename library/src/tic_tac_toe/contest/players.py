"""The computer players of a match, by what people call them."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from tic_tac_toe.game.strategies import STRATEGIES, Strategy, thinking_for
from tic_tac_toe.logic.exceptions import GameError, quoted


class InvalidPlayer(GameError, ValueError):
    """A name that no computer player has."""


def find_player(name: str, think: float | None = None) -> Strategy:
    """Return the player of a name.

    Args:
        think: the seconds that it may think before each move, if it can go by the clock.

    Raises:
        InvalidPlayer: there is none.
    """
    if name not in STRATEGIES:
        raise InvalidPlayer(
            "no player is called {text}; choose from {names}",
            "unknown_player",
            text=quoted(name),
            names=", ".join(STRATEGIES),
        )
    if think is not None and name == "minimax":
        return thinking_for(think)
    return STRATEGIES[name]


@contextmanager
def taking_part(name: str, think: float | None = None) -> Iterator[Strategy]:
    """Give the player of a name for as long as the block lasts, and end it if it has an end."""
    player = find_player(name, think)
    try:
        yield player
    finally:
        if close := getattr(player, "close", None):
            close()
