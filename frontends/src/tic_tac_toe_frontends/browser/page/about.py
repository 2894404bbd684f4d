"""The dialog about a person at an online game, or about a line: not to see, to meet, to report."""

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
from .dialogs import Dialog
from .dom import by_id, document, on, on_click, remember, remembered, write

#: The name under which it is kept, and for how many games, the newest ones.
KEPT, MOST = "muted", 40
#: What stands there beside those who are muted, if the other player is blocked.
_BLOCKED = "blocked"


def mute(client: Client, who: str, *, on: bool) -> None:
    """Show no line of a player or of the watchers in the game that a client is at, or do again."""
    client.mute(who, on)
    keep(client)


def keep(client: Client) -> None:
    """Keep who is muted, and whether the other player is blocked, in a client's game."""
    kept = _read()
    kept.pop(client.address, None)
    if client.address and (client.muted or client.has_blocked):
        kept[client.address] = [*sorted(client.muted), *([_BLOCKED] if client.has_blocked else [])]
    newest = dict([*kept.items()][-MOST:])
    remember(KEPT, json.dumps(newest))


def recall(client: Client) -> None:
    """Mute in the game that a client has come to whom the reader has muted there before."""
    for who in _read().get(client.address, ()):
        if who == _BLOCKED:
            client.has_blocked = True
        else:
            client.mute(who)


def _read() -> dict[str, list[str]]:
    """Return what is kept; whatever else stands there is passed over."""
    try:
        kept = json.loads(remembered(KEPT) or "{}")
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
    """Opens from a line of the chat, or from the name of a player, and does what is chosen.

    Args:
        acted: called after the client has been asked for something.
        language: returns the one to speak.
    """

    def __init__(
        self,
        client: Client,
        acted: Callable[[], object],
        language: Callable[[], NullTranslations],
    ) -> None:
        self._client, self._acted, self._language = client, acted, language
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
        on(by_id("about"), "close", lambda _event: self._give_focus_back())

    def open(self, who: str, line: Line | None = None) -> None:
        """Show what can be done.

        Args:
            who: of `speaker_of`.
            line: what it is about, if it is not about the person.
        """
        self._who, self._line, self._opener = who, line, document.activeElement
        write(by_id("about-said"), "")
        self._show()
        self._dialog.open()

    def open_line(self, line: Line) -> None:
        """Show what can be done about a line."""
        self.open(speaker_of(line), line)

    def show(self, language: NullTranslations) -> None:
        """Show at a game by whom no line is shown, and who there is to do something about."""
        client = self._client
        game, muted = client.game, client.muted
        by_id("muted").hidden = game is None or not muted
        if game is None:
            return
        write(by_id("muted-text"), describe_muted(game, muted, language))
        for seat in SIDES:
            player, button = game.player(seat), by_id(f"about-{seat}")
            button.hidden = player is None or bool(player.strategy) or seat == client.seat
            if not button.hidden:
                told = language.gettext("More about {player}")
                name = speaker_name(game, seat, language)
                button.setAttribute("aria-label", told.format(player=name))

    def _show(self) -> None:
        client, language, game = self._client, self._language(), self._client.game
        _ = language.gettext
        if game is None:
            return
        line, is_muted = self._line, self._who in client.muted
        write(by_id("about-title"), speaker_name(game, self._who, language))
        write(by_id("about-line"), "" if line is None else describe_line(line, game, language))
        title = _("Show their lines again") if is_muted else _("Hide their lines")
        write(by_id("about-mute"), title)
        is_name = line is None
        write(by_id("about-report"), _("Report this name") if is_name else _("Report this line"))
        by_id("about-report").disabled = self._is_asking(Report)
        by_id("about-block").hidden = not client.seat or self._who not in SIDES
        by_id("about-block").disabled = self._is_asking(Block)
        title = _("Play with this player again") if client.has_blocked else _("Block this player")
        write(by_id("about-block"), title)

    def _is_asking(self, kind: type[Report | Block]) -> bool:
        return any(isinstance(request, kind) for request in self._client.pending)

    def answered(self, answered: Answered) -> str:
        """Tell what became of a report or a block; return what there is to tell elsewhere."""
        language, request = self._language(), answered.request
        told = describe_done(request, answered.answer, language)
        if isinstance(request, Block):
            keep(self._client)
        if not told or not self._dialog.is_open:
            return told
        write(by_id("about-said"), told)
        self._show()
        return ""

    # -- what people do --------------------------------------------------------------------------

    def _mute(self) -> None:
        mute(self._client, self._who, on=self._who not in self._client.muted)
        self._show()
        self._acted()

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
        self._acted()
        self._show()

    def _unmute(self) -> None:
        for who in self._client.muted:
            mute(self._client, who, on=False)
        self._acted()
        by_id("chat-line").focus()  # the button is gone

    def _give_focus_back(self) -> None:
        """Put the focus where the line was that the dialog was opened from, if it is gone."""
        if self._opener is not None and not self._opener.isConnected:
            by_id("unmute" if self._client.muted else "chat").focus()
