"""What one connected client asks, from the text that comes in to the answer that goes out."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tic_tac_toe.protocols.online.judge import illegal
from tic_tac_toe.protocols.online.limits import PROTOCOL
from tic_tac_toe.protocols.online.replies import (
    ILLEGAL,
    OK,
    Answer,
    Reply,
    Welcome,
    write_reply,
)
from tic_tac_toe.protocols.online.requests import (
    Create,
    Events,
    Hello,
    InvalidRequest,
    Join,
    Lobby,
    Request,
    read_request,
)

from .credit import Account, Bucket
from .metrics import INVALID, WELCOME
from .room import Asked, busy, refusal
from .wire import POLICY, Wire, text_frame

if TYPE_CHECKING:
    from .hall import Hall
    from .room import Room

#: Who goes on asking after so many refusals for want of credit, or after so many messages that
#: are none, is disconnected.
MOST_REFUSED = 200
MOST_INVALID = 20


class Connection:
    """One client: its place, its credit, and exactly one answer to each of its requests."""

    def __init__(self, hall: Hall, wire: Wire, account: Account) -> None:
        self.hall = hall
        self.wire = wire
        self.account = account
        self.room: Room | None = None
        self.seat = ""
        self._is_gone = False
        self._going = ""  # the id of the last request to be somewhere
        self._refused = 0
        self._invalid = 0
        rate = hall.allowance.messages
        self._bucket = Bucket(10 * rate, rate, hall.clock())

    def __repr__(self) -> str:
        where = self.room.address if self.room else "nowhere"
        return f"Connection(at {where}, seat={self.seat!r})"

    # -- what comes in -------------------------------------------------------------------------

    def text(self, text: str) -> None:
        """Take a message, and see to it that it is answered once."""
        hall = self.hall
        started = hall.clock()
        try:
            request = read_request(text)
        except InvalidRequest as error:
            hall.metrics.submitted(INVALID)
            self._invalid += 1
            answer = Answer(error.id, ILLEGAL, reason="invalid", text=str(error))
            self._send(answer, started)
            if self._invalid > MOST_INVALID:
                self.wire.close(POLICY, "too many messages that are none")
            return

        hall.metrics.submitted(type(request).__name__.lower())

        def reply(answer: Answer | Welcome) -> None:
            self._send(answer, started)

        wait = self._bucket.spend(started) or self.account.messages.spend(started)
        if wait:
            self._refused += 1
            reply(busy(request.id, "too_fast", 1 + int(1000 * wait)))
            if self._refused > MOST_REFUSED:
                self.wire.close(POLICY, "too many messages")
            return
        self._deal_with(request, Asked(request, self.seat, reply, self))

    def pinged(self) -> bool:
        """Take note of a ping; false if it was one too many."""
        return not self._bucket.spend(self.hall.clock())

    def too_slow(self) -> None:
        """Take note that this reader was cut off, for it did not read."""
        self.hall.metrics.reader_cut()

    def gone(self) -> None:
        """Let go of everything, for the connection is closed: answers come too late now."""
        self._is_gone = True
        self.wire.end()
        self.account.connections -= 1
        self.hall.listeners.discard(self)
        if self.room is not None:
            self.room.exit(self)
            self.room = None

    # -- what is asked -------------------------------------------------------------------------

    def _deal_with(self, request: Request, asked: Asked) -> None:
        hall = self.hall
        if isinstance(request, Hello | Create | Join):
            self._going = request.id
        if hall.is_stopping:
            asked.answer(busy(request.id, "stopping", 1000))
        elif isinstance(request, Hello):
            self._greet(request, asked)
        elif isinstance(request, Create):
            hall.create(request, self, asked.answer)
        elif isinstance(request, Join):
            hall.room(request.game).ask(asked)
        elif isinstance(request, Lobby):
            self._listen(request, asked)
        elif isinstance(request, Events) and self.room is None:
            asked.answer(Answer(request.id, OK))  # who asks whether anybody is there is told
        elif self.room is None:
            asked.answer(refusal(request.id, illegal("no_game")))
        else:
            self.room.ask(asked)

    def _greet(self, hello: Hello, asked: Asked) -> None:
        if hello.protocol != PROTOCOL:
            asked.answer(refusal(hello.id, illegal("protocol")))
        elif hello.game:
            self.hall.room(hello.game).ask(asked)
        else:
            self.leave_place()
            asked.answer(Welcome(hello.id, PROTOCOL, now=self.hall.now()))

    def _listen(self, request: Lobby, asked: Asked) -> None:
        asked.answer(Answer(request.id, OK))
        if request.on and not self._is_gone:
            self.hall.listeners.add(self)
            self.wire.say(self.hall.lobby_frame)
        else:
            self.hall.listeners.discard(self)

    # -- where it is ---------------------------------------------------------------------------

    def take_place(self, room: Room, seat: str, message_id: str) -> None:
        """Follow a game from a seat of it, or without one, and no other game.

        Args:
            message_id: of the request that led there. One that was followed by another, which was
                answered earlier for its game was in memory, leads nowhere any more.
        """
        if message_id != self._going or self._is_gone:
            return
        if self.room is not room or self.seat != seat:
            self.leave_place()
            self.room, self.seat = room, seat
            room.enter(self, seat)

    def leave_place(self) -> None:
        """Follow no game any more."""
        if self.room is not None:
            self.room.exit(self)
        self.room, self.seat = None, ""

    # -- what goes out -------------------------------------------------------------------------

    def _send(self, reply: Answer | Welcome, started: float) -> None:
        metrics = self.hall.metrics
        if isinstance(reply, Welcome):
            metrics.answered(WELCOME)
        else:
            was_written = reply.status == OK and reply.version
            seconds = self.hall.clock() - started if was_written else None
            metrics.answered(reply.status, reply.reason, seconds)
        self.say(reply)

    def say(self, reply: Reply) -> None:
        """Send something to this client alone."""
        self.wire.say(text_frame(write_reply(reply)))
