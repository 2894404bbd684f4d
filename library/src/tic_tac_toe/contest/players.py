"""The computer players of a match, by what people call them."""

from __future__ import annotations

from collections.abc import Sequence

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


class Roster:
    """The players of a match in one process: each is made when it is first asked for.

    Leaving a ``with`` block, or `close`, ends those that have an end, such as programs.

    Args:
        names: of the players, by their places in the match; one name may stand at two places.
        think: see `find_player`.
    """

    def __init__(self, names: Sequence[str], think: float | None = None) -> None:
        self._names, self._think = tuple(names), think
        self._players: dict[int, Strategy] = {}

    def __enter__(self) -> Roster:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def __getitem__(self, place: int) -> Strategy:
        """Return the player at a place, the same one at each call.

        Raises:
            InvalidPlayer: it cannot be had.
        """
        if place not in self._players:
            self._players[place] = find_player(self._names[place], self._think)
        return self._players[place]

    def close(self) -> None:
        """End the players; those that are asked for again are made anew."""
        while self._players:
            _, player = self._players.popitem()
            if close := getattr(player, "close", None):
                close()
