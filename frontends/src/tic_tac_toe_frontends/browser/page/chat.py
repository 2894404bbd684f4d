"""What players say to each other, and watchers among themselves, in the page."""

from __future__ import annotations

from collections.abc import Callable
from gettext import NullTranslations

from tic_tac_toe.protocols.online.client import Client
from tic_tac_toe.protocols.online.events import Said
from tic_tac_toe.protocols.online.game import OnlineGame
from tic_tac_toe.protocols.online.replies import TalkLine

from ...words.online_text import describe_event
from ...words.presence_text import describe_talk
from .dom import by_id, make, on_submit, remembered, write


class Chat:
    """Shows the lines of the game that a client is at, and takes new ones.

    A player's line goes to everybody at the game. A watcher's goes to the other watchers: players
    see it once the game is over.

    Args:
        acted: called after the client has been asked to say something.
    """

    def __init__(self, client: Client, acted: Callable[[], object]) -> None:
        self._client, self._acted = client, acted
        self._list, self._form, self._line = by_id("chat"), by_id("chat-form"), by_id("chat-line")
        self._shown: list[Said | TalkLine] = []
        self._language: NullTranslations | None = None
        on_submit("chat-form", self._submit)

    def show(self, language: NullTranslations) -> None:
        """Show the lines; those that are there already stay, but in another language."""
        client, _ = self._client, language.gettext
        game, is_watcher = client.game, not client.seat
        write(by_id("chat-title"), _("Chat"))
        self._line.placeholder = _("Say something")
        self._form.hidden = game is None
        by_id("chat-note").hidden = not is_watcher or game is None or game.end is not None
        said = [event for event in client.events if isinstance(event, Said)]
        lines = sorted([*said, *client.talk], key=lambda line: line.time)
        if lines[: len(self._shown)] != self._shown or language is not self._language:
            self._language = language
            self._list.replaceChildren()
            self._shown = []
        if game is None or len(lines) == len(self._shown):
            return
        for line in lines[len(self._shown) :]:
            self._list.append(_paragraph(line, game, language))
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
            self._client.talk_to_watchers(text, remembered("name") or "")
        self._acted()


def _paragraph(line: Said | TalkLine, game: OnlineGame, language: NullTranslations) -> object:
    """Return a line as it is shown; what watchers say stands back."""
    if isinstance(line, TalkLine):
        return make("p", describe_talk(line, language), class_="quiet")
    return make("p", describe_event(line, game, language))
