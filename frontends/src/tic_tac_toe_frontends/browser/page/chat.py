"""What players say to each other, in the page."""

from __future__ import annotations

from collections.abc import Callable
from gettext import NullTranslations

from tic_tac_toe.protocols.online.client import Client
from tic_tac_toe.protocols.online.events import Said

from ...words.online_text import describe_event
from .dom import by_id, make, on_submit, write


class Chat:
    """Shows the lines of the game that a client is at, and takes new ones from its players."""

    def __init__(self, client: Client, say: Callable[[str], object]) -> None:
        self._client, self._say = client, say
        self._list, self._form, self._line = by_id("chat"), by_id("chat-form"), by_id("chat-line")
        self._shown: list[tuple[str, int]] = []
        self._language: NullTranslations | None = None
        on_submit("chat-form", self._submit)

    def show(self, language: NullTranslations) -> None:
        """Show the lines; those that are there already stay, but in another language."""
        client = self._client
        write(by_id("chat-title"), language.gettext("Chat"))
        self._form.hidden = not client.seat
        game = client.game
        lines = [event for event in client.events if isinstance(event, Said)]
        known = [(event.game, event.version) for event in lines]
        if known[: len(self._shown)] != self._shown or language is not self._language:
            self._language = language
            self._list.replaceChildren()
            self._shown = []
        if game is None or len(known) == len(self._shown):
            return
        for event in lines[len(self._shown) :]:
            self._list.append(make("p", describe_event(event, game, language)))
        self._shown = known
        self._list.scrollTop = self._list.scrollHeight

    def _submit(self) -> None:
        text = self._line.value.strip()
        if text:
            self._line.value = ""
            self._say(text)
