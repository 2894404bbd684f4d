"""Online play at the console: typed lines, news of the server, and the present game."""

from __future__ import annotations

import asyncio
import time
from collections import deque
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import NamedTuple

from tic_tac_toe.protocols.online.addresses import address_of_new_game
from tic_tac_toe.protocols.online.client import OFFLINE, ONLINE, Client
from tic_tac_toe.protocols.online.events import REMATCH, Accepted, Closed, Event, Joined
from tic_tac_toe.protocols.online.game import CLOSED, OnlineGame
from tic_tac_toe.protocols.online.news import (
    Announced,
    Answered,
    GameChanged,
    GameLost,
    LobbyChanged,
    News,
    OwnGamesTold,
    PresenceChanged,
    ServerCloses,
    TalkChanged,
    Welcomed,
)
from tic_tac_toe.protocols.online.replies import (
    BUSY,
    DELETED,
    DUPLICATE,
    FORGOTTEN,
    ILLEGAL,
    OK,
    REASONS,
    Answer,
)
from tic_tac_toe.protocols.online.requests import Block, Join, Offer, Report, Request, Seating

from ...program.process import Refused
from ...words.foreign import escaped, truncated
from ...words.online_text import (
    describe_closing,
    describe_done,
    describe_loss,
    describe_notice,
    describe_reason,
    describe_refusal,
)
from ...words.translation import as_sentence, join_sentences, localise
from ..commands import IN_GAME, parse_command
from ..saving import Saving
from .actions import OnlineActions
from .args import OnlineArgs
from .own_seats import OwnSeats
from .seats import SeatFile
from .terminal import OnlineTerminal
from .view import LobbyList, OnlineView


class Typed(NamedTuple):
    """A typed line, and the game shown at that time; empty for the lobby."""

    line: str
    place: str


@dataclass
class CommandQueue:
    """Executes typed lines in order.

    At a terminal a line waits until the client has reached its game or the lobby. It is refused if
    it was typed at another place. It cancels a request for a new game that a busy server has put
    off, unless it is empty or asks for help. ``quit`` waits for nothing. A pipe has all lines at
    the beginning: each one waits until it can be executed.

    Attributes:
        changed: set after every possible change of the client or the screen.
        head: the version of the event that the last request caused.
    """

    args: OnlineArgs
    terminal: OnlineTerminal
    client: Client
    actions: OnlineActions
    changed: asyncio.Event = field(default_factory=asyncio.Event, init=False)
    head: int = field(default=0, init=False)
    _typed: deque[Typed] = field(default_factory=deque, init=False)
    _has_ended: bool = field(default=False, init=False)
    _quits: bool = field(default=False, init=False)

    async def run_all(self, done: Callable[[], object]) -> None:
        """Execute typed lines until the person quits or the input ends.

        Args:
            done: called after each line, because the client may have messages to send.
        """
        if self.args.asks_for_code:
            await self._ask_for_code()
        reading = asyncio.ensure_future(self._read())
        try:
            while (typed := await self._next(done)) is not None:
                try:
                    self.actions.run_command(typed.line)
                    done()
                except Refused as refusal:
                    self.terminal.show_wrapped(as_sentence(str(refusal), self.args.language))
                if not self.terminal.interactive:
                    await self._wait_until(lambda: self._is_idle)
        finally:
            reading.cancel()
        if not self.terminal.interactive and not self._quits:
            await self._wait_until(lambda: self._is_idle)
        elif self.client.is_put_off:  # quit does not wait for a busy server
            self.actions.cancel_request()

    async def _ask_for_code(self) -> None:
        self.terminal.show_wrapped(self.args.language.gettext("Your code from another device:"))
        line = await self.terminal.lines.get()
        try:
            self.actions.seats.use_code((line or "").strip())
        except Refused as refusal:
            self.terminal.show_wrapped(str(refusal))

    async def _read(self) -> None:
        """Queue the lines as they are typed, with their places."""
        while (line := await self.terminal.lines.get()) is not None:
            command = parse_command(line, self.args.language, IN_GAME)
            is_last = command is not None and command.word == "quit"
            if is_last:
                self._quits = True
                break
            self._typed.append(Typed(line, self.actions.view.place))
            is_kept = self.terminal.interactive and self.client.connection is OFFLINE
            if is_kept and not self._is_ready and not self._is_empty_or_help:
                self.actions.confirm_queued()
            self.changed.set()
        self._has_ended = True
        self.changed.set()

    async def _next(self, done: Callable[[], object]) -> Typed | None:
        """Return the next executable line; ``None`` after the last one."""
        is_person = self.terminal.interactive
        while True:
            await self._wait_until(lambda: self._typed or self._has_ended)
            if not self._typed:
                return None
            await self._wait_until(lambda: self._is_ready or (is_person and self._can_stop_waiting))
            if not is_person:
                await self._wait_until(lambda: self._has_turn(self._typed[0].line))
                return self._typed.popleft()
            if not self._is_ready and not self._has_ended and self._is_empty_or_help:
                return self._typed.popleft()
            if self.client.is_put_off and not self._has_ended:
                self.terminal.show_wrapped(self.args.language.gettext("The request is given up."))
                self.actions.cancel_request()
                self.actions.enter_lobby()
                done()
                continue
            if not self._is_ready:
                return None
            typed = self._typed.popleft()
            if typed.place == self.client.address:
                return typed
            message = self.args.language.gettext(
                "You are elsewhere now, so this was not done: {line}"
            )
            self.terminal.show_wrapped(message.format(line=escaped(truncated(typed.line))))

    @property
    def _is_empty_or_help(self) -> bool:
        line = self._typed[0].line
        command = parse_command(line, self.args.language, IN_GAME)
        return not line.strip() or (command is not None and command.word == "help")

    @property
    def _can_stop_waiting(self) -> bool:
        is_offline = self.client.connection is OFFLINE
        return self._has_ended or self.client.is_put_off or (is_offline and self._is_empty_or_help)

    @property
    def _is_ready(self) -> bool:
        """Whether the client has reached its game or the lobby."""
        client = self.client
        if client.address:
            sits = not any(isinstance(request, Seating) for request in client.pending)
            return sits and client.game is not None
        is_told = self.actions.lobby.was_shown and not client.is_asking_for_own_games
        return client.connection == ONLINE and not client.pending and is_told

    def _has_turn(self, line: str) -> bool:
        """Return whether a line can be executed: a move from a pipe waits for the person's turn."""
        game = self.client.game
        if game is None or not self.client.seat or not line.strip():
            return self._is_ready
        if parse_command(line, self.args.language, IN_GAME) is not None:
            return True
        if game.end is not None:  # a move may be meant for the rematch
            return (self.client.seat, REMATCH) not in game.offers
        return game.turn == self.client.seat

    @property
    def _is_idle(self) -> bool:
        """Whether all requests are answered and their results are shown."""
        game = self.client.game
        shown = game is None or game.version >= self.head
        return self._is_ready and shown and not self.client.pending

    async def _wait_until(self, condition: Callable[[], object]) -> None:
        while not condition():
            self.changed.clear()
            await self.changed.wait()


@dataclass
class OnlineSession:
    """One person at one server.

    Attributes:
        unsent: set when the client may have messages to send.
    """

    args: OnlineArgs
    terminal: OnlineTerminal
    client: Client
    seats: SeatFile
    unsent: asyncio.Event = field(default_factory=asyncio.Event, init=False)

    def __post_init__(self) -> None:
        args, terminal, client = self.args, self.terminal, self.client
        self._view = OnlineView(terminal, args.language, args.address, client)
        self._lobby = LobbyList(args.language)
        saving = Saving(terminal, args.language)
        self._own = OwnSeats(args, terminal, client, self.seats)
        self._actions = OnlineActions(
            args, terminal, client, self._own, self._view, self._lobby, saving
        )
        self._commands = CommandQueue(args, terminal, client, self._actions)
        self._put_off = "", ""  # the request that the busy server put off, and why
        self._closes = ""  # why the server closed the connection

    def start(self) -> None:
        """Go to the game of the command line, to a new one, or to the lobby.

        Raises:
            Refused: the file of seats cannot be used.
        """
        args, game = self.args, self.args.address.game
        seat = None if args.watch or not game else self._own.find(game)
        self._own.load_code()
        self.terminal.has_bell = not args.silent
        if game:
            self.client.watch(game, seat.token if seat else "")
        elif args.creates:
            self._actions.create_game(args.wishes)
        else:
            self.seats.book()  # refuses a file that is no list of seats
            self._actions.enter_lobby()

    async def run_commands(self) -> None:
        """Execute typed lines until the person quits or the input ends."""
        await self._commands.run_all(self.unsent.set)

    def say_goodbye(self) -> None:
        """Say goodbye, and how to return to an unfinished game."""
        client, game = self.client, self.client.game
        is_open = client.token and (game is None or game.end is None)
        if message := self._own.describe_return(client.address if is_open else ""):
            self.terminal.show(message)
        self.terminal.show(self.args.language.gettext("Goodbye!"))

    def handle_news(self, news: list[News]) -> None:
        """Show the client's news, and follow a rematch or a pairing."""
        follows = is_back = False
        events: list[Event] = []
        shown = self._view.place
        for one in news:
            if isinstance(one, GameChanged):
                events.append(one.event)
                is_rematch = isinstance(one.event, Accepted) and bool(one.event.follower)
                # A game that was over when it was opened is only looked at.
                follows = follows or (is_rematch and not one.is_past)
                if isinstance(one.event, Closed) and one.event.follower:
                    self._handle_pairing(one.event)
                continue
            self._show_events(events)
            events = []
            self._handle_other_news(one)
            is_back = is_back or (isinstance(one, Welcomed) and one.is_back)
        self._show_events(events)
        game = self.client.game
        if is_back and game is not None and game.address == shown:
            happened = [one.event for one in news if isinstance(one, GameChanged)]
            self._view.show_again(game, happened)
        if follows and self.client.seat:
            self.client.follow()
            self._own.save_seat()
        self.unsent.set()
        self._commands.changed.set()

    def _handle_other_news(self, one: News) -> None:
        """Show news other than events of the game."""
        match one:
            case Answered(request, answer):
                self._handle_answer(request, answer)
            case Welcomed(is_back=True):
                self._closes = ""
                self.terminal.show_wrapped(self.args.language.gettext("Connected again."))
            case GameLost(game, _token, reason):
                self._handle_game_lost(game, reason)
            case PresenceChanged():
                self._view.show_presence()
            case OwnGamesTold(token):
                self._own.merge_server_games(token)
            case TalkChanged():
                self._view.show_talk()
            case LobbyChanged() if not self.client.address:
                self.terminal.show_lines(self._lobby.update(self.client.open_games))
            case Announced(notice):
                self.terminal.show_wrapped(describe_notice(notice, self.args.language))
            case ServerCloses(reason, retry) if reason:
                self.show_closing(reason, retry)

    def show_closing(self, reason: str, retry: int) -> None:
        """Show why the server closes or refuses the connection; see `ServerCloses`."""
        if reason != self._closes:
            message = describe_closing(reason, retry, time.time(), self.args.language)
            self.terminal.show_wrapped(message)
        self._closes = reason
        if reason == FORGOTTEN:
            self._own.delete(self.client.address)

    def tick(self) -> None:
        """Show that the game can be claimed, once it can."""
        self._view.show_claim()

    def show_connection_lost(self, seconds: float, *, silently: bool = False) -> None:
        """Show that the connection is lost, unless a shown reason implies it."""
        if not silently:
            self.terminal.show_wrapped(describe_loss(seconds, self.args.language))
        self._commands.changed.set()

    def _show_events(self, events: list[Event]) -> None:
        """Show events; the first events of a game show the whole game."""
        game = self.client.game
        if not events or game is None:
            return
        if not self._view.shows_game(game):
            self._enter_game(game)
        elif events[0].version == 1:  # the operator changed the past
            _ = self.args.language.gettext
            self.terminal.show_wrapped(_("The operator of this server has changed this game:"))
            self._view.show_game(game)
        else:
            self._view.show_events(events, game)
            if game.end is not None or any(isinstance(event, Joined) for event in events):
                self._own.save_seat()
            if game.end is not None and game.end.reason == CLOSED and self.client.seat:
                self.client.leave()
                self._actions.enter_lobby()

    def _enter_game(self, game: OnlineGame) -> None:
        client = self.client
        self._commands.head = 0
        self._lobby.reset()
        client.listen_to_lobby(False)
        if client.seat:
            self._own.restore_muted()
        self._view.show_game(game)
        if client.seat:
            self._own.save_seat()
        elif game.waiting and game.address == self.args.address.game and not self.args.watch:
            client.join(game.address, self.args.wishes.name)
            self._own.save_seat()

    def _handle_pairing(self, event: Closed) -> None:
        """Delete the seat in the waiting game: the client goes on to another game."""
        if self.client.seat or self.client.token:
            self._own.delete(event.game)
            self.terminal.show_wrapped(self.args.language.gettext("An opponent is found."))

    def _handle_answer(self, request: Request, answer: Answer) -> None:
        is_done = answer.status in (OK, DUPLICATE)
        self._commands.head = answer.version if is_done else 0
        refusal = describe_refusal(answer, self.args.language)
        if isinstance(request, Report | Block):
            refusal = describe_done(request, answer, self.args.language)
            self._own.save_seat()
        elif isinstance(request, Seating) and answer.status == BUSY and self.terminal.interactive:
            how = self.args.language.gettext("Any line but help gives the request up.")
            refusal = join_sentences([refusal, how], self.args.language)
        if isinstance(request, Offer) and answer.reason in ("not_taken", "left_for_good"):
            self._view.refuse_rematch()
        before, self._put_off = self._put_off, (request.id, answer.reason)
        if refusal and (answer.status != BUSY or self._put_off != before):
            self.terminal.show_wrapped(refusal)
        if isinstance(request, Join) and is_done:
            self._view.show_seat()
        if isinstance(request, Seating) and answer.status == ILLEGAL:
            game = request.game if isinstance(request, Join) else ""
            self._own.delete(game or address_of_new_game(request.token, request.id))
            if game and game == self.args.address.game:
                self.client.watch(game)
            else:
                self._actions.enter_lobby()

    def _handle_game_lost(self, game: str, reason: str) -> None:
        """Watch a game that does not know the stored seat; without a seat refuse it."""
        had_seat = self._own.find(game) is not None
        if had_seat:
            self._own.delete(game)
        asked_for = game == self.args.address.game and reason != DELETED
        if had_seat and asked_for and not self.args.watch:
            self.client.watch(game)
            return
        if asked_for:
            raise Refused(localise(self.args.language, REASONS[reason]))
        self.terminal.show_wrapped(describe_reason(reason, self.args.language))
        self._actions.enter_lobby()
