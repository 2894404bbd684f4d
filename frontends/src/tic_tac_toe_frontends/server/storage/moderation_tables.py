"""The decisions of operators in the database: a part of `store.Store`."""

from __future__ import annotations

from collections.abc import Collection
from typing import Any, NamedTuple

from .database import Database
from .statements import GAME_COLUMNS, OVER

_GAME = ", ".join(GAME_COLUMNS)
_BANS = "SELECT network, until, why FROM bans WHERE until > ? ORDER BY until, network"
_BAN = (
    "INSERT INTO bans (network, until, why) VALUES (?, ?, ?) ON CONFLICT (network)"
    " DO UPDATE SET until = excluded.until, why = excluded.why"
)
_IS_BANNED = "SELECT network FROM bans WHERE network = ?"
_UNBAN = "DELETE FROM bans WHERE network = ?"
_FORGET_BANS = "DELETE FROM bans WHERE until <= ?"
_MODERATE = (
    "INSERT INTO moderation (game, hidden, time) VALUES (?, ?, ?) ON CONFLICT (game)"
    " DO UPDATE SET hidden = excluded.hidden, time = excluded.time"
)
_IS_HIDDEN = "SELECT hidden FROM moderation WHERE game = ?"
_HIDDEN = "SELECT game FROM moderation WHERE hidden"
_MODERATED = "SELECT game, hidden, time FROM moderation WHERE time >= ?"
_FORGET_MODERATED = "DELETE FROM moderation WHERE NOT hidden AND time < ?"
_COUNT_REPORTS = "SELECT count(*) FROM reports"
_DROP_REPORTS_OF_GAME = "DELETE FROM reports WHERE game = ?"
_DROP_REPORT = "DELETE FROM reports WHERE game = ? AND what = ? AND place = ?"
_FORGET_KEY = "DELETE FROM blocks WHERE blocker = ? OR blocked = ?"
#: Games with and without a result are two parts, because each part can use an index.
_OVER_AFTER = (
    " UNION ".join(
        f"SELECT * FROM (SELECT time, game FROM games WHERE stage = '{OVER}' AND result {sign} ''"
        " AND time < ? AND time >= ? AND (time > ? OR game > ?)"
        f" ORDER BY time, game LIMIT ?) AS {name}"
        for name, sign in (("played", "<>"), ("unplayed", "="))
    )
    + " ORDER BY time, game LIMIT ?"
)


class Ban(NamedTuple):
    """A banned address or network.

    Attributes:
        network: as in ``192.0.2.0/24``.
        until: in milliseconds since 1970.
        why: a note for operators only.
    """

    network: str
    until: int
    why: str


class Moderated(NamedTuple):
    """A game that an operator has changed, hidden or deleted, and when, in ms since 1970."""

    game: str
    hidden: bool
    time: int


class ModerationTables(Database):
    """The bans, and the games that operators have changed, hidden or deleted."""

    def bans(self, now: int) -> list[Ban]:
        """Return the bans in force, those that end first first."""
        return [Ban._make(found) for found in self._read(_BANS, now)]

    def ban(self, ban: Ban) -> None:
        """Store a ban, in place of another of the same network."""
        self._write(lambda session: self._execute(session, _BAN, *ban))

    def unban(self, network: str) -> bool:
        """Delete a ban, and return whether there was one."""

        def write(session: Any) -> bool:
            there = self._execute(session, _IS_BANNED, network)
            self._execute(session, _UNBAN, network)
            return bool(there)

        return self._write(write)

    def moderate(self, game: str, hidden: bool | None, now: int) -> bool:
        """Record that a game was changed, for all servers; return whether it is hidden now.

        With `hidden` ``None`` that stays as it was.
        """

        def write(session: Any) -> bool:
            found = self._execute(session, _IS_HIDDEN, game)
            is_hidden = bool(found and found[0][0]) if hidden is None else hidden
            self._execute(session, _MODERATE, game, is_hidden, now)
            return is_hidden

        return self._write(write)

    def hidden_games(self) -> list[str]:
        """Return the games that are hidden."""
        return [game for (game,) in self._read(_HIDDEN)]

    def moderated(self, since: int) -> list[Moderated]:
        """Return the games that were changed since a time."""
        return [
            Moderated(game, bool(hidden), time)
            for game, hidden, time in self._read(_MODERATED, since)
        ]

    def count_reports(self) -> int:
        """Return the number of open reports."""
        return int(self._read(_COUNT_REPORTS)[0][0])

    def close_reports(self, game: str, places: Collection[tuple[str, str]] | None) -> None:
        """Delete reports of a game, because they contain what was said there.

        `places` are the kinds and places of the reports; ``None`` for all.
        """

        def write(session: Any) -> bool:
            if places is None:
                self._execute(session, _DROP_REPORTS_OF_GAME, game)
            for what, place in places or ():
                self._execute(session, _DROP_REPORT, game, what, place)
            return True

        self._write(write)

    def forget_key(self, key: str) -> None:
        """Delete the blocks by and of the player with a token."""
        self._write(lambda session: self._execute(session, _FORGET_KEY, key, key))

    def forget_moderation(self, now: int, before: int) -> None:
        """Delete expired bans, and changes that every server has read by now."""

        def write(session: Any) -> bool:
            self._execute(session, _FORGET_BANS, now)
            self._execute(session, _FORGET_MODERATED, before)
            return True

        self._write(write)

    def find_games(self, name: str, stage: str, game: str, limit: int) -> list[Any]:
        """Return the columns of games, the last changed first; empty arguments match any game.

        Args:
            name: a part of a player's name, in upper or lower case.
            game: the beginning of the address.
        """
        conditions: list[tuple[str, tuple[str, ...]]] = []
        if name:
            part = f"%{_escaped(name.lower())}%"
            like = " LIKE ? ESCAPE '!'"
            conditions.append((f"(lower(crosses){like} OR lower(naughts){like})", (part, part)))
        if stage:
            conditions.append(("stage = ?", (stage,)))
        if game:
            conditions.append(("game LIKE ? ESCAPE '!'", (f"{_escaped(game)}%",)))
        where = " AND ".join(text for text, _ in conditions) or "1 = 1"
        values = [value for _, each in conditions for value in each]
        query = f"SELECT {_GAME} FROM games WHERE {where} ORDER BY time DESC, game LIMIT ?"
        return self._read(query, *values, limit)

    def over_after(self, last: tuple[int, str], before: int, limit: int) -> list[tuple[int, str]]:
        """Return times and games that ended before a time, in order, after the last one given."""
        time, game = last
        values = before, time, time, game, limit
        return [(at, each) for at, each in self._read(_OVER_AFTER, *values, *values, limit)]


def _escaped(text: str) -> str:
    return "".join(f"!{sign}" if sign in "!%_" else sign for sign in text)
