"""A game in memory, as the log tells it, and the answers about what has happened in it."""

from __future__ import annotations

from tic_tac_toe.protocols.online.addresses import hash_of_token
from tic_tac_toe.protocols.online.clocks import Pauses
from tic_tac_toe.protocols.online.events import Accepted, Event, Said, details_of
from tic_tac_toe.protocols.online.game import End, OnlineGame, Replica, begin, rematch_of
from tic_tac_toe.protocols.online.messages import EVENTS_AT_ONCE, PROTOCOL
from tic_tac_toe.protocols.online.replies import OK, UNKNOWN, Answer, RequestStatus, Welcome
from tic_tac_toe.protocols.online.requests import Events, Hello, Request, Seating

from .storage.game_rows import GameRow, Transaction, row_of

#: The events of one answer take about this many bytes at most, well below the send buffer's limit.
MOST_BYTES = 24 * 1024
#: The bytes of an event beside its text, and of a character of the text at most.
EVENT_BYTES, CHARACTER_BYTES = 160, 12
#: Removed lines of chat that a client which comes back is told of at most.
MOST_REMOVED = 20


class LoadedGame(Replica):
    """A replica with what the server keeps beside it.

    Attributes:
        row: what the store keeps of the game beside its events; ``None`` if that is not known.
        damage: why the game that the log has cannot be replayed; empty if it can, or there is none.
    """

    def __init__(self, address: str) -> None:
        super().__init__()
        self.address = address
        self.row: GameRow | None = None
        self.damage = ""
        self._versions: dict[str, dict[str, int]] = {}  # by the asker and the id of the message

    @property
    def clock_runs(self) -> bool:
        """Whether the time of a player is running."""
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
        """Become what another one is, whose events are all that the log has."""
        self.game, self.events, self._versions = other.game, other.events, other._versions
        self.row = other.row

    def add(self, event: Event, game: OnlineGame) -> None:
        """Add the next event."""
        super().add(event, game)
        if event.id:
            self._versions.setdefault(event.asker, {})[event.id] = event.version

    def transaction(self, event: Event, game: OnlineGame, row: GameRow) -> Transaction:
        """Return what to write for an event that leads to a game and its row.

        A rematch that is accepted is written together with the game that it creates.
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
        """Return the event that a message of a seat has led to; ``None`` without a seat."""
        return self._versions.get(seat, {}).get(message_id) if seat else None

    def seat_of(self, token: str) -> str:
        """Return the seat that a token claims; empty if none."""
        return self.game.seat_of(hash_of_token(token)) if self.game is not None and token else ""

    # -- answers -------------------------------------------------------------------------------

    def done(self, request: Request, status: str, version: int) -> Answer:
        """Return the answer to a request that has led to an event; with the game, if to a seat."""
        if not isinstance(request, Seating):
            return Answer(request.id, status, version)
        seat, head, events = self.seat_of(request.token), self.version, self._events_after(0)
        return Answer(
            request.id, status, version, self.address, seat, events=events, head=head, end=self.end
        )

    def told(self, request: Events) -> Answer:
        """Return the answer with the events after a version."""
        events = self._events_after(request.after)
        return Answer(
            request.id, OK, game=self.address, events=events, head=self.version, end=self.end
        )

    def welcome(
        self, game: OnlineGame, hello: Hello, seat: str, now: int, pauses: Pauses
    ) -> Welcome:
        """Return the answer to a client that follows the game, from a seat or as a watcher."""
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
        """Return the last lines up to a version that were removed: the client may have them."""
        events = self.events[:version]
        return tuple(
            [event for event in events if isinstance(event, Said) and event.removed][-MOST_REMOVED:]
        )

    def _events_after(self, after: int) -> tuple[Event, ...]:
        """Return the events after a version that fit into one answer, one at least."""
        part: list[Event] = []
        size = 0
        for event in self.events[after : after + EVENTS_AT_ONCE]:
            size += size_of(event)
            if part and size > MOST_BYTES:
                break
            part.append(event)
        return tuple(part)


def size_of(event: Event) -> int:
    """Return about how many bytes an event takes in a message or in the log, or a little more."""
    return EVENT_BYTES + CHARACTER_BYTES * len(details_of(event).get("text", ""))
