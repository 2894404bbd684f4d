"""The computer players of a match, by name or as functions."""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from typing import TypeAlias

from tic_tac_toe.game.strategies import STRATEGIES, Strategy, within
from tic_tac_toe.limits import Kept, Limits
from tic_tac_toe.loading import as_strategy
from tic_tac_toe.logic.models import Move
from tic_tac_toe.opponents import BRAIN_PREFIX, find_strategy

#: A player: the name of a strategy or program, or a function; see `Roster`.
PlayerLike: TypeAlias = str | Callable[..., Move | int | str | None]


class Roster:
    """The players of a match in one process: each is made when it is first asked for.

    Leaving a ``with`` block, or `close`, ends those that have an end, such as programs.

    Args:
        players: names, see `find_strategy`, or functions, see `as_strategy`, by their places in the
            match; one may stand at two places.
        think: see `find_strategy`.
        clock: returns the seconds by which strategies think; programs have their own.
    """

    def __init__(
        self,
        players: Sequence[PlayerLike],
        think: float | None = None,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        self._given, self._think, self._clock = tuple(players), think, clock
        self._players: dict[int, Strategy] = {}
        self._started = set[int]()

    def __enter__(self) -> Roster:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def __getitem__(self, place: int) -> Strategy:
        """Return the player at a place, the same one at each call.

        Raises:
            InvalidStrategy: it cannot be had.
        """
        if place not in self._players:
            self._players[place] = self._made(self._given[place])
        return self._players[place]

    def _made(self, given: PlayerLike) -> Strategy:
        if not isinstance(given, str):
            return as_strategy(given)
        if given in STRATEGIES:
            return within(given, Limits(self._think, clock=self._clock, kept=Kept()))
        return find_strategy(given, think=self._think)

    def is_starting(self, place: int) -> bool:
        """Return whether a player may need time to start, at its first move in the next game.

        It is the first game of a player, or follows a fault; a program sets up each game anew.
        """
        given = self._given[place]
        is_program = isinstance(given, str) and given.startswith(BRAIN_PREFIX)
        return is_program or place not in self._started

    def note_move(self, place: int) -> None:
        """Note that the player at a place has moved."""
        self._started.add(place)

    def note_fault(self, place: int) -> None:
        """Note that the player at a place has failed: a program is then started again."""
        self._started.discard(place)

    def close(self) -> None:
        """End the players; those that are asked for again are made anew."""
        self._started.clear()
        while self._players:
            _, player = self._players.popitem()
            if close := getattr(player, "close", None):
                close()
