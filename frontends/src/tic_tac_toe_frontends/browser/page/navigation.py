"""The page's entries in the browser's history; only this module writes the address.

An entry is a game on this device, the lobby, or an online game. Its address opens the same place in
any tab.
"""

from __future__ import annotations

import random
from collections.abc import Callable

from tic_tac_toe.game.match import Match

from .dom import on, window
from .links import decoded, write_link

#: The fragment of the lobby's address.
LOBBY = "online"


class Navigation:
    """Writes the shown place into the address, and reports changes of the address.

    Attributes:
        follow: called after Back, Forward, a link within the page, or an address typed by hand.
    """

    def __init__(self) -> None:
        self.follow: Callable[[], object] = lambda: None
        on(window, "popstate", lambda _event: self.follow())

    @property
    def fragment(self) -> str:
        """The decoded fragment of the address."""
        return decoded(str(window.location.hash)[1:])

    @property
    def mark(self) -> str:
        """The mark that `show` gave the present entry; empty if `show` did not make it."""
        mark = window.history.state
        return mark if isinstance(mark, str) else ""  # JavaScript's null is not None

    def show(self, fragment: str, mark: str = "", *, instead: bool = False) -> None:
        """Write a place into the address, as a new entry of the history if it is another place.

        Args:
            mark: distinguishes places with the same address.
            instead: replace the present entry, so that Back does not return to it.
        """
        is_named = fragment == self.fragment
        if is_named and mark == self.mark:
            return
        place, history = window.location, window.history
        address = f"#{fragment}" if fragment else f"{place.pathname}{place.search}"
        write = history.replaceState if instead or is_named else history.pushState
        write(mark, "", address)


class GameAddress:
    """Keeps the address up to date with the game; each game has one entry of the history."""

    def __init__(self, navigation: Navigation) -> None:
        self._navigation = navigation
        self._link, self._mark = "", _new_mark()
        self._kept: Match | None = None
        self._is_following = False

    @property
    def is_kept(self) -> bool:
        """Whether the address is still that of the last game."""
        return self._navigation.mark == self._mark or self._navigation.fragment == self._link

    def write(self, match: Match) -> None:
        """Write the present state of a game into the address."""
        left = self._kept
        link = write_link(match.start, match.history)
        is_another = match is not left
        if is_another:
            self._kept, self._mark = match, _new_mark()
        # Back need not return to a game without moves.
        is_new = is_another and left is not None and left.ply > 0 and not self._is_following
        self._navigation.show(link, self._mark, instead=not is_new)
        self._link, self._is_following = link, False

    def enter(self) -> None:
        """Write the game again after another place was shown."""
        self._navigation.show(self._link, self._mark)

    def expect_from_address(self) -> None:
        """Make no new entry for the next game: it comes from the address."""
        self._is_following = True


def _new_mark() -> str:
    return f"{random.getrandbits(64):x}"
