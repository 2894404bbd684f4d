"""The chat of an online game, and the dialog about a person or a line: mute, report, block."""

from __future__ import annotations

from functools import partial
from typing import Any

from tic_tac_toe.protocols.online.client import speaker_of
from tic_tac_toe.protocols.online.events import SIDES, Said
from tic_tac_toe.protocols.online.news import Answered
from tic_tac_toe.protocols.online.replies import TalkLine
from tic_tac_toe.protocols.online.requests import Block, Report

from ....words.online_text import describe_done, describe_line, describe_muted, speaker_name
from ..dom import (
    Dialog,
    by_id,
    document,
    load_item,
    make,
    on,
    on_click,
    on_submit,
    set_text,
)
from .seats import save_muted
from .session import Session

Line = Said | TalkLine

#: The sign on the button beside a line.
DOTS = (
    '<svg class="icon" viewBox="0 0 24 24" aria-hidden="true">'
    '<path stroke-width="3.5" d="M5 12h.01M12 12h.01M19 12h.01"/></svg>'
)


class Chat:
    """Shows the chat of the client's game, and sends new lines.

    A player's line goes to everybody at the game. A watcher's goes to the other watchers: players
    see it once the game is over.
    """

    def __init__(self, session: Session) -> None:
        self._session, self._client = session, session.client
        self.about = About(session)
        self._list = by_id("chat")
        self._shown: list[Line] = []
        #: The language of the lines, and the look after which they name the sides.
        self._words: object = None
        on_submit("chat-form", self._submit)
        on(self._list, "click", self._click)

    def show(self) -> None:
        """Show the lines; earlier ones are drawn again only in other words."""
        client, language, look = self._client, self._session.language(), self._session.look()
        game, _ = client.game, language.gettext
        self.about.show()
        set_text(by_id("chat-title"), _("Chat"))
        by_id("chat-line").placeholder = _("Say something")
        by_id("chat-form").hidden = game is None
        by_id("chat-note").hidden = bool(client.seat) or game is None or game.end is not None
        lines = [*client.lines]
        if lines[: len(self._shown)] != self._shown or (language, look) != self._words:
            self._words, self._shown = (language, look), []
            self._list.replaceChildren()
        if game is None or len(lines) == len(self._shown):
            return
        for number, line in enumerate(lines[len(self._shown) :], len(self._shown)):
            text = describe_line(line, game, language, look)
            # Lines of watchers are paler.
            place = make("p", text, class_="quiet" if isinstance(line, TalkLine) else "")
            if speaker_of(line) != client.seat:
                label = _("More: {line}").format(line=text)
                button = make("button", type="button", class_="sign", aria_label=label)
                button.innerHTML, button.dataset.line = DOTS, number
                place.append(button)
            self._list.append(place)
        self._shown = lines
        self._list.scrollTop = self._list.scrollHeight

    def _submit(self) -> None:
        field = by_id("chat-line")
        text = field.value.strip()
        if not text:
            return
        field.value = ""
        if self._client.seat:
            self._client.chat(text)
        else:
            self._client.talk_to_watchers(text, load_item("name") or "")
        self._session.send()

    def _click(self, event: Any) -> None:
        if button := event.target.closest("button"):
            line = self._shown[int(button.dataset.line)]
            self.about.open(speaker_of(line), line)


class About:
    """The dialog that a chat line or a player's name opens."""

    def __init__(self, session: Session) -> None:
        self._session, self._client = session, session.client
        self._dialog = Dialog("about")
        self._who = ""
        self._line: Line | None = None
        self._opener: Any = None
        on_click("about-mute", self._mute)
        on_click("about-report", self._report)
        on_click("about-block", self._block)
        on_click("unmute", self._unmute)
        for seat in SIDES:
            on_click(f"about-{seat}", partial(self.open, seat))
        on(by_id("about"), "close", lambda _event: self._restore_focus())

    def open(self, who: str, line: Line | None = None) -> None:
        """Open the dialog.

        Args:
            who: a value of `speaker_of`.
            line: the chat line in question, if any.
        """
        self._who, self._line, self._opener = who, line, document.activeElement
        set_text(by_id("about-said"), "")
        self._show_dialog()
        self._dialog.open()

    def show(self) -> None:
        """Show beside the game who is muted."""
        game, muted = self._client.game, self._client.muted
        by_id("muted").hidden = game is None or not muted
        if game is not None:
            text = describe_muted(game, muted, self._session.language(), self._session.look())
            set_text(by_id("muted-text"), text)

    def _show_dialog(self) -> None:
        client, line = self._client, self._line
        language, look = self._session.language(), self._session.look()
        if client.game is None:
            return
        _, is_muted = language.gettext, self._who in client.muted
        texts = {
            "title": speaker_name(client.game, self._who, language, look),
            "line": "" if line is None else describe_line(line, client.game, language, look),
            "mute": _("Show their lines again") if is_muted else _("Hide their lines"),
            "report": _("Report this name") if line is None else _("Report this line"),
            "block": _("Play with this player again")
            if client.has_blocked
            else _("Block this player"),
        }
        for name, text in texts.items():
            set_text(by_id(f"about-{name}"), text)
        by_id("about-report").disabled = self._is_asking(Report)
        by_id("about-block").disabled = self._is_asking(Block)
        by_id("about-block").hidden = not client.seat or self._who not in SIDES

    def _is_asking(self, kind: type[Report | Block]) -> bool:
        return any(isinstance(request, kind) for request in self._client.pending)

    def handle_answer(self, answered: Answered) -> str:
        """Show the result of a report or a block; return the sentence if the dialog is closed."""
        message = describe_done(answered.request, answered.answer, self._session.language())
        if isinstance(answered.request, Block):
            save_muted(self._client)
        if not message or not self._dialog.is_open:
            return message
        set_text(by_id("about-said"), message)
        self._show_dialog()
        return ""

    def _mute(self) -> None:
        self._client.mute(self._who, self._who not in self._client.muted)
        save_muted(self._client)
        self._send()

    def _report(self) -> None:
        if self._line is None:
            self._client.report_name(self._who)
        else:
            self._client.report_line(self._line)
        self._send()

    def _block(self) -> None:
        self._client.block(not self._client.has_blocked)
        self._send()

    def _send(self) -> None:
        self._session.send()
        self._show_dialog()

    def _unmute(self) -> None:
        for who in self._client.muted:
            self._client.mute(who, False)
        save_muted(self._client)
        self._session.send()
        by_id("chat-line").focus()  # the button is gone

    def _restore_focus(self) -> None:
        """Move the focus to the chat if the line that opened the dialog has gone."""
        if self._opener is not None and not self._opener.isConnected:
            by_id("unmute" if self._client.muted else "chat").focus()
