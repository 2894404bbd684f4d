"""Recurring jobs of a server: beats, tidying, ending and deleting old games, polling the log."""

from __future__ import annotations

import asyncio
import os
import socket
from collections.abc import Mapping, Sequence
from contextlib import suppress
from functools import partial
from logging import ERROR, WARNING
from math import nan
from pathlib import Path
from typing import NamedTuple

from tic_tac_toe.logic.exceptions import InvalidVariant
from tic_tac_toe.protocols.online.events import Event, Said
from tic_tac_toe.protocols.online.game import Replaced
from tic_tac_toe.protocols.online.judge import expire

from .core import ServerCore
from .logs import log
from .moderation import UnknownGame, without_text
from .pairing import Matchmaker
from .players import ELSEWHERE_SECONDS
from .revision import BusyGame, Revisions
from .session import Sessions
from .storage.store import GAMES_AT_ONCE, DamagedGame, StorageError

READY, STOPPING, ALIVE = "READY=1", "STOPPING=1", "WATCHDOG=1"


def tell_manager(state: str, environ: Mapping[str, str] = os.environ) -> None:
    """Send a state to the service manager, if one has started this process and listens."""
    path = environ.get("NOTIFY_SOCKET", "")
    if not path or not hasattr(socket, "AF_UNIX"):
        return
    address = f"\0{path[1:]}" if path.startswith("@") else path  # in Linux's abstract namespace
    with suppress(OSError), socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM) as sender:
        sender.setblocking(False)
        sender.sendto(state.encode(), address)


#: Games of one step; moves are written between two of them.
AT_ONCE = 100
#: Seconds between two measurements of the data's size, and between two searches through all chat.
SIZE_SECONDS, CHAT_SECONDS = 60.0, 3_600.0
DAY = 24 * 3_600_000


class KeepDays(NamedTuple):
    """Days that finished games are kept; ``None`` for ever.

    Attributes:
        finished: games with a result.
        unplayed: games without one.
        chat: the chat of finished games.
    """

    finished: float | None = None
    unplayed: float | None = 7.0
    chat: float | None = None


class Retention:
    """Deletes what is older than it may be.

    Attributes:
        data_bytes, reports: bytes of the data and open reports, at most a minute old; 0 before the
            first measurement.
        backed_up: when the last backup was made, in seconds since 1970, likewise; `nan` without a
            backup, or without a folder of backups.
    """

    def __init__(
        self, core: ServerCore, revisions: Revisions, keep: KeepDays, backups: Path | None
    ) -> None:
        self.data_bytes = self.reports = 0
        self.backed_up = nan
        self._backups = backups
        self._core = core
        self._revisions = revisions
        self._keep = keep
        self._size_at = self._chat_at = float("-inf")
        self._last = 0, ""  # the last game whose chat was searched

    async def tidy(self) -> None:
        """Take one step; to be called again and again.

        Raises:
            StorageError: the store cannot be used.
        """
        core, clock = self._core, self._core.clock()
        if clock - self._size_at >= SIZE_SECONDS:
            self._size_at = clock
            self.data_bytes = await core.readers.run(core.store.size)
            self.reports = await core.readers.run(core.store.count_reports)
            if self._backups is not None:
                self.backed_up = await asyncio.to_thread(_newest_in, self._backups)
            await core.writer.run(core.moderation.delete_expired)
            core.moderation.prune()
            await self._revisions.scrub()
        if self._keep.unplayed is not None:
            await self._delete(self._keep.unplayed, unplayed=True)
        if self._keep.finished is not None:
            await self._delete(self._keep.finished, unplayed=False)
        if self._keep.chat is not None and clock - self._chat_at >= CHAT_SECONDS:
            await self._remove_chat(self._keep.chat)

    async def _delete(self, days: float, *, unplayed: bool) -> None:
        store = self._core.store
        before = self._core.now() - int(days * DAY)
        find = partial(store.over_before, before, AT_ONCE, unplayed=unplayed)
        games = await self._core.readers.run(find)
        for game in games:
            with suppress(BusyGame):  # it is found again by the next step
                await self._revisions.delete(game)
        if games:
            log("old games deleted", count=len(games), unplayed=unplayed)

    async def _remove_chat(self, days: float) -> None:
        """Remove the chat of some games; after the last game it waits, and starts again."""
        before = self._core.now() - int(days * DAY)
        games = await self._core.readers.run(
            self._core.store.over_after, self._last, before, AT_ONCE
        )
        count = 0
        for _, game in games:
            with suppress(UnknownGame, BusyGame, DamagedGame, Replaced, InvalidVariant):
                count += await self._revisions.revise(game, removed_chat)
        self._last = games[-1] if games else (0, "")
        if not games:
            self._chat_at = self._core.clock()
        if count:
            log("old chat removed", count=count)


def _newest_in(folder: Path) -> float:
    try:
        return max((each.stat().st_mtime for each in folder.glob("*.sqlite")), default=nan)
    except OSError as error:
        log("the backups cannot be seen", level=WARNING, problem=str(error))
        return nan


def removed_chat(events: Sequence[Event]) -> list[Event]:
    """Return the emptied lines that replace the chat of a game."""
    return [without_text(event) for event in events if isinstance(event, Said) and event.text]


#: Seconds after which a game without followers is removed from memory; half of that with
#: `LONG_GAME` events, a third with twice as many.
IDLE_SECONDS, LONG_GAME = 60.0, 400
#: Seconds between two rounds of tidying.
TIDY_SECONDS = 5.0
#: Seconds between two beats, and between two polls of the log for events of other servers.
BEAT_SECONDS = NEWS_SECONDS = 1.0
#: Seconds of each measurement of the event loop's lag.
LAG_SECONDS = 0.5
#: Games of one stage that are ended in one round.
EXPIRED_AT_ONCE = 100


class Housekeeper:
    """Runs the recurring jobs of one server.

    `forget_after` has the seconds without an event after which games of a stage are ended.
    """

    def __init__(
        self,
        sessions: Sessions,
        matchmaker: Matchmaker,
        forget_after: Mapping[str, float],
        revisions: Revisions,
        retention: Retention,
    ) -> None:
        self.forget_after = forget_after
        self.idle_seconds = IDLE_SECONDS
        self.tidy_seconds = TIDY_SECONDS
        self._core = sessions.core
        self._sessions = sessions
        self._matchmaker = matchmaker
        self._revisions = revisions
        self._retention = retention
        self._to_check: list[str] = []  # games in the quotas that are not in memory

    def start(self) -> None:
        """Start the jobs; they run until they are cancelled."""
        tasks = self._core.tasks
        for job in (self._beat, self._tidy, self._measure_lag):
            tasks.run_forever(job)
        if self._core.is_shared:
            tasks.run_forever(self._look_for_news)

    async def _beat(self) -> None:
        core = self._core
        while True:
            core.time_of_day.follow()
            await core.uptime.beat(self._sessions.clocks_run)
            await core.uptime.until_next_beat(BEAT_SECONDS)

    async def _tidy(self) -> None:
        while True:
            await asyncio.sleep(self.tidy_seconds)
            self._core.addresses.forget()
            now = self._core.clock()
            for session in tuple(self._sessions.values()):
                patience = self.idle_seconds / (1 + session.loaded.version / LONG_GAME)
                if session.touched < now - patience and session.is_idle:
                    self._sessions.drop(session)
                elif self._core.is_shared and session.followers:
                    session.followers.publish_presence()
                    session.followers.update_presence()
            self._core.presence.forget()
            self._matchmaker.tidy()
            try:
                await self.expire_games()
                await self.load_overdue_games()
                await self.release_finished_games()
                await self._retention.tidy()
                await self._sessions.lobby.refresh()  # hides games whose creators have gone
                if self._core.is_shared:
                    await self.exchange_presence()
            except StorageError as error:
                log("no games can be looked through", level=ERROR, problem=str(error))

    async def expire_games(self) -> None:
        """End the games that have had no event for long."""
        core = self._core
        now, forgotten = core.now(), core.store.forgotten
        for stage, longest in self.forget_after.items():
            before = now - int(1000 * longest)
            for address in await core.readers.run(forgotten, stage, before, EXPIRED_AT_ONCE):
                if address in core.damaged:
                    continue
                session = self._sessions[address]
                game, row = session.game, session.loaded.row
                if game is None or row is None:
                    session.read_log()
                elif row.stage == stage and game.time < before:
                    core.tasks.start(session.write(expire(game, now)))

    async def exchange_presence(self) -> None:
        """Record which players are here, and read which are at the other servers."""
        core, now = self._core, self._core.now()
        recent = now - int(1000 * ELSEWHERE_SECONDS)
        seats = {
            (session.address, seat)
            for session in self._sessions.values()
            if (seat := session.followers.seat_for_nodes())
        }
        await core.readers.run(core.store.record_presence, core.nodes.name, seats, now, recent)
        for game, seat in await core.readers.run(
            core.store.presence_elsewhere, core.nodes.name, recent
        ):
            core.presence.seen_elsewhere(game, seat)
            if game in self._sessions:
                self._sessions[game].followers.update_presence()
        core.presence.read_at = core.clock()

    async def load_overdue_games(self) -> None:
        """Load games whose clocks have run out: the server that had them may be gone."""
        core = self._core
        overdue = core.now() - int(1000 * self.tidy_seconds)
        for address in await core.readers.run(core.store.running_clocks, overdue):
            if address not in self._sessions and address not in core.damaged:
                self._sessions[address].read_log()

    async def release_finished_games(self) -> None:
        """Remove games from the quotas that have ended at another server or were deleted."""
        core = self._core
        if not self._to_check:
            self._to_check = [game for game in core.quotas.games if game not in self._sessions]
        part, self._to_check = self._to_check[:GAMES_AT_ONCE], self._to_check[GAMES_AT_ONCE:]
        if part:
            there = await core.readers.run(core.store.unfinished, part)
            for game in part:
                if game not in there:
                    core.quotas.forget_game(game)

    async def _look_for_news(self) -> None:
        """Poll the log for events and decisions of which no message of another server has come."""
        core = self._core
        while True:
            await asyncio.sleep(NEWS_SECONDS)
            followed = [
                session.address for session in self._sessions.values() if not session.is_idle
            ]
            try:
                heads = await core.readers.run(core.store.heads, followed)
                for address, head in heads.items():
                    session = self._sessions.get(address)
                    if session is not None and head > session.loaded.version:
                        session.read_log()
                await self._revisions.read_changes()
                await core.uptime.read_pauses()
            except StorageError as error:
                log("no news can be read", level=ERROR, problem=str(error))
            await self._sessions.lobby.refresh()

    async def _measure_lag(self) -> None:
        """Measure how late the event loop is, and show the service manager that it goes round."""
        while True:
            tell_manager(ALIVE)
            before = self._core.clock()
            await asyncio.sleep(LAG_SECONDS)
            late = self._core.clock() - before - LAG_SECONDS
            self._core.metrics.loop_lag.observe(max(0.0, late))
