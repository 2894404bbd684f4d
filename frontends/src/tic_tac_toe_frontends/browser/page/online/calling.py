"""Calls a player who looks elsewhere: a line at the top, the title, sound, a notification."""

from __future__ import annotations

import time
from collections import deque
from collections.abc import Callable, Sequence

from tic_tac_toe.protocols.online.client import ONLINE, Client
from tic_tac_toe.protocols.online.events import Event, Joined, Moved
from tic_tac_toe.protocols.online.news import GameChanged, GameLost
from tic_tac_toe.protocols.online.news import News as ClientNews
from tic_tac_toe.protocols.online.seat_book import outcome_for

from ....words.online_text import (
    describe_arrival,
    describe_standing,
)
from ..dom import by_id, document, on_click, set_text
from .channel import TICK, Channel
from .seats import Seats, paired_with
from .session import Host
from .view import News, news_of, said_by_others, unfinished_news

#: Seconds for which one waiting game is followed before the next one.
STAY = 5.0


def signal(client: Client, events: Sequence[Event], host: Host, *, is_in_sight: bool) -> None:
    """Give one signal for these events of a client's game, that of the most important one.

    Args:
        is_in_sight: whether the page shows the game.
    """
    signals, language = host.signals, host.language()
    game, seat = client.game, client.seat
    if any(map(paired_with, events)):
        signals.call_player(language.gettext("An opponent is found."))
    if game is None or not any(event.game == game.address for event in events):
        return
    is_away = document.hidden or not is_in_sight
    look = host.look(game)
    standing = describe_standing(game, seat, language, look)
    is_turn = game.turn == seat != ""
    moved = [event for event in events if isinstance(event, Moved)]
    arrived = [each for each in events if isinstance(each, Joined) and seat not in ("", each.seat)]
    said = said_by_others(events, game, seat, client.muted, language, look)
    if game.end is not None and any(event.version == game.changed for event in events):
        outcome = outcome_for(game, seat) if seat else None
        signals.ended(outcome or "over", standing)
    elif arrived:
        signals.call_player(describe_arrival(game, arrived[-1].seat, language))
    elif moved and is_turn and is_away:
        signals.call_player(standing)
    elif moved and is_turn:
        signals.own_turn(standing)
    elif said and is_away and seat:
        signals.call_player(said)
    elif moved and is_in_sight:
        signals.moved()


class Follower:
    """Follows own games over a connection of its own, one at a time.

    Args:
        changed: called after news of a game.
        passed: called twice a second while a game is followed.
    """

    def __init__(
        self,
        host: Host,
        seats: Seats,
        changed: Callable[[], object],
        passed: Callable[[], object] = lambda: None,
    ) -> None:
        self._host, self._seats, self._changed, self._passed = host, seats, changed, passed
        self._channel = Channel(host.url, self._handle_news, self._tick)
        self.client = self._channel.client
        self._to_visit: deque[str] = deque()
        self._followed: list[str] = []
        self._next_at = 0.0

    def follow(self, games: list[str], visits: Sequence[str] = ()) -> None:
        """Follow these games from now on, in turn.

        Args:
            visits: games to look at once before.
        """
        if visits or games != self._followed:
            self._followed = games
            self._to_visit.extend(visits)
            self._visit_next()

    @property
    def has_seen_all(self) -> bool:
        """Whether no game is left to be looked at."""
        return not self._to_visit and (self.client.game is not None or not self.client.address)

    def _visit_next(self) -> None:
        """Visit the next game; close the connection if there is none."""
        here, followed = self.client.address, self._followed
        if self._to_visit:
            there = self._to_visit.popleft()
        else:
            after = followed.index(here) + 1 if here in followed else 0
            there = followed[after % len(followed)] if followed else ""
        self._next_at = time.monotonic() + (TICK if self._to_visit else STAY)
        if there != here:
            self.client.watch(there, self._seats.token(there) if there else "")
        if there:
            self._channel.open()
            self._channel.flush()
        else:
            self._channel.close()

    def _tick(self) -> None:
        if self.client.address:
            if self.client.connection == ONLINE and time.monotonic() >= self._next_at:
                self._visit_next()
            self._passed()

    def _handle_news(self, news: list[ClientNews]) -> None:
        client, events = self.client, []
        for each in news:
            if isinstance(each, GameLost):
                self._seats.delete(each.game, each.token)
            elif isinstance(each, GameChanged):
                if there := paired_with(each.event):
                    self._seats.move(each.event.game, client.token, there)
                if not each.is_past:
                    events.append(each.event)
        signal(client, events, self._host, is_in_sight=False)
        if news and client.address:
            self._changed()


class Elsewhere:
    """The line at the top about the player's games that the page does not show.

    The page's own client follows its game also while the page shows something else. Of the others
    one that goes on has a connection, and those without an opponent share one, which first looks at
    each unfinished game once.

    Args:
        client: of the page.
        changed: called after news of a game that the page does not show.
    """

    def __init__(
        self, host: Host, client: Client, seats: Seats, changed: Callable[[], object]
    ) -> None:
        self._host, self._client, self._seats = host, client, seats
        self._running = Follower(host, seats, changed, self.tick)
        self._waiting = Follower(host, seats, changed)
        self._is_in_sight, self._is_looking = True, False
        self._begun = ""  # the game whose opponent has come last
        self._seen: dict[str, int] = {}  # the events of each game that was in sight
        self._unfinished: list[str] = []
        self._shown = News()
        on_click("notice-go", lambda: host.go_online(self._shown.address))

    def show(self, *, is_in_sight: bool) -> None:
        """Follow the games that are out of sight, and show the line.

        Args:
            is_in_sight: whether the page shows online play.
        """
        self._is_in_sight = is_in_sight
        game = self._client.game
        if is_in_sight and game is not None:
            self._seen[game.address] = game.version
        for client in (self._client, self._running.client, self._waiting.client):
            self._note(client, is_in_sight=is_in_sight and client is self._client)
        if is_in_sight and self._client.address:
            self._is_looking = False
            self._running.follow([])
            self._waiting.follow([])
        else:
            self._follow()
        self.tick()

    def _note(self, client: Client, *, is_in_sight: bool) -> None:
        """Store what a client knows of its game; call the player if an opponent has come."""
        game = client.game
        if game is None or not client.seat:
            return
        if self._seats.update(game, client.seat, is_shown=is_in_sight) and not is_in_sight:
            self._begun = game.address
            if client is not self._client:
                self._host.signals.call_player(self._news_of(client).text)

    def _follow(self) -> None:
        seats = [each for each in self._seats.unfinished() if each.game != self._client.address]
        self._unfinished = [seat.game for seat in seats]
        running = [seat.game for seat in seats if not seat.is_waiting]
        running.sort(key=lambda game: game != self._begun)
        visits, self._is_looking = () if self._is_looking else self._unfinished, True
        here = self._running.client
        if not running and here.game is not None and self._news_of(here).text:
            running = [here.address]  # until the player has read how it ended
        self._running.follow(running[:1])
        self._waiting.follow([seat.game for seat in seats if seat.is_waiting], visits)

    def tick(self) -> None:
        """Update the line, with the clock in it."""
        before, self._shown = self._shown, self._news()
        if self._shown == before:
            return
        set_text(by_id("notice-text"), self._shown.text)
        by_id("notice-go").hidden = not self._shown.text
        if self._shown.title != before.title:
            self._host.title_changed()

    def _news(self) -> News:
        language, here = self._host.language(), self._client.address
        if self._is_in_sight and here:
            return News()
        clients = (
            [self._running.client] if self._is_in_sight else [self._client, self._running.client]
        )
        news = [each for each in map(self._news_of, clients) if each.text]
        news.sort(key=lambda each: not each.title)  # first what waits for the player
        if news or self._is_in_sight or here or not self._waiting.has_seen_all:
            return news[0] if news else News()
        return unfinished_news(self._unfinished, language)

    def _news_of(self, client: Client) -> News:
        game = client.address
        return news_of(
            client,
            self._host.language(),
            self._host.look(client.game),
            self._seen.get(game),
            is_new=game == self._begun,
        )

    def title(self, title: str) -> str:
        """Return the news, else the given title."""
        return f"● {self._shown.title}" if self._shown.title else title
