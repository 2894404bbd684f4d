"""The line in the page that tells how the connection to the game server is."""

from __future__ import annotations

import time
from gettext import NullTranslations

from tic_tac_toe.protocols.online.client import Client
from tic_tac_toe.protocols.online.link import ONLINE
from tic_tac_toe.protocols.online.reasons import REASONS

from ...words.online_text import describe_closing
from .dom import by_id, set_text

#: The time that the page tells that the connection is back, in seconds.
BACK_SECONDS = 4.0


class ConnectionLine:
    """Tells of a client's connection, as long as there is something to tell."""

    def __init__(self, client: Client) -> None:
        self._client = client
        self._shown = client.connection
        self._back_until = 0.0
        self._reason, self._retry, self._closed_at = "", 0, 0.0

    def has_changed(self) -> bool:
        """Return whether the connection has come or gone since this was asked."""
        before, self._shown = self._shown, self._client.connection
        return before != self._shown

    def welcomed(self, *, is_back: bool) -> None:
        """Notice that the server has answered the greeting; see `Welcomed`."""
        self._reason = ""
        if is_back:
            self._back_until = time.monotonic() + BACK_SECONDS

    def closing(self, reason: str, retry: int) -> None:
        """Notice why the server closes the connection; see `ServerCloses`."""
        self._reason, self._retry, self._closed_at = reason, retry, time.time()

    def show(self, language: NullTranslations) -> None:
        """Write the line."""
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
