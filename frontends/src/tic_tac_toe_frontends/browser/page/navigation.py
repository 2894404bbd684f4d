"""The page's places in the browser's history: the only part that writes the address.

A place is a game on this device, the lobby of online play, or an online game. The address of an
entry opens the same place again, in any tab.
"""

from __future__ import annotations

import random
from collections.abc import Callable

from tic_tac_toe.game.match import Match

from .dom import on, window
from .links import decoded, write_link

#: What the address of the lobby has behind its #.
LOBBY = "online"


class Navigation:
    """Names the place that is shown in the address, and tells when the address has become another.

    Attributes:
        follow: called after Back, Forward, a link within the page, or an address typed by hand.
    """

    def __init__(self) -> None:
        self.follow: Callable[[], object] = lambda: None
        on(window, "popstate", lambda _event: self.follow())

    @property
    def fragment(self) -> str:
        """What the address has behind its #, decoded."""
        return decoded(str(window.location.hash)[1:])

    @property
    def mark(self) -> str:
        """What `show` has marked the present entry with; empty if it has not made the entry."""
        mark = window.history.state
        return mark if isinstance(mark, str) else ""  # JavaScript's null is not None

    def show(self, fragment: str, mark: str = "", *, instead: bool = False) -> None:
        """Name a place in the address, in a new entry of the history unless it is named already.

        Args:
            fragment: what stands behind the # of its address.
            mark: tells places apart whose addresses can be the same.
            instead: whether the present entry becomes this place, and nothing leads back to what
                the entry was.
        """
        is_named = fragment == self.fragment
        if is_named and mark == self.mark:
            return
        place, history = window.location, window.history
        address = f"#{fragment}" if fragment else f"{place.pathname}{place.search}"
        write = history.replaceState if instead or is_named else history.pushState
        write(mark, "", address)


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

    def write(self, match: Match) -> None:
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

    def expect_from_address(self) -> None:
        """Expect that the next game comes from the address, and needs no entry of its own."""
        self._is_following = True


def _new_mark() -> str:
    return f"{random.getrandbits(64):x}"
