"""A game in memory, and the answers that contain its events."""

from __future__ import annotations

from tic_tac_toe.protocols.online.addresses import hash_of_token
from tic_tac_toe.protocols.online.clocks import Pauses
from tic_tac_toe.protocols.online.events import Accepted, Event, Said, details_of
from tic_tac_toe.protocols.online.game import End, OnlineGame, Replica, begin, rematch_of
from tic_tac_toe.protocols.online.messages import EVENTS_AT_ONCE, PROTOCOL
from tic_tac_toe.protocols.online.replies import OK, UNKNOWN, Answer, RequestStatus, Welcome
from tic_tac_toe.protocols.online.requests import Events, Hello, Request, Seating

from .storage.game_rows import GameRow, Transaction, row_of

#: Bytes of the events in one answer, about; well below the limit of the send buffer.
MOST_BYTES = 24 * 1024
#: Bytes of an event without its text, and of each character of the text, at most.
EVENT_BYTES, CHARACTER_BYTES = 160, 12
#: Removed chat lines in the welcome to a client that returns.
MOST_REMOVED = 20


class LoadedGame(Replica):
    """A replica with the server's data about the game.

    Attributes:
        row: the game's row in the store; ``None`` if it has not been read.
        damage: why the log of the game cannot be replayed; empty if it can.
    """

    def __init__(self, address: str) -> None:
        super().__init__()
        self.address = address
        self.row: GameRow | None = None
        self.damage = ""
        self._versions: dict[str, dict[str, int]] = {}  # by seat and message id

    @property
    def clock_runs(self) -> bool:
        """Whether a player's clock is running."""
        return self.game is not None and self.game.clock is not None and self.game.end is None

    @property
    def end(self) -> End | None:
        """How the game ended, if it has."""
        return None if self.game is None else self.game.end

    def clear(self) -> None:
        """Forget the game, to start over from its first event."""
        super().clear()
        self.row = None
        self._versions.clear()

    def take_over(self, other: LoadedGame) -> None:
        """Take the state of another copy, which has all events of the log."""
        self.game, self.events, self._versions = other.game, other.events, other._versions
        self.row = other.row

    def add(self, event: Event, game: OnlineGame) -> None:
        """Add the next event."""
        super().add(event, game)
        if event.id:
            self._versions.setdefault(event.asker, {})[event.id] = event.version

    def transaction(self, event: Event, game: OnlineGame, row: GameRow) -> Transaction:
        """Return the transaction that writes an event, its game and its row.

        An accepted rematch is written together with the game that it creates.
        """
        before = self.row
        rows = (row,) if row != before else ()
        if isinstance(event, Accepted) and event.follower:
            follower = rematch_of(game, event.follower, event.time)
            return Transaction((event, follower), (*rows, row_of(begin(follower))))
        if rows and before is not None and row == before._replace(deadline=row.deadline):
            return Transaction((event,), deadlines=((row.game, row.deadline),))
        return Transaction((event,), rows)

    def version_of(self, seat: str, message_id: str) -> int | None:
        """Return the event that a message from a seat has led to; ``None`` if there is none."""
        return self._versions.get(seat, {}).get(message_id) if seat else None

    def seat_of(self, token: str) -> str:
        """Return the seat that belongs to a token; empty if none does."""
        return self.game.seat_of(hash_of_token(token)) if self.game is not None and token else ""

    def done_answer(self, request: Request, status: str, version: int) -> Answer:
        """Return the answer to a request that led to an event; with the game if it takes a seat."""
        if not isinstance(request, Seating):
            return Answer(request.id, status, version)
        seat, head, events = self.seat_of(request.token), self.version, self._events_after(0)
        return Answer(
            request.id, status, version, self.address, seat, events=events, head=head, end=self.end
        )

    def events_answer(self, request: Events) -> Answer:
        """Return the answer with the events after a version."""
        events = self._events_after(request.after)
        return Answer(
            request.id, OK, game=self.address, events=events, head=self.version, end=self.end
        )

    def welcome(
        self, game: OnlineGame, hello: Hello, seat: str, now: int, pauses: Pauses
    ) -> Welcome:
        """Return the answer to a client that starts to follow the game."""
        fates, seen = [], hello.last_seen_version
        for message_id in hello.pending:
            version = self.version_of(seat, message_id)
            fates.append(RequestStatus(message_id, OK if version else UNKNOWN, version or 0))
        return Welcome(
            hello.id,
            PROTOCOL,
            self.address,
            seat,
            game.version,
            (*self._removed_until(seen), *self._events_after(seen)),
            tuple(fates),
            game.clock and game.clock.at(now, pauses),
            now,
            end=game.end,
        )

    def _removed_until(self, version: int) -> tuple[Event, ...]:
        """Return the last removed chat lines up to a version; the client may still show them."""
        events = self.events[:version]
        return tuple(
            [event for event in events if isinstance(event, Said) and event.removed][-MOST_REMOVED:]
        )

    def _events_after(self, after: int) -> tuple[Event, ...]:
        """Return the events after a version that fit into one answer; at least one if any."""
        part: list[Event] = []
        size = 0
        for event in self.events[after : after + EVENTS_AT_ONCE]:
            size += size_of(event)
            if part and size > MOST_BYTES:
                break
            part.append(event)
        return tuple(part)


def size_of(event: Event) -> int:
    """Return the size of an event in a message or in the log, in bytes; rather too large."""
    return EVENT_BYTES + CHARACTER_BYTES * len(details_of(event).get("text", ""))
