"""What the page tells of the player's other online games."""

from __future__ import annotations

from collections.abc import Callable
from gettext import NullTranslations

from tic_tac_toe.protocols.online.client import Client
from tic_tac_toe.protocols.online.events import SEATS, SIDES
from tic_tac_toe.protocols.online.game import OnlineGame

from ...words.online_text import describe_end, describe_players, seat_name
from .lookout import Lookout
from .notice import Notice
from .seats import Seats


class OwnGames:
    """Keeps what is known of the player's games, and tells when an opponent has joined one.

    Args:
        url: where the game server listens.
        seats: the seats that this browser keeps.
        notice: where it is told.
        language: returns the one to speak.
        changed: called when more is known of a game that the page is not at.
    """

    def __init__(
        self,
        url: str,
        seats: Seats,
        notice: Notice,
        language: Callable[[], NullTranslations],
        changed: Callable[[], object],
    ) -> None:
        self._seats, self._notice = seats, notice
        self._language, self._changed = language, changed
        self._lookout = Lookout(url, seats, self._seen)
        self._begun: tuple[OnlineGame, str] | None = None  # and the opponent's seat

    def show(self, client: Client, is_shown: bool) -> None:
        """Note the game that the page's client is at, look after the others, and tell the news.

        Args:
            is_shown: whether the player sees that game, or the lobby.
        """
        at = client.address if is_shown else ""
        self._note(client, is_shown)
        if at:
            self._lookout.rest()
        else:
            self._lookout.look(client.address)
        if self._begun is not None and self._begun[0].address == at:
            self._begun = None
        language = self._language()
        if self._begun is not None:
            game, seat = self._begun
            message = language.gettext("{player} has joined your online game.")
            self._notice.tell(message.format(player=seat_name(game, seat, language)), game.address)
            return
        count = len(self._seats.unfinished())
        text = language.ngettext(
            "You have {count} unfinished game online.",
            "You have {count} unfinished games online.",
            count,
        )
        is_told = count and not is_shown and not client.address and self._lookout.has_seen_all
        self._notice.tell(text.format(count=count) if is_told else "")

    def _seen(self, client: Client) -> None:
        self._note(client, False)
        self._changed()

    def _note(self, client: Client, is_shown: bool) -> None:
        game, language = client.game, self._language()
        if game is None or not client.seat:
            return
        title = " ".join([describe_players(game, language), *describe_end(game, language)])
        if self._seats.note(game, title, is_shown=is_shown) and not is_shown:
            self._begun = game, SEATS[1 - SIDES[client.seat]]
