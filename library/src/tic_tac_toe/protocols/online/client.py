"""One player's side of a connection: asks again, resumes after a loss, and repeats nothing.

It opens no socket and reads no clock of its own. A front end tells it what the network does and
sends what it wants sent::

    client = Client(random.SystemRandom(), time.monotonic)
    client.create("connect-four", name="Ann")
    client.connected()                     # as soon as the socket is open
    for text in client.take_outgoing(): ...    # send each, after every call
    for news in client.received(text): ...     # what to show
    seconds = client.disconnected()        # wait as long, then connect again
"""

from __future__ import annotations

import random
from collections.abc import Callable, Iterable
from dataclasses import replace
from typing import TypeVar

from tic_tac_toe.logic.exceptions import InvalidGameState, InvalidVariant
from tic_tac_toe.protocols.online.addresses import address_of_new_game, new_token
from tic_tac_toe.protocols.online.clocks import Clock, ClockState
from tic_tac_toe.protocols.online.events import Event
from tic_tac_toe.protocols.online.game import OnlineGame, begin
from tic_tac_toe.protocols.online.limits import PENDING, PROTOCOL
from tic_tac_toe.protocols.online.news import (
    Answered,
    GameChanged,
    GameLost,
    LobbyChanged,
    News,
    PresenceChanged,
    ServerCloses,
    Welcomed,
)
from tic_tac_toe.protocols.online.replies import (
    BUSY,
    DUPLICATE,
    ILLEGAL,
    OK,
    STALE,
    UNKNOWN,
    Answer,
    Closing,
    Happened,
    InvalidReply,
    OpenGame,
    OpenGames,
    Presence,
    Welcome,
    read_reply,
)
from tic_tac_toe.protocols.online.requests import (
    PERSON,
    RANDOM_SEAT,
    Accept,
    Chat,
    Create,
    Decline,
    Events,
    Hello,
    Join,
    Leave,
    Lobby,
    Move,
    Offer,
    Request,
    Resign,
    write_request,
)

#: The longest wait before connecting again, in seconds, and the first.
LONGEST_WAIT, FIRST_WAIT = 20.0, 0.5
#: After so many seconds without a word the client asks whether there is any news, and after so
#: many more it takes the connection for lost.
QUIET, LOST = 20.0, 10.0

Asked = TypeVar("Asked", bound=Request)

OFFLINE, GREETING, ONLINE = "offline", "greeting", "online"


class Client:
    """A person, or a program, at one game at a time.

    Args:
        rng: where tokens, ids and the jitter come from; `random.SystemRandom` outside tests.
        clock: seconds from any start, never backwards, such as `time.monotonic`.
        game, token: where the client was before, if anywhere.

    Attributes:
        connection: `OFFLINE`; `GREETING`, connected and not yet welcome; or `ONLINE`.
        address: the game that the client is at, or wants to be; empty for none.
        token: what claims the seat of it; to be kept by who wants to come back.
        game: the game as far as its events are known; ``None`` if none is.
        seat: X or O; empty for who watches.
        events: all events of the game that are known, in order.
        presence: who is connected, as far as the server has told.
        open_games: what the lobby shows, while it is listened to.
        attempts: how many connections have failed or been lost since the last welcome.
    """

    def __init__(
        self,
        rng: random.Random,
        clock: Callable[[], float],
        *,
        game: str = "",
        token: str = "",
    ) -> None:
        self.rng = rng
        self.clock = clock
        self.connection: str = OFFLINE
        self.address: str = game
        self.token: str = token
        self.game: OnlineGame | None = None
        self.seat: str = ""
        self.events: list[Event] = []
        self.presence: Presence | None = None
        self.open_games: tuple[OpenGame, ...] = ()
        self.attempts: int = 0
        self._in_lobby = False
        self._pending: dict[str, Request] = {}
        self._outgoing: list[str] = []
        self._hello: Hello | None = None
        self._events_id = ""
        self._again_at: dict[str, float] = {}
        self._asides: dict[str, Events | Lobby] = {}  # sent, without an answer
        self._left: dict[str, Request] = {}  # sent in a game where the client is no longer
        self._done = (0, 0)  # the last move that was acknowledged: its version and its cell
        self._has_started_over = False
        self._greet_at: float | None = None
        self._heard_at = clock()
        self._clock_seen_at = clock()
        self._prefix = f"{rng.getrandbits(40):x}"
        self._count = 0

    def __repr__(self) -> str:
        return f"Client({self.connection}, game={self.address!r}, seat={self.seat!r})"

    # -- what to do with the network -----------------------------------------------------------

    def take_outgoing(self) -> list[str]:
        """Return the texts to send now, in order, and forget them."""
        outgoing, self._outgoing = self._outgoing, []
        return outgoing

    def connected(self) -> None:
        """Greet, for a connection has been opened."""
        self.connection = GREETING
        self._heard_at = self.clock()
        self._outgoing.clear()
        self._events_id = ""
        self._again_at.clear()
        self._asides.clear()
        self._left.clear()
        self._done = (0, 0)
        self._has_started_over = False
        self._greet()

    def disconnected(self) -> float:
        """Take note that the connection is gone; return after how many seconds to try again."""
        self.connection = OFFLINE
        self._hello = None
        self._greet_at = None
        self._outgoing.clear()
        self.presence = None
        longest = min(LONGEST_WAIT, FIRST_WAIT * 2.0**self.attempts)
        self.attempts = min(self.attempts + 1, 30)
        return longest * self.rng.uniform(0.5, 1.0)

    def received(self, text: str) -> list[News]:
        """Return what follows from a text that the server has sent.

        Raises:
            InvalidReply: no server of this protocol sends such a text; close the connection.
        """
        self._heard_at = self.clock()
        reply = read_reply(text)
        try:
            match reply:
                case Welcome():
                    return self._welcomed(reply)
                case Answer():
                    return self._answered(reply)
                case Happened(event, clock):
                    return self._told(event, clock)
                case Presence(game):
                    if game == self.address:
                        self.presence = reply
                        return [PresenceChanged()]
                case OpenGames(games):
                    self.open_games = games
                    return [LobbyChanged()]
                case Closing(reason):
                    return [ServerCloses(reason)]
        except InvalidVariant as error:
            raise InvalidReply(str(error)) from None
        return []

    def wake(self) -> None:
        """Do what time has come for: call it now and then, at least once a second."""
        now = self.clock()
        if self._greet_at is not None and self._greet_at <= now and self.connection == GREETING:
            self._greet()
        for message_id in [known for known, at in self._again_at.items() if at <= now]:
            del self._again_at[message_id]
            request = self._pending.get(message_id) or self._asides.get(message_id)
            if request is not None and self.connection == ONLINE:
                self._send(request)
        if self.connection == ONLINE and now - self._heard_at > QUIET and not self._events_id:
            self._ask_for_events()

    @property
    def is_lost(self) -> bool:
        """Whether the server has been silent for so long that the connection is worth nothing."""
        return self.connection != OFFLINE and self.clock() - self._heard_at > QUIET + LOST

    # -- what people do ------------------------------------------------------------------------

    @property
    def pending(self) -> tuple[Request, ...]:
        """The requests without an answer, in the order of asking."""
        return tuple(self._pending.values())

    @property
    def pending_cell(self) -> int | None:
        """The cell of a move that is on its way, or done while its event has yet to come."""
        for request in self._pending.values():
            if isinstance(request, Move):
                return request.cell
        version, cell = self._done
        return cell if version > self._version else None

    def time_left(self) -> tuple[int, int] | None:
        """Return how many milliseconds X and O have left; ``None`` without a clock."""
        if self.game is None or self.game.clock is None:
            return None
        passed = int(1000 * (self.clock() - self._clock_seen_at))
        return self.game.clock.at(self.game.clock.since + passed)

    def create(
        self,
        variant: str,
        *,
        name: str = "",
        seat: str = RANDOM_SEAT,
        starting: str = "X",
        opponent: str = PERSON,
        is_open: bool = False,
        clock: Clock | None = None,
    ) -> Create:
        """Ask for a new game and a seat in it; the client leaves the game where it is.

        Its `address` and `token` are known at once, so that they can be kept before anything is
        sent: who comes back with them finds the game if the server has got the request.
        """
        token = new_token(self.rng)
        request = Create(
            self._new_id(), token, variant, name, seat, starting, opponent, is_open, clock
        )
        self._go_to(address_of_new_game(token, request.id), token)
        return self._ask(request)

    def join(self, address: str, name: str = "") -> Join:
        """Ask for the free seat of a game."""
        self._go_to(address, new_token(self.rng))
        return self._ask(Join(self._new_id(), address, self.token, name))

    def watch(self, address: str, token: str = "") -> None:
        """Go to a game, to watch it or with a token of one's own."""
        self._go_to(address, token)
        if self.connection != OFFLINE:
            self._greet()

    def follow(self) -> None:
        """Go to the rematch of the game; whoever played plays in it with the same token."""
        if self.game is not None and self.game.follower:
            self.watch(self.game.follower, self.token)

    def move(self, cell: int) -> Move:
        """Ask to play a cell."""
        return self._ask(Move(self._new_id(), self._version, cell))

    def offer(self, what: str) -> Offer:
        """Offer a draw or a rematch, or ask to take a move back: one of `events.OFFERS`."""
        return self._ask(Offer(self._new_id(), self._version, what))

    def accept(self, what: str) -> Accept:
        """Agree to an offer."""
        return self._ask(Accept(self._new_id(), self._version, what))

    def decline(self, what: str) -> Decline:
        """Refuse an offer."""
        return self._ask(Decline(self._new_id(), self._version, what))

    def resign(self) -> Resign:
        """Give up."""
        return self._ask(Resign(self._new_id()))

    def chat(self, text: str) -> Chat:
        """Say a line."""
        return self._ask(Chat(self._new_id(), text))

    def leave(self) -> None:
        """Leave the game; one that waits for a player is closed by who created it."""
        if self.game is not None and self.game.waiting and self.seat:
            self._ask(Leave(self._new_id()))
        else:
            self._go_to("", "")
            if self.connection != OFFLINE:
                self._greet()

    def listen_to_lobby(self, on: bool = True) -> None:
        """Ask to be told of the open games, or no longer."""
        self._in_lobby = on
        if self.connection == ONLINE:
            self._ask_aside(Lobby(self._new_id(), on))

    # -- inside --------------------------------------------------------------------------------

    @property
    def _version(self) -> int:
        return 0 if self.game is None else self.game.version

    def _new_id(self) -> str:
        self._count += 1
        return f"{self._prefix}-{self._count}"

    def _go_to(self, address: str, token: str) -> None:
        if address != self.address:
            self.game, self.events, self.presence, self.seat = None, [], None, ""
            if self.connection == ONLINE:
                self._left.update(
                    (known, request)
                    for known, request in self._pending.items()
                    if isinstance(request, Leave)
                )
            self._pending.clear()
            self._done = (0, 0)
            self._has_started_over = False
        self.address, self.token = address, token
        self._events_id = ""

    def _ask(self, request: Asked) -> Asked:
        self._pending[request.id] = request
        if self.connection == ONLINE and not self._must_wait(request):
            self._send(request)
        return request

    @property
    def _is_arriving(self) -> bool:
        return any(isinstance(request, Create | Join) for request in self._pending.values())

    def _must_wait(self, request: Request) -> bool:
        """Whether a request is about a game in which the client has no seat yet."""
        return self._is_arriving and not isinstance(request, Create | Join)

    def _ask_aside(self, request: Events | Lobby) -> None:
        """Ask what is not worth asking again on another connection."""
        self._asides[request.id] = request
        self._send(request)

    def _send(self, request: Request) -> None:
        self._outgoing.append(write_request(request))

    def _greet(self) -> None:
        at = "" if self._is_arriving else self.address
        asked = [known for known in self._pending if at][:PENDING]
        self.connection = GREETING
        self._greet_at = None
        self._hello = Hello(
            self._new_id(),
            PROTOCOL,
            at,
            self.token if at else "",
            max(self._version - 1, 0) if at else 0,  # with the last one it sees if the logs agree
            tuple(asked),
        )
        self._send(self._hello)

    def _welcomed(self, welcome: Welcome) -> list[News]:
        hello = self._hello
        if hello is None or welcome.id != hello.id:
            return []
        self._hello = None
        self.connection = ONLINE
        self.attempts = 0
        news: list[News] = [Welcomed()]
        if welcome.game == self.address:
            self.seat = welcome.seat
            if welcome.head < self._version:  # the server's log is another, or an older one
                self._start_over()
            news += self._happened(welcome.events)
            self._catch_up(welcome.head)
            if welcome.head == self._version:
                self._set_clock(welcome.clock, welcome.now)
        told = {fate.id: fate for fate in welcome.fates if fate.status != UNKNOWN}
        for message_id, request in list(self._pending.items()):
            if message_id in told:
                del self._pending[message_id]
                version = told[message_id].version
                answer = Answer(message_id, OK, version, welcome.game, welcome.seat)
                news.append(Answered(request, answer))
            else:
                self._again_at.pop(message_id, None)
                if not self._must_wait(request):
                    self._send(request)
        if self._in_lobby:
            self._ask_aside(Lobby(self._new_id(), True))
        return news

    def _answered(self, answer: Answer) -> list[News]:
        if self._hello is not None and answer.id == self._hello.id:
            return self._not_welcome(answer)
        request = self._pending.get(answer.id)
        if answer.status == BUSY and (request is not None or answer.id in self._asides):
            self._again_at[answer.id] = self.clock() + answer.retry / 1000
            return [] if request is None else [Answered(request, answer)]
        news: list[News] = []
        aside = self._asides.pop(answer.id, None)
        if request is not None:
            del self._pending[answer.id]
        if answer.id == self._events_id:
            self._events_id = ""
        if answer.status in (OK, DUPLICATE) and isinstance(request, Create | Join):
            self.address, self.seat = answer.game, answer.seat
            for waiting in self._pending.values():
                self._send(waiting)
        if answer.game == self.address:
            news += self._happened(answer.events)
            brings_nothing = isinstance(aside, Events) and self._version == aside.after
            if brings_nothing and answer.head > self._version:
                raise InvalidReply("the events that were asked for are missing")
            self._catch_up(answer.head)
        elif request is None and answer.seat and self.connection == ONLINE:
            self._greet()  # it has found a seat too late: the client does not want it any more
        if request is not None and answer.status == STALE:
            self._catch_up(answer.version)
        if request is None:
            request = self._left.pop(answer.id, None)
        if request is not None:
            if isinstance(request, Move) and answer.status in (OK, DUPLICATE):
                self._done = (answer.version, request.cell)
            news.append(Answered(request, answer))
            if answer.status == ILLEGAL and isinstance(request, Create | Join):
                self._go_to("", "")
        return news

    def _not_welcome(self, answer: Answer) -> list[News]:
        hello, self._hello = self._hello, None
        if answer.reason == "protocol":
            return [ServerCloses(answer.reason)]
        if answer.status == BUSY or hello is None or not hello.game:
            self._greet_at = self.clock() + max(answer.retry / 1000, FIRST_WAIT)
            return []
        lost = self.address
        self._pending.clear()
        self._go_to("", "")
        self._greet()
        return [GameLost(lost)]

    def _told(self, event: Event, clock: tuple[int, int] | None) -> list[News]:
        """Apply an event as it happens; its clock counts if nothing newer is known."""
        news = self._happened([event])
        if (event.game, event.version) == (self.address, self._version):
            self._set_clock(clock, event.time)
        return news

    def _happened(self, events: Iterable[Event]) -> list[News]:
        """Apply the events that come next, pass over those that are known, and ask for gaps.

        Where a known one is another now, the server's log was replaced, such as by a backup.
        """
        news: list[News] = []
        clock = self.game and self.game.clock
        for event in events:
            if event.game != self.address:
                continue
            if 0 < event.version <= self._version:
                if event == self.events[event.version - 1]:
                    continue
                self._start_over()
                return news
            if event.version > self._version + 1:
                self._catch_up(event.version)
                return news
            try:
                self.game = begin(event) if self.game is None else self.game.apply(event)
            except InvalidGameState:
                self._start_over()
                return news
            self.events.append(event)
            news.append(GameChanged(event))
        if self.game is not None and self.game.clock != clock:  # talk touches no clock
            self._clock_seen_at = self.clock()
        return news

    def _set_clock(self, clock: tuple[int, int] | None, now: int) -> None:
        """Believe the server about the time that is left at a time, for it knows of pauses."""
        game = self.game
        if clock is not None and game is not None and game.clock is not None:
            if clock != game.clock.left:
                known = ClockState(clock, max(now, game.clock.since), game.clock.running)
                self.game = replace(game, clock=known)
            self._clock_seen_at = self.clock()

    def _catch_up(self, head: int) -> None:
        if head > self._version and not self._events_id:
            self._ask_for_events()

    def _ask_for_events(self) -> None:
        request = Events(self._new_id(), self._version)
        self._events_id = request.id
        self._ask_aside(request)

    def _start_over(self) -> None:
        """Forget a game that does not fit its events, and ask for all of them, but not for ever."""
        self.game, self.events = None, []
        if self._has_started_over:
            raise InvalidReply("the events of the game do not follow each other")
        self._has_started_over = True
        self._ask_for_events()
