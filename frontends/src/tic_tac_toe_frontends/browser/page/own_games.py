"""News of the player's other online games."""

from __future__ import annotations

import time
from collections import deque
from collections.abc import Callable
from gettext import NullTranslations

from tic_tac_toe.protocols.online.client import ONLINE, Client
from tic_tac_toe.protocols.online.events import SEATS, SIDES
from tic_tac_toe.protocols.online.game import OnlineGame
from tic_tac_toe.protocols.online.news import GameChanged, GameLost, News

from ...words.online_text import seat_name
from .channel import TICK, Channel
from .notice import Notice
from .seats import WAITING, Seats, paired_with
from .signals import Signals

#: Seconds for which one waiting game is followed before the next one.
STAY = 5.0


class OwnGames:
    """Keeps the player's games up to date, and reports when an opponent has joined one.

    While the page shows no game, this visits each unfinished game once, and then follows those
    without an opponent. It has its own connection, only while there is such a game.

    Args:
        changed: called after news of a game that the page does not show.
    """

    def __init__(
        self,
        url: str,
        seats: Seats,
        notice: Notice,
        signals: Signals,
        language: Callable[[], NullTranslations],
        changed: Callable[[], object],
    ) -> None:
        self._seats, self._notice, self._signals = seats, notice, signals
        self._language, self._changed = language, changed
        self._channel = Channel(url, self._handle_news, self._tick)
        self._client = self._channel.client
        self._begun: tuple[OnlineGame, str] | None = None  # game and opponent's seat
        self._is_looking = self._has_seen_all = False
        self._besides = ""  # the game of the page's client
        self._to_visit: deque[str] = deque()
        self._next_at = 0.0

    def show(self, client: Client, is_shown: bool) -> None:
        """Update the game of the page's client, follow the others, and show the news.

        Args:
            is_shown: whether that game or the lobby is visible.
        """
        self._note_current_game(client, is_shown)
        at = client.address if is_shown else ""
        self._besides = client.address
        if at:
            self._is_looking = False
            self._client.watch("")
            self._channel.close()
        elif not self._is_looking:
            self._to_visit = deque(seat.game for seat in self._seats.unfinished())
            self._is_looking, self._has_seen_all = True, False
            self._visit_next()
        if self._begun is not None and self._begun[0].address == at:
            self._begun = None
        language = self._language()
        if self._begun is not None:
            self._notice.show_line(self._newly_joined(), self._begun[0].address)
            return
        unfinished = self._seats.unfinished()
        count = len(unfinished)
        text = language.ngettext(
            "You have {count} unfinished game online.",
            "You have {count} unfinished games online.",
            count,
        )
        is_told = count and not is_shown and not client.address and self._has_seen_all
        only = unfinished[0].game if count == 1 else ""  # the lobby lists them all
        if is_told:
            self._notice.show_line(text.format(count=count), only, is_news=False)
        else:
            self._notice.show_line("")

    def _newly_joined(self) -> str:
        if self._begun is None:
            return ""
        language, (game, seat) = self._language(), self._begun
        message = language.gettext("{player} has joined your online game.")
        return message.format(player=seat_name(game, seat, language))

    def _note_current_game(self, client: Client, is_shown: bool) -> None:
        game = client.game
        if game is None or not client.seat:
            return
        if self._seats.update(game, client.seat, is_shown=is_shown) and not is_shown:
            self._begun = game, SEATS[1 - SIDES[client.seat]]
            self._signals.call_player(self._newly_joined())

    def _visit_next(self) -> None:
        """Visit the next game; close the connection if there is none."""
        waiting = [seat.game for seat in self._seats.unfinished() if seat.stage == WAITING]
        here = self._client.address
        while self._to_visit and self._to_visit[0] == self._besides:
            self._to_visit.popleft()
        if self._to_visit:
            there = self._to_visit.popleft()
        else:
            others = [game for game in waiting if game != self._besides]
            after = others.index(here) + 1 if here in others else 0
            there = others[after % len(others)] if others else ""
        self._next_at = time.monotonic() + (TICK if self._to_visit else STAY)
        if there != here:
            self._client.watch(there, self._seats.token(there) if there else "")
        if there:
            self._channel.open()
            self._channel.flush()
        else:
            self._channel.close()

    def _tick(self) -> None:
        is_done = self._client.connection == ONLINE and time.monotonic() >= self._next_at
        if self._is_looking and is_done:
            self._visit_next()

    def _handle_news(self, news: list[News]) -> None:
        is_there = self._client.game is not None
        for each in news:
            if isinstance(each, GameLost):
                self._seats.delete(each.game, each.token)
                is_there = True
            elif isinstance(each, GameChanged) and (there := paired_with(each.event)):
                self._seats.move(each.event.game, self._client.token, there)
        self._has_seen_all |= is_there and not self._to_visit
        if news and self._is_looking:
            self._note_current_game(self._client, False)
            self._changed()
