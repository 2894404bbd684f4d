"""The page's places in the browser's history: the only part that writes the address.

A place is a game on this device, the lobby of online play, or an online game. The address of an
entry opens the same place again, in any tab.
"""

from __future__ import annotations

from collections.abc import Callable

from .dom import on, window
from .links import decoded

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
