"""Online play: a client, its connection, and the lobby or the client's game."""

from __future__ import annotations

from typing import Any

from tic_tac_toe.logic.rules import Rules
from tic_tac_toe.pictures.board import Look
from tic_tac_toe.protocols.online.events import REMATCH, Accepted, Event, Said
from tic_tac_toe.protocols.online.news import (
    Announced,
    Answered,
    GameChanged,
    GameLost,
    News,
    OwnGamesTold,
    ServerCloses,
    Welcomed,
)
from tic_tac_toe.protocols.online.replies import (
    DELETED,
    DUPLICATE,
    FORGOTTEN,
    ILLEGAL,
    OK,
    Notice,
)
from tic_tac_toe.protocols.online.requests import Block, Join, Leave, Report

from ....words.online_text import describe_notice, describe_reason, describe_refusal
from ....words.rules_text import variant_title
from ..dom import by_id, document, is_for_field, on, on_click, on_submit, set_text, start_task
from ..navigation import LOBBY
from ..show import press
from ..signals import allow_notifications, can_notify
from .calling import Elsewhere, signal
from .channel import Channel, ConnectionLine
from .invitation import Invitation, OwnCode
from .lobby import Lobby
from .room import Room
from .seats import Seats, paired_with, restore_muted, save_muted
from .session import Host, Session
from .view import JOIN, window_title


class Online:
    """The page while it plays online.

    Attributes:
        is_shown: whether the page shows online play, and not this device.
    """

    def __init__(self, host: Host) -> None:
        self._host, self.is_shown = host, False
        self._channel = Channel(host.url, self._handle_news, self._tick)
        self._client = self._channel.client
        session = Session(self._client, host.language, self._look, self._send, self._say)
        self._seats = Seats(self._watch_instead)
        self._elsewhere = Elsewhere(host, self._client, self._seats, self.show)
        self._code = OwnCode(session, self._seats, self._handle_code_taken)
        self._lobby = Lobby(session, self._seats, self._code.prepare, self._keep_seat, self._enter)
        self._room = Room(session, host.signals.settings)
        self._invitation = Invitation(session)
        self._notice: Notice | None = None  # the operator's announcement, until it is closed
        self._connection = ConnectionLine(self._client)
        self._message, self._message_language = "", host.language()  # the last refusal
        self._place = ""
        self._listens = False
        self._replaces_entry = False  # whether Back need not return here
        self._taken_over = ""  # the game in which another tab has this player's seat
        self._visits = 0
        self._cancelled: dict[str, tuple[str, str]] = {}
        on_submit("take-seat", self._take_seat)
        on_click("follow", self._go_to_rematch)
        on_click("pair-again", self._pair_again)
        on_click("start-own", self._start_own)
        on_click("online-review", self._review)
        on_click("announcement-close", self._close_announcement)
        on_click("play-meanwhile", host.play_computer)
        on_click("leave", lambda: self._room.confirm_leaving(self._leave))
        on_click("play-here", lambda: self._visit(self._client.address, by_force=True))
        on(by_id("notify"), "change", lambda event: self._switch(bool(event.target.checked)))
        on(document, "keydown", self._handle_key)

    # -- what is shown -----------------------------------------------------------------------------

    def show(self) -> None:
        """Update the whole page."""
        client, language = self._client, self._host.language()
        if language is not self._message_language:
            self._message, self._message_language = "", language  # of another language
        self._save_place()
        self._listen_to_lobby()
        self._elsewhere.show(is_in_sight=self.is_shown)
        notice = "" if self._notice is None else describe_notice(self._notice, language)
        set_text(by_id("announcement-text"), notice)
        by_id("announcement-close").hidden = not notice
        if not self.is_shown:
            return
        at_game = bool(client.address)
        self._move_between(at_game)
        is_private = at_game and not (client.game is not None and client.game.setup.pairing)
        for way, is_taken in (("friend", is_private), ("anyone", not is_private)):
            press(f"way-{way}", is_taken)
        self._connection.show(language)
        set_text(by_id("online-said"), self._message)
        title = language.gettext("Online")
        if at_game:
            self._room.show(is_elsewhere=self._taken_over == client.address)
            self._offer_notifications()
            if client.game is not None:
                title = variant_title(client.game.rules, language)
        else:
            self._lobby.show()
        set_text(by_id("title"), title)
        document.title = self.title(window_title(title, client, language))

    def title(self, title: str) -> str:
        """Return the window's title: news of a game out of sight, else the given title."""
        return self._elsewhere.title(title)

    def _look(self) -> Look:
        return self._host.look(self._client.game)

    def _say(self, text: str) -> None:
        """Show why the last action was refused, until the next one."""
        self._message = text
        self.show()

    def _close_announcement(self) -> None:
        self._notice = None
        self.show()
        by_id("way-anyone").focus()  # the button is hidden now

    def _tick(self) -> None:
        if self._connection.has_changed():
            self.show()
        elif self.is_shown:
            self._connection.show(self._host.language())
            if self._client.address:
                self._room.show(is_elsewhere=self._taken_over == self._client.address)
                self._room.show_clocks()
        else:
            self._elsewhere.tick()

    def _move_between(self, at_game: bool) -> None:
        """Switch between the lobby and the game, and keep the focus in the visible part."""
        room, lobby = by_id("room"), by_id("lobby")
        if room.hidden != at_game:
            return
        held = (lobby if at_game else room).contains(document.activeElement)
        room.hidden, lobby.hidden = not at_game, at_game
        by_id("online-note" if at_game else "lobby").before(by_id("online-said"))
        if held:
            by_id("room-title" if at_game else "pair-title").focus()

    def _offer_notifications(self) -> None:
        """Offer notifications to a player who waits for an opponent, if the browser has them."""
        game = self._client.game
        waits = game is not None and game.waiting and self._client.seat != ""
        by_id("notify-part").hidden = not (waits and can_notify())
        by_id("notify").checked = self._host.signals.settings.notifications
        if not waits:
            set_text(by_id("notify-said"), "")

    def _switch(self, is_on: bool) -> None:
        if is_on:
            start_task(self._allow_notifications())
        else:
            self._host.signals.settings.notifications = False

    async def _allow_notifications(self) -> None:
        settings = self._host.signals.settings
        set_text(by_id("notify-said"), await allow_notifications(settings, self._host.language()))
        by_id("notify").checked = settings.notifications

    # -- where the page is -------------------------------------------------------------------------

    def enter(self, address: str = "", *, instead: bool = False) -> None:
        """Show online play, at a game or at the last place.

        Args:
            instead: replace the present entry of the browser's history.
        """
        self._appear()
        self._replaces_entry = instead
        address = address or self._client.address or self._seats.game
        if address != self._client.address:
            self._visit(address)
        else:
            self._write_address()
            self.show()

    def enter_lobby(self) -> None:
        """Show the lobby; an own game without an opponent goes on waiting."""
        self._appear()
        self._client.watch("")
        self._send()
        self._write_address()
        self._code.offer_from_link()

    def invite(self, rules: Rules) -> None:
        """Create a private game for a friend, and show its link."""
        self._appear()
        self._lobby.show()
        self._lobby.invite(rules)

    def pair(self) -> None:
        """Ask for any opponent in the game that is seen: the client's, or that on this device."""
        game = self._client.game if self.is_shown else None
        self._appear()
        self._lobby.show()
        self._lobby.pair(self._host.rules() if game is None else game.rules)

    def quit(self) -> None:
        """Hide online play; the seat remains."""
        self.is_shown = False
        self.show()

    def _appear(self) -> None:
        if not self.is_shown:
            self._lobby.choose(self._host.rules())
        self.is_shown = True
        self._channel.open()
        self._visits += 1  # a visit that has not reached its game yet is cancelled

    def _save_place(self) -> None:
        """Save the client's place in this tab, in the address and in the stored seat."""
        client = self._client
        if client.address != self._place:
            self._place = self._seats.game = client.address
            if client.muted:  # muted in the game before this rematch
                save_muted(client)
            restore_muted(client)
            self._write_address()
        self._seats.hold_only(client.address, client.token)

    def _write_address(self) -> None:
        if self.is_shown:
            address = self._client.address
            place = f"game={address}" if address else LOBBY
            self._host.navigation.show(place, instead=self._replaces_entry)
            self._invitation.show()
        self._replaces_entry = False

    def _listen_to_lobby(self) -> None:
        wanted = self.is_shown and not self._client.address
        if wanted != self._listens:
            self._listens = wanted
            self._client.listen_to_lobby(wanted)
            if wanted:
                self._ask_for_own_games()
            self._channel.flush()

    def _ask_for_own_games(self) -> None:
        self._client.code = self._code.value
        self._client.ask_for_own_games()

    def _handle_code_taken(self, text: str) -> None:
        self._ask_for_own_games()
        self._send()
        self._say(text)

    # -- what the reader does ----------------------------------------------------------------------

    def _send(self) -> None:
        """Update the page and send the client's requests."""
        self._message = ""
        self.show()  # first: seats are stored before a request is sent
        self._channel.flush()

    def _keep_seat(self) -> None:
        """Store the seat that the client has requested."""
        self._taken_over = ""
        self._seats.add(self._client.address, self._client.token)
        self._send()

    def _enter(self, action: str, game: str) -> None:
        """Take the free seat of a game of the lobby, or go there."""
        if action == JOIN:
            self._join(game, self._lobby.name)
        else:
            self._visit(game)

    def _take_seat(self) -> None:
        self._join(self._client.address, self._lobby.take_over_name())

    def _join(self, game: str, name: str) -> None:
        self._code.prepare(game)
        self._client.join(game, name)
        self._keep_seat()

    def _visit(self, address: str, *, by_force: bool = False) -> None:
        """Go to a game: to this player's seat there, or to watch.

        Args:
            by_force: take the seat over from another tab.
        """
        self._visits += 1
        start_task(self._arrive(address, self._visits, by_force=by_force))

    async def _arrive(self, address: str, visit: int, *, by_force: bool) -> None:
        token = self._seats.token(address)
        is_free = not token or await self._seats.claim(address, token, by_force=by_force)
        if visit == self._visits:
            self._taken_over = "" if is_free else address
            self._client.watch(address, token if is_free else "")
            self._send()

    def _watch_instead(self, game: str, token: str) -> None:
        """Watch a game whose seat another tab has taken."""
        if (self._client.address, self._client.token) == (game, token):
            self._taken_over = game
            self._client.watch(game)
            self._send()

    def _go_to_rematch(self) -> None:
        client = self._client
        if client.game is not None and client.game.follower and client.seat:
            self._seats.add(client.game.follower, client.token)
        client.follow()
        self._send()

    def _pair_again(self) -> None:
        if (game := self._client.game) is not None:
            self._lobby.pair(game.rules, game.setup.clock, again=True)

    def _start_own(self) -> None:
        if (game := self._client.game) is not None:
            self._lobby.invite(game.rules)

    def _leave(self) -> None:
        """Go to the lobby; cancel a game that still waits for an opponent."""
        self._visits += 1
        client, seat = self._client, (self._client.address, self._client.token)
        is_leaving = any(isinstance(request, Leave) for request in client.pending)
        if not is_leaving and (request := client.leave()):
            self._cancelled[request.id] = seat
        self._send()

    def _review(self) -> None:
        if (finished := self._room.finished) is not None:
            self._host.review(*finished)

    def _handle_key(self, event: Any) -> None:
        if self.is_shown and self._client.address and not is_for_field(event):
            self._room.handle_key(event)

    # -- what the server says ----------------------------------------------------------------------

    def _handle_news(self, news: list[News]) -> None:
        changes = [each for each in news if isinstance(each, GameChanged)]
        events = [each.event for each in changes if not each.is_past]
        signal(self._client, events, self._host, is_in_sight=self.is_shown)
        for each in news:
            match each:
                case Answered():
                    self._handle_answer(each)
                case Welcomed(is_back):
                    self._connection.welcomed(is_back=is_back)
                case GameLost(game, token, reason):
                    self._handle_game_lost(game, token, reason)
                case GameChanged(event, is_past):
                    self._game_changed(event, is_past=is_past)
                case Announced(notice):
                    self._notice = notice
                case OwnGamesTold(token) if token == self._code.value:
                    self._seats.merge_server_games(self._client.own_games, token)
                case ServerCloses(reason, retry):
                    self._connection.closing(reason, retry)
                    self._forget_if_removed(reason)
        self.show()

    def _game_changed(self, event: Event, *, is_past: bool) -> None:
        if there := paired_with(event):
            self._seats.move(event.game, self._client.token, there)
            self._replaces_entry = True
            return
        if not isinstance(event, Said):
            self._message = ""  # an old refusal
        # A game that was over when it was opened is only looked at.
        followed = isinstance(event, Accepted) and event.what == REMATCH
        if followed and self._client.seat and not is_past:
            self._go_to_rematch()

    def _handle_answer(self, answered: Answered) -> None:
        request, answer, client = answered.request, answered.answer, self._client
        language = self._host.language()
        self._message = describe_refusal(answer, language)
        if isinstance(request, Report | Block):
            self._message = self._room.chat.about.handle_answer(answered)
        if answer.status in (OK, DUPLICATE) and isinstance(request, Leave):
            self._message = language.gettext("The game is cancelled: nobody can join it any more.")
            game, token = self._cancelled.pop(request.id)
            self._seats.delete(game, token)
            if game == client.address:
                self._replaces_entry = True
                client.watch("")
        elif answer.status == ILLEGAL and isinstance(request, Join):
            self._seats.delete(request.game, request.token)
            if answer.reason != "unknown_game":  # another player was faster: watch the game
                client.watch(request.game)
            self._replaces_entry = not client.address

    def _forget_if_removed(self, reason: str) -> None:
        """Delete a seat that the operator removed; the client reconnects as a watcher."""
        if reason == FORGOTTEN:
            address = self._client.address
            self._seats.delete(address, self._seats.token(address))
            self._message = describe_reason(reason, self._host.language())

    def _handle_game_lost(self, game: str, token: str, reason: str) -> None:
        """Watch a game that does not know the seat, or show that there is no such game."""
        if token:
            self._seats.delete(game, token)
        if token and reason != DELETED:
            self._client.watch(game)
        else:
            self._replaces_entry = True
            self._message = describe_reason(reason, self._host.language())
