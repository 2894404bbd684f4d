"""What one connected client asks, from the text that comes in to the answer that goes out."""

from __future__ import annotations

from tic_tac_toe.protocols.online.addresses import hash_of_token
from tic_tac_toe.protocols.online.judge import illegal
from tic_tac_toe.protocols.online.messages import PROTOCOL
from tic_tac_toe.protocols.online.replies import ILLEGAL, OK, Answer, Welcome
from tic_tac_toe.protocols.online.requests import (
    Block,
    Create,
    Events,
    Hello,
    InvalidRequest,
    Join,
    Mine,
    Pair,
    Report,
    Request,
    Seating,
    Talk,
    read_request,
)
from tic_tac_toe.protocols.online.requests import Lobby as LobbyRequest

from . import personal
from .creation import Creator
from .draining import DRAINING
from .metrics import INVALID, WELCOME
from .net.web_socket import POLICY, WebSocket, frame_of
from .pending import HELD_RETRY, PendingRequest, busy, refusal, too_fast
from .rate_limits import FRAMES, Account, Bucket, Share
from .referee import is_approach
from .session import GameSession
from .sessions import Sessions

#: Disconnect after this many rate-limited requests, or unparsable messages.
MOST_REFUSED = 200
MOST_INVALID = 20


class Connection:
    """One client: its place, its rate limit, and exactly one answer to each of its requests.

    Attributes:
        place: the game that it follows.
        seat: its seat there; empty for a watcher.
        share: what it holds of games that are not over.
    """

    def __init__(
        self, sessions: Sessions, creator: Creator, socket: WebSocket, account: Account
    ) -> None:
        self.core = core = sessions.core
        self.sessions = sessions
        self.creator = creator
        self.socket = socket
        self.account = account
        self.share = Share()
        self.place: GameSession | None = None
        self.seat = ""
        self._followed = 0  # events of the game as it was entered
        self._is_gone = False
        self._going = ""  # the id of the last request to be somewhere
        self._is_drain_untold = core.moderation.is_draining  # since before this client came
        self._refused = 0
        self._invalid = 0
        rate, now = core.allowance.messages, core.clock()
        self._messages = Bucket(10 * rate, rate, now)
        self._frames = Bucket(FRAMES * 10 * rate, FRAMES * rate, now)
        self._joins = core.allowance.own_joins(now)

    def __repr__(self) -> str:
        where = self.place.address if self.place else "nowhere"
        return f"Connection(at {where}, seat={self.seat!r})"

    # -- what comes in -------------------------------------------------------------------------

    def text(self, text: str) -> None:
        """Take a message, which is answered once."""
        core = self.core
        started = core.clock()
        try:
            request = read_request(text)
        except InvalidRequest as error:
            core.metrics.submitted(INVALID)
            self._invalid += 1
            answer = Answer(error.id, ILLEGAL, reason="invalid", text=str(error))
            self.send(answer, started)
            if self._invalid > MOST_INVALID or self._account_is_refused(started):
                self.socket.close(POLICY, "too many invalid messages")
            return

        core.metrics.submitted(type(request).__name__.lower())

        def reply(answer: Answer | Welcome) -> None:
            if answer.seat:
                self._hold(answer)
            if isinstance(answer, Welcome) or answer.seat:
                self._follow(answer)
            self.send(answer, started)

        wait = self._messages.spend(started) or self.account.messages.spend(started)
        if wait:
            self._refused += 1
            reply(too_fast(request.id, wait))
            if self._refused > MOST_REFUSED or self._account_is_refused(started):
                self.socket.close(POLICY, "too many messages")
            return
        self._deal_with(request, PendingRequest(request, self.seat, reply, self.account))

    def _account_is_refused(self, now: float) -> bool:
        """Count a refusal; return whether there have been too many on all of the connections."""
        return bool(self.account.refusals.spend(now))

    def framed(self, count: int) -> bool:
        """Count frames of any kind; return whether they are within the rate limits."""
        now = self.core.clock()
        return not (self._frames.spend(now, count) or self.account.frames.spend(now, count))

    def too_slow(self) -> None:
        """Count that this client was cut off, because it did not read."""
        self.core.metrics.cut_readers.inc()

    def gone(self) -> None:
        """Let go of everything, for the connection is closed: no answer reaches the client now."""
        self._is_gone = True
        self.socket.end()
        self.account.connections -= 1
        self.sessions.lobby.listeners.discard(self.socket)
        self._leave()

    def _deal_with(self, request: Request, pending: PendingRequest) -> None:
        core = self.core
        if isinstance(request, Hello | Seating):
            self._going = request.id
        if core.is_stopping:
            pending.answer(busy(request.id, "stopping", 1000))
        elif isinstance(request, Hello):
            self._greet(request, pending)
        elif isinstance(request, Create | Pair):
            self.creator.create(pending, request, self)
        elif isinstance(request, Join):
            self._join(request, pending)
        elif isinstance(request, Mine):
            personal.list_own_games(core, pending, request, self.account)
        elif isinstance(request, LobbyRequest):
            self._listen(request, pending)
        elif isinstance(request, Events) and self.place is None:
            pending.answer(Answer(request.id, OK))  # a client that only asks for a sign of life
        elif self.place is None:
            pending.answer(refusal(request.id, illegal("no_game")))
        else:
            self._ask_at(self.place, request, pending)

    def _ask_at(self, place: GameSession, request: Request, pending: PendingRequest) -> None:
        """Ask what is about the game that the client follows."""
        if isinstance(request, Talk):
            pending.answer(place.talk.say(self.socket, self.seat, request))
        elif isinstance(request, Report):
            personal.report(self.core, pending, request, place)
        elif isinstance(request, Block):
            personal.block(self.core, pending, request, place)
        elif is_approach(request):
            personal.approach(self.core, pending, place)
        else:
            place.ask(pending)

    def _greet(self, hello: Hello, pending: PendingRequest) -> None:
        if hello.protocol != PROTOCOL:
            pending.answer(refusal(hello.id, illegal("protocol")))
        elif hello.game and self.account.followed >= self.core.allowance.followed:
            pending.answer(busy(hello.id, "too_fast", HELD_RETRY))
        elif hello.game:
            self.sessions[hello.game].ask(pending)
        else:
            offered = tuple(self.creator.programs)
            welcome = Welcome(hello.id, PROTOCOL, now=self.core.now(), opponents=offered)
            pending.answer(welcome)

    def _join(self, request: Join, pending: PendingRequest) -> None:
        """Ask for a seat, once it is known with whom the sender is not to play."""
        if refused := self.core.holdings.refuses_join(self.account, self.share):
            pending.answer(busy(request.id, refused, HELD_RETRY))
            return
        if wait := self.spend_join():
            pending.answer(too_fast(request.id, wait))
            return
        shares, answer = (self.account.share, self.share), pending.answer

        def answered(reply: Answer | Welcome) -> None:
            for share in shares:
                share.joining -= 1
            answer(reply)

        def ask(is_known: bool) -> None:
            if is_known:
                self.sessions[request.game].ask(pending)
            else:
                pending.answer(busy(request.id, "storage"))

        pending.answer = answered
        for share in shares:
            share.joining += 1
        self.core.blocks.learn(hash_of_token(request.token), ask)

    def spend_join(self) -> float:
        """Count that the client wants to come to another player; return the seconds to wait."""
        now = self.core.clock()
        return self._joins.spend(now) or self.account.joins.spend(now)

    def _listen(self, request: LobbyRequest, pending: PendingRequest) -> None:
        pending.answer(Answer(request.id, OK))
        if request.on and not self._is_gone:
            self.sessions.lobby.listen(self.socket)
        else:
            self.sessions.lobby.listeners.discard(self.socket)

    # -- where it is ---------------------------------------------------------------------------

    def _hold(self, answer: Answer | Welcome) -> None:
        """Count a seat for this client, unless somebody else has taken it."""
        session = self.sessions.get(answer.game)
        if session is not None and session.game is not None:
            self.core.holdings.take(session.game, answer.seat, self.account, self.share)

    def _follow(self, answer: Answer | Welcome) -> None:
        """Follow the game of an answer from the seat that it names, and no other game.

        If a later request has led elsewhere before, because its game was in memory, the answer to
        an earlier one leads nowhere.
        """
        if answer.id != self._going or self._is_gone:
            return
        place = self.sessions[answer.game] if answer.game else None
        if self.place is not place or self.seat != answer.seat:
            self._leave()
            self.place, self.seat = place, answer.seat
            if place is not None:
                place.enter(self.socket, answer.seat)
                self._followed = place.loaded.version
                self.account.followed += self._followed

    def _leave(self) -> None:
        if self.place is not None:
            self.place.exit(self.socket)
            self.account.followed -= self._followed
        self.place, self.seat = None, ""

    # -- what goes out -------------------------------------------------------------------------

    def send(self, reply: Answer | Welcome, started: float) -> None:
        """Answer a request that came at a time of the server's clock, and count the answer."""
        metrics = self.core.metrics
        if isinstance(reply, Welcome):
            metrics.answered(WELCOME)
        else:
            was_written = reply.status == OK and reply.version
            seconds = self.core.clock() - started if was_written else None
            metrics.answered(reply.status, reply.reason, seconds)
        self.socket.say(frame_of(reply))
        if isinstance(reply, Welcome) and self._is_drain_untold:
            self._is_drain_untold = False
            if self.core.moderation.is_draining:
                self.socket.say(frame_of(DRAINING))
