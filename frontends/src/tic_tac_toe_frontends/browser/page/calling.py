"""Calls a player back: an opponent has joined, it is their turn, the game has ended."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from gettext import NullTranslations

from tic_tac_toe.protocols.online.client import Client
from tic_tac_toe.protocols.online.events import Event, Joined, Moved, Said

from ...words.online_text import describe_arrival, describe_standing, outcome_for
from .dom import by_id, document, on, set_text, start_task
from .seats import paired_with
from .signals import Signals, allow_notifications, can_notify


class Calling:
    """Gives the signals of the client's online game."""

    def __init__(
        self, client: Client, signals: Signals, language: Callable[[], NullTranslations]
    ) -> None:
        self._client, self._signals, self._language = client, signals, language
        on(by_id("notify"), "change", lambda event: self._switch(bool(event.target.checked)))

    def show(self) -> None:
        """Offer notifications to a player who waits for an opponent, if the browser has them."""
        game, settings = self._client.game, self._signals.settings
        waits = game is not None and game.waiting and self._client.seat != ""
        by_id("notify-part").hidden = not (waits and can_notify())
        by_id("notify").checked = settings.notifications
        if not waits:
            set_text(by_id("notify-said"), "")

    def _switch(self, is_on: bool) -> None:
        if is_on:
            start_task(self._allow())
        else:
            self._signals.settings.notifications = False

    async def _allow(self) -> None:
        settings = self._signals.settings
        set_text(by_id("notify-said"), await allow_notifications(settings, self._language()))
        by_id("notify").checked = settings.notifications

    def signal_events(self, events: Sequence[Event]) -> None:
        """Give one signal for these events, that of the most important one."""
        client, language, game = self._client, self._language(), self._client.game
        if any(map(paired_with, events)):
            self._signals.call_player(language.gettext("An opponent is found."))
        if game is None or not any(event.game == game.address for event in events):
            return
        standing = describe_standing(game, client.seat, language)
        is_turn = game.turn == client.seat != ""
        moved = [event for event in events if isinstance(event, Moved)]
        if game.end is not None and any(event.version == game.changed for event in events):
            outcome = outcome_for(game, client.seat) if client.seat else None
            self._signals.ended(outcome or "over", standing)
        elif any(self._is_arrival(event) for event in events):
            self._signals.call_player(self.arrival_text)
        elif moved and is_turn and document.hidden:
            self._signals.call_player(standing)
        elif moved and is_turn:
            self._signals.own_turn(standing)
        elif moved:
            self._signals.moved()

    @property
    def arrival_text(self) -> str:
        """Return that the opponent has joined, until the next event; else an empty text."""
        game = self._client.game
        last = next(
            (each for each in self._client.events[::-1] if not isinstance(each, Said)), None
        )
        if game is None or last is None or not self._is_arrival(last):
            return ""
        return describe_arrival(game, last.seat, self._language())

    def title(self, title: str) -> str:
        """Return the window's title with the player's mark, and with a newly joined opponent."""
        game, seat = self._client.game, self._client.seat
        if arrival := self.arrival_text:
            return f"● {arrival} - {title}"
        is_turn = game is not None and game.turn == seat != ""
        return f"● {title}" if is_turn else title

    def _is_arrival(self, event: Event) -> bool:
        own = self._client.seat
        return isinstance(event, Joined) and own != "" and event.seat != own
