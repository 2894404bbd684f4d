"""The connection to a game server: a WebSocket, opened again for as long as it takes."""

from __future__ import annotations

import asyncio
import random
import time
from collections.abc import Callable
from typing import Any

import js
from pyodide.ffi import create_proxy, to_js

from tic_tac_toe.protocols.online.client import LOST, OFFLINE, ONLINE, Client
from tic_tac_toe.protocols.online.messages import SUBPROTOCOL
from tic_tac_toe.protocols.online.news import News, ServerCloses
from tic_tac_toe.protocols.online.replies import InvalidReply

from .dom import document, on, start, window

#: In seconds: the time between two calls that wake the client, and that to open a connection.
BEAT, OPENING = 0.5, 15.0
#: A page whose timer has not run for this number of seconds has slept.
SLEEP = 5.0


class Channel:
    """Sends the messages of a client and hands it those of the server.

    Args:
        url: where the server listens.
        tell: called with what has happened.
        beat: called twice a second, and when the connection comes or goes.
    """

    def __init__(
        self, url: str, tell: Callable[[list[News]], object], beat: Callable[[], object]
    ) -> None:
        self.client = Client(random.SystemRandom(), time.monotonic)
        self._url, self._tell, self._beat = url, tell, beat
        self._socket: Any = None
        self._opened_at = 0.0
        self._again_at = 0.0
        self._passed_at = self._awake_since = 0.0
        self._is_begun = False
        self._handlers = {
            "open": create_proxy(self._open),
            "message": create_proxy(self._receive),
            "close": create_proxy(lambda _event: self._drop()),
        }
        on(window, "online", lambda _event: self._hurry())
        on(document, "visibilitychange", lambda _event: self._hurry())
        start(self._keep_beating())

    def begin(self) -> None:
        """Connect, and stay connected as far as possible until `rest`."""
        if not self._is_begun:
            self._is_begun = True
            self._connect()

    def rest(self) -> None:
        """Close the connection, and open none before `begin`."""
        self._is_begun = False
        if self._socket is not None:
            self._drop()

    def flush(self) -> None:
        """Send what the client has to say."""
        for text in self.client.take_outgoing():
            # What cannot be sent is not lost: the client asks again on the next connection.
            if self._socket is not None and self._socket.readyState == js.WebSocket.OPEN:
                self._socket.send(text)

    async def _keep_beating(self) -> None:
        while True:
            await asyncio.sleep(BEAT)
            self._pass_time()
            self._beat()

    def _pass_time(self) -> None:
        if not self._is_begun:
            return
        client, now = self.client, time.monotonic()
        if self._socket is None:
            if now >= self._again_at:
                self._connect()
            return
        # Browsers stop the timers of hidden pages; no request was sent meanwhile.
        if now > self._passed_at + SLEEP:
            self._awake_since = now
        self._passed_at = now
        client.wake()
        self.flush()
        is_lost = client.is_lost and now > self._awake_since + LOST
        if is_lost or (client.connection == OFFLINE and now > self._opened_at + OPENING):
            self._drop()

    def _hurry(self) -> None:
        """Check the connection at once: the network is back, or the page is visible again."""
        if document.visibilityState == "visible":
            self._again_at = 0.0
            self._pass_time()
            self._beat()

    def _connect(self) -> None:
        self._opened_at = time.monotonic()
        self._socket = js.WebSocket.new(self._url, to_js([SUBPROTOCOL]))
        for name, handler in self._handlers.items():
            self._socket.addEventListener(name, handler)

    def _drop(self) -> None:
        """Close the connection, without waiting for a server that may never answer."""
        socket, self._socket = self._socket, None
        for name, handler in self._handlers.items():
            socket.removeEventListener(name, handler)
        socket.close()
        self._again_at = time.monotonic() + self.client.disconnected()
        self._beat()

    def _open(self, _event: Any) -> None:
        self.client.connected()
        self.flush()
        self._beat()

    def _receive(self, event: Any) -> None:
        try:
            news = self.client.received(str(event.data))
        except InvalidReply as error:
            js.console.warn(f"the server says what cannot be understood: {error}")
            self._drop()
            return
        self._tell(news)
        self.flush()
        refused = any(isinstance(each, ServerCloses) for each in news)
        if refused and self.client.connection not in (OFFLINE, ONLINE) and self._socket is not None:
            self._drop()  # one that only says that it closes does it itself
