"""What a server keeps, and what any database that keeps it must do.

The log of events is the truth; everything else is found again from it. A store is used from several
threads, but `commit` from one at a time.
"""

from __future__ import annotations

import json
from collections.abc import Collection, Iterator, Sequence
from typing import NamedTuple, Protocol

from tic_tac_toe.protocols.online.clocks import Clock
from tic_tac_toe.protocols.online.event_json import read_setup, write_setup
from tic_tac_toe.protocols.online.events import Event, details_of, event_of
from tic_tac_toe.protocols.online.game import OnlineGame
from tic_tac_toe.protocols.online.replies import OpenGame

#: How far a game has come.
WAITING, PLAYING, OVER = "waiting", "playing", "over"
#: Later than any time, in milliseconds, that a database takes.
FOREVER = 2**63 - 1


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
        crosses, naughts: who plays; ``None`` where the seat is free.
        starting: who moves first, X or O.
        clock: seconds and increment, if it is played with a clock.
        result: X or O, who won; ``draw``; empty while it is not over, or if it never began.
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


class Store(Protocol):
    """A database that keeps games. Everything raises `StorageError` when it cannot be used."""

    def open(self) -> None:
        """Make it ready, tables included; after an error this opens it anew."""

    def close(self) -> None:
        """Let go of it; nothing is lost."""

    def commit(self, transactions: Sequence[Transaction]) -> list[bool]:
        """Write transactions in one commit, and return which of them are there.

        If an event has the game and version, or the game and message id, of another that is there
        already, nothing of its transaction is written; the others are. Once this returns, what was
        written survives the loss of power.
        """

    def events(self, game: str, after: int = 0) -> list[Event]:
        """Return the events of a game after a version, in order; none of an unknown game."""

    def find(self, game: str, unique_id: str) -> int | None:
        """Return the version of the event with this `Event.unique_id`."""

    def heads(self, games: Collection[str]) -> dict[str, int]:
        """Return the version of the last event of each of these games."""

    def row(self, game: str) -> GameRow | None:
        """Return what is kept of one game beside its events."""

    def open_games(self, limit: int) -> list[GameRow]:
        """Return the open games that wait for a player, the newest first."""

    def finished_games(self, limit: int) -> list[GameRow]:
        """Return the open games that have ended with a result, the newest first."""

    def running_clocks(self, until: int = FOREVER) -> list[str]:
        """Return the games whose deadline is at ``until`` or before, in milliseconds since 1970."""

    def forgotten(self, stage: str, before: int, limit: int) -> list[str]:
        """Return games of a stage without an event since ``before``, in milliseconds since 1970."""

    def count_unfinished(self) -> int:
        """Return the number of games that wait or are being played."""

    def all_games(self) -> Iterator[str]:
        """Yield the address of every game, in order."""

    def arrive(self, now: int, grace: int) -> None:
        """Record start-up; the time since the last beat becomes a pause.

        Args:
            now: milliseconds since 1970.
            grace: milliseconds since the last beat that count as no pause.
        """

    def beat(self, now: int) -> None:
        """Record that a server is at work at a time, in milliseconds since 1970."""

    def pauses(self) -> tuple[tuple[int, int], ...]:
        """Return the spans of time in which no server was there, in order."""


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


def write_data(event: Event) -> str | None:
    """Return what the log keeps of an event besides its columns, as JSON; ``None`` for nothing."""
    values = details_of(event)
    values.pop("cell", None)
    if "setup" in values:
        values["setup"] = write_setup(values["setup"], with_keys=True)
    return json.dumps(values, separators=(",", ":")) if values else None


def read_data(
    game: str,
    version: int,
    kind: str,
    seat: str,
    cell: int | None,
    unique_id: str | None,
    time: int,
    data: str | None,
) -> Event:
    """Return the event in a line of the log: its columns, and what `write_data` has made."""
    details = json.loads(data) if data else {}
    if "setup" in details:
        details["setup"] = read_setup(details["setup"])
    if cell is not None:
        details["cell"] = cell
    message_id = unique_id.partition(":")[2] if unique_id else ""
    return event_of(kind, game, version, seat, time, message_id, details)
