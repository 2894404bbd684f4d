"""An online game in the page: its board, its players, and what can be done."""

from __future__ import annotations

from collections.abc import Callable
from gettext import NullTranslations
from typing import Any

from tic_tac_toe.game.match import Match
from tic_tac_toe.protocols.online.client import Client
from tic_tac_toe.protocols.online.events import (
    DRAW,
    REMATCH,
    SEATS,
    SIDES,
    TAKE_BACK,
    Created,
    Moved,
    Offered,
    Said,
)
from tic_tac_toe.protocols.online.game import OnlineGame
from tic_tac_toe.protocols.online.judge import objection
from tic_tac_toe.protocols.online.link import OFFLINE
from tic_tac_toe.protocols.online.requests import Accept, Decline

from ...table.replay import Replay
from ...words.game_text import describe_consequences, variant_title
from ...words.messages import localise
from ...words.online_text import clock_face, describe_event, describe_turn, describe_watchers
from .board import Board
from .catching_up import catch_up
from .chat import Chat
from .dom import by_id, on, window, write
from .move_list import MoveList
from .room_text import describe_seat, offers_of

#: A clock with less than this number of milliseconds left is marked.
SHORT = 15_000

Act = Callable[[Callable[[Client], object]], object]


class Room:
    """Shows the game that a client is at, and passes on what people do.

    Args:
        act: called with what is to be done with the client.
        refuse: called with a sentence about what cannot be done.
        join: called with a name, to take the free seat.
        leave, follow: called to go to the lobby, or to the rematch.
        language: the one to speak.
    """

    def __init__(
        self,
        act: Act,
        refuse: Callable[[str], object],
        join: Callable[[], object],
        leave: Callable[[], object],
        follow: Callable[[], object],
        language: Callable[[], NullTranslations],
    ) -> None:
        self._act, self._refuse, self._language = act, refuse, language
        self._client: Client | None = None
        self._match: Match | None = None
        self._address = ""
        self._moves = 0
        self.replay = Replay()
        self.board = Board(self.pick, "online-")
        self.moves = MoveList(self.look_back, "online-")
        self.chat = Chat(lambda text: act(lambda client: client.chat(text)))
        self._offered = ""
        for what in (TAKE_BACK, DRAW, REMATCH):
            on(by_id(f"offer-{what}"), "click", self._offering(what))
        on(by_id("resign"), "click", lambda _event: self._resign())
        on(by_id("accept"), "click", lambda _event: act(lambda one: one.accept(self._offered)))
        on(by_id("decline"), "click", lambda _event: act(lambda one: one.decline(self._offered)))
        on(by_id("follow"), "click", lambda _event: follow())
        on(by_id("leave"), "click", lambda _event: leave())
        on(by_id("take-seat"), "submit", lambda event: (event.preventDefault(), join()))

    # -- showing ---------------------------------------------------------------------------------

    def show(self, client: Client) -> None:
        """Show everything as it is now."""
        language, game = self._language(), client.game
        _ = language.gettext
        self._client = client
        self.chat.show(client, language)
        if game is None:
            self._match, self._address = None, ""
            write(by_id("room-title"), _("Online"))
            write(by_id("online-status"), _("Looking for the game …"))
        elif game.address != self._address:
            self._match, self._address = None, game.address
            self.replay.leave()
            self._moves = 0
        by_id("room").classList.toggle("unknown", game is None)
        if game is not None:
            self._show_game(client, game, language)
        self._show_actions(client, game)
        self.show_clocks(client)

    def _show_game(self, client: Client, game: OnlineGame, language: NullTranslations) -> None:
        _ = language.gettext
        match = self._match = catch_up(self._match, game)
        if len(game.moves) != self._moves:  # a move by either side is worth seeing
            self._moves = len(game.moves)
            self.replay.leave()
        is_now = self.replay.ply is None
        state = self.replay.state(match)
        pending = client.pending_cell if is_now else None
        self.board.show(
            state,
            language,
            last=self.replay.last_cell(match),
            open_now=is_now and game.turn == client.seat != "" and pending is None,
            pending=pending,
        )
        self.moves.show(match, self.replay, language)
        by_id("invite-note").hidden = not game.waiting
        write(by_id("room-title"), variant_title(game.rules, language))
        if is_now:
            status = describe_turn(game, client.seat, language)
            if pending is not None:
                status = _("Your move is on its way …")
        else:
            message = _("Looking back: after move {count} of {total}.")
            status = message.format(count=self.replay.ply, total=match.ply)
        write(by_id("online-status"), status)
        news = self._tell_last(client, game, language)
        if game.end is None:
            news += describe_consequences(state, language)
        write(by_id("online-note"), " ".join(news))
        presence = client.presence if client.connection != OFFLINE else None
        for seat in SEATS:
            row = by_id(f"seat-{seat}")
            who, here = describe_seat(game, seat, client.seat, presence, language)
            write(row.querySelector(".who"), who)
            place = row.querySelector(".here")
            write(place, here)
            away = presence is not None and seat not in presence.seats
            place.classList.toggle("away", bool(here) and away)
            row.classList.toggle("turn", game.turn == seat)
        write(by_id("watchers"), describe_watchers(presence, language))

    def _tell_last(self, client: Client, game: OnlineGame, language: NullTranslations) -> list[str]:
        """Return the last event, unless it is the reader's own move or the end of the game."""
        events = [event for event in client.events if not isinstance(event, Created | Said)]
        if not events or self.replay.ply is not None:
            return []
        last = events[-1]
        if isinstance(last, Offered) and client.seat and last.seat != client.seat:
            return []  # it is told where it can be answered
        if isinstance(last, Moved):
            return [] if last.seat == client.seat else [describe_event(last, game, language)]
        if game.end is not None and last.version <= game.changed:
            return []
        return [describe_event(last, game, language)]

    def show_clocks(self, client: Client) -> None:
        """Show what time is left by now."""
        left, game = client.time_left(), client.game
        for seat in SEATS:
            place = by_id(f"seat-{seat}").querySelector(".time")
            own = None if left is None else left[SIDES[seat]]
            write(place, "" if own is None else clock_face(own))
            runs = game is not None and game.turn == seat
            place.classList.toggle("short", runs and own is not None and own < SHORT)

    def _show_actions(self, client: Client, game: OnlineGame | None) -> None:
        seat = client.seat if game is not None else ""
        goes_on = bool(seat) and game is not None and game.turn != ""
        is_over = game is not None and game.end is not None
        both = game is not None and None not in game.players
        asked = offers_of(client)
        shown = {
            "offer-takeback": goes_on,
            "offer-draw": goes_on,
            "resign": goes_on,
            "offer-rematch": is_over and both and bool(seat) and not (game and game.follower),
            "follow": game is not None and bool(game.follower),
        }
        for name, is_shown in shown.items():
            button = by_id(name)
            button.hidden = not is_shown
            button.disabled = name.removeprefix("offer-") in asked
        if goes_on and game is not None and game.ply_before_last_move_of(seat) is None:
            by_id("offer-takeback").disabled = True
        self._show_offer(client, game, seat)
        _ = self._language().gettext
        is_cancelled = bool(seat) and game is not None and game.waiting
        write(by_id("leave"), _("Cancel") if is_cancelled else _("Leave"))
        by_id("take-seat").hidden = seat != "" or game is None or not game.waiting
        by_id("record-part").hidden = not is_over
        if is_over and game is not None:
            by_id("record-page").href = f"games/{game.address}"
            by_id("record-file").href = f"games/{game.address}/record.txt"

    def _show_offer(self, client: Client, game: OnlineGame | None, seat: str) -> None:
        """Show what the other side has offered, until it is answered."""
        theirs = sorted(
            what for who, what in (game.offers if game is not None else ()) if seat and who != seat
        )
        answered = {
            request.what for request in client.pending if isinstance(request, Accept | Decline)
        }
        self._offered = next((what for what in theirs if what not in answered), "")
        by_id("offer").hidden = not self._offered
        if game is None or not self._offered:
            write(by_id("offer-text"), "")
        else:
            made = [each for each in client.events if isinstance(each, Offered)]
            offer = next(each for each in reversed(made) if each.what == self._offered)
            write(by_id("offer-text"), describe_event(offer, game, self._language()))

    # -- what people do --------------------------------------------------------------------------

    def pick(self, cell: int) -> None:
        """Make a move, or say why not."""
        client, match, language = self._client, self._match, self._language()
        _ = language.gettext
        if client is None or client.game is None or match is None:
            return
        if self.replay.ply is not None:
            self._refuse(_("You are looking back; go to the end to play on."))
        elif client.pending_cell is not None:
            self._refuse(_("Your last move is still on its way."))
        elif (refused := objection(client.game, client.seat, cell)) is not None:
            self._refuse(f"{localise(language, refused.text)}.")
        else:
            self._act(lambda one: one.move(cell))

    def look_back(self, ply: int) -> None:
        """Show the position after ``ply`` moves."""
        if self._match is not None and self._client is not None:
            self.replay.show(self._match, ply)
            self._refuse("")

    def _offering(self, what: str) -> Callable[[Any], object]:
        return lambda _event: self._act(lambda client: client.offer(what))

    def _resign(self) -> None:
        _ = self._language().gettext
        if window.confirm(_("Do you want to give up this game?")):
            self._act(lambda client: client.resign())
