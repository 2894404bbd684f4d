"""What a server keeps, and what any database that keeps it must do.

The log of events is the truth; everything else is found again from it. A store is used from several
threads, but `commit` from one at a time.
"""

from __future__ import annotations

import json
from abc import ABC, abstractmethod
from collections.abc import Callable, Collection, Iterator, Sequence
from itertools import chain
from typing import Any, NamedTuple, TypeVar

from tic_tac_toe.logic.exceptions import InvalidNotation
from tic_tac_toe.protocols.online.clocks import Clock
from tic_tac_toe.protocols.online.event_json import read_setup, write_setup
from tic_tac_toe.protocols.online.events import Event, Moved, details_of, event_of
from tic_tac_toe.protocols.online.game import OnlineGame
from tic_tac_toe.protocols.online.replies import OpenGame

from . import statements
from .statements import OVER, PLAYING, WAITING

#: Games that one statement looks for, or lists.
GAMES_AT_ONCE = 500
#: Later than any time, in milliseconds, that a database takes.
FOREVER = 2**63 - 1

Result = TypeVar("Result")


class StorageError(Exception):
    """The database cannot be used now; what was being written may or may not be there."""


class GameRow(NamedTuple):
    """What is kept of a game beside its events, so that games can be found: a part of its replay.

    Attributes:
        game: its address.
        stage: `WAITING`, `PLAYING` or `OVER`.
        is_open: whether the lobby shows it while it waits, and the page of finished games after.
        time: of its last change of stage, in milliseconds since 1970.
        deadline: when a clock runs out if nothing happens; ``None`` if none is running.
        variant: the name of its rules.
        crosses, naughts: the players' names; ``None`` where the seat is free.
        starting: the side that moves first, X or O.
        clock: seconds and increment, if it is played with a clock.
        result: the winner, X or O; ``draw``; empty while it is not over, or if it never began.
    """

    game: str
    stage: str
    is_open: bool
    time: int
    deadline: int | None
    variant: str
    crosses: str | None
    naughts: str | None
    starting: str
    clock: Clock | None = None
    result: str = ""

    @property
    def open_game(self) -> OpenGame:
        """What the lobby shows of a game that waits."""
        seat, name = ("X", self.naughts) if self.crosses is None else ("O", self.crosses)
        return OpenGame(
            self.game, self.variant, name or "", seat, self.starting, self.clock, self.time
        )


class Transaction(NamedTuple):
    """Events that are written together or not at all, and the rows of games that they change."""

    events: tuple[Event, ...]
    rows: tuple[GameRow, ...] = ()


def row_of(game: OnlineGame, before: GameRow | None = None) -> GameRow:
    """Return what is kept of a game beside its events.

    Args:
        before: what was kept so far; its time stays while the stage is the same.
    """
    crosses, naughts = game.players
    stage = OVER if game.end is not None else WAITING if game.waiting else PLAYING
    time = before.time if before is not None and before.stage == stage else game.time
    result = ""
    if game.end is not None and game.end.reason not in ("closed", "expired"):
        result = game.end.winner or "draw"
    return GameRow(
        game.address,
        stage,
        game.setup.is_open,
        time,
        game.clock.runs_out() if game.clock is not None else None,
        game.setup.variant,
        None if crosses is None else crosses.name,
        None if naughts is None else naughts.name,
        game.setup.starting,
        game.setup.clock,
        result,
    )


def event_values(event: Event) -> tuple[object, ...]:
    """Return what `EVENT_COLUMNS` hold of an event."""
    cell = event.cell if isinstance(event, Moved) else None
    details = {name: value for name, value in details_of(event).items() if name != "cell"}
    if "setup" in details:
        details["setup"] = write_setup(details["setup"], with_keys=True)
    data = json.dumps(details, separators=(",", ":")) if details else None
    place = event.game, event.version, event.kind, event.seat
    return (*place, cell, event.unique_id, event.time, data)


def read_event(values: Sequence[Any]) -> Event:
    """Return the event that `event_values` has taken apart."""
    game, version, kind, seat, cell, unique_id, time, data = values
    message_id = unique_id.partition(":")[2] if unique_id else ""
    try:
        details = json.loads(data) if data else {}
        if "setup" in details:
            details["setup"] = read_setup(details["setup"])
        if cell is not None:
            details["cell"] = cell
        return event_of(kind, game, version, seat, time, message_id, details)
    except (InvalidNotation, ValueError, LookupError, TypeError, AttributeError) as error:
        raise StorageError(f"event {version} of game {game} cannot be read: {error}") from error


def game_values(row: GameRow) -> tuple[object, ...]:
    """Return what `GAME_COLUMNS` hold of a row."""
    *values, clock, result = row
    seconds, increment = clock or (None, None)
    return (*values, seconds, increment, result)


def read_game(values: Sequence[Any]) -> GameRow:
    """Return the row that `game_values` has taken apart."""
    *first, seconds, increment, result = values
    clock = None if seconds is None else Clock(seconds, increment)
    row = GameRow._make([*first, clock, result])
    return row._replace(is_open=bool(row.is_open))


class Store(ABC):
    """A database that keeps games. Everything raises `StorageError` when it cannot be used.

    A subclass opens its database, and talks to it; a session is one of its connections.
    """

    #: Ends a question that locks the lines which it reads.
    FOR_UPDATE = ""

    @abstractmethod
    def open(self) -> None:
        """Make it ready, tables included; after an error this opens it anew."""

    @abstractmethod
    def close(self) -> None:
        """Let go of it; nothing is lost."""

    @abstractmethod
    def _read(self, question: str, *values: object) -> list[Any]:
        """Return the lines that answer a question."""

    @abstractmethod
    def _write(self, write: Callable[[Any], Result]) -> Result:
        """Return what a function of a session returns; if that is ``None``, it wrote nothing."""

    @abstractmethod
    def _ask(self, session: Any, statement: str, *values: object) -> list[Any]:
        """Return the lines with which a statement is answered."""

    @abstractmethod
    def _insert_events(self, session: Any, events: Sequence[tuple[object, ...]]) -> int:
        """Write events that are not there, and return their number."""

    @abstractmethod
    def _upsert_games(self, session: Any, rows: Sequence[tuple[object, ...]]) -> None:
        """Write the rows of games."""

    # -- writing -------------------------------------------------------------------------------

    def commit(self, transactions: Sequence[Transaction]) -> list[bool]:
        """Write transactions in one commit, and return which of them are there.

        If an event has the game and version, or the game and message id, of another that is there
        already, nothing of its transaction is written; the others are. Once this returns, what was
        written survives the loss of power.
        """

        def one_by_one(session: Any) -> list[bool]:
            return [self._write_one(session, transaction) for transaction in transactions]

        written = self._write(lambda session: self._write_all(session, transactions))
        return self._write(one_by_one) if written is None else written

    def _write_all(self, session: Any, transactions: Sequence[Transaction]) -> list[bool] | None:
        """Write transactions without conflicts; else return ``None``, with some of them written."""
        events = [event for transaction in transactions for event in transaction.events]
        events.sort(key=lambda event: (event.game, event.version))
        if events and self._insert_events(session, [*map(event_values, events)]) < len(events):
            return None
        last = {row.game: row for transaction in transactions for row in transaction.rows}
        if last:
            self._upsert_games(session, [game_values(last[game]) for game in sorted(last)])
        return [True] * len(transactions)

    def _write_one(self, session: Any, transaction: Transaction) -> bool:
        """Write one transaction, or nothing of it."""
        self._ask(session, "SAVEPOINT unit")
        written = self._write_all(session, (transaction,)) is not None
        if not written:
            self._ask(session, "ROLLBACK TO unit")
        self._ask(session, "RELEASE unit")
        return written

    def arrive(self, now: int, grace: int) -> None:
        """Record start-up; the time since the last beat becomes a pause.

        Args:
            now: milliseconds since 1970.
            grace: milliseconds since the last beat that count as no pause.
        """

        def write(session: Any) -> list[Any]:
            # The lock makes the second of two servers that come at once see the beat of the first.
            beat = self._ask(session, statements.LAST_BEAT + self.FOR_UPDATE)
            if beat and now - beat[0][0] > grace:
                self._ask(session, statements.ADD_PAUSE, beat[0][0], now)
            return self._ask(session, statements.BEAT, now)

        self._write(write)

    def beat(self, now: int) -> None:
        """Record that a server is at work at a time, in milliseconds since 1970."""
        self._write(lambda session: self._ask(session, statements.BEAT, now))

    # -- reading -------------------------------------------------------------------------------

    def events(self, game: str, after: int = 0) -> list[Event]:
        """Return the events of a game after a version, in order; none of an unknown game."""
        return [read_event(values) for values in self._read(statements.EVENTS_AFTER, game, after)]

    def heads(self, games: Collection[str]) -> dict[str, int]:
        """Return the version of the last event of each of these games."""
        names = list(games)
        heads: dict[str, int] = {}
        for start in range(0, len(names), GAMES_AT_ONCE):
            part = names[start : start + GAMES_AT_ONCE]
            heads.update(self._read(statements.heads_of(len(part)), *part))
        return heads

    def row(self, game: str) -> GameRow | None:
        """Return what is kept of one game beside its events."""
        found = self._read(statements.ROW, game)
        return read_game(found[0]) if found else None

    def open_games(self, limit: int) -> list[GameRow]:
        """Return the open games that wait for a player, the newest first."""
        return [read_game(values) for values in self._read(statements.OPEN_GAMES, limit)]

    def finished_games(self, limit: int) -> list[GameRow]:
        """Return the open games that have ended with a result, the newest first."""
        return [read_game(values) for values in self._read(statements.FINISHED_GAMES, limit)]

    def running_clocks(self, until: int = FOREVER) -> list[str]:
        """Return the addresses of the games whose deadline is not later."""
        return [game for (game,) in self._read(statements.RUNNING_CLOCKS, until)]

    def forgotten(self, stage: str, before: int, limit: int) -> list[str]:
        """Return games that wait, or are played, in which nothing has happened since a time."""
        return [game for (game,) in self._read(statements.FORGOTTEN, stage, before, before, limit)]

    def count_unfinished(self) -> int:
        """Return the number of games that wait or are being played."""
        return int(self._read(statements.COUNT_UNFINISHED)[0][0])

    def all_games(self) -> Iterator[str]:
        """Yield the address of every game, in order."""
        last = ""
        while part := self._read(statements.GAMES_AFTER, last, GAMES_AT_ONCE):
            if part[-1][0] <= last:
                raise StorageError("the database is damaged: its games are not in order")
            yield from chain.from_iterable(part)
            last = part[-1][0]

    def pauses(self) -> tuple[tuple[int, int], ...]:
        """Return the spans of time in which no server was there, in order."""
        return tuple((since, until) for since, until in self._read(statements.PAUSES))
