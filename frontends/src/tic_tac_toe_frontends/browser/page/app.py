"""The whole page: play on this device, and online if a game server serves the page."""

from __future__ import annotations

import json
from collections.abc import Callable
from functools import partial
from gettext import NullTranslations
from typing import Any

import js

from tic_tac_toe.game.match import Match
from tic_tac_toe.logic.models import Mark
from tic_tac_toe.logic.rules import Rules
from tic_tac_toe.protocols.online.messages import PROTOCOL

from ...words.rules_text import HUMAN
from .device import Device
from .dialogs.games import Games
from .dialogs.settings import SettingsDialog, load_messages, wanted_language, write_words
from .dom import (
    Dialog,
    all_of,
    by_id,
    document,
    fetch_bytes,
    is_for_field,
    load_item,
    on,
    on_click,
    save_item,
    set_text,
    start_task,
    window,
)
from .later import ONLINE as ONLINE_PART
from .later import load_archive
from .links import address_in
from .navigation import LOBBY, Navigation
from .own_rules import prepare_own_game
from .settings import Settings
from .show import press
from .signals import Signals
from .words import NO_NETWORK, WORDS

DEVICE, ONLINE = "device", "online"
#: The ways into a game: each is a button.
COMPUTER, FRIEND, ANYONE = "computer", "friend", "anyone"
#: A friend at this device.
HERE = "here"
#: The file that lists the services of the page's server: online play, values of moves.
ANSWER = "online.json"


async def start_page() -> None:
    """Set up the page and start the game."""
    code = wanted_language()
    await prepare_own_game(str(window.location.hash)[1:], fetch_bytes)
    app = App(code, await load_messages(code))
    app.start()
    for element in all_of("[data-awaits-python]"):
        element.disabled = False
    document.documentElement.dataset.ready = "1"
    window.performance.mark("ready")
    document.dispatchEvent(js.CustomEvent.new("ready"))  # plays the clicks until now
    start_task(app.use_services())
    start_task(_keep_page())


class App:
    """What both halves of the page share: the language, the settings, the address, the title."""

    def __init__(self, code: str, language: NullTranslations) -> None:
        self.language = language
        self.settings = Settings(load_item, save_item)
        self.signals = Signals(self.settings)
        self.navigation = Navigation()
        self._modes: Modes | None = None
        self.device = Device(
            self._speech, self.settings, self.signals, self.navigation, self._write_title
        )
        self.device.show_self = self._show_device
        self._dialog = SettingsDialog(
            self.settings,
            self._speech,
            lambda: self.device.rules,
            lambda code: start_task(self._change_language(code)),
            self.device.delete_games,
        )
        by_id("language").value = code
        write_words(language)
        self.navigation.follow = self.device.follow_address
        self._friends = Dialog("friend")
        for way in (COMPUTER, FRIEND, ANYONE, HERE):
            on_click(f"way-{way}", partial(self._choose_way, way))
        for button in ("way-puzzle", "puzzles-open"):
            on_click(button, self.device.choose_puzzle)
        games = Games(self._choose_game)
        on_click("choose-game", lambda: games.open(self.device.rules, self.language))
        on(document, "keydown", self._handle_key)

    def start(self) -> None:
        """Show the game in the address, else the usual one."""
        self.show_device(_wanted_mode(self.navigation.fragment) == DEVICE)
        self.device.start()
        self.settings.changed = self.device.follow_settings

    async def use_services(self) -> None:
        """Use the server's values of moves and its online play, as far as it offers them.

        On a plain web host this changes nothing.
        """
        services = await _find_services()
        self.device.values_url = str(services.get("values", ""))
        if url := _socket_url(services):
            save_item("served", "yes")
            await load_archive(ONLINE_PART, fetch_bytes)
            self._modes = Modes(self, url)
        else:
            by_id("server-note").hidden = False
            if not self.device.is_shown:
                self.show_device(True)
                self.device.follow_address()
        if load_item("served"):
            for event in ("online", "offline"):
                on(window, event, lambda _event: self._show_network())
            self._show_network()

    def show_device(self, is_shown: bool) -> None:
        """Show or hide the game on this device."""
        self.device.is_shown = is_shown
        by_id("device").hidden = not is_shown
        if is_shown:
            press("way-anyone", False)

    def _show_network(self) -> None:
        """Say that a game server cannot be reached without a network."""
        button, is_there = by_id("way-anyone"), bool(window.navigator.onLine)
        button.hidden = is_there and self._modes is None
        button.disabled = not is_there
        set_text(button, self.language.gettext(WORDS[ANYONE] if is_there else NO_NETWORK))

    def _write_title(self, title: str) -> None:
        set_text(by_id("title"), title)
        document.title = title if self._modes is None else self._modes.title(title)

    def _speech(self) -> NullTranslations:
        return self.language

    def _show_device(self) -> None:
        """Show the game on this device, and not online play."""
        if self._modes is not None:
            self._modes.show_device()

    def _choose_way(self, way: str) -> None:
        """Play the computer, a friend, or anyone at the game server."""
        modes = self._modes
        if way == FRIEND and modes is not None:
            self._friends.open()
            return
        self._friends.close()
        if way == ANYONE and modes is not None:
            modes.pair()
            return
        self._show_device()
        self.device.play_against(HUMAN if way in (FRIEND, HERE) else "")

    def _choose_game(self, rules: Rules) -> None:
        """Play another game on this device."""
        self._show_device()
        self.device.choose_game(rules)

    async def _change_language(self, code: str) -> None:
        save_item("language", code)
        self.language = await load_messages(code)
        write_words(self.language)
        self._dialog.show()
        self.device.refuse("")
        if self._modes is not None:
            self._modes.online.show()

    def _handle_key(self, event: Any) -> None:
        if self.device.is_shown and not is_for_field(event):
            self.device.handle_key(event)


class Modes:
    """Switches between play on this device and online play.

    Args:
        url: the address of the game server's socket.
    """

    def __init__(self, app: App, url: str) -> None:
        from .online.online import Online  # only online play needs it
        from .online.session import Host

        self._app, self._device, self._navigation = app, app.device, app.navigation
        by_id("device").before(by_id("online-template").content.cloneNode(True))
        write_words(app.language)
        for name in ("calls-part", "own-code-open", "way-anyone"):
            by_id(name).hidden = False
        host = Host(
            url,
            language=lambda: app.language,
            rules=lambda: self._device.rules,
            navigation=app.navigation,
            signals=app.signals,
            go_online=self._go_online,
            play_computer=self._play_computer,
            review=self._review,
            title_changed=self._show_title,
        )
        self.online = Online(host)
        self._navigation.follow = self._open_address
        for name, enter in (("friend-link", self._invite), ("friend-lobby", self._go_online)):
            on_click(name, partial(self._leave_dialog, enter))
        if self._navigation.fragment:
            self._open_address()
        elif not self._device.is_shown:
            self._show(ONLINE)
            self.online.enter(instead=True)
        else:
            self.online.quit()

    def pair(self) -> None:
        """Look for any opponent in the game that is seen."""
        self._show(ONLINE)
        self.online.pair()

    def show_device(self) -> None:
        """Show the game on this device."""
        self._show(DEVICE)
        self._device.enter()

    def _play_computer(self) -> None:
        """Play the computer on this device while a game online waits."""
        self.show_device()
        self._device.play_against("")

    def _invite(self) -> None:
        """Show the link to a new game that only its readers can join."""
        self._show(ONLINE)
        self.online.invite(self._device.rules)

    def _leave_dialog(self, enter: Callable[[], object]) -> None:
        by_id("friend").close()
        enter()

    def _open_address(self) -> None:
        fragment = self._navigation.fragment
        address = address_in(fragment)
        if address or fragment == LOBBY:
            self._go_online(address)
        else:
            self._show(DEVICE)
            self._device.follow_address()

    def _go_online(self, address: str = "") -> None:
        """Go to a game or, without an address, to the lobby."""
        self._show(ONLINE)
        if address:
            self.online.enter(address)
        else:
            self.online.enter_lobby()

    def _review(self, match: Match, loser: Mark | None) -> None:
        self._show(DEVICE)
        self._device.review(match, loser)

    def _show(self, mode: str) -> None:
        save_item("mode", mode, by_tab=True)
        by_id("online").hidden = mode != ONLINE
        self._app.show_device(mode == DEVICE)
        if mode == DEVICE:
            self.online.quit()
        else:
            self._device.show()  # its way is not taken any more

    def title(self, title: str) -> str:
        """Return the news of a game online, else the given title."""
        return self.online.title(title)

    def _show_title(self) -> None:
        if self._device.is_shown:
            document.title = self.title(str(by_id("title").textContent))


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


def _wanted_mode(fragment: str) -> str:
    """Return the mode that the fragment of the address asks for, else this tab's last one."""
    if fragment:
        return ONLINE if fragment == LOBBY or address_in(fragment) else DEVICE
    return ONLINE if load_item("mode", by_tab=True) == ONLINE else DEVICE


async def _keep_page() -> None:
    """Register the service worker that caches the page, if the browser has service workers."""
    workers = getattr(window.navigator, "serviceWorker", None)
    if workers is None:
        return
    try:
        registration = await workers.register("service-worker.js")
    except Exception as error:  # a private window or a full disk: the page works online only
        js.console.info(f"not kept for offline play: {error}")
        return
    # The browser may have found a new version before Python had loaded.
    if registration.waiting and workers.controller:
        _offer(registration.waiting, workers)
    elif registration.installing:
        _watch(registration.installing, workers)
    on(registration, "updatefound", lambda _event: _watch(registration.installing, workers))


def _watch(worker: Any, workers: Any) -> None:
    """Offer a new version once it is cached, but not the very first one."""

    def changed(_event: Any) -> None:
        if worker.state == "installed" and workers.controller:
            _offer(worker, workers)

    on(worker, "statechange", changed)


def _offer(worker: Any, workers: Any) -> None:
    def take_over() -> None:
        on(workers, "controllerchange", lambda _event: window.location.reload())
        worker.postMessage("take over")

    by_id("update").hidden = False
    on_click("reload", take_over)
