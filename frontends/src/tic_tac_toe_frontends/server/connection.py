"""One connected client: its requests, from the text that arrives to the answer that is sent."""

from __future__ import annotations

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
from .budgets import Budget, SeatUsage
from .creation import Creator
from .metrics import INVALID, WELCOME
from .moderation import DRAINING
from .pending import HELD_RETRY, PendingRequest, busy, refusal, too_fast
from .session import GameSession, Sessions
from .wire.web_socket import POLICY, WebSocket, frame_of

#: Disconnect after this many rate-limited requests, or unparsable messages.
MOST_REFUSED = 200
MOST_INVALID = 20


class Connection:
    """One client: the game it follows, its budgets, and exactly one answer to each request.

    Attributes:
        session: the game that it follows.
        seat: its seat there; empty for a watcher.
        usage: the seats that it holds in unfinished games.
    """

    def __init__(
        self, sessions: Sessions, creator: Creator, socket: WebSocket, budget: Budget
    ) -> None:
        self.core = core = sessions.core
        self.sessions = sessions
        self.creator = creator
        self.socket = socket
        self.budget = budget
        self.usage = SeatUsage(sessions.core.limits.own_unmoved.number)
        self.session: GameSession | None = None
        self.seat = ""
        self._followed = 0  # events that the game had when the client came
        self._is_gone = False
        self._last_entry_id = ""  # of the last request that enters or leaves a game
        self._must_announce_drain = core.moderation.is_draining  # the others know
        self._refused = 0
        self._invalid = 0
        self._messages = core.limits.messages.bucket()
        self._frames = core.limits.own_frames.bucket()
        self._joins = core.limits.own_joins.bucket()

    def __repr__(self) -> str:
        where = self.session.address if self.session else "nowhere"
        return f"Connection(at {where}, seat={self.seat!r})"

    # -- what comes in -------------------------------------------------------------------------

    def receive(self, text: str) -> None:
        """Handle a message and answer it once."""
        core = self.core
        started = core.clock()
        try:
            request = read_request(text)
        except InvalidRequest as error:
            core.metrics.submitted(INVALID)
            self._invalid += 1
            answer = Answer(error.id, ILLEGAL, reason="invalid", text=str(error))
            self.send(answer, started)
            if self._invalid > MOST_INVALID or self._refuse_too_many(started):
                self.socket.close(POLICY, "too many invalid messages")
            return

        core.metrics.submitted(type(request).__name__.lower())

        def reply(answer: Answer | Welcome) -> None:
            if answer.seat:
                self._count_seat(answer)
            if isinstance(answer, Welcome) or answer.seat:
                self._follow(answer)
            self.send(answer, started)

        wait = self._messages.spend(started) or self.budget.address_messages.spend(started)
        if wait:
            self._refused += 1
            reply(too_fast(request.id, wait))
            if self._refused > MOST_REFUSED or self._refuse_too_many(started):
                self.socket.close(POLICY, "too many messages")
            return
        self._handle(request, PendingRequest(request, self.seat, reply, self.budget))

    def _refuse_too_many(self, now: float) -> bool:
        """Count a refusal; return whether the address, on all its connections, has had too many."""
        return bool(self.budget.refusals.spend(now))

    def count_frames(self, count: int) -> bool:
        """Count frames of any kind; return whether the budgets allow them."""
        now = self.core.clock()
        return not (self._frames.spend(now, count) or self.budget.frames.spend(now, count))

    def count_cut_reader(self) -> None:
        """Count that this client was disconnected because it did not read."""
        self.core.metrics.cut_readers.inc()

    def closed(self) -> None:
        """Release everything; no answer reaches this client any more."""
        self._is_gone = True
        self.socket.abort_soon()
        self.budget.connections -= 1
        self.sessions.lobby.listeners.discard(self.socket)
        self._leave()

    def _handle(self, request: Request, pending: PendingRequest) -> None:
        core = self.core
        if isinstance(request, Hello | Seating):
            self._last_entry_id = request.id
        if core.is_stopping:
            pending.answer(busy(request.id, "stopping", 1000))
        elif isinstance(request, Hello):
            self._greet(request, pending)
        elif isinstance(request, Create | Pair):
            self.creator.create(pending, request, self)
        elif isinstance(request, Join):
            self._join(request, pending)
        elif isinstance(request, Mine):
            personal.list_own_games(core, pending, request, self.budget)
        elif isinstance(request, LobbyRequest):
            self._listen(request, pending)
        elif isinstance(request, Events) and self.session is None:
            pending.answer(Answer(request.id, OK))  # a client without a game sends it as a ping
        elif self.session is None:
            pending.answer(refusal(request.id, illegal("no_game")))
        else:
            self._handle_at_game(self.session, request, pending)

    def _handle_at_game(
        self, session: GameSession, request: Request, pending: PendingRequest
    ) -> None:
        if isinstance(request, Talk):
            pending.answer(session.talk.post(self.socket, self.seat, request, self.budget))
        elif isinstance(request, Report):
            personal.report(self.core, pending, request, session)
        elif isinstance(request, Block):
            personal.block(self.core, pending, request, session)
        else:
            session.submit(pending)

    def _greet(self, hello: Hello, pending: PendingRequest) -> None:
        if hello.protocol != PROTOCOL:
            pending.answer(refusal(hello.id, illegal("protocol")))
        elif hello.game and self.budget.followed >= self.core.limits.followed.number:
            pending.answer(busy(hello.id, "too_fast", HELD_RETRY))
        elif hello.game:
            self.sessions[hello.game].submit(pending)
        else:
            offered = tuple(self.creator.programs)
            welcome = Welcome(hello.id, PROTOCOL, now=self.core.now(), opponents=offered)
            pending.answer(welcome)

    def _join(self, request: Join, pending: PendingRequest) -> None:
        if refused := self.core.quotas.refuses_join(self.budget, self.usage):
            pending.answer(busy(request.id, refused, HELD_RETRY))
            return
        if wait := self.spend_join():
            pending.answer(too_fast(request.id, wait))
            return
        usages, answer = (self.budget.usage, self.usage), pending.answer

        def answered(reply: Answer | Welcome) -> None:
            for usage in usages:
                usage.joining -= 1
            answer(reply)

        pending.answer = answered
        for usage in usages:
            usage.joining += 1
        self.sessions[request.game].submit(pending)

    def spend_join(self) -> float:
        """Spend one attempt to join another player; return the seconds to wait, or 0."""
        now = self.core.clock()
        return self._joins.spend(now) or self.budget.joins.spend(now)

    def _listen(self, request: LobbyRequest, pending: PendingRequest) -> None:
        pending.answer(Answer(request.id, OK))
        if request.on and not self._is_gone:
            self.sessions.lobby.listen(self.socket)
        else:
            self.sessions.lobby.listeners.discard(self.socket)

    # -- where it is ---------------------------------------------------------------------------

    def _count_seat(self, answer: Answer | Welcome) -> None:
        session = self.sessions.get(answer.game)
        if session is not None and session.game is not None:
            self.core.quotas.add_seat(session.game, answer.seat, self.budget, self.usage)

    def _follow(self, answer: Answer | Welcome) -> None:
        """Follow the game of an answer, from the seat that it names.

        Answers may overtake each other: a game in memory answers at once, one that has to be loaded
        later.
        Only the answer to the last request that enters or leaves a game counts.
        """
        if answer.id != self._last_entry_id or self._is_gone:
            return
        session = self.sessions[answer.game] if answer.game else None
        if self.session is not session or self.seat != answer.seat:
            self._leave()
            self.session, self.seat = session, answer.seat
            if session is not None:
                session.enter(self.socket, answer.seat)
                self._followed = session.loaded.version
                self.budget.followed += self._followed

    def _leave(self) -> None:
        if self.session is not None:
            self.session.exit(self.socket)
            self.budget.followed -= self._followed
        self.session, self.seat = None, ""

    # -- what goes out -------------------------------------------------------------------------

    def send(self, reply: Answer | Welcome, started: float) -> None:
        """Answer a request that came at `started`, by the server's clock, and count the answer."""
        metrics = self.core.metrics
        if isinstance(reply, Welcome):
            metrics.answered(WELCOME)
        else:
            was_written = reply.status == OK and reply.version
            seconds = self.core.clock() - started if was_written else None
            metrics.answered(reply.status, reply.reason, seconds)
        self.socket.send_frame(frame_of(reply))
        if isinstance(reply, Welcome) and self._must_announce_drain:
            self._must_announce_drain = False
            if self.core.moderation.is_draining:
                self.socket.send_frame(frame_of(DRAINING))
