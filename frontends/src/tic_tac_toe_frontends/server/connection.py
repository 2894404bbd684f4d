"""One connected client: its requests, from the text that arrives to the answer that is sent."""

from __future__ import annotations

import json
from collections.abc import Awaitable, Callable
from logging import ERROR

from tic_tac_toe.protocols.online.addresses import hash_of_token
from tic_tac_toe.protocols.online.events import SEATS, SIDES, Said
from tic_tac_toe.protocols.online.judge import illegal
from tic_tac_toe.protocols.online.messages import OWN_GAMES, PROTOCOL
from tic_tac_toe.protocols.online.replies import ILLEGAL, OK, Answer, OwnGame, Welcome
from tic_tac_toe.protocols.online.requests import (
    CHAT_LINE,
    PLAYER_NAME,
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

from .budgets import Budget, SeatUsage
from .core import ServerCore
from .creation import Creator
from .logs import log
from .metrics import INVALID, WELCOME
from .moderation import DRAINING
from .pending import HELD_RETRY, PendingRequest, busy, refusal, too_fast
from .session import GameSession, Sessions
from .storage.game_rows import GameRow
from .storage.store import ReportRow, StorageError, report_of
from .wire.web_socket import POLICY, WebSocket, frame_of

#: Bytes of the games in one answer, about; well below the limit of the send buffer.
MOST_BYTES = 48 * 1024


def list_own_games(
    core: ServerCore, pending: PendingRequest, request: Mine, budget: Budget
) -> None:
    """Answer with the newest games of a token; it costs as much as a page."""
    if wait := budget.pages.spend(core.clock()):
        pending.answer(too_fast(request.id, wait))
        return
    key = hash_of_token(request.token)

    async def find() -> Answer:
        rows = await core.readers.run(core.store.games_of, key, OWN_GAMES)
        return Answer(request.id, OK, games=_fitting(rows, key))

    core.tasks.start(_answer(core, pending, find))


def report(core: ServerCore, pending: PendingRequest, request: Report, place: GameSession) -> None:
    """Store what a player or a watcher reports, for the operator."""
    found = _reported(core, request, place, pending.seat)
    if found is None:
        pending.answer(refusal(request.id, illegal("nothing_to_report")))
        return
    if pending.budget is not None and (wait := pending.budget.reports.spend(core.clock())):
        pending.answer(too_fast(request.id, wait))
        return

    sender = pending.seat or pending.budget  # the report is about one game

    async def store() -> Answer:
        if core.report_senders.add(found.id, sender):
            try:
                await core.writer.run(core.store.report, found)
            except StorageError:
                core.report_senders.drop(found.id, sender)
                raise
            log("something was reported", game=found.game, what=found.what, report=found.id)
        return Answer(request.id, OK)

    core.tasks.start(_answer(core, pending, store))


def block(core: ServerCore, pending: PendingRequest, request: Block, place: GameSession) -> None:
    """Store that a player wants no more games with the opponent of this game, or undo that."""
    game, seat = place.game, pending.seat
    if game is None or not seat:
        pending.answer(refusal(request.id, illegal("not_seated")))
        return
    own, other = game.player(seat), game.player(SEATS[1 - SIDES[seat]])
    if own is None or not own.key:  # the operator has removed the seat
        pending.answer(refusal(request.id, illegal("not_seated")))
        return
    if other is None or not other.key:
        reason = "no_person" if other is not None and other.strategy else "waiting"
        pending.answer(refusal(request.id, illegal(reason)))
        return
    if pending.budget is not None and (wait := pending.budget.blocks.spend(core.clock())):
        pending.answer(too_fast(request.id, wait))
        return
    mine, theirs = own.key, other.key

    async def store() -> Answer:
        if request.on:
            await core.writer.run(core.store.block, mine, theirs, core.now())
        else:
            await core.writer.run(core.store.unblock, mine, theirs)
        core.blocks.forget(mine, theirs)
        return Answer(request.id, OK)

    core.tasks.start(_answer(core, pending, store))


async def _answer(
    core: ServerCore, pending: PendingRequest, work: Callable[[], Awaitable[Answer]]
) -> None:
    """Answer a request with the result of some work; with `busy` if the storage fails."""
    answer = busy(pending.request.id, "storage")
    try:
        answer = await work()
    except StorageError as error:
        log("a player's request failed", level=ERROR, problem=str(error))
        core.writer.check()
    finally:
        pending.answer(answer)


def _reported(core: ServerCore, request: Report, place: GameSession, seat: str) -> ReportRow | None:
    """Return the report of a line or name that the sender can see; ``None`` if there is none."""
    game, found = place.game, ("", "")
    if game is None:
        return None
    if request.what == CHAT_LINE:
        at_line = (event for event in place.loaded.events if event.version == request.line)
        found = next(((str(e.version), e.text) for e in at_line if isinstance(e, Said)), found)
    elif request.what == PLAYER_NAME:
        player = game.player(request.seat) if request.seat else None
        if player is not None and not player.strategy:
            found = request.seat, player.name
    elif not seat or game.end is not None:
        lines = (line for line in place.talk.lines if line.time == request.line)
        of_watcher = (line for line in lines if line.number == request.number)
        found = next(((f"{e.number} {e.time}", e.text) for e in of_watcher), found)
    where, what_was_said = found
    if not what_was_said:
        return None
    return report_of(game.address, request.what, where, what_was_said, request.text, core.now())


def _fitting(rows: list[GameRow], key: str) -> tuple[OwnGame, ...]:
    games: list[OwnGame] = []
    size = 0
    for row in rows:
        seat = SEATS[0] if row.crosses_key == key else SEATS[1]
        crosses, naughts = row.crosses or "", row.naughts or ""
        played = row.stage, row.result, row.clock, row.time
        game = OwnGame(row.game, row.variant, seat, crosses, naughts, *played)
        size += len(json.dumps(vars(game)))
        if size > MOST_BYTES:
            break
        games.append(game)
    return tuple(games)


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
            list_own_games(core, pending, request, self.budget)
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
            report(self.core, pending, request, session)
        elif isinstance(request, Block):
            block(self.core, pending, request, session)
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
        usages, send = (self.budget.usage, self.usage), pending.send

        def answered(reply: Answer | Welcome) -> None:
            for usage in usages:
                usage.joining -= 1
            send(reply)

        pending.send = answered
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
