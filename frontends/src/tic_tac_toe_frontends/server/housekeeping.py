"""What a server does now and then: it beats, forgets, ends games, and looks for news."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Mapping
from logging import ERROR

from tic_tac_toe.protocols.online.judge import expire

from .lobby import Lobby
from .logs import say
from .metrics import Metrics
from .rate_limits import AddressLimits
from .readers import Readers
from .sessions import Sessions
from .store import StorageError
from .tasks import Tasks
from .uptime import Uptime

#: A game that nobody follows leaves the memory after this many seconds.
IDLE_SECONDS = 60.0
#: Seconds between two looks at what is to be forgotten or is overdue.
TIDY_SECONDS = 5.0
#: Seconds between two beats, and between two looks into the log for other servers' news.
BEAT_SECONDS = NEWS_SECONDS = 1.0
#: Games whose last versions are asked for at once, and games that are ended at once.
HEADS_AT_ONCE, EXPIRED_AT_ONCE = 1000, 100


class Housekeeper:
    """Keeps one server in order.

    Args:
        sessions, lobby, uptime, limits, readers, metrics: the parts of the server.
        clock: seconds from any start.
        forget_after: seconds without an event after which a game of a stage is ended.
        is_shared: whether other servers write to the same log.
        idle, tidy: see `IDLE_SECONDS` and `TIDY_SECONDS`.
    """

    def __init__(
        self,
        sessions: Sessions,
        lobby: Lobby,
        uptime: Uptime,
        limits: AddressLimits,
        readers: Readers,
        metrics: Metrics,
        *,
        clock: Callable[[], float],
        forget_after: Mapping[str, float],
        is_shared: bool,
        idle: float = IDLE_SECONDS,
        tidy: float = TIDY_SECONDS,
    ) -> None:
        self.idle_seconds = idle
        self.tidy_seconds = tidy
        self.forget_after = dict(forget_after)
        self._sessions = sessions
        self._lobby = lobby
        self._uptime = uptime
        self._limits = limits
        self._readers = readers
        self._metrics = metrics
        self._clock = clock
        self._is_shared = is_shared

    def start(self, tasks: Tasks) -> None:
        """Begin, with tasks that go on until they are cancelled."""
        for job in (self._beat(), self._tidy(), self._measure_lag()):
            tasks.start(job)
        if self._is_shared:
            tasks.start(self._look_for_news())

    async def _beat(self) -> None:
        while True:
            await self._uptime.beat(self._sessions.clocks_run)
            await asyncio.sleep(BEAT_SECONDS)

    async def _tidy(self) -> None:
        """Forget games in memory that nobody follows, and end those that nobody plays."""
        while True:
            await asyncio.sleep(self.tidy_seconds)
            self._limits.forget()
            recent = self._clock() - self.idle_seconds
            for session in self._sessions:
                if session.touched < recent and session.is_idle:
                    self._sessions.drop(session)
                elif self._is_shared and session.followers:
                    session.tell_presence()
            try:
                await self.expire_games()
                await self.take_up_overdue_games()
            except StorageError as error:
                say("no games can be looked through", level=ERROR, problem=str(error))

    async def expire_games(self) -> None:
        """End the games in which nothing has happened for long."""
        now, forgotten = self._uptime.now(), self._readers.store.forgotten
        for stage, longest in self.forget_after.items():
            before = now - int(1000 * longest)
            for address in await self._readers.run(forgotten, stage, before, EXPIRED_AT_ONCE):
                session = self._sessions.load(address)
                game, row = session.game, session.loaded.row
                if game is None or row is None:
                    session.look_for_news()
                elif row.stage == stage and game.time < before:
                    session.expire(expire(game, now))

    async def take_up_overdue_games(self) -> None:
        """Load games whose time has run out, for the server that had them may be gone."""
        overdue = self._uptime.now() - int(1000 * self.tidy_seconds)
        for address in await self._readers.run(self._readers.store.running_clocks, overdue):
            if address not in self._sessions:
                self._sessions.load(address).look_for_news()

    async def _look_for_news(self) -> None:
        """Look into the log for what no hint has told, and at the lobby."""
        while True:
            await asyncio.sleep(NEWS_SECONDS)
            followed = [session.address for session in self._sessions if not session.is_idle]
            try:
                for start in range(0, len(followed), HEADS_AT_ONCE):
                    await self._compare_heads(followed[start : start + HEADS_AT_ONCE])
                await self._uptime.look_for_pauses()
            except StorageError as error:
                say("no news can be read", level=ERROR, problem=str(error))
            await self._lobby.refresh()

    async def _compare_heads(self, followed: list[str]) -> None:
        heads = await self._readers.run(self._readers.store.heads, followed)
        for address, head in heads.items():
            session = self._sessions.get(address)
            if session is not None and head > session.loaded.version:
                session.look_for_news()

    async def _measure_lag(self) -> None:
        """Measure how late the event loop is."""
        while True:
            before = self._clock()
            await asyncio.sleep(0.5)
            self._metrics.lagged(self._clock() - before - 0.5)
