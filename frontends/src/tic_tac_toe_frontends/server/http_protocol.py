"""HTTP with time limits: a connection that sends no request, or reads no answer, is closed."""

from __future__ import annotations

import asyncio
from typing import Any

from uvicorn.protocols.http.h11_impl import H11Protocol

#: Seconds between two looks at a connection; its first request has to be there by the first.
PATIENCE = 10.0
#: Looks at one answer that is not read to its end before the connection is closed.
LOOKS = 6


class HttpProtocol(H11Protocol):
    """Uvicorn's HTTP with time limits: half a request would keep its socket for ever."""

    patience = PATIENCE

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]  # as uvicorn narrows it
        """Begin to wait."""
        super().connection_made(transport)
        self._seen: object = None
        self._looks = 0
        self._timer = self.loop.call_later(self.patience, self._look)

    def connection_lost(self, exc: Exception | None) -> None:
        """Wait no longer."""
        self._timer.cancel()
        super().connection_lost(exc)

    def handle_websocket_upgrade(self, event: Any) -> None:
        """Hand the connection over to a `WebSocket`, which has pings of its own."""
        self._timer.cancel()
        super().handle_websocket_upgrade(event)

    def _look(self) -> None:
        """Close the connection if nothing has become of it since the last look."""
        is_answering = self.cycle is not None and not self.cycle.response_complete
        if self._seen is self.cycle:
            self._looks += 1
            if not is_answering or self._looks >= LOOKS:
                self.transport.abort()
                return
        else:
            self._seen, self._looks = self.cycle, 0
        self._timer = self.loop.call_later(self.patience, self._look)
