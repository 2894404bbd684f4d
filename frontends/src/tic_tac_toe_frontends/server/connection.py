"""What one connected client asks, from the text that comes in to the answer that goes out."""

from __future__ import annotations

from collections.abc import Callable
from typing import Protocol

from tic_tac_toe.protocols.online.judge import illegal
from tic_tac_toe.protocols.online.limits import PROTOCOL
from tic_tac_toe.protocols.online.replies import ILLEGAL, OK, Answer, Reply, Welcome, write_reply
from tic_tac_toe.protocols.online.requests import (
    Create,
    Events,
    Hello,
    InvalidRequest,
    Join,
    Request,
    read_request,
)
from tic_tac_toe.protocols.online.requests import Lobby as LobbyRequest

from .creation import Creator
from .lobby import Lobby
from .metrics import INVALID, WELCOME, Metrics
from .pending import PendingRequest, Place, busy, refusal, too_fast
from .rate_limits import Account, Allowance, Bucket
from .web_socket import POLICY, WebSocket, text_frame

#: Disconnect after this many rate-limited requests, or unparsable messages.
MOST_REFUSED = 200
MOST_INVALID = 20


class Service(Protocol):
    """What a connection needs of its server."""

    @property
    def metrics(self) -> Metrics:
        """Count requests and answers."""

    @property
    def clock(self) -> Callable[[], float]:
        """Seconds from any start."""

    @property
    def allowance(self) -> Allowance:
        """What a connection may do."""

    @property
    def lobby(self) -> Lobby:
        """The open games."""

    @property
    def creator(self) -> Creator:
        """Creates games."""

    @property
    def is_stopping(self) -> bool:
        """Whether nothing new is begun."""

    def now(self) -> int:
        """Return the time of day, in milliseconds since 1970."""

    def ask(self, address: str, pending: PendingRequest) -> None:
        """Let a request to a game wait for its turn."""


class Connection:
    """One client: its place, its rate limit, and exactly one answer to each of its requests."""

    def __init__(self, service: Service, socket: WebSocket, account: Account) -> None:
        self.service = service
        self.socket = socket
        self.account = account
        self.place: Place | None = None
        self.seat = ""
        self._is_gone = False
        self._going = ""  # the id of the last request to be somewhere
        self._refused = 0
        self._invalid = 0
        rate = service.allowance.messages
        self._bucket = Bucket(10 * rate, rate, service.clock())

    def __repr__(self) -> str:
        where = self.place.address if self.place else "nowhere"
        return f"Connection(at {where}, seat={self.seat!r})"

    # -- what comes in -------------------------------------------------------------------------

    def text(self, text: str) -> None:
        """Take a message, which is answered once."""
        service = self.service
        started = service.clock()
        try:
            request = read_request(text)
        except InvalidRequest as error:
            service.metrics.submitted(INVALID)
            self._invalid += 1
            answer = Answer(error.id, ILLEGAL, reason="invalid", text=str(error))
            self.send(answer, started)
            if self._invalid > MOST_INVALID:
                self.socket.close(POLICY, "too many invalid messages")
            return

        service.metrics.submitted(type(request).__name__.lower())

        def reply(answer: Answer | Welcome) -> None:
            self.send(answer, started)

        wait = self._bucket.spend(started) or self.account.messages.spend(started)
        if wait:
            self._refused += 1
            reply(too_fast(request.id, wait))
            if self._refused > MOST_REFUSED:
                self.socket.close(POLICY, "too many messages")
            return
        self._deal_with(request, PendingRequest(request, self.seat, reply, self))

    def pinged(self) -> bool:
        """Count a ping; return whether it is within the rate limit."""
        return not self._bucket.spend(self.service.clock())

    def too_slow(self) -> None:
        """Count that this client was cut off, because it did not read."""
        self.service.metrics.reader_cut()

    def gone(self) -> None:
        """Let go of everything, for the connection is closed: no answer reaches the client now."""
        self._is_gone = True
        self.socket.end()
        self.account.connections -= 1
        self.service.lobby.listeners.discard(self)
        if self.place is not None:
            self.place.exit(self)
            self.place = None

    # -- what is pending -------------------------------------------------------------------------

    def _deal_with(self, request: Request, pending: PendingRequest) -> None:
        service = self.service
        if isinstance(request, Hello | Create | Join):
            self._going = request.id
        if service.is_stopping:
            pending.answer(busy(request.id, "stopping", 1000))
        elif isinstance(request, Hello):
            self._greet(request, pending)
        elif isinstance(request, Create):
            service.creator.create(pending, request, self)
        elif isinstance(request, Join):
            service.ask(request.game, pending)
        elif isinstance(request, LobbyRequest):
            self._listen(request, pending)
        elif isinstance(request, Events) and self.place is None:
            pending.answer(Answer(request.id, OK))  # a client that only asks for a sign of life
        elif self.place is None:
            pending.answer(refusal(request.id, illegal("no_game")))
        else:
            self.place.ask(pending)

    def _greet(self, hello: Hello, pending: PendingRequest) -> None:
        if hello.protocol != PROTOCOL:
            pending.answer(refusal(hello.id, illegal("protocol")))
        elif hello.game:
            self.service.ask(hello.game, pending)
        else:
            self.leave_place()
            pending.answer(Welcome(hello.id, PROTOCOL, now=self.service.now()))

    def _listen(self, request: LobbyRequest, pending: PendingRequest) -> None:
        pending.answer(Answer(request.id, OK))
        if request.on and not self._is_gone:
            self.service.lobby.listen(self)
        else:
            self.service.lobby.listeners.discard(self)

    # -- where it is ---------------------------------------------------------------------------

    def take_place(self, place: Place, seat: str, message_id: str) -> None:
        """Follow a game from a seat of it, or without one, and no other game.

        Args:
            message_id: of the request that led there. If a later request has led elsewhere before,
                because its game was in memory, this one leads nowhere.
        """
        if message_id != self._going or self._is_gone:
            return
        if self.place is not place or self.seat != seat:
            self.leave_place()
            self.place, self.seat = place, seat
            place.enter(self, seat)

    def leave_place(self) -> None:
        """Follow no game."""
        if self.place is not None:
            self.place.exit(self)
        self.place, self.seat = None, ""

    # -- what goes out -------------------------------------------------------------------------

    def send(self, reply: Answer | Welcome, started: float) -> None:
        """Answer a request that came at a time of the server's clock, and count the answer."""
        metrics = self.service.metrics
        if isinstance(reply, Welcome):
            metrics.answered(WELCOME)
        else:
            was_written = reply.status == OK and reply.version
            seconds = self.service.clock() - started if was_written else None
            metrics.answered(reply.status, reply.reason, seconds)
        self.say(reply)

    def say(self, reply: Reply) -> None:
        """Send something to this client alone."""
        self.socket.say(text_frame(write_reply(reply)))
