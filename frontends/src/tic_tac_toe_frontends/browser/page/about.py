"""The dialog about a person at an online game, or about a chat line: mute, block, report."""

from __future__ import annotations

import json
from collections.abc import Callable
from functools import partial
from gettext import NullTranslations
from typing import Any

from tic_tac_toe.protocols.online.addresses import is_address
from tic_tac_toe.protocols.online.client import WATCHERS, Client, speaker_of
from tic_tac_toe.protocols.online.events import SEATS, SIDES, Said
from tic_tac_toe.protocols.online.news import Answered
from tic_tac_toe.protocols.online.replies import TalkLine
from tic_tac_toe.protocols.online.requests import Block, Report

from ...words.online_text import describe_done, describe_line, describe_muted, speaker_name
from .dom import Dialog, by_id, document, load_item, on, on_click, save_item, set_text

#: The key of the muted people in localStorage, and for how many of the newest games they are kept.
KEPT, MOST = "muted", 40
#: The entry for "the opponent is blocked" in the list of muted people.
_BLOCKED = "blocked"


def mute(client: Client, who: str, *, on: bool) -> None:
    """Hide the lines of a player or of the watchers in the client's game, or show them again."""
    client.mute(who, on)
    save_muted(client)


def save_muted(client: Client) -> None:
    """Save who is muted in a client's game, and whether the opponent is blocked."""
    kept = _read()
    kept.pop(client.address, None)
    if client.address and (client.muted or client.has_blocked):
        kept[client.address] = [*sorted(client.muted), *([_BLOCKED] if client.has_blocked else [])]
    newest = dict([*kept.items()][-MOST:])
    save_item(KEPT, json.dumps(newest))


def restore_muted(client: Client) -> None:
    """Mute the people that the reader muted earlier in the client's present game."""
    for who in _read().get(client.address, ()):
        if who == _BLOCKED:
            client.has_blocked = True
        else:
            client.mute(who)


def _read() -> dict[str, list[str]]:
    """Return the saved lists by game; entries of any other form are ignored."""
    try:
        kept = json.loads(load_item(KEPT) or "{}")
    except ValueError:
        return {}
    if not isinstance(kept, dict):
        return {}
    return {
        game: [who for who in (*SEATS, WATCHERS, _BLOCKED) if who in muted]
        for game, muted in kept.items()
        if is_address(game) and isinstance(muted, list)
    }


Line = Said | TalkLine


class About:
    """The dialog that a chat line or a player's name opens.

    Args:
        on_request: called after a request has been handed to the client.
    """

    def __init__(
        self,
        client: Client,
        on_request: Callable[[], object],
        language: Callable[[], NullTranslations],
    ) -> None:
        self._client, self._on_request, self._language = client, on_request, language
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
        self._show()
        self._dialog.open()

    def open_line(self, line: Line) -> None:
        """Open the dialog about a chat line."""
        self.open(speaker_of(line), line)

    def show(self, language: NullTranslations) -> None:
        """Show beside the game who is muted, and a button for each other person."""
        client = self._client
        game, muted = client.game, client.muted
        by_id("muted").hidden = game is None or not muted
        if game is None:
            return
        set_text(by_id("muted-text"), describe_muted(game, muted, language))
        for seat in SIDES:
            player, button = game.player(seat), by_id(f"about-{seat}")
            button.hidden = player is None or bool(player.strategy) or seat == client.seat
            if not button.hidden:
                message = language.gettext("More about {player}")
                name = speaker_name(game, seat, language)
                button.setAttribute("aria-label", message.format(player=name))

    def _show(self) -> None:
        client, language, game = self._client, self._language(), self._client.game
        _ = language.gettext
        if game is None:
            return
        line, is_muted = self._line, self._who in client.muted
        set_text(by_id("about-title"), speaker_name(game, self._who, language))
        set_text(by_id("about-line"), "" if line is None else describe_line(line, game, language))
        title = _("Show their lines again") if is_muted else _("Hide their lines")
        set_text(by_id("about-mute"), title)
        is_name = line is None
        set_text(by_id("about-report"), _("Report this name") if is_name else _("Report this line"))
        by_id("about-report").disabled = self._is_asking(Report)
        by_id("about-block").hidden = not client.seat or self._who not in SIDES
        by_id("about-block").disabled = self._is_asking(Block)
        title = _("Play with this player again") if client.has_blocked else _("Block this player")
        set_text(by_id("about-block"), title)

    def _is_asking(self, kind: type[Report | Block]) -> bool:
        return any(isinstance(request, kind) for request in self._client.pending)

    def handle_answer(self, answered: Answered) -> str:
        """Show the result of a report or a block; return the sentence if the dialog is closed."""
        language, request = self._language(), answered.request
        message = describe_done(request, answered.answer, language)
        if isinstance(request, Block):
            save_muted(self._client)
        if not message or not self._dialog.is_open:
            return message
        set_text(by_id("about-said"), message)
        self._show()
        return ""

    def _mute(self) -> None:
        mute(self._client, self._who, on=self._who not in self._client.muted)
        self._show()
        self._on_request()

    def _report(self) -> None:
        if self._line is None:
            self._client.report_name(self._who)
        else:
            self._client.report_line(self._line)
        self._ask()

    def _block(self) -> None:
        self._client.block(not self._client.has_blocked)
        self._ask()

    def _ask(self) -> None:
        self._on_request()
        self._show()

    def _unmute(self) -> None:
        for who in self._client.muted:
            mute(self._client, who, on=False)
        self._on_request()
        by_id("chat-line").focus()  # the button is gone

    def _restore_focus(self) -> None:
        """Move the focus to the chat if the line that opened the dialog has gone."""
        if self._opener is not None and not self._opener.isConnected:
            by_id("unmute" if self._client.muted else "chat").focus()
