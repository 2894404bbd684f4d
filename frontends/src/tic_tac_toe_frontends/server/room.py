"""A game in memory, with those who follow it: one request after the other, each committed first."""

from __future__ import annotations

import asyncio
from collections import deque
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import TYPE_CHECKING

from tic_tac_toe.logic.exceptions import InvalidGameState, InvalidVariant
from tic_tac_toe.protocols.online.addresses import hash_of_token
from tic_tac_toe.protocols.online.events import REMATCH, SEATS, Accepted, Event, Offered, details_of
from tic_tac_toe.protocols.online.game import OnlineGame, begin, rematch_of
from tic_tac_toe.protocols.online.judge import Illegal, Judged, Stale, flag, illegal, judge
from tic_tac_toe.protocols.online.limits import EVENTS_AT_ONCE, PROTOCOL
from tic_tac_toe.protocols.online.reasons import REASONS
from tic_tac_toe.protocols.online.replies import (
    BUSY,
    DUPLICATE,
    ILLEGAL,
    OK,
    STALE,
    UNKNOWN,
    Answer,
    Happened,
    Presence,
    Welcome,
    write_reply,
)
from tic_tac_toe.protocols.online.replies import Fate as PendingFate
from tic_tac_toe.protocols.online.requests import Create, Events, Hello, Join, Lobby, Request

from .store import GameRow, Unit, row_of
from .wire import RESTART, text_frame
from .writer import Fate

if TYPE_CHECKING:
    from .connection import Connection
    from .hall import Hall

#: So many requests of one game wait for their turn; more are told to ask again.
MOST_WAITING = 64
#: After how many seconds it is looked again whether a time has run out, if it cannot be told now.
FLAG_AGAIN = 0.25
#: In how many milliseconds who finds the server busy is to ask again.
RETRY = 500
#: In how many milliseconds who finds no room for another game is to ask again.
FULL_RETRY = 60_000
#: The events of one message take about so many bytes at most, so that it does not fill what may lie
#: unread on the way to a reader.
MOST_BYTES = 24 * 1024
#: What an event takes beside its text, and a character of the text at most.
EVENT_BYTES, CHARACTER_BYTES = 160, 12
#: A request that others come before so often in vain is told to ask again.
MOST_TAKEN = 5


@dataclass
class Asked:
    """A request that waits for its turn.

    Attributes:
        request: what is asked.
        seat: of the sender: from the connection, never from the message.
        answer: what to do with the answer.
        connection: who asked; ``None`` for the server's own computers.
        is_fresh: whether the log was looked at since it was asked, where others write it too.
        taken: how often the log had something else in the place of what came of it.
    """

    request: Request
    seat: str
    answer: Callable[[Answer | Welcome], None]
    connection: Connection | None = None
    is_fresh: bool = False
    taken: int = 0


class Room:
    """One game, as the log tells it, and who is told what happens.

    What is in memory follows the log: an event is committed, then answered, then told to all. While
    one is being committed the next request waits.
    """

    def __init__(self, hall: Hall, address: str) -> None:
        self.hall = hall
        self.address = address
        self.game: OnlineGame | None = None
        self.row: GameRow | None = None
        self.events: list[Event] = []
        self.members: dict[Connection, str] = {}
        self.touched = hall.clock()
        self._ids: dict[str, int] = {}
        self._queue: deque[Asked] = deque()
        self._busy = False
        self._is_known = False
        self._flag_timer: asyncio.TimerHandle | None = None
        self._presence_timer: asyncio.TimerHandle | None = None
        self._elsewhere: dict[str, tuple[tuple[str, ...], int, float]] = {}

    def __repr__(self) -> str:
        return f"Room({self.address!r}, {self.game!r}, members={len(self.members)})"

    @property
    def is_idle(self) -> bool:
        """Whether nobody is here, nothing goes on, and no clock runs."""
        runs = self.game is not None and self.game.clock is not None and self.game.end is None
        return not (self.members or self._busy or self._queue or runs)

    # -- requests ------------------------------------------------------------------------------

    def ask(self, asked: Asked) -> None:
        """Let a request wait for its turn; it is answered now or later, and once."""
        self.touched = self.hall.clock()
        if len(self._queue) >= MOST_WAITING:
            asked.answer(busy(asked.request.id, "too_fast"))
            return
        self._queue.append(asked)
        self.proceed()

    def proceed(self) -> None:
        """Deal with what waits, until something has to be waited for."""
        while self._queue and not self._busy:
            if not self._is_known:
                self._look()
                return
            asked = self._queue.popleft()
            if self.hall.is_shared and not asked.is_fresh and self._needs_news(asked):
                asked.is_fresh = True
                self._queue.appendleft(asked)
                self._look()
                return
            self._deal_with(asked)

    def _needs_news(self, asked: Asked) -> bool:
        """Whether another server may have written what makes this request come out otherwise."""
        if self.game is None or not isinstance(asked.request, Judged):
            return True
        return not isinstance(self._judged(asked), Event)

    def _deal_with(self, asked: Asked) -> None:
        game, request = self.game, asked.request
        if game is None:
            asked.answer(refusal(request.id, illegal("unknown_game")))
        elif isinstance(request, Hello):
            asked.answer(self._welcome(game, request, asked))
        elif isinstance(request, Create):
            asked.answer(self._created_before(game, request, asked))
        elif isinstance(request, Events):
            asked.answer(self._told(request))
        elif isinstance(request, Lobby):
            raise AssertionError("the lobby is no game")
        elif (known := self._known(game, request, asked)) is not None:
            asked.answer(known)
        elif (flagged := flag(game, self.hall.now(), self.hall.pauses)) is not None:
            if self.hall.writer.failed or self.hall.has_slept:
                asked.answer(busy(request.id, "storage"))
                return
            self._queue.appendleft(asked)
            self._write(flagged, None)
        else:
            self._decide(game, asked)

    def _decide(self, game: OnlineGame, asked: Asked) -> None:
        decision = self._judged(asked)
        request = asked.request
        if isinstance(decision, Stale):
            asked.answer(Answer(request.id, STALE, game.version))
        elif isinstance(decision, Illegal):
            asked.answer(refusal(request.id, decision, game.version))
        elif self.hall.writer.failed:
            asked.answer(busy(request.id, "storage"))
        elif (refused := self._refused_rematch(decision, asked)) is not None:
            asked.answer(refused)
        else:
            self._write(decision, asked)

    def _refused_rematch(self, event: Event, asked: Asked) -> Answer | None:
        """Return why there can be no further game now; whoever offers one pays for it."""
        is_rematch = isinstance(event, Offered) and event.what == REMATCH
        if not is_rematch or asked.connection is None:
            return None
        if self.hall.is_full:
            return busy(asked.request.id, "full", FULL_RETRY)
        wait = asked.connection.account.games.spend(self.hall.clock())
        return busy(asked.request.id, "too_fast", 1 + int(1000 * wait)) if wait else None

    def _judged(self, asked: Asked) -> Event | Stale | Illegal:
        assert self.game is not None
        assert isinstance(asked.request, Judged)
        hall = self.hall
        return judge(self.game, asked.seat, asked.request, hall.now(), hall.pauses)

    def _known(self, game: OnlineGame, request: Judged, asked: Asked) -> Answer | None:
        """Return the same answer again to what has been done already."""
        seat = asked.seat
        if isinstance(request, Join):
            seat = game.seat_of(hash_of_token(request.token))
        version = self._version_of(seat, request.id)
        if version is None:
            return None
        if isinstance(request, Join):
            if asked.connection is not None:
                asked.connection.take_place(self, seat, request.id)
            return self._arrived(request.id, DUPLICATE, version, seat)
        return Answer(request.id, DUPLICATE, version)

    def _version_of(self, seat: str, message_id: str) -> int | None:
        """Return the event that a message of this seat has led to; without a seat there is none."""
        return self._ids.get(f"{seat}:{message_id}") if seat else None

    def created(self, message_id: str, seat: str) -> Answer:
        """Return the answer to who has just created the game."""
        return self._arrived(message_id, OK, 1, seat)

    def _created_before(self, game: OnlineGame, request: Create, asked: Asked) -> Answer:
        """Return the answer to who has created the game already; nobody else can ask for it."""
        seat = game.seat_of(hash_of_token(request.token))
        if not seat:
            return refusal(request.id, illegal("id_used"))
        if asked.connection is not None:
            asked.connection.take_place(self, seat, request.id)
        return self._arrived(request.id, DUPLICATE, 1, seat)

    def _arrived(self, message_id: str, status: str, version: int, seat: str) -> Answer:
        events = self._part(0)
        head = len(self.events)
        return Answer(message_id, status, version, self.address, seat, events=events, head=head)

    def _told(self, request: Events) -> Answer:
        events = self._part(request.after)
        return Answer(request.id, OK, game=self.address, events=events, head=len(self.events))

    def _part(self, after: int) -> tuple[Event, ...]:
        """Return as many of the events after a version as fit into one message, one at least."""
        part: list[Event] = []
        size = 0
        for event in self.events[after : after + EVENTS_AT_ONCE]:
            size += EVENT_BYTES + CHARACTER_BYTES * len(details_of(event).get("text", ""))
            if part and size > MOST_BYTES:
                break
            part.append(event)
        return tuple(part)

    def _welcome(self, game: OnlineGame, hello: Hello, asked: Asked) -> Answer | Welcome:
        seat = game.seat_of(hash_of_token(hello.token)) if hello.token else ""
        if hello.token and not seat:
            return refusal(hello.id, illegal("unknown_game"))
        if asked.connection is not None:
            asked.connection.take_place(self, seat, hello.id)
        now = self.hall.now()
        after = hello.last_seen_version
        fates = []
        for message_id in hello.pending:
            version = self._version_of(seat, message_id)
            fates.append(PendingFate(message_id, OK if version else UNKNOWN, version or 0))
        return Welcome(
            hello.id,
            PROTOCOL,
            self.address,
            seat,
            game.version,
            self._part(after),
            tuple(fates),
            game.clock and game.clock.at(now, self.hall.pauses),
            now,
        )

    # -- the log -------------------------------------------------------------------------------

    def begin(self, event: Event, row: GameRow) -> None:
        """Take over a game that has just been created."""
        self._is_known = True
        self._apply(event, row)
        self._settle()

    def _write(self, event: Event, asked: Asked | None) -> None:
        assert self.game is not None
        game = self.game.apply(event, self.hall.pauses)
        row = row_of(game, self.row)
        changed = (row,) if row != self.row else ()
        unit = Unit((event,), changed)
        if isinstance(event, Accepted) and event.follower:
            follower = rematch_of(game, event.follower, event.time)
            unit = Unit((event, follower), (*changed, row_of(begin(follower))))
        self._busy = True

        def written(fate: Fate) -> None:
            self._busy = False
            if fate is Fate.WRITTEN:
                self._apply(event, row, game)
                if asked is not None:
                    asked.answer(self._acknowledged(event, asked))
                self._tell(event)
                self.hall.wrote(self, event)
                self._settle()
                if isinstance(event, Accepted) and event.follower and game.setup.clock is not None:
                    self.hall.room(event.follower).look_for_news()  # its time runs already
            elif asked is not None and fate is Fate.TAKEN and asked.taken < MOST_TAKEN:
                asked.is_fresh = True
                asked.taken += 1
                self._queue.appendleft(asked)
                self.forget()
            else:
                if asked is not None:
                    asked.answer(busy(asked.request.id, "storage"))
                self.forget()
                self._set_flag()
            self.proceed()

        self.hall.writer.write(unit, written)

    def _acknowledged(self, event: Event, asked: Asked) -> Answer:
        if isinstance(asked.request, Join):
            if asked.connection is not None:
                asked.connection.take_place(self, event.seat, event.id)
            return self._arrived(event.id, OK, event.version, event.seat)
        return Answer(event.id, OK, event.version)

    def _apply(self, event: Event, row: GameRow | None, game: OnlineGame | None = None) -> None:
        if game is None:
            pauses = self.hall.pauses
            game = begin(event) if self.game is None else self.game.apply(event, pauses)
        self.game = game
        self.row = row
        self.events.append(event)
        if event.unique_id is not None:
            self._ids[event.unique_id] = event.version

    def _settle(self) -> None:
        """Do what the game as it is now asks of the server itself."""
        self._set_flag()
        if self.game is not None:
            for seat in SEATS:
                player = self.game.player(seat)
                if player is not None and player.strategy:
                    self.hall.computers.consider(self, seat, player.strategy)

    def forget(self) -> None:
        """Believe nothing of what is in memory: the log is read before anything else is done."""
        self._is_known = False

    def start_over(self) -> None:
        """Forget the game, for the log has less of it than was written there; all come back."""
        self._clear()
        self.forget()
        for connection in tuple(self.members):
            connection.wire.close(RESTART, "the log has lost events")

    def _clear(self) -> None:
        self.game = self.row = None
        self.events.clear()
        self._ids.clear()

    def _look(self) -> None:
        """Read what the log has above what is in memory."""
        self._busy = True
        after = len(self.events)
        self.hall.read(self.address, after, lambda events: self._read(after, events))

    def _read(self, after: int, events: list[Event] | None) -> None:
        self._busy = False
        if events is not None and after != len(self.events):  # it was started over meanwhile
            self._look()
            return
        if events is None:
            while self._queue:
                asked = self._queue.popleft()
                asked.answer(busy(asked.request.id, "storage"))
            return
        self._is_known = True
        self.learn(events)
        for asked in self._queue:
            asked.is_fresh = True
        self.proceed()
        if self.game is None and not self._queue:
            self.hall.drop(self)

    def learn(self, events: Iterable[Event]) -> None:
        """Apply what the log has above what is in memory, and tell everybody."""
        news = False
        for event in events:
            if event.version != len(self.events) + 1:
                continue
            try:
                self._apply(event, None)
            except (InvalidGameState, InvalidVariant) as error:
                # A part of a game is no game: what followed from it would be in the way for ever.
                self.hall.report_damage(self.address, error)
                self._clear()
                return
            self._tell(event)
            news = True
        if self.game is not None and (news or self.row is None):
            self.row = row_of(self.game, self.row)
            self._settle()

    def look_for_news(self) -> None:
        """Read the log, for another server may have written to it."""
        if not self._busy:
            self._look()

    # -- those who follow ----------------------------------------------------------------------

    def enter(self, connection: Connection, seat: str) -> None:
        """Let somebody follow the game."""
        self.members[connection] = seat
        self._presence_changed()

    def exit(self, connection: Connection) -> None:
        """Let somebody go."""
        if self.members.pop(connection, None) is not None:
            self._presence_changed()
        self.touched = self.hall.clock()

    def _tell(self, event: Event) -> None:
        if not self.members:
            return
        assert self.game is not None
        clock = self.game.clock and self.game.clock.at(event.time, self.hall.pauses)
        frame = text_frame(write_reply(Happened(event, clock)))
        for connection in tuple(self.members):
            connection.wire.say(frame)

    def here(self) -> tuple[tuple[str, ...], int]:
        """Return the seats that are connected to this server, and how many watch here."""
        seats = set(self.members.values())
        watchers = sum(not seat for seat in self.members.values())
        return tuple(seat for seat in SEATS if seat in seats), watchers

    def heard_of(self, node: str, seats: tuple[str, ...], watchers: int) -> None:
        """Take note of who is connected to another server."""
        self._elsewhere[node] = seats, watchers, self.hall.clock()
        self._presence_changed(at_home=False)

    @property
    def presence(self) -> Presence:
        """Who is connected, to this server or to another that was heard of lately."""
        seats, watchers = self.here()
        present = set(seats)
        recent = self.hall.clock() - self.hall.PRESENCE_SECONDS
        for other_seats, others, heard in self._elsewhere.values():
            if heard >= recent:
                present.update(other_seats)
                watchers += others
        computers = {
            seat
            for seat in SEATS
            if self.game and (player := self.game.player(seat)) and player.strategy
        }
        known = tuple(seat for seat in SEATS if seat in present | computers)
        return Presence(self.address, known, watchers)

    def _presence_changed(self, at_home: bool = True) -> None:
        """Tell everybody soon who is there: at once for a few, less often for a crowd."""
        if at_home:
            self.hall.presence_changed(self)
        if self._presence_timer is None and self.members:
            delay = 0.05 + len(self.members) / 1000
            loop = asyncio.get_running_loop()
            self._presence_timer = loop.call_later(delay, self._tell_presence)

    def _tell_presence(self) -> None:
        self._presence_timer = None
        frame = text_frame(write_reply(self.presence))
        for connection in tuple(self.members):
            connection.wire.say(frame)

    # -- clocks and computers ------------------------------------------------------------------

    def _set_flag(self) -> None:
        if self._flag_timer is not None:
            self._flag_timer.cancel()
            self._flag_timer = None
        if self.game is None or self.game.clock is None or self.game.end is not None:
            return
        running = self.game.clock.running
        if running is not None:
            left = self.game.clock.at(self.hall.now(), self.hall.pauses)[running]
            loop = asyncio.get_running_loop()
            self._flag_timer = loop.call_later(left / 1000 + 0.01, self.check_flag)

    def check_flag(self) -> None:
        """End the game if the time of who has the move has run out."""
        self._flag_timer = None
        game = self.game
        if game is None or not self._can_flag:
            if not self._busy and not self.hall.writer.failed:
                self._look()
            loop = asyncio.get_running_loop()
            self._flag_timer = loop.call_later(FLAG_AGAIN, self.check_flag)
            return
        event = flag(game, self.hall.now(), self.hall.pauses)
        if event is not None:
            self._write(event, None)
        else:
            self._set_flag()

    @property
    def _can_flag(self) -> bool:
        """Whether it can be told now if a time has run out."""
        hall = self.hall
        return not (self._busy or hall.writer.failed or hall.has_slept) and self._is_known

    def expire(self, event: Event) -> None:
        """Write that the server ends the game, unless something else is going on."""
        if not self._busy and self._is_known:
            self._write(event, None)


def refusal(message_id: str, why: Illegal, head: int = 0) -> Answer:
    """Return the answer to what is refused."""
    return Answer(message_id, ILLEGAL, head, reason=why.reason, text=str(why.text))


def busy(message_id: str, reason: str, retry: int = RETRY) -> Answer:
    """Return the answer to what has to be asked again."""
    return Answer(message_id, BUSY, reason=reason, text=str(REASONS[reason]), retry=retry)
