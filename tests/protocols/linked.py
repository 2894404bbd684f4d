"""A game server in memory, and connections that break where they are told to: no sockets, no sleep.

It shows what a server has to do, too: `Authority` is a whole one, but that its log is a list.
"""

from __future__ import annotations

import random
from collections import Counter, deque
from collections.abc import Callable, Iterable

from tests.protocols.games import happening
from tic_tac_toe.protocols.online.addresses import address_of_new_game, hash_of_token
from tic_tac_toe.protocols.online.client import ONLINE, Client
from tic_tac_toe.protocols.online.events import SEATS, Accepted, Event, Player
from tic_tac_toe.protocols.online.events import GameSetup as Setup
from tic_tac_toe.protocols.online.game import OnlineGame, rematch_of, replay
from tic_tac_toe.protocols.online.judge import Illegal, Judged, Stale, illegal, judge
from tic_tac_toe.protocols.online.messages import EVENTS_AT_ONCE, PROTOCOL
from tic_tac_toe.protocols.online.news import Answered, News
from tic_tac_toe.protocols.online.replies import (
    BUSY,
    DUPLICATE,
    ILLEGAL,
    OK,
    STALE,
    UNKNOWN,
    Answer,
    Happened,
    InvalidReply,
    OpenGames,
    Reply,
    RequestStatus,
    Welcome,
    write_reply,
)
from tic_tac_toe.protocols.online.requests import (
    RANDOM_SEAT,
    Create,
    Events,
    Hello,
    Join,
    Lobby,
    read_request,
)


class Time:
    """A clock that is moved by hand, in seconds."""

    def __init__(self) -> None:
        self.seconds = 1_000.0

    def __call__(self) -> float:
        return self.seconds


class Line:
    """The server's end of a connection: what was sent, and where the client is."""

    def __init__(self) -> None:
        self.sent: deque[str] = deque()
        self.game = ""
        self.seat = ""

    def say(self, reply: Reply) -> None:
        self.sent.append(write_reply(reply))


class Authority:
    """A server of any number of games."""

    def __init__(self, time: Time) -> None:
        self.time = time
        self.rng = random.Random(7)
        self.logs: dict[str, list[Event]] = {}
        self.lines: list[Line] = []
        self.busy = 0  # the number of requests that are told to come again

    def connect(self) -> Line:
        line = Line()
        self.lines.append(line)
        return line

    def now(self) -> int:
        return int(1000 * self.time())

    def game(self, address: str) -> OnlineGame | None:
        return replay(self.logs.get(address, ()))

    def take(self, line: Line, text: str) -> None:
        """Answer a request, once, and tell everybody what has come of it."""
        request = read_request(text)
        if self.busy:
            self.busy -= 1
            line.say(Answer(request.id, BUSY, reason="too_fast", retry=100))
        elif isinstance(request, Hello):
            line.say(self.greet(line, request))
        elif isinstance(request, Create):
            line.say(self.create(line, request))
        elif isinstance(request, Lobby):
            line.say(Answer(request.id, OK))
            line.say(OpenGames(()))
        elif isinstance(request, Events):
            log = self.logs.get(line.game, [])
            some = tuple(log[request.after : request.after + EVENTS_AT_ONCE])
            game = self.game(line.game)
            end = None if game is None else game.end
            line.say(Answer(request.id, OK, game=line.game, events=some, head=len(log), end=end))
        elif isinstance(request, Judged):
            self.decide(line, request)

    def greet(self, line: Line, hello: Hello) -> Welcome | Answer:
        game = self.game(hello.game)
        seat = game.seat_of(hash_of_token(hello.token)) if game and hello.token else ""
        if (hello.game and game is None) or (hello.token and not seat):
            return refusal(hello.id, illegal("unknown_game"))
        line.game, line.seat = hello.game, seat
        log = self.logs.get(hello.game, [])
        after = hello.last_seen_version
        fates = []
        for message_id in hello.pending:
            version = self.version_of(hello.game, seat, message_id)
            fates.append(RequestStatus(message_id, OK if version else UNKNOWN, version))
        some = tuple(log[after : after + EVENTS_AT_ONCE])
        left = game.clock.at(self.now()) if game and game.clock else None
        here = (hello.game, seat, len(log), some, tuple(fates), left, self.now())
        return Welcome(hello.id, PROTOCOL, *here, end=None if game is None else game.end)

    def create(self, line: Line, request: Create) -> Answer:
        address = address_of_new_game(request.token, request.id)
        key = hash_of_token(request.token)
        status = DUPLICATE
        if address not in self.logs:
            status = OK
            seat = self.rng.choice(SEATS) if request.seat == RANDOM_SEAT else request.seat
            me = Player(request.name, key)
            players = (me, None) if seat == SEATS[0] else (None, me)
            setup = Setup(request.variant, request.starting, players, request.open, request.clock)
            event = happening(address, 1, "create", "", self.now(), request.id, setup=setup)
            self.logs[address] = [event]
        game = self.game(address)
        assert game is not None
        return self.arrive(line, request.id, status, 1, game.address, game.seat_of(key))

    def decide(self, line: Line, request: Judged) -> None:
        address, seat = line.game, line.seat
        if isinstance(request, Join):
            address = request.game
        game = self.game(address)
        if game is None:
            line.say(refusal(request.id, illegal("unknown_game" if address else "no_game")))
            return
        if isinstance(request, Join):
            seat = game.seat_of(hash_of_token(request.token))
        if version := self.version_of(address, seat, request.id):
            if isinstance(request, Join):
                line.say(self.arrive(line, request.id, DUPLICATE, version, address, seat))
            else:
                line.say(Answer(request.id, DUPLICATE, version))
            return
        decision = judge(game, seat, request, self.now())
        if isinstance(decision, Stale):
            line.say(Answer(request.id, STALE, game.version))
        elif isinstance(decision, Illegal):
            line.say(refusal(request.id, decision, game.version))
        else:
            self.write(game, decision)
            if isinstance(request, Join):
                there = (decision.version, address, decision.seat)
                line.say(self.arrive(line, request.id, OK, *there))
            else:
                line.say(Answer(request.id, OK, decision.version))
            self.tell(decision)

    def write(self, game: OnlineGame, event: Event) -> None:
        """Keep an event; with that of a rematch its first event, or none of both."""
        game.apply(event)
        self.logs[event.game].append(event)
        if isinstance(event, Accepted) and event.follower:
            self.logs[event.follower] = [rematch_of(game, event.follower, event.time)]

    def tell(self, event: Event) -> None:
        game = self.game(event.game)
        left = game.clock.left if game and game.clock else None
        end = game.end if game and game.changed == event.version else None
        for line in self.lines:
            if line.game == event.game:
                line.say(Happened(event, left, end))

    def version_of(self, address: str, seat: str, message_id: str) -> int:
        """Return which event a message of a seat has led to; 0 if to none."""
        wanted = f"{seat}:{message_id}"
        log = self.logs.get(address, [])
        return next((event.version for event in log if seat and event.unique_id == wanted), 0)

    def arrive(
        self, line: Line, message_id: str, status: str, version: int, address: str, seat: str
    ) -> Answer:
        line.game, line.seat = address, seat
        some, head = tuple(self.logs[address][:EVENTS_AT_ONCE]), len(self.logs[address])
        game = self.game(address)
        end = None if game is None else game.end
        return Answer(message_id, status, version, address, seat, events=some, head=head, end=end)


def refusal(message_id: str, why: Illegal, head: int = 0) -> Answer:
    return Answer(message_id, ILLEGAL, head, reason=why.reason, text=str(why.text))


class Link:
    """A client and its connection, over which texts go one by one, until it breaks.

    Args:
        breaks: the numbers of texts, in both directions together, after which the connection is
            lost, with all that are on their way.
        listens_first: whether what the server has sent arrives before what the client sends.
        spoil: what becomes of the texts that the server has sent since last time.

    Attributes:
        passed: the number of texts that have arrived, at either end.
        losses: the number of times that the connection was lost.
        answers, news: what the client has told so far.
        finished: the number of last answers to each request, by its id.
    """

    def __init__(
        self,
        client: Client,
        authority: Authority,
        time: Time,
        breaks: Iterable[int] = (),
        listens_first: bool = True,
        spoil: Callable[[list[str]], list[str]] | None = None,
    ) -> None:
        self.client = client
        self.authority = authority
        self.time = time
        self.breaks = set(breaks)
        self.listens_first = listens_first
        self.spoil = spoil
        self.line: Line | None = None
        self.going: deque[str] = deque()
        self.coming: deque[str] = deque()
        self.passed = 0
        self.losses = 0
        self.checked: list[Event] = []
        self.answers: list[Answered] = []
        self.news: list[News] = []

    @property
    def finished(self) -> Counter[str]:
        return Counter(told.request.id for told in self.answers if told.answer.status != BUSY)

    def open(self) -> None:
        """Connect anew, if there is no connection."""
        if self.line is None:
            self.line = self.authority.connect()
            self.client.connected()

    def lose(self) -> None:
        """Lose the connection, and wait as long as the client wants to."""
        assert self.line is not None
        self.authority.lines.remove(self.line)
        self.line = None
        self.going.clear()
        self.coming.clear()
        self.losses += 1
        self.time.seconds += self.client.disconnected()

    def step(self) -> bool:
        """Let one text arrive; false if none is on its way."""
        self._collect()
        ways = (self.coming, self.going) if self.listens_first else (self.going, self.coming)
        way = next((way for way in ways if way), None)
        if way is None or self.line is None:
            return False
        text = way.popleft()
        if way is self.going:
            self.authority.take(self.line, text)
        else:
            try:
                news = self.client.received(text)
            except InvalidReply as error:
                raise AssertionError(f"an honest server is not believed: {error}") from error
            self.news += news
            self.answers += [told for told in news if isinstance(told, Answered)]
        self.passed += 1
        self._check()
        if self.passed in self.breaks:
            self.lose()
        return True

    def _collect(self) -> None:
        self.going.extend(self.client.take_outgoing())
        if self.line is not None and self.line.sent:
            texts = list(self.line.sent)
            self.line.sent.clear()
            self.coming.extend(texts if self.spoil is None else self.spoil(texts))

    def _check(self) -> None:
        """Hold the client to what is true at every moment."""
        client = self.client
        if client.events == self.checked:
            return
        self.checked = list(client.events)
        assert [event.version for event in client.events] == list(
            range(1, len(client.events) + 1)
        ), "an event is missing or there twice"
        if client.game is not None and client.game.clock is None:
            assert client.game == replay(client.events), "the game is not what its events make"


def settle(*links: Link, patience: int = 10_000) -> None:
    """Let texts go to and fro, connections be made again and time pass, until nobody wants more."""
    for _ in range(patience):
        moved = False
        for link in links:
            link.open()
            moved = link.step() or moved
        if moved:
            continue
        if all(link.client.connection == ONLINE and not link.client.pending for link in links):
            return
        links[0].time.seconds += 0.1
        for link in links:
            link.client.wake()
    raise AssertionError("they do not come to rest")


def settle_for_good(*links: Link) -> None:
    """Let also those come to rest that have missed the last event and ask for it after a while."""
    settle(*links)
    links[0].time.seconds += 25.0
    for link in links:
        link.client.wake()
    settle(*links)
