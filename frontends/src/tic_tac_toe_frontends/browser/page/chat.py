"""The chat of an online game: the players', and the watchers' own."""

from __future__ import annotations

from collections.abc import Callable
from gettext import NullTranslations
from typing import Any

from tic_tac_toe.protocols.online.client import Client, speaker_of
from tic_tac_toe.protocols.online.events import Said
from tic_tac_toe.protocols.online.game import OnlineGame
from tic_tac_toe.protocols.online.replies import TalkLine

from ...words.online_text import describe_line
from .dom import by_id, load_item, make, on, on_submit, set_text

#: The sign on the button beside a line.
DOTS = (
    '<svg class="icon" viewBox="0 0 24 24" aria-hidden="true">'
    '<path stroke-width="3.5" d="M5 12h.01M12 12h.01M19 12h.01"/></svg>'
)


class Chat:
    """Shows the chat of the client's game, and sends new lines.

    A player's line goes to everybody at the game. A watcher's goes to the other watchers: players
    see it once the game is over.

    Args:
        on_request: called after a line has been handed to the client.
        chosen: called with another person's line whose button was clicked.
    """

    def __init__(
        self,
        client: Client,
        on_request: Callable[[], object],
        chosen: Callable[[Said | TalkLine], object],
    ) -> None:
        self._client, self._on_request, self._chosen = client, on_request, chosen
        self._list, self._form, self._line = by_id("chat"), by_id("chat-form"), by_id("chat-line")
        self._shown: list[Said | TalkLine] = []
        self._language: NullTranslations | None = None
        on_submit("chat-form", self._submit)
        on(self._list, "click", self._click)

    def show(self, language: NullTranslations) -> None:
        """Show the lines; earlier ones are drawn again only in another language."""
        client, _ = self._client, language.gettext
        game, is_watcher = client.game, not client.seat
        set_text(by_id("chat-title"), _("Chat"))
        self._line.placeholder = _("Say something")
        self._form.hidden = game is None
        by_id("chat-note").hidden = not is_watcher or game is None or game.end is not None
        lines = [*client.lines]
        if lines[: len(self._shown)] != self._shown or language is not self._language:
            self._language = language
            self._list.replaceChildren()
            self._shown = []
        if game is None or len(lines) == len(self._shown):
            return
        for number, line in enumerate(lines[len(self._shown) :], len(self._shown)):
            self._list.append(self._paragraph(number, line, game, language))
        self._shown = lines
        self._list.scrollTop = self._list.scrollHeight

    def _submit(self) -> None:
        text = self._line.value.strip()
        if not text:
            return
        self._line.value = ""
        if self._client.seat:
            self._client.chat(text)
        else:
            self._client.talk_to_watchers(text, load_item("name") or "")
        self._on_request()

    def _paragraph(
        self, number: int, line: Said | TalkLine, game: OnlineGame, language: NullTranslations
    ) -> Any:
        """Return the element of a line; lines of watchers are paler."""
        text, who = describe_line(line, game, language), speaker_of(line)
        paragraph = make("p", text, class_="quiet" if isinstance(line, TalkLine) else "")
        if who != self._client.seat:
            label = language.gettext("More: {line}").format(line=text)
            button = make("button", type="button", class_="sign", aria_label=label)
            button.innerHTML = DOTS
            button.dataset.line = number
            paragraph.append(button)
        return paragraph

    def _click(self, event: Any) -> None:
        if button := event.target.closest("button"):
            self._chosen(self._shown[int(button.dataset.line)])
