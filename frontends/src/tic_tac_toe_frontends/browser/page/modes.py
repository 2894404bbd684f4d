"""Where people play: on this device, or online where a game server serves the page."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import TYPE_CHECKING, Protocol

import js

from tic_tac_toe.protocols.online.limits import PROTOCOL

from .dom import by_id, document, fetch_bytes, on, remember, remembered, window
from .links import address_in
from .navigation import LOBBY, Navigation
from .notice import Notice

if TYPE_CHECKING:
    from gettext import NullTranslations

DEVICE, ONLINE = "device", "online"
#: The file that says whether online play is served here.
ANSWER = "online.json"


class Page(Protocol):
    """What is asked of the page that plays on this device."""

    language: NullTranslations
    is_shown: bool
    language_changed: Callable[[], object]
    navigation: Navigation
    title_of: Callable[[str], str]

    def write_words(self) -> None:
        """Write the words that stand in the page whatever is played."""

    def show(self) -> None:
        """Show everything as it is now."""

    def enter(self) -> None:
        """Be shown with the game as it is."""

    def follow_address(self) -> None:
        """Be shown with the game that the address names."""


def wanted_mode(fragment: str) -> str:
    """Return what an address asks for by what it has behind its #, else where this tab was last."""
    if fragment:
        return ONLINE if fragment == LOBBY or address_in(fragment) else DEVICE
    return ONLINE if remembered("mode", by_tab=True) == ONLINE else DEVICE


async def offer_online(page: Page) -> None:
    """Let people choose where a game server serves the page; elsewhere nothing is changed."""
    url = await _find_server()
    if url:
        Modes(page, url)
    elif not page.is_shown:
        page.is_shown = True
        by_id("device").hidden = False
        page.follow_address()


class Modes:
    """Shows one of the two, and lets people switch.

    Args:
        page: the one that plays on this device.
        url: where the game server listens.
    """

    def __init__(self, page: Page, url: str) -> None:
        from .online import Online  # not needed on this device

        self._page = page
        by_id("device").before(by_id("online-template").content.cloneNode(True))
        document.querySelector("header .preferences").before(by_id("modes"))
        page.write_words()
        notice = Notice(self._go, self._noticed)
        page.title_of = notice.title
        self._online = Online(url, lambda: page.language, page.navigation, notice)
        page.language_changed = self._online.show
        for mode in (DEVICE, ONLINE):
            on(by_id(f"mode-{mode}"), "change", lambda event: self._choose(event.target.value))
        page.navigation.follow = self._follow
        if page.navigation.fragment:
            self._follow()
        elif wanted_mode("") == ONLINE:
            self._show(ONLINE)
            self._online.enter(instead=True)
        else:
            self._online.quit()

    def _choose(self, mode: str) -> None:
        """Go to the chosen mode, and to what it showed before."""
        self._show(mode)
        if mode == ONLINE:
            self._online.enter()
        else:
            self._page.enter()

    def _follow(self) -> None:
        """Go where the address leads."""
        fragment = self._page.navigation.fragment
        self._show(ONLINE if fragment == LOBBY or address_in(fragment) else DEVICE)
        if fragment == LOBBY:
            self._online.enter_lobby()
        elif address := address_in(fragment):
            self._online.enter(address)
        else:
            self._page.follow_address()

    def _go(self, address: str) -> None:
        """Go to a game or, without an address, to the lobby."""
        self._show(ONLINE)
        if address:
            self._online.enter(address)
        else:
            self._online.enter_lobby()

    def _show(self, mode: str) -> None:
        remember("mode", mode, by_tab=True)
        by_id(f"mode-{mode}").checked = True
        by_id("device").hidden = mode == ONLINE
        by_id("online").hidden = mode != ONLINE
        self._page.is_shown = mode == DEVICE
        if mode == DEVICE:
            self._online.quit()

    def _noticed(self) -> None:
        """Let the title of the window tell it, too."""
        if self._page.is_shown:
            self._page.show()


async def _find_server() -> str:
    """Return where the game server listens that serves this page; empty if none does."""
    try:
        found = json.loads(await fetch_bytes(ANSWER))
    except Exception:  # no network, as JavaScript says it; no such file; something else in it
        return ""
    if not isinstance(found, dict) or found.get("protocol") != PROTOCOL:
        return ""
    url = js.URL.new(str(found.get("socket", "")), window.location.href)
    url.protocol = "wss:" if url.protocol == "https:" else "ws:"
    url.hash = ""
    return str(url.href)
