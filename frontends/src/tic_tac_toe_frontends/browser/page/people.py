"""The players of an online game, above and below the board, each with a clock."""

from __future__ import annotations

from gettext import NullTranslations

from tic_tac_toe.logic.models import Mark
from tic_tac_toe.protocols.online.client import OFFLINE, Client
from tic_tac_toe.protocols.online.events import SEATS, SIDES
from tic_tac_toe.protocols.online.game import OnlineGame
from tic_tac_toe.protocols.online.replies import Presence

from ...words.clock_text import time_left
from ...words.online_text import describe_watchers, seat_name, sentence
from ...words.rules_text import side_title
from .dom import by_id, set_text
from .telling import describe_seat

#: A clock with less time left, in milliseconds, is highlighted.
SHORT = 15_000


class People:
    """Shows both seats, the reader's below the board, and announces their connections."""

    def __init__(self, client: Client) -> None:
        self._client = client
        self._language = NullTranslations()
        self._at: tuple[str, bool] = "", False
        self._here: frozenset[str] | None = None
        self._away = dict.fromkeys(SEATS, "")  # the announcement
        self._gone: frozenset[str] = frozenset()  # the seats in it

    def show(self, game: OnlineGame, language: NullTranslations) -> None:
        """Show the players, and their connections if known."""
        client, self._language = self._client, language
        presence = client.presence if client.connection != OFFLINE else None
        self._arrange_seats()
        for seat in SEATS:
            row = by_id(f"seat-{seat}")
            title, place = side_title(game.rules, Mark(seat), language), row.querySelector("b")
            set_text(place, title)
            place.classList.toggle("named", title != seat)  # a name has no colour
            who, away = describe_seat(game, seat, client.seat, presence, language)
            set_text(row.querySelector(".who"), who)
            self._away[seat] = "" if game.follower else away  # both are at the rematch
            row.classList.toggle("turn", game.turn == seat)
        set_text(by_id("watchers"), describe_watchers(presence, language))
        self._announce_presence(game, presence)
        self.show_clocks()

    def show_clocks(self) -> None:
        """Update the clocks."""
        left, game = self._client.time_left(), self._client.game
        first = self._client.first_move_left()
        for seat in SEATS:
            row, here = by_id(f"seat-{seat}"), self._away[seat]
            if game is not None and game.turn == seat and first is not None:
                message = self._language.gettext("first move within {time}")
                here = message.format(time=time_left(first, self._language))
            set_text(row.querySelector(".here"), here)
            place = row.querySelector(".time")
            own = None if left is None else left[SIDES[seat]]
            set_text(place, "" if own is None else time_left(own, self._language))
            runs = game is not None and game.turn == seat
            place.classList.toggle("short", runs and own is not None and own < SHORT)

    def _arrange_seats(self) -> None:
        """Put the reader's seat below the board, for watchers X."""
        own = self._client.seat or SEATS[0]
        other, board = SEATS[1 - SIDES[own]], by_id("online-board")
        below = by_id(f"seat-{own}")
        if not board.nextElementSibling.isSameNode(below):
            board.after(below)
            by_id("online-letters").before(by_id(f"seat-{other}"))

    def _announce_presence(self, game: OnlineGame, presence: Presence | None) -> None:
        """Announce once when the opponent disconnects or returns, but not the first state."""
        place, own = by_id("presence-said"), self._client.seat
        at, before = (game.address, game.waiting), self._here
        self._here = None if presence is None else frozenset(presence.seats)
        if at != self._at:
            self._at, self._gone, before = at, frozenset(), None
            set_text(place, "")
        if before is None or self._here is None:
            return
        _ = self._language.gettext
        left, back = before - self._here - {own}, self._gone & self._here
        self._gone = (self._gone | left) - back
        for seats, message in (
            (left, _("{player} is not connected.")),
            (back, _("{player} is connected.")),
        ):
            for seat in seats:
                name = seat_name(game, seat, self._language)
                set_text(place, sentence(message.format(player=name), self._language))
