"""HTTP with limits: a connection that sends no request, or reads no answer, is closed."""

from __future__ import annotations

import asyncio
from typing import Any

import h11
from uvicorn.protocols.http.h11_impl import H11Protocol

from ..budgets import Budget
from .connection_limiter import ConnectionLimiter
from .read_scheduler import SLICE

#: Seconds between two checks of a connection; its first request has to arrive before the first.
PATIENCE = 10.0
#: Checks without progress of an answer after which the connection is closed.
MOST_STALLED_CHECKS = 6

#: Bytes at the start of a request that are searched for an upgrade before it is parsed.
HEAD = 2048

#: The response to an address whose budget is spent: RFC 6585, section 4. It is sent before the
#: request is parsed, so that refusing costs next to nothing.
TOO_MANY = (
    b"HTTP/1.1 429 Too Many Requests\r\n"
    b"Retry-After: 5\r\nContent-Length: 0\r\nConnection: close\r\n\r\n"
)
BAD_HANDSHAKE = b"HTTP/1.1 400 Bad Request\r\nContent-Length: 0\r\nConnection: close\r\n\r\n"


class HttpProtocol(H11Protocol):
    """Uvicorn's HTTP/1.1 with limits, so that half a request does not keep its socket for ever."""

    patience = PATIENCE
    _unread = b""

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]  # as uvicorn narrows it
        """Start the timer of the checks."""
        super().connection_made(transport)
        self._limiter: ConnectionLimiter = self.app_state["limiter"]
        self._budget: Budget | None = self.app_state["budget"]
        self._last_progress: tuple[object, int] = (None, 0)  # the answer, and its unread bytes
        self._stalled_checks = 0
        self._timer = self.loop.call_later(self.patience, self._check_progress)
        self._limiter.mark_idle(self, self._budget)

    def connection_lost(self, exc: Exception | None) -> None:
        """Stop the timer."""
        self._timer.cancel()
        self._limiter.mark_busy(self, self._budget)
        super().connection_lost(exc)

    def data_received(self, data: bytes) -> None:
        """Parse a part of a request, now or in a later turn; refuse it if the budget is spent."""
        if refused := self._refusal(data):
            self._limiter.metrics.turned_away(refused)
            self.transport.write(TOO_MANY)
            self.transport.close()
            return
        # A request takes as long as a slice of frames of a WebSocket, however short it is.
        if self._limiter.read_scheduler.reserve(self._budget, SLICE):
            self._read(data)
            return
        self.transport.pause_reading()
        self._unread = data
        self._limiter.read_scheduler.schedule(self._budget, self)

    def read_slice(self) -> bool:
        """Parse what has been received; return whether there is more, which there never is."""
        data, self._unread = self._unread, b""
        if not self.transport.is_closing():
            self._read(data)
        if not self.transport.is_closing() and not self.flow.read_paused:
            self.transport.resume_reading()
        return False

    def give_up(self) -> None:
        """Abort the connection."""
        self.transport.abort()

    def _read(self, data: bytes) -> None:
        # RFC 9112, section 9.6: whatever follows the last request of a connection is ignored.
        if self.conn.their_state is h11.MUST_CLOSE:
            return
        super().data_received(data)
        self._update_idleness()

    def _refusal(self, data: bytes) -> str:
        """Return the reason why bytes are refused before they are parsed; empty if they are not."""
        budget = self._budget
        if budget is None or self._is_answering:
            return ""
        now = self._limiter.addresses.clock()
        if not budget.requests.has(now, 1.0):
            return "requests"
        is_handshake = b"websocket" in data[:HEAD].lower()
        return "openings" if is_handshake and not budget.openings.has(now, 1.0) else ""

    def on_response_complete(self) -> None:
        """Wait for the next request, or start with it if it has arrived."""
        super().on_response_complete()
        self._update_idleness()

    def resume_writing(self) -> None:
        """Restart the count of checks, because the client has read what was sent."""
        super().resume_writing()
        self._stalled_checks = 0

    def handle_websocket_upgrade(self, event: Any) -> None:
        """Hand the connection over to a `WebSocket`, which has pings of its own.

        Uvicorn never answers a handshake that it does not understand, such as one with a body; this
        does.
        """
        self._timer.cancel()
        super().handle_websocket_upgrade(event)
        if not getattr(self.transport.get_protocol(), "handshake_initiated", True):
            self.transport.write(BAD_HANDSHAKE)
            self.transport.close()

    def dismiss(self) -> None:
        """Close the connection, which is idle, to make room for another."""
        self._limiter.mark_busy(self, self._budget)
        self.transport.abort()

    @property
    def _is_answering(self) -> bool:
        return self.cycle is not None and not self.cycle.response_complete

    def _update_idleness(self) -> None:
        is_ours = self.transport.get_protocol() is self and not self.transport.is_closing()
        if is_ours and not self._is_answering and not self.transport.get_write_buffer_size():
            self._limiter.mark_idle(self, self._budget)
        else:
            self._limiter.mark_busy(self, self._budget)

    def _check_progress(self) -> None:
        unread = self.transport.get_write_buffer_size()
        if self._last_progress == (self.cycle, unread):
            self._stalled_checks += 1
            if not (self._is_answering or unread) or self._stalled_checks >= MOST_STALLED_CHECKS:
                self.transport.abort()
                return
        else:
            self._last_progress, self._stalled_checks = (self.cycle, unread), 0
        self._timer = self.loop.call_later(self.patience, self._check_progress)
