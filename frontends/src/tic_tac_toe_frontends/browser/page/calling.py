"""Calls a player: an opponent has come, it is the player's turn, the game has ended."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from gettext import NullTranslations

from tic_tac_toe.protocols.online.client import Client
from tic_tac_toe.protocols.online.events import Event, Joined, Moved, Said

from ...words.online_text import describe_arrival, outcome_for, tell_standing
from .dom import by_id, document, on, start, write
from .seats import paired_with
from .settings_dialog import allow_notifications
from .signals import Signals, can_notify


class Calling:
    """Gives the signals of the game that a client is at.

    Args:
        signals: sound, vibration and notifications.
        language: returns the one to speak.
    """

    def __init__(
        self, client: Client, signals: Signals, language: Callable[[], NullTranslations]
    ) -> None:
        self._client, self._signals, self._language = client, signals, language
        on(by_id("notify"), "change", lambda event: self._switch(bool(event.target.checked)))

    def show(self) -> None:
        """Let a player who waits for an opponent ask to be notified of one, where browsers can."""
        game, settings = self._client.game, self._signals.settings
        waits = game is not None and game.waiting and self._client.seat != ""
        by_id("notify-part").hidden = not (waits and can_notify())
        by_id("notify").checked = settings.notifications
        if not waits:
            write(by_id("notify-said"), "")

    def _switch(self, is_on: bool) -> None:
        if is_on:
            start(self._allow())
        else:
            self._signals.settings.notifications = False

    async def _allow(self) -> None:
        settings = self._signals.settings
        write(by_id("notify-said"), await allow_notifications(settings, self._language()))
        by_id("notify").checked = settings.notifications

    def happened(self, events: Sequence[Event]) -> None:
        """Give one signal for what has happened just now: for the most important of it."""
        client, language, game = self._client, self._language(), self._client.game
        if any(map(paired_with, events)):
            self._signals.called(language.gettext("An opponent is found."))
        if game is None or not any(event.game == game.address for event in events):
            return
        standing = tell_standing(game, client.seat, language)
        is_turn = game.turn == client.seat != ""
        moved = [event for event in events if isinstance(event, Moved)]
        if game.end is not None and any(event.version == game.changed for event in events):
            outcome = outcome_for(game, client.seat) if client.seat else None
            self._signals.ended(outcome or "over", standing)
        elif any(self._is_arrival(event) for event in events):
            self._signals.called(self.arrival)
        elif moved and is_turn and document.hidden:
            self._signals.called(standing)
        elif moved and is_turn:
            self._signals.turn(standing)
        elif moved:
            self._signals.moved()

    @property
    def arrival(self) -> str:
        """That the opponent has come, as long as nothing has happened since then; else empty."""
        game = self._client.game
        last = next(
            (each for each in self._client.events[::-1] if not isinstance(each, Said)), None
        )
        if game is None or last is None or not self._is_arrival(last):
            return ""
        return describe_arrival(game, last.seat, self._language())

    def title(self, title: str) -> str:
        """Return the title of the window: with a mark, and with the opponent who has come."""
        game, seat = self._client.game, self._client.seat
        if arrival := self.arrival:
            return f"● {arrival} - {title}"
        is_turn = game is not None and game.turn == seat != ""
        return f"● {title}" if is_turn else title

    def _is_arrival(self, event: Event) -> bool:
        own = self._client.seat
        return isinstance(event, Joined) and own != "" and event.seat != own
