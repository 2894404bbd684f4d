"""What a log must hold after everything that was acknowledged, read straight from the database."""

from __future__ import annotations

import sqlite3
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import closing
from pathlib import Path

from tests.online.bots import Acknowledged, Bot
from tests.online.logs import all_events, opened
from tests.protocols.games import happening
from tic_tac_toe.logic.exceptions import InvalidGameState
from tic_tac_toe.protocols.online.events import Event, Said, write_event
from tic_tac_toe.protocols.online.game import replay
from tic_tac_toe.protocols.online.requests import Chat
from tic_tac_toe_frontends.server.nodes.postgres_store import PostgresStore
from tic_tac_toe_frontends.server.storage.game_rows import read_event


def read_log(path: Path) -> list[Event]:
    """Return every event of an SQLite file, in the order of games and versions."""
    with closing(sqlite3.connect(path)) as connection:
        rows = connection.execute("SELECT * FROM events ORDER BY game, version").fetchall()
        (health,) = connection.execute("PRAGMA integrity_check").fetchone()
    assert health == "ok", health
    return [*map(read_event, rows)]


def read_postgres(url: str) -> list[Event]:
    """Return every event of a database."""
    with opened(PostgresStore(url)) as store:
        return list(all_events(store))


def games_of(log: Iterable[Event]) -> dict[str, list[Event]]:
    """Return the events of each game."""
    games: dict[str, list[Event]] = {}
    for event in log:
        games.setdefault(event.game, []).append(event)
    return games


def find_faults(
    log: Sequence[Event], acknowledged: Sequence[Acknowledged], bots: Sequence[Bot] = ()
) -> list[str]:
    """Return what is wrong with a log, a sentence each: nothing if every promise was kept.

    Args:
        acknowledged: what must be in it, each exactly once.
        bots: whose view of their game must be a part of it.
    """
    games = games_of(log)
    return [
        *_faults_of_games(games),
        *_faults_of_messages(log, acknowledged),
        *(
            f"somebody was told what the log of {bot.client.address} does not have"
            for bot in bots
            if not _is_told(bot, games.get(bot.client.address, []))
        ),
    ]


def _faults_of_games(games: Mapping[str, Sequence[Event]]) -> Iterator[str]:
    """Yield which games have gaps or break the rules."""
    for address, events in games.items():
        if [event.version for event in events] != list(range(1, len(events) + 1)):
            yield f"the log of {address} has gaps"
            continue
        try:
            replay(events)
        except InvalidGameState as error:
            yield f"the log of {address} cannot be replayed: {error}"


def _faults_of_messages(
    log: Sequence[Event], acknowledged: Sequence[Acknowledged]
) -> Iterator[str]:
    """Yield which acknowledged messages are not in the log once, as they were told."""
    messages: dict[tuple[str, str, str], list[Event]] = defaultdict(list)
    for event in log:
        if event.id:
            # Somebody who joins had no seat when the message was sent.
            messages[event.game, event.seat if event.version > 1 else "", event.id].append(event)
    for each in set(acknowledged):
        found = messages[each.game, each.seat if each.version > 1 else "", each.request.id]
        if len(found) != 1:
            yield f"{each} is in the log {len(found)} times"
        elif not each.is_told_by(found[0] if each.version > 1 else _seated(found[0], each.seat)):
            yield f"{each} is in the log as {found[0]}"
    lines = Counter((each.game, each.seat, each.text) for each in log if isinstance(each, Said))
    for each in acknowledged:
        if isinstance(each.request, Chat):
            times = lines[each.game, each.seat, each.request.text]
            if times > 1:
                yield f"{each} was written {times} times"


def _is_told(bot: Bot, events: Sequence[Event]) -> bool:
    """Return whether what a bot was told is the beginning of a game."""
    seen = [write_event(event) for event in bot.client.events]
    return seen == [write_event(event) for event in events[: len(seen)]]


def _seated(event: Event, seat: str) -> Event:
    """Return the event of a creation as if its creator had done it from a seat."""
    return happening(event.game, event.version, event.kind, seat, event.time, event.id)
