"""The whole page: play on this device, and online if a game server serves the page."""

from __future__ import annotations

import json
from typing import Any

import js

from tic_tac_toe.game.match import Match
from tic_tac_toe.logic.models import Mark
from tic_tac_toe.protocols.online.messages import PROTOCOL

from .device import Page
from .dom import all_of, by_id, document, fetch_bytes, load_item, on, save_item, start_task, window
from .languages import load_messages, wanted_language
from .links import address_in
from .navigation import LOBBY
from .offline import keep_page
from .own_rules import prepare_own_game

DEVICE, ONLINE = "device", "online"
#: The file that lists the services of the page's server: online play, values of moves.
ANSWER = "online.json"


async def start_page() -> None:
    """Set up the page and start the game."""
    code = wanted_language()
    await prepare_own_game(str(window.location.hash)[1:], fetch_bytes)
    page = Page(code, await load_messages(code))
    page.is_shown = _wanted_mode(page.navigation.fragment) == DEVICE
    by_id("device").hidden = not page.is_shown
    page.start()
    for element in all_of("[data-awaits-python]"):
        element.disabled = False
    document.documentElement.dataset.ready = "1"
    window.performance.mark("ready")
    document.dispatchEvent(js.CustomEvent.new("ready"))  # plays the clicks until now
    start_task(_use_services(page))
    start_task(keep_page())


class Modes:
    """Switches between play on this device and online play.

    Args:
        page: play on this device.
        url: the address of the game server's socket.
    """

    def __init__(self, page: Page, url: str) -> None:
        from .online.online import Online  # only online play needs it
        from .online.session import Host

        self._page = page
        by_id("device").before(by_id("online-template").content.cloneNode(True))
        document.querySelector("header .preferences").before(by_id("modes"))
        page.write_words()
        by_id("calls-part").hidden = False
        host = Host(
            url,
            language=lambda: page.language,
            rules=lambda: page.table.setup.rules,
            navigation=page.navigation,
            signals=page.signals,
            go_online=self._go_online,
            go_to_device=lambda: by_id(f"mode-{DEVICE}").click(),
            review=self._review,
            title_changed=self._update_title,
        )
        self._online = Online(host)
        page.title_of = self._online.title
        page.language_changed = self._online.show
        for mode in (DEVICE, ONLINE):
            on(by_id(f"mode-{mode}"), "change", lambda event: self._choose(event.target.value))
        page.navigation.follow = self._open_address
        if page.navigation.fragment:
            self._open_address()
        elif not page.is_shown:
            self._show(ONLINE)
            self._online.enter(instead=True)
        else:
            self._online.quit()

    def _choose(self, mode: str) -> None:
        """Switch to a mode, at the place that it showed last."""
        self._show(mode)
        if mode == ONLINE:
            self._online.enter()
        else:
            self._page.enter()

    def _open_address(self) -> None:
        fragment = self._page.navigation.fragment
        address = address_in(fragment)
        if address or fragment == LOBBY:
            self._go_online(address)
        else:
            self._show(DEVICE)
            self._page.follow_address()

    def _go_online(self, address: str) -> None:
        """Go to a game or, without an address, to the lobby."""
        self._show(ONLINE)
        if address:
            self._online.enter(address)
        else:
            self._online.enter_lobby()

    def _review(self, match: Match, loser: Mark | None) -> None:
        self._show(DEVICE)
        self._page.review(match, loser)

    def _show(self, mode: str) -> None:
        save_item("mode", mode, by_tab=True)
        by_id(f"mode-{mode}").checked = True
        by_id("device").hidden = mode == ONLINE
        by_id("online").hidden = mode != ONLINE
        self._page.is_shown = mode == DEVICE
        if mode == DEVICE:
            self._online.quit()

    def _update_title(self) -> None:
        if self._page.is_shown:
            self._page.show()


async def _find_services() -> dict[str, Any]:
    """Return the services that the page's server offers; empty for none."""
    try:
        found = json.loads(await fetch_bytes(ANSWER))
    except Exception:  # JavaScript's error without a network; no such file; other contents
        return {}
    return found if isinstance(found, dict) else {}


def _socket_url(services: dict[str, Any]) -> str:
    """Return the address of the game server's socket; empty if no game server serves the page."""
    if services.get("protocol") != PROTOCOL:
        return ""
    url = js.URL.new(str(services.get("socket", "")), window.location.href)
    url.protocol = "wss:" if url.protocol == "https:" else "ws:"
    url.hash = ""
    return str(url.href)


async def _use_services(page: Page) -> None:
    """Use the server's values of moves and its online play, as far as it offers them.

    On a plain web host this changes nothing.
    """
    services = await _find_services()
    page.values_url = str(services.get("values", ""))
    url = _socket_url(services)
    if url:
        Modes(page, url)
    elif not page.is_shown:
        page.is_shown = True
        by_id("device").hidden = False
        page.follow_address()


def _wanted_mode(fragment: str) -> str:
    """Return the mode that the fragment of the address asks for, else this tab's last one."""
    if fragment:
        return ONLINE if fragment == LOBBY or address_in(fragment) else DEVICE
    return ONLINE if load_item("mode", by_tab=True) == ONLINE else DEVICE
