"""HTTP with limits: a connection that sends no request, or reads no answer, is closed."""

from __future__ import annotations

import asyncio
from typing import Any

from uvicorn.protocols.http.h11_impl import H11Protocol

from .crowd import Crowd
from .rate_limits import Account

#: Seconds between two looks at a connection; its first request has to be there by the first.
PATIENCE = 10.0
#: Looks at one answer of which nothing is read before the connection is closed.
LOOKS = 6

#: Says that an address has asked for too much. It is sent before the request is even parsed, for
#: whoever asks too much shall cost nothing.
TOO_MANY = (
    b"HTTP/1.1 429 Too Many Requests\r\n"
    b"Retry-After: 5\r\nContent-Length: 0\r\nConnection: close\r\n\r\n"
)


class HttpProtocol(H11Protocol):
    """Uvicorn's HTTP with limits: half a request would keep its socket for ever."""

    patience = PATIENCE

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]  # as uvicorn narrows it
        """Begin to wait."""
        super().connection_made(transport)
        self._crowd: Crowd = self.app_state["crowd"]
        self._account: Account | None = self.app_state["account"]
        self._seen: object = None
        self._looks = 0
        self._timer = self.loop.call_later(self.patience, self._look)
        self._crowd.waits(self, self._account)

    def connection_lost(self, exc: Exception | None) -> None:
        """Wait no longer."""
        self._timer.cancel()
        self._crowd.is_busy(self, self._account)
        super().connection_lost(exc)

    def data_received(self, data: bytes) -> None:
        """Take a part of a request, unless its address has none left."""
        account = self._account
        if (
            account is not None
            and not self._is_answering
            and not account.requests.has(self._crowd.limits.clock(), 1.0)
        ):
            self._crowd.metrics.turned_away("requests")
            self.transport.write(TOO_MANY)
            self.transport.close()
            return
        super().data_received(data)
        self._settle()

    def on_response_complete(self) -> None:
        """Wait for the next request, or begin with it if it is there."""
        super().on_response_complete()
        self._settle()

    def resume_writing(self) -> None:
        """Begin to wait anew, for what was sent has been read."""
        super().resume_writing()
        self._looks = 0

    def handle_websocket_upgrade(self, event: Any) -> None:
        """Hand the connection over to a `WebSocket`, which has pings of its own."""
        self._timer.cancel()
        super().handle_websocket_upgrade(event)

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
        if is_ours and not self._is_answering:
            self._crowd.waits(self, self._account)
        else:
            self._crowd.is_busy(self, self._account)

    def _look(self) -> None:
        """Close the connection if nothing has become of it since the last look."""
        if self._seen is self.cycle:
            self._looks += 1
            if not self._is_answering or self._looks >= LOOKS:
                self.transport.abort()
                return
        else:
            self._seen, self._looks = self.cycle, 0
        self._timer = self.loop.call_later(self.patience, self._look)
