"""Online play in the page: a client, its connection, and the lobby or the game that it is at."""

from __future__ import annotations

import random
import time
from collections.abc import Callable
from gettext import NullTranslations
from typing import Any

from tic_tac_toe.protocols.online.client import Client
from tic_tac_toe.protocols.online.events import REMATCH, Accepted, Said
from tic_tac_toe.protocols.online.link import ONLINE
from tic_tac_toe.protocols.online.news import (
    Answered,
    GameChanged,
    GameLost,
    News,
    ServerCloses,
    Welcomed,
)
from tic_tac_toe.protocols.online.reasons import REASONS
from tic_tac_toe.protocols.online.replies import DUPLICATE, ILLEGAL, OK
from tic_tac_toe.protocols.online.requests import Join, Leave

from ...words.game_text import variant_title
from ...words.messages import localise
from ...words.online_text import describe_refusal
from .channel import Channel
from .dom import by_id, document, on, start, window, write
from .lobby import Lobby, Wish
from .navigation import LOBBY, Navigation
from .notice import Notice
from .own_games import OwnGames
from .room import Room
from .seats import Seats

#: How long it is said that the connection is back, in seconds.
GLAD = 4.0


class Online:
    """What stands in the page while it plays online.

    Args:
        url: where the game server listens.
        language: returns the one to speak.
        navigation: told of the lobby or the game that is shown.
        notice: told of one's own games that are not shown.
    """

    def __init__(
        self,
        url: str,
        language: Callable[[], NullTranslations],
        navigation: Navigation,
        notice: Notice,
    ) -> None:
        self._language, self._navigation, self._notice = language, navigation, notice
        self.is_shown = False
        self.client = Client(random.SystemRandom(), time.monotonic)
        self.channel = Channel(self.client, url, self._tell, self._beat)
        self.seats = Seats(self._seat_taken)
        self._own_games = OwnGames(url, self.seats, notice, language, self.show)
        self.lobby = Lobby(self.create, self.join, self.go)
        self.room = Room(
            self.act,
            self.say,
            lambda: self.join(self.client.address, by_id("joining-name").value.strip()),
            self.leave,
            self.follow,
            language,
        )
        self._said = ""  # why nothing was done
        self._reason = ""  # why the server closes
        self._was_lost = False
        self._was_connection = self.client.connection
        self._token = ""
        self._place = ""
        self._was_at = ""
        self._back_since = -GLAD
        self._listens = False
        self._elsewhere = ""  # the game that another tab has this player's seat in
        self._leads_nowhere = False  # whether the place that is left is not worth going back to
        self._cancelled: dict[str, tuple[str, str]] = {}  # games and seats, by what asked for it
        self._wish = 0
        by_id("joining-name").value = self.lobby.name
        on(by_id("online-copy"), "click", lambda _event: start(self._copy()))
        on(by_id("play-here"), "click", lambda _event: self.play_here())
        on(document, "keydown", self._press)

    # -- showing ---------------------------------------------------------------------------------

    def show(self) -> None:
        """Show everything as it is now."""
        client = self.client
        self._keep_place()
        self._listen_to_lobby()
        self._own_games.show(client, self.is_shown)
        if not self.is_shown:
            return
        at_game = bool(client.address)
        self._move_between(at_game)
        self._show_connection()
        write(by_id("online-said"), self._said)
        _ = self._language().gettext
        title = _("Online")
        if at_game:
            self.room.show(client)
            self._show_elsewhere()
            if client.game is not None:
                title = variant_title(client.game.rules, self._language())
        else:
            self.lobby.show(client.open_games, self.seats.all(), self._language())
        write(by_id("title"), title)
        is_turn = client.game is not None and client.game.turn == client.seat != ""
        document.title = self._notice.title(f"● {title}" if is_turn else title)

    def _show_elsewhere(self) -> None:
        _, is_elsewhere = self._language().gettext, self._elsewhere == self.client.address
        text = _("You play this game in another tab.") if is_elsewhere else ""
        write(by_id("elsewhere-text"), text)
        by_id("play-here").hidden = not is_elsewhere

    def say(self, text: str) -> None:
        """Say why nothing was done, until something is."""
        self._said = text
        self.show()

    def _beat(self) -> None:
        """Show what changes by itself."""
        self._was_lost |= self.client.attempts > 0
        if self.client.connection != self._was_connection:
            self._was_connection = self.client.connection
            self.show()
        elif self.is_shown:
            self._show_connection()
            if self.client.address:
                self.room.show_clocks(self.client)

    def _move_between(self, at_game: bool) -> None:
        """Show the lobby or the game, and let the focus follow where it would be lost."""
        room, lobby = by_id("room"), by_id("lobby")
        if room.hidden != at_game:
            return
        held = (lobby if at_game else room).contains(document.activeElement)
        room.hidden, lobby.hidden = not at_game, at_game
        if held:
            by_id("room-title" if at_game else "open-games-title").focus()

    def _show_connection(self) -> None:
        client, place = self.client, by_id("connection")
        _ = self._language().gettext
        text, is_well = "", client.connection == ONLINE
        if not is_well and client.attempts:
            text = _("Reconnecting … (attempt {count})").format(count=client.attempts)
            if self._reason:
                text = f"{self._reason}. {text}"
        elif not is_well:
            text = _("Connecting …")
        elif time.monotonic() < self._back_since + GLAD:
            text = _("Connected again.")
        place.classList.toggle("well", is_well)
        write(place, text)

    def _keep_place(self) -> None:
        """Let this tab, its address and what is kept of the seat say where the client is."""
        client = self.client
        self._token = client.token
        if client.address != self._place:
            self._place = self.seats.game = client.address
            self._write_address()
        self.seats.hold(client.address, client.token)

    def _write_address(self) -> None:
        if self.is_shown:
            address = self.client.address
            place = f"game={address}" if address else LOBBY
            self._navigation.show(place, instead=self._leads_nowhere)
            by_id("invite-link").value = window.location.href
        self._leads_nowhere = False

    def _listen_to_lobby(self) -> None:
        wanted = self.is_shown and not self.client.address
        if wanted != self._listens:
            self._listens = wanted
            self.client.listen_to_lobby(wanted)
            self.channel.flush()

    # -- what people do --------------------------------------------------------------------------

    def enter(self, address: str = "", *, instead: bool = False) -> None:
        """Be shown, at a game or where one was before.

        Args:
            instead: whether the place in the address is replaced by this one.
        """
        self.is_shown = True
        self.channel.begin()
        self._leads_nowhere = instead
        self._wish += 1
        address = address or self.client.address or self.seats.game
        if address != self.client.address:
            self.go(address)
        else:
            self._write_address()
            self.show()

    def enter_lobby(self) -> None:
        """Be shown, at no game; one that waits for a player goes on waiting."""
        self.is_shown = True
        self.channel.begin()
        self._wish += 1
        self.act(lambda client: client.watch(""))
        self._write_address()

    def quit(self) -> None:
        """Be shown no longer; the seat stays."""
        self.is_shown = False
        self.show()

    def act(self, action: Callable[[Client], object]) -> None:
        """Do something with the client, and send what it leads to."""
        self._said = ""
        action(self.client)
        self.show()  # which keeps what has to be kept before anything is sent
        self.channel.flush()

    def create(self, wish: Wish) -> None:
        """Create a game."""

        def create(client: Client) -> None:
            client.create(
                wish.variant,
                name=wish.name,
                seat=wish.seat,
                starting=wish.starting,
                opponent=wish.opponent,
                is_open=wish.is_open,
                clock=wish.clock,
            )
            self.seats.keep(client.address, client.token)

        self.act(create)

    def join(self, address: str, name: str) -> None:
        """Take the free seat of a game."""
        self.lobby.name = name

        def join(client: Client) -> None:
            self._elsewhere = ""
            client.join(address, name)
            self.seats.keep(client.address, client.token)

        self.act(join)

    def go(self, address: str) -> None:
        """Go to a game: to a seat that is one's own there, or to watch."""
        if not address:
            self.say(self._language().gettext("This is no link to a game."))
            return
        start(self._go(address))

    def play_here(self) -> None:
        """Take one's own seat over from another tab."""
        start(self._go(self.client.address, by_force=True))

    async def _go(self, address: str, *, by_force: bool = False) -> None:
        self._wish += 1
        wish, token = self._wish, self.seats.token(address)
        is_free = not token or await self.seats.take(address, token, by_force=by_force)
        if wish != self._wish:
            return  # somebody has gone elsewhere meanwhile
        self._elsewhere, self._was_at = "" if is_free else address, ""
        self.act(lambda client: client.watch(address, token if is_free else ""))

    def _seat_taken(self, game: str, token: str) -> None:
        """Watch a game that another tab has taken the seat of."""
        if (self.client.address, self.client.token) == (game, token):
            self._elsewhere = game
            self.act(lambda client: client.watch(game))

    def follow(self) -> None:
        """Go to the rematch."""

        def follow(client: Client) -> None:
            if client.game is not None and client.game.follower and client.seat:
                self.seats.keep(client.game.follower, client.token)
            client.follow()

        self.act(follow)

    def leave(self) -> None:
        """Go to the lobby; a game of one's own that waits for a player is cancelled first."""

        def leave(client: Client) -> None:
            if any(isinstance(request, Leave) for request in client.pending):
                return
            seat = client.address, client.token
            client.leave()
            for request in client.pending:
                if isinstance(request, Leave):
                    self._cancelled[request.id] = seat

        self._wish += 1
        self.act(leave)

    async def _copy(self) -> None:
        _ = self._language().gettext
        try:
            await window.navigator.clipboard.writeText(by_id("invite-link").value)
        except Exception:  # forbidden, or not there: the reader can copy it by hand
            by_id("invite-link").select()
        else:
            self.say(_("The link to this game is copied."))

    def _press(self, event: Any) -> None:
        """Move by digits, but not in a field."""
        if not self.is_shown or not self.client.address or event.defaultPrevented:
            return
        if event.ctrlKey or event.metaKey or event.altKey or event.target.matches("input, select"):
            return
        if event.key in "123456789" and self.room.board.press_digit(event.key):
            event.preventDefault()

    # -- what happens ----------------------------------------------------------------------------

    def _tell(self, news: list[News]) -> None:
        for each in news:
            match each:
                case Answered():
                    self._answered(each)
                case Welcomed():
                    self._reason = ""
                    if self._was_lost:
                        self._was_lost = False
                        self._back_since = time.monotonic()
                case GameLost(game):
                    self._lost(game)
                case GameChanged(event):
                    if not isinstance(event, Said):
                        self._said = ""  # why nothing was done then
                    # One that was over when it was opened is looked at, not played on.
                    followed = isinstance(event, Accepted) and event.what == REMATCH
                    if followed and self.client.seat and event.game == self._was_at:
                        self.follow()
                case ServerCloses(reason):
                    self._reason = localise(self._language(), REASONS.get(reason, ""))
        self._was_at = self.client.address if self.client.game is not None else ""
        self.show()

    def _answered(self, answered: Answered) -> None:
        request, answer, client = answered.request, answered.answer, self.client
        self._said = describe_refusal(answer, self._language())
        if answer.status in (OK, DUPLICATE) and isinstance(request, Leave):
            self._closed(*self._cancelled.pop(request.id))
        elif answer.status == ILLEGAL and isinstance(request, Join):
            self.seats.forget(request.game, request.token)
            if answer.reason != "unknown_game":  # somebody else was faster, and can be watched
                client.watch(request.game)
            self._leads_nowhere = not client.address
        self.channel.flush()

    def _closed(self, game: str, token: str) -> None:
        """Go to the lobby from a game that has been cancelled, and forget it."""
        _ = self._language().gettext
        self.seats.forget(game, token)
        self._said = _("The game is cancelled: nobody can join it any more.")
        if self.client.address == game:
            self._leads_nowhere = True
            self.client.watch("")

    def _lost(self, game: str) -> None:
        """Watch a game in which there is no such seat, or say that there is no such game."""
        token, self._token = self._token, ""
        if token:
            self.seats.forget(game, token)
            self.client.watch(game)
            self.channel.flush()
        else:
            self._leads_nowhere = True
            self._said = f"{localise(self._language(), REASONS['unknown_game'])}."
