"""The connection to a game server: a WebSocket that is reopened until it is closed on purpose."""

from __future__ import annotations

import asyncio
import random
import time
from collections.abc import Callable
from gettext import NullTranslations
from typing import Any

import js
from pyodide.ffi import create_proxy, to_js

from tic_tac_toe.protocols.online.client import LOST, OFFLINE, ONLINE, Client
from tic_tac_toe.protocols.online.messages import SUBPROTOCOL
from tic_tac_toe.protocols.online.news import News, ServerCloses
from tic_tac_toe.protocols.online.replies import REASONS, InvalidReply

from ....words.online_text import describe_closing
from ..dom import by_id, document, on, set_text, start_task, window

#: Seconds between two calls that wake the client, and the limit for opening a connection.
TICK, OPENING = 0.5, 15.0
#: If the timer has not run for this number of seconds, the page was asleep.
SLEEP = 5.0
#: Seconds for which the page says that the connection is back.
BACK_SECONDS = 4.0


class Channel:
    """Carries messages between a client and its server.

    Args:
        url: the server's WebSocket address.
        on_news: called with the client's news.
        on_tick: called twice a second, and when the connection opens or closes.
    """

    def __init__(
        self, url: str, on_news: Callable[[list[News]], object], on_tick: Callable[[], object]
    ) -> None:
        self.client = Client(random.SystemRandom(), time.monotonic)
        self._url, self._on_news, self._on_tick = url, on_news, on_tick
        self._socket: Any = None
        self._opened_at = 0.0
        self._again_at = 0.0
        self._passed_at = self._awake_since = 0.0
        self._is_open = False
        self._handlers = {
            "open": create_proxy(self._opened),
            "message": create_proxy(self._receive),
            "close": create_proxy(lambda _event: self._abandon_socket()),
        }
        on(window, "online", lambda _event: self._check_now())
        on(document, "visibilitychange", lambda _event: self._check_now())
        start_task(self._run_timer())

    def open(self) -> None:
        """Connect, and reconnect after every loss until `close`."""
        if not self._is_open:
            self._is_open = True
            self._connect()

    def close(self) -> None:
        """Close the connection for good, until `open`."""
        self._is_open = False
        if self._socket is not None:
            self._abandon_socket()

    def flush(self) -> None:
        """Send the client's outgoing messages."""
        for text in self.client.take_outgoing():
            # Unsent messages are not lost: the client repeats them on the next connection.
            if self._socket is not None and self._socket.readyState == js.WebSocket.OPEN:
                self._socket.send(text)

    async def _run_timer(self) -> None:
        while True:
            await asyncio.sleep(TICK)
            self._check_connection()
            self._on_tick()

    def _check_connection(self) -> None:
        if not self._is_open:
            return
        client, now = self.client, time.monotonic()
        if self._socket is None:
            if now >= self._again_at:
                self._connect()
            return
        # Browsers stop the timers of hidden pages: silence during sleep proves no loss.
        if now > self._passed_at + SLEEP:
            self._awake_since = now
        self._passed_at = now
        client.wake()
        self.flush()
        is_lost = client.is_lost and now > self._awake_since + LOST
        if is_lost or (client.connection == OFFLINE and now > self._opened_at + OPENING):
            self._abandon_socket()

    def _check_now(self) -> None:
        """Check the connection at once: the network is back, or the page is visible again."""
        if document.visibilityState == "visible":
            self._again_at = 0.0
            self._check_connection()
            self._on_tick()

    def _connect(self) -> None:
        self._opened_at = time.monotonic()
        self._socket = js.WebSocket.new(self._url, to_js([SUBPROTOCOL]))
        for name, handler in self._handlers.items():
            self._socket.addEventListener(name, handler)

    def _abandon_socket(self) -> None:
        """Close the connection, without waiting for a server that may never answer."""
        socket, self._socket = self._socket, None
        for name, handler in self._handlers.items():
            socket.removeEventListener(name, handler)
        socket.close()
        self._again_at = time.monotonic() + self.client.disconnected()
        self._on_tick()

    def _opened(self, _event: Any) -> None:
        self.client.connected()
        self.flush()
        self._on_tick()

    def _receive(self, event: Any) -> None:
        try:
            news = self.client.received(str(event.data))
        except InvalidReply as error:
            js.console.warn(f"the server says what cannot be understood: {error}")
            self._abandon_socket()
            return
        self._on_news(news)
        self.flush()
        refused = any(isinstance(each, ServerCloses) for each in news)
        if refused and self.client.connection not in (OFFLINE, ONLINE) and self._socket is not None:
            self._abandon_socket()  # a server that only refuses leaves the closing to the page


class ConnectionLine:
    """Shows problems of a client's connection, wherever the page is scrolled to."""

    def __init__(self, client: Client) -> None:
        self._client = client
        self._shown = client.connection
        self._back_until = 0.0
        self._reason, self._retry, self._closed_at = "", 0, 0.0

    def has_changed(self) -> bool:
        """Return whether the connection was opened or lost since the last call."""
        before, self._shown = self._shown, self._client.connection
        return before != self._shown

    def welcomed(self, *, is_back: bool) -> None:
        """Note that the server has answered the greeting; see `Welcomed`."""
        self._reason = ""
        if is_back:
            self._back_until = time.monotonic() + BACK_SECONDS

    def closing(self, reason: str, retry: int) -> None:
        """Note why the server closes the connection; see `ServerCloses`."""
        self._reason, self._retry, self._closed_at = reason, retry, time.time()

    def show(self, language: NullTranslations) -> None:
        """Update the line; without a connection the board is dim."""
        client, place, _ = self._client, by_id("connection"), language.gettext
        text, is_well = "", client.connection == ONLINE
        is_lost = not is_well and client.attempts > 0
        if is_lost:
            text = _("Reconnecting … (attempt {count})").format(count=client.attempts)
            if self._reason in REASONS:
                why = self._reason, self._retry, self._closed_at
                text = f"{describe_closing(*why, language)} {text}"
        elif not is_well:
            text = _("Connecting …")
        elif time.monotonic() < self._back_until:
            text = _("Connected again.")
        place.classList.toggle("well", not is_lost)
        by_id("online").classList.toggle("lost", is_lost)
        set_text(place, text)
