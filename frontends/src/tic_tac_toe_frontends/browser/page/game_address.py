"""The game on this device in the page's address, so that a reload goes on with it."""

from __future__ import annotations

import random

from tic_tac_toe.game.match import Match

from .links import write_link
from .navigation import Navigation


class GameAddress:
    """Keeps the address that of the game: each game has one entry of the browser's history.

    Args:
        navigation: writes it.
    """

    def __init__(self, navigation: Navigation) -> None:
        self._navigation = navigation
        self._link, self._mark = "", _new_mark()
        self._kept: Match | None = None
        self._is_following = False

    @property
    def is_kept(self) -> bool:
        """Whether the address is that of the game that was kept last."""
        return self._navigation.mark == self._mark or self._navigation.fragment == self._link

    def keep(self, match: Match) -> None:
        """Let the address carry a game as it is now."""
        left = self._kept
        link = write_link(match.start, match.history)
        is_another = match is not left
        if is_another:
            self._kept, self._mark = match, _new_mark()
        # A game without a move is not worth going back to.
        is_new = is_another and left is not None and left.ply > 0 and not self._is_following
        self._navigation.show(link, self._mark, instead=not is_new)
        self._link, self._is_following = link, False

    def enter(self) -> None:
        """Name the game again, after something else was shown."""
        self._navigation.show(self._link, self._mark)

    def follow(self) -> None:
        """Expect that the next game comes from the address, and needs no entry of its own."""
        self._is_following = True


def _new_mark() -> str:
    return f"{random.getrandbits(64):x}"
