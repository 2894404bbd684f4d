"""Online play in the page: a client, its connection, and the lobby or the game that it is at."""

from __future__ import annotations

import random
import time
from collections.abc import Callable
from gettext import NullTranslations
from typing import Any

from tic_tac_toe.protocols.online.client import (
    ONLINE,
    Client,
)
from tic_tac_toe.protocols.online.events import ACCEPT, CHAT, REMATCH
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

from ...game_text import variant_title
from ...library_messages import localise
from ...online_text import describe_players, describe_refusal
from .channel import Channel
from .dom import by_id, document, on, start, window, write
from .lobby import Lobby, Wish
from .room import Room
from .seats import Seats

#: How long it is said that the connection is back, in seconds.
GLAD = 4.0


class Online:
    """What stands in the page while it plays online.

    Args:
        url: where the game server listens.
        language: returns the one to speak.
    """

    def __init__(self, url: str, language: Callable[[], NullTranslations]) -> None:
        self._language = language
        self.is_shown = False
        self.client = Client(random.SystemRandom(), time.monotonic)
        self.channel = Channel(self.client, url, self._tell, self._beat)
        self.seats = Seats()
        self.lobby = Lobby(self.create, self.join, self.go, self.go_back)
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
        by_id("joining-name").value = self.lobby.name
        on(by_id("online-copy"), "click", lambda _event: start(self._copy()))
        on(document, "keydown", self._press)

    # -- showing ---------------------------------------------------------------------------------

    def show(self) -> None:
        """Show everything as it is now."""
        client = self.client
        self._keep_place()
        self._listen_to_lobby()
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
            if client.game is not None:
                title = variant_title(client.game.rules, self._language())
        else:
            self.lobby.show(client.open_games, self.seats.all(), self._language())
        write(by_id("title"), title)
        is_turn = client.game is not None and client.game.turn == client.seat != ""
        document.title = f"● {title}" if is_turn else title

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
            by_id("invite-link").value = window.location.href
        self.seats.hold(client.address if client.seat or client.token else "")
        game = client.game
        if game is not None and client.seat:
            title = describe_players(game, self._language())
            self.seats.note(client.address, title, game.end is not None)

    def _write_address(self) -> None:
        if self.is_shown:
            place, address = window.location, self.client.address
            link = f"#game={address}" if address else f"{place.pathname}{place.search}"
            window.history.replaceState(None, "", link)

    def _listen_to_lobby(self) -> None:
        wanted = self.is_shown and not self.client.address
        if wanted != self._listens:
            self._listens = wanted
            self.client.listen_to_lobby(wanted)
            self.channel.flush()

    # -- what people do --------------------------------------------------------------------------

    def enter(self, address: str) -> None:
        """Be shown, at a game or where one was before."""
        self.is_shown = True
        self.channel.begin()
        address = address or ("" if self.client.address else self.seats.game)
        if address and address != self.client.address:
            self.go(address)
        else:
            self._write_address()
            by_id("invite-link").value = window.location.href
            self.show()

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
            client.join(address, name)
            self.seats.keep(client.address, client.token)

        self.act(join)

    def go(self, address: str) -> None:
        """Go to a game: to a seat that is one's own there, or to watch."""
        if not address:
            self.say(self._language().gettext("This is no link to a game."))
            return
        start(self._go(address))

    def go_back(self, address: str) -> None:
        """Go back to one's own seat, even if another tab is at it."""
        start(self._go(address, claim=True))

    async def _go(self, address: str, *, claim: bool = False) -> None:
        token = await self.seats.token(address, claim=claim)
        self.act(lambda client: client.watch(address, token))

    def follow(self) -> None:
        """Go to the rematch."""

        def follow(client: Client) -> None:
            if client.game is not None and client.game.follower and client.seat:
                self.seats.keep(client.game.follower, client.token)
            client.follow()

        self.act(follow)

    def leave(self) -> None:
        """Go to the lobby."""
        self.act(lambda client: client.leave())

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
                    if event.kind != CHAT:
                        self._said = ""  # why nothing was done then
                    # One that was over when it was opened is looked at, not played on.
                    followed = event.kind == ACCEPT and event.text == REMATCH
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
            client.watch("")  # the game is closed: what is left is to go
        elif answer.status == ILLEGAL and isinstance(request, Join):
            self.seats.forget(request.game, request.token)
            if answer.reason != "unknown_game":  # somebody else was faster, and can be watched
                client.watch(request.game)
        self.channel.flush()

    def _lost(self, game: str) -> None:
        """Watch a game in which there is no such seat, or say that there is no such game."""
        token, self._token = self._token, ""
        if token:
            self.seats.forget(game, token)
            self.client.watch(game)
            self.channel.flush()
        else:
            self._said = f"{localise(self._language(), REASONS['unknown_game'])}."
