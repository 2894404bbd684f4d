"""Recurring jobs of a server: beats, tidying, ending old games, polling the log."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping
from logging import ERROR

from tic_tac_toe.protocols.online.judge import expire

from .logs import log
from .pairing import Matchmaker
from .players import ELSEWHERE_SECONDS
from .retention import Retention
from .revision import Revisions
from .session import Sessions
from .storage.store import GAMES_AT_ONCE, StorageError
from .supervision import ALIVE, tell_manager

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
