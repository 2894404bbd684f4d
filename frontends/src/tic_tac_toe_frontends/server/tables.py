"""Reading games out of tables, whatever database holds them."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Collection, Iterator, Sequence
from itertools import chain
from typing import Any

from tic_tac_toe.protocols.online.events import Event

from . import columns
from .columns import read_event, read_game
from .store import FOREVER, GameRow, StorageError

#: Games that one statement looks for, or lists.
GAMES_AT_ONCE = 500


class Tables(ABC):
    """The part of a `Store` that only reads; a subclass knows how to ask its database."""

    @abstractmethod
    def _read(self, question: str, *values: object) -> Sequence[Any]:
        """Return the lines that answer a question of `columns`."""

    def events(self, game: str, after: int = 0) -> list[Event]:
        """Return the events of a game after a version, in order; none of an unknown game."""
        return [read_event(values) for values in self._read(columns.EVENTS_AFTER, game, after)]

    def find(self, game: str, unique_id: str) -> int | None:
        """Return the version of the event with this `Event.unique_id`."""
        found = self._read(columns.FIND, game, unique_id)
        return found[0][0] if found else None

    def heads(self, games: Collection[str]) -> dict[str, int]:
        """Return the version of the last event of each of these games."""
        names = list(games)
        heads: dict[str, int] = {}
        for start in range(0, len(names), GAMES_AT_ONCE):
            part = names[start : start + GAMES_AT_ONCE]
            heads.update(self._read(columns.heads_of(len(part)), *part))
        return heads

    def row(self, game: str) -> GameRow | None:
        """Return what is kept of one game beside its events."""
        found = self._read(columns.ROW, game)
        return read_game(found[0]) if found else None

    def open_games(self, limit: int) -> list[GameRow]:
        """Return the open games that wait for a player, the newest first."""
        return [read_game(values) for values in self._read(columns.OPEN_GAMES, limit)]

    def finished_games(self, limit: int) -> list[GameRow]:
        """Return the open games that have ended with a result, the newest first."""
        return [read_game(values) for values in self._read(columns.FINISHED_GAMES, limit)]

    def running_clocks(self, until: int = FOREVER) -> list[str]:
        """Return the addresses of the games whose deadline is not later."""
        return [game for (game,) in self._read(columns.RUNNING_CLOCKS, until)]

    def forgotten(self, stage: str, before: int, limit: int) -> list[str]:
        """Return games that wait, or are played, in which nothing has happened since a time."""
        return [game for (game,) in self._read(columns.FORGOTTEN, stage, before, before, limit)]

    def count_unfinished(self) -> int:
        """Return the number of games that wait or are being played."""
        return int(self._read(columns.COUNT_UNFINISHED)[0][0])

    def all_games(self) -> Iterator[str]:
        """Yield the address of every game, in order."""
        last = ""
        while part := self._read(columns.GAMES_AFTER, last, GAMES_AT_ONCE):
            if part[-1][0] <= last:
                raise StorageError("the database is damaged: its games are not in order")
            yield from chain.from_iterable(part)
            last = part[-1][0]

    def pauses(self) -> tuple[tuple[int, int], ...]:
        """Return the spans of time in which no server was there, in order."""
        return tuple((since, until) for since, until in self._read(columns.PAUSES))
