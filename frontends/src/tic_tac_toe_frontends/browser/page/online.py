"""Online play: a client, its connection, and the lobby or the client's game."""

from __future__ import annotations

from collections.abc import Callable
from gettext import NullTranslations
from typing import Any

from tic_tac_toe.game.match import Match
from tic_tac_toe.logic.models import Mark
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
from tic_tac_toe.protocols.online.replies import DELETED, DUPLICATE, FORGOTTEN, ILLEGAL, OK
from tic_tac_toe.protocols.online.requests import Block, Join, Leave, Report

from ...words.online_text import describe_reason, describe_refusal
from ...words.rules_text import variant_title
from .about import restore_muted, save_muted
from .actions import Actions
from .calling import Calling
from .channel import Channel
from .connection_line import ConnectionLine
from .dom import (
    by_id,
    document,
    is_for_field,
    load_item,
    on,
    on_click,
    on_submit,
    set_text,
    start_task,
)
from .invitation import Invitation
from .lobby import Lobby
from .navigation import LOBBY, Navigation
from .notice import Announcement, Notice
from .own_code import OwnCode
from .own_games import OwnGames
from .room import Room
from .seats import paired_with
from .signals import Signals


class Online:
    """The page while it plays online.

    Args:
        url: the address of the game server's socket.
        navigation: gets the shown lobby or game.
        notice: gets the news of the player's other games.

    Attributes:
        review: called with a finished game to review and the side that lost.
    """

    def __init__(
        self,
        url: str,
        language: Callable[[], NullTranslations],
        navigation: Navigation,
        notice: Notice,
        signals: Signals,
    ) -> None:
        self._language, self._navigation, self._notice = language, navigation, notice
        self.is_shown = False
        self.review: Callable[[Match, Mark | None], object] = lambda _match, _loser: None
        self.channel = Channel(url, self._handle_news, self._tick)
        self.client = self.channel.client
        self.actions = Actions(self.client, self.send_requests)
        self.seats = self.actions.seats
        self._own_games = OwnGames(url, self.seats, notice, signals, language, self.show)
        self._calling = Calling(self.client, signals, language)
        self._code = OwnCode(self.client, self.seats, language, self._handle_code_taken)
        self.actions.prepare = self._code.prepare
        self.lobby = Lobby(
            self.client,
            self.seats,
            self.actions.keep_seat,
            self.actions.join,
            self.go_to_game,
            self._code.prepare,
            language,
        )
        self.room = Room(self.client, self.send_requests, self.show_message, language)
        self.invitation = Invitation(self.client, language, self.show_message)
        self._message, self._message_language = "", language()  # the last refusal
        self._announcement = Announcement()
        self._connection = ConnectionLine(self.client)
        self._place = ""
        self._listens = False
        self._replaces_entry = False  # whether Back need not return here
        by_id("joining-name").value = load_item("name") or ""
        on_submit("take-seat", self._take_seat)
        on_click("follow", self.actions.go_to_rematch)
        on_click("pair-again", self._pair_again)
        on_click("online-review", self._review)
        on_click("play-meanwhile", lambda: by_id("mode-device").click())
        on_click("leave", lambda: self.room.offers.confirm_leaving(self.actions.leave))
        on_click("play-here", lambda: self._visit(self.client.address, by_force=True))
        on(document, "keydown", self._handle_key)

    def show(self) -> None:
        """Update the whole page."""
        client, language = self.client, self._language()
        if language is not self._message_language:
            self._message, self._message_language = "", language  # of another language
        self._save_place()
        self._listen_to_lobby()
        self._own_games.show(client, self.is_shown)
        self._announcement.show(language)
        if not self.is_shown:
            return
        at_game = bool(client.address)
        self._move_between(at_game)
        self._connection.show(language)
        set_text(by_id("online-said"), self._message)
        title = language.gettext("Online")
        if at_game:
            by_id("joining-name").placeholder = self.lobby.guest_name
            self.room.show()
            self._show_elsewhere()
            self._calling.show()
            if client.game is not None:
                title = variant_title(client.game.rules, language)
        else:
            self.lobby.show()
        set_text(by_id("title"), title)
        document.title = self._notice.title(self._calling.title(title))

    def _show_elsewhere(self) -> None:
        _, is_elsewhere = self._language().gettext, self.actions.elsewhere == self.client.address
        text = _("You play this game in another tab.") if is_elsewhere else ""
        set_text(by_id("elsewhere-text"), text)
        by_id("play-here").hidden = not is_elsewhere

    def show_message(self, text: str) -> None:
        """Show why the last action was refused, until the next one."""
        self._message = text
        self.show()

    def _tick(self) -> None:
        if self._connection.has_changed():
            self.show()
        elif self.is_shown:
            self._connection.show(self._language())
            if self.client.address:
                self.room.people.show_clocks()

    def _move_between(self, at_game: bool) -> None:
        """Switch between the lobby and the game, and keep the focus in the visible part."""
        room, lobby = by_id("room"), by_id("lobby")
        if room.hidden != at_game:
            return
        held = (lobby if at_game else room).contains(document.activeElement)
        room.hidden, lobby.hidden = not at_game, at_game
        if held:
            by_id("room-title" if at_game else "pair-title").focus()

    def _save_place(self) -> None:
        """Save the client's place in this tab, in the address and in the stored seat."""
        client = self.client
        if client.address != self._place:
            self._place = self.seats.game = client.address
            if client.muted:  # muted in the game before this rematch
                save_muted(client)
            restore_muted(client)
            self._write_address()
        self.seats.hold_only(client.address, client.token)

    def _write_address(self) -> None:
        if self.is_shown:
            address = self.client.address
            place = f"game={address}" if address else LOBBY
            self._navigation.show(place, instead=self._replaces_entry)
            self.invitation.show()
        self._replaces_entry = False

    def _listen_to_lobby(self) -> None:
        wanted = self.is_shown and not self.client.address
        if wanted != self._listens:
            self._listens = wanted
            self.client.listen_to_lobby(wanted)
            if wanted:
                self._ask_for_own_games()
            self.channel.flush()

    def _ask_for_own_games(self) -> None:
        self.client.code = self._code.value
        self.client.ask_for_own_games()

    def _handle_code_taken(self, text: str) -> None:
        self._ask_for_own_games()
        self.send_requests()
        self.show_message(text)

    def enter(self, address: str = "", *, instead: bool = False) -> None:
        """Show online play, at a game or at the last place.

        Args:
            instead: replace the present entry of the browser's history.
        """
        self.is_shown = True
        self.channel.open()
        self._replaces_entry = instead
        self.actions.cancel_visit()
        address = address or self.client.address or self.seats.game
        if address != self.client.address:
            self.go_to_game(address)
        else:
            self._write_address()
            self.show()

    def enter_lobby(self) -> None:
        """Show the lobby; an own game without an opponent goes on waiting."""
        self.is_shown = True
        self.channel.open()
        self.actions.cancel_visit()
        self.client.watch("")
        self.send_requests()
        self._write_address()
        self._code.offer_from_link()

    def quit(self) -> None:
        """Hide online play; the seat remains."""
        self.is_shown = False
        self.show()

    def send_requests(self) -> None:
        """Update the page and send the client's requests."""
        self._message = ""
        self.show()  # first: seats are stored before a request is sent
        self.channel.flush()

    def _take_seat(self) -> None:
        self.lobby.name = by_id("joining-name").value.strip()
        self.actions.join(self.client.address, self.lobby.name)

    def _pair_again(self) -> None:
        if self.client.game is not None:
            self.lobby.play_now.again(self.client.game)

    def go_to_game(self, address: str) -> None:
        """Visit a game, at this player's seat or as a watcher."""
        if address:
            self._visit(address)
        else:
            self.show_message(self._language().gettext("This is no link to a game."))

    def _review(self) -> None:
        if (finished := self.room.finished) is not None:
            self.review(*finished)

    def _visit(self, address: str, *, by_force: bool = False) -> None:
        start_task(self.actions.visit(address, by_force=by_force))

    def _handle_key(self, event: Any) -> None:
        if self.is_shown and self.client.address and not is_for_field(event):
            self.room.handle_key(event)

    def _handle_news(self, news: list[News]) -> None:
        changes = [each for each in news if isinstance(each, GameChanged)]
        self._calling.signal_events([each.event for each in changes if not each.is_past])
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
                    self._announcement.set_notice(notice)
                case OwnGamesTold(token) if token == self._code.value:
                    self.seats.merge_server_games(self.client.own_games, token)
                case ServerCloses(reason, retry):
                    self._connection.closing(reason, retry)
                    self._forget_if_removed(reason)
        self.show()

    def _game_changed(self, event: Event, *, is_past: bool) -> None:
        if there := paired_with(event):
            self.seats.move(event.game, self.client.token, there)
            self._replaces_entry = True
            return
        if not isinstance(event, Said):
            self._message = ""  # an old refusal
        # A game that was over when it was opened is only looked at.
        followed = isinstance(event, Accepted) and event.what == REMATCH
        if followed and self.client.seat and not is_past:
            self.actions.go_to_rematch()

    def _handle_answer(self, answered: Answered) -> None:
        request, answer, client = answered.request, answered.answer, self.client
        _ = self._language().gettext
        self._message = describe_refusal(answer, self._language())
        if isinstance(request, Report | Block):
            self._message = self.room.about.handle_answer(answered)
        if answer.status in (OK, DUPLICATE) and isinstance(request, Leave):
            self._message = _("The game is cancelled: nobody can join it any more.")
            if self.actions.forget_cancelled(request) == client.address:
                self._replaces_entry = True
                client.watch("")
        elif answer.status == ILLEGAL and isinstance(request, Join):
            self.seats.delete(request.game, request.token)
            if answer.reason != "unknown_game":  # another player was faster: watch the game
                client.watch(request.game)
            self._replaces_entry = not client.address

    def _forget_if_removed(self, reason: str) -> None:
        """Delete a seat that the operator removed; the client reconnects as a watcher."""
        if reason == FORGOTTEN:
            address = self.client.address
            self.seats.delete(address, self.seats.token(address))
            self._message = describe_reason(reason, self._language())

    def _handle_game_lost(self, game: str, token: str, reason: str) -> None:
        """Watch a game that does not know the seat, or show that there is no such game."""
        if token:
            self.seats.delete(game, token)
        if token and reason != DELETED:
            self.client.watch(game)
        else:
            self._replaces_entry = True
            self._message = describe_reason(reason, self._language())
