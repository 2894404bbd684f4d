"""Where somebody plays: on this device, or online where a game server serves the page."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import TYPE_CHECKING, Protocol

import js

from tic_tac_toe.protocols.online.limits import PROTOCOL

from .dom import by_id, document, fetch_bytes, on, remember, remembered, window
from .links import address_in, decoded

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

    def write_words(self) -> None:
        """Write the words that stand in the page whatever is played."""

    def come_back(self) -> None:
        """Be shown again, with the game that the address names, if it names one."""


def wanted_mode() -> str:
    """Return where this tab was last, or what its address asks for."""
    if _address():
        return ONLINE
    return ONLINE if remembered("mode", by_tab=True) == ONLINE and not _fragment() else DEVICE


async def offer_online(page: Page) -> None:
    """Let people choose where a game server serves the page; elsewhere nothing is changed."""
    url = await _find_server()
    if url:
        Modes(page, url)
    elif not page.is_shown:
        page.is_shown = True
        page.come_back()


class Modes:
    """Shows one of the two, and lets people switch.

    Args:
        page: the one that plays on this device.
        url: where the game server listens.
    """

    def __init__(self, page: Page, url: str) -> None:
        from .online import Online  # who plays on this device needs none of it

        self._page = page
        by_id("device").before(by_id("online-template").content.cloneNode(True))
        document.querySelector("header .preferences").before(by_id("modes"))
        page.write_words()
        self._online = Online(url, lambda: page.language)
        page.language_changed = self._online.show
        for mode in (DEVICE, ONLINE):
            on(by_id(f"mode-{mode}"), "change", lambda event: self._choose(event.target.value))
        on(window, "hashchange", lambda _event: self._follow_address())
        if wanted_mode() == ONLINE:
            self._choose(ONLINE)

    def _choose(self, mode: str) -> None:
        address = _address()
        remember("mode", mode, by_tab=True)
        by_id(f"mode-{mode}").checked = True
        by_id("device").hidden = mode == ONLINE
        by_id("online").hidden = mode != ONLINE
        self._page.is_shown = mode == DEVICE
        if mode == ONLINE:
            self._online.enter(address)
        else:
            self._online.quit()
            if address:
                place = window.location
                window.history.replaceState(None, "", f"{place.pathname}{place.search}")
            self._page.come_back()

    def _follow_address(self) -> None:
        """Go where somebody has changed the address to."""
        if _address():
            self._choose(ONLINE)
        elif _fragment() and not self._page.is_shown:
            self._choose(DEVICE)


def _fragment() -> str:
    return str(window.location.hash)[1:]


def _address() -> str:
    return address_in(decoded(_fragment()))


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
