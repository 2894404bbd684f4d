"""The line that shows the state of the connection to the game server."""

from __future__ import annotations

import time
from gettext import NullTranslations

from tic_tac_toe.protocols.online.client import ONLINE, Client
from tic_tac_toe.protocols.online.replies import REASONS

from ...words.online_text import describe_closing
from .dom import by_id, set_text

#: Seconds for which the line says that the connection is back.
BACK_SECONDS = 4.0


class ConnectionLine:
    """Shows problems of a client's connection, and nothing while there are none."""

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
        """Update the line."""
        client, place, _ = self._client, by_id("connection"), language.gettext
        text, is_well = "", client.connection == ONLINE
        if not is_well and client.attempts:
            text = _("Reconnecting … (attempt {count})").format(count=client.attempts)
            if self._reason in REASONS:
                why = self._reason, self._retry, self._closed_at
                text = f"{describe_closing(*why, language)} {text}"
        elif not is_well:
            text = _("Connecting …")
        elif time.monotonic() < self._back_until:
            text = _("Connected again.")
        place.classList.toggle("well", is_well)
        set_text(place, text)
