"""Where connections come in: who asks for nothing, or takes too long to, is sent away."""

from __future__ import annotations

import asyncio
from typing import Any

from uvicorn.protocols.http.h11_impl import H11Protocol

#: Every so many seconds it is looked what has become of a connection; its first request has to be
#: there by then.
PATIENCE = 10.0
#: After so many looks at one answer that is not read to its end, it is given up.
LOOKS = 6


class Door(H11Protocol):
    """Uvicorn's HTTP, with an end to waiting: a half request would keep its socket for ever."""

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
        """Hand the connection over to a `Wire`, which has pings of its own."""
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
