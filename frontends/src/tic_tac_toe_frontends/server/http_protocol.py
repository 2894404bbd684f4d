"""HTTP with limits: a connection that sends no request, or reads no answer, is closed."""

from __future__ import annotations

import asyncio
from typing import Any

from uvicorn.protocols.http.h11_impl import H11Protocol

from .crowd import Crowd
from .rate_limits import Account
from .reading import SLICE

#: Seconds between two looks at a connection; its first request has to be there by the first.
PATIENCE = 10.0
#: Looks at one answer of which nothing is read before the connection is closed.
LOOKS = 6

#: Bytes of a request in which it is looked for what it asks for before it is parsed.
HEAD = 2048

#: Says that an address has asked for too much. It is sent before the request is even parsed, for
#: whoever asks too much shall cost nothing.
TOO_MANY = (
    b"HTTP/1.1 429 Too Many Requests\r\n"
    b"Retry-After: 5\r\nContent-Length: 0\r\nConnection: close\r\n\r\n"
)
BAD_HANDSHAKE = b"HTTP/1.1 400 Bad Request\r\nContent-Length: 0\r\nConnection: close\r\n\r\n"


class HttpProtocol(H11Protocol):
    """Uvicorn's HTTP with limits: half a request would keep its socket for ever."""

    patience = PATIENCE
    _unread = b""

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]  # as uvicorn narrows it
        """Begin to wait."""
        super().connection_made(transport)
        self._crowd: Crowd = self.app_state["crowd"]
        self._account: Account | None = self.app_state["account"]
        self._seen: tuple[object, int] = (None, 0)  # the answer, and its bytes that are unread
        self._looks = 0
        self._timer = self.loop.call_later(self.patience, self._look)
        self._crowd.waits(self, self._account)

    def connection_lost(self, exc: Exception | None) -> None:
        """Wait no longer."""
        self._timer.cancel()
        self._crowd.is_busy(self, self._account)
        super().connection_lost(exc)

    def data_received(self, data: bytes) -> None:
        """Take a part of a request, now or in a later turn; none of an address without credit."""
        if refused := self._refusal(data):
            self._crowd.metrics.turned_away(refused)
            self.transport.write(TOO_MANY)
            self.transport.close()
            return
        # A request takes as long as a slice of what is sent to a WebSocket, however short it is.
        if self._crowd.reading.takes(self._account, SLICE):
            self._read(data)
            return
        self.transport.pause_reading()
        self._unread = data
        self._crowd.reading.add(self._account, self)

    def read_on(self) -> bool:
        """Read what has come; return whether there is more, which there never is."""
        data, self._unread = self._unread, b""
        if not self.transport.is_closing():
            self._read(data)
        if not self.transport.is_closing() and not self.flow.read_paused:
            self.transport.resume_reading()
        return False

    def give_up(self) -> None:
        """Cut the connection."""
        self.transport.abort()

    def _read(self, data: bytes) -> None:
        super().data_received(data)
        self._settle()

    def _refusal(self, data: bytes) -> str:
        """Return the reason why what has come is not even looked into; empty if there is none."""
        account = self._account
        if account is None or self._is_answering:
            return ""
        now = self._crowd.limits.clock()
        if not account.requests.has(now, 1.0):
            return "requests"
        is_handshake = b"websocket" in data[:HEAD].lower()
        return "openings" if is_handshake and not account.openings.has(now, 1.0) else ""

    def on_response_complete(self) -> None:
        """Wait for the next request, or begin with it if it is there."""
        super().on_response_complete()
        self._settle()

    def resume_writing(self) -> None:
        """Begin to wait anew, for what was sent has been read."""
        super().resume_writing()
        self._looks = 0

    def handle_websocket_upgrade(self, event: Any) -> None:
        """Hand the connection over to a `WebSocket`, which has pings of its own.

        A handshake that it does not understand, such as one with a body, would never be answered.
        """
        self._timer.cancel()
        super().handle_websocket_upgrade(event)
        if not getattr(self.transport.get_protocol(), "handshake_initiated", True):
            self.transport.write(BAD_HANDSHAKE)
            self.transport.close()

    def dismiss(self) -> None:
        """Close the connection, which is idle, to make room for another."""
        self._crowd.is_busy(self, self._account)
        self.transport.abort()

    @property
    def _is_answering(self) -> bool:
        return self.cycle is not None and not self.cycle.response_complete

    def _settle(self) -> None:
        """Tell the crowd whether this connection is idle."""
        is_ours = self.transport.get_protocol() is self and not self.transport.is_closing()
        if is_ours and not self._is_answering and not self.transport.get_write_buffer_size():
            self._crowd.waits(self, self._account)
        else:
            self._crowd.is_busy(self, self._account)

    def _look(self) -> None:
        """Close the connection if nothing has become of it since the last look."""
        unread = self.transport.get_write_buffer_size()
        if self._seen == (self.cycle, unread):
            self._looks += 1
            if not (self._is_answering or unread) or self._looks >= LOOKS:
                self.transport.abort()
                return
        else:
            self._seen, self._looks = (self.cycle, unread), 0
        self._timer = self.loop.call_later(self.patience, self._look)
