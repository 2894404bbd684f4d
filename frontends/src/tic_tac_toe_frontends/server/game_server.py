"""One game server: its parts, how they open and close, and what connects them."""

from __future__ import annotations

import asyncio
import random
from collections.abc import Mapping
from logging import ERROR
from pathlib import Path

from prometheus_client import CollectorRegistry

import tic_tac_toe
from tic_tac_toe.protocols.online.game import OnlineGame
from tic_tac_toe.protocols.online.replies import Closing, Notice

from .analyst import Analyst
from .budgets import ClientLimits
from .computers import Computers
from .connection import Connection
from .core import ServerCore
from .creation import Creator
from .housekeeping import Housekeeper, KeepDays, Retention
from .lobby import Lobby
from .logs import log
from .nodes import LOBBY, MODERATION, NEWS, NOTICE, PRESENCE, TALK, NodeMessage, Nodes
from .pairing import Matchmaker
from .revision import Revisions
from .session import Sessions
from .storage.statements import PLAYING, WAITING
from .storage.store import StorageError, Store
from .wire.connection_limiter import ConnectionLog
from .wire.web_socket import POLICY, RESTART, WebSocket, frame_of

#: Seconds without an event after which the server ends a game, by the game's stage.
FORGET_AFTER: Mapping[str, float] = {WAITING: 24 * 3600.0, PLAYING: 30 * 24 * 3600.0}
#: Seconds at shutdown for answering pending requests; clients repeat the others after reconnecting.
FINISH_SECONDS = 1.5
#: Seconds that shutdown waits for a store that hangs.
CLOSE_SECONDS = 0.5


class GameServer(ServerCore):
    """One server; it does nothing before `open`.

    Args:
        store, limits, nodes: as in `ServerCore`.
        forget_after: see `FORGET_AFTER`.
        rng: draws the seats.
        keep: how long finished games are kept.
        backups: the folder of backups, whose age the metrics and the status tell.
        log_addresses: whether the log contains the addresses of clients.

    Attributes:
        connections: the clients, each with its address.
        kept: games in the store when it was opened.
    """

    def __init__(
        self,
        store: Store,
        *,
        limits: ClientLimits | None = None,
        nodes: Nodes | None = None,
        forget_after: Mapping[str, float] = FORGET_AFTER,
        computers: Computers | None = None,
        rng: random.Random | None = None,
        keep: KeepDays | None = None,
        backups: Path | None = None,
        log_addresses: bool = False,
    ) -> None:
        super().__init__(store, limits or ClientLimits(), nodes or Nodes())
        self.writer.reopened = self.reload_after_failure
        self.computers = Computers() if computers is None else computers
        self.analyst = Analyst(self.clock)
        self.lobby = Lobby(self)
        self.sessions = Sessions(self, self.lobby, self._update_game)
        self.matchmaker = Matchmaker(self.sessions)
        self.lobby.changed = self.matchmaker.set_open_games
        self.creator = Creator(self.sessions, rng or random.SystemRandom(), self.computers.programs)
        self.revisions = Revisions(self.sessions)
        self.moderation.banned = self.close_banned
        self.moderation.notify = self._notify
        self.retention = Retention(self, self.revisions, keep or KeepDays(), backups)
        self.housekeeper = Housekeeper(
            self.sessions, self.matchmaker, forget_after, self.revisions, self.retention
        )
        self.connection_log = ConnectionLog(self.clock, is_logged=log_addresses)
        self.connections: dict[Connection, str] = {}
        self.started_at = self.now()
        self.finish_seconds = FINISH_SECONDS
        self.is_stuck = False
        self.kept = 0
        self.is_open = False
        gauge = self.metrics.add_gauge
        gauge("connections", "Open WebSockets.", lambda: len(self.connections))
        gauge("sockets", "Open connections of any kind.", lambda: self.limiter.count)
        gauge("games", "Games in memory.", lambda: len(self.sessions))
        gauge("job_failures", "Failures of recurring jobs; they go on.", self._failures)
        gauge("loads", "Games that are being read into memory.", lambda: len(self.loads))
        gauge("unfinished", "Games that are not over.", lambda: self.lobby.unfinished)
        gauge(
            "pairs",
            "Players who met an opponent in another open game.",
            lambda: self.matchmaker.count,
        )
        gauge("thoughts", "Computers' moves under way.", lambda: len(self.computers))
        gauge("thoughts_waiting", "Computers' moves that wait.", lambda: self.computers.waiting)
        self.computers.waited = self.metrics.thought_waited.observe
        gauge("clock_jumps", "Jumps of the machine's clock.", lambda: self.time_of_day.jumps)
        gauge("clock_ahead_seconds", "How far the machine's clock is ahead.", self._clock_ahead)
        gauge("analyses", "States whose moves are being evaluated.", lambda: len(self.analyst))
        gauge("writer_queue", "Transactions before their commit.", lambda: len(self.writer))
        gauge("data_bytes", "Size of the data, a minute ago.", lambda: self.retention.data_bytes)
        gauge("backup_age_seconds", "The age of the last backup, or NaN.", lambda: self.backup_age)
        gauge("bans", "Addresses and networks that are banned.", lambda: len(self.moderation.bans))
        gauge("reports", "Reports that are not closed.", lambda: self.retention.reports)
        self.metrics.add_build_info(tic_tac_toe.__version__)

    def __repr__(self) -> str:
        return f"GameServer(games={len(self.sessions)}, connections={len(self.connections)})"

    @property
    def backup_age(self) -> float:
        """The seconds since the last backup; `nan` if none is known."""
        return self.now() / 1000 - self.retention.backed_up

    def _clock_ahead(self) -> float:
        return self.time_of_day.ahead / 1000

    def _failures(self) -> int:
        return self.tasks.failures

    @property
    def registry(self) -> CollectorRegistry:
        """The registry of all metrics."""
        return self.metrics.registry

    @property
    def is_ready(self) -> bool:
        """Whether a load balancer should send players here."""
        if self.is_stopping or self.moderation.is_draining:
            return False
        return self.is_open and not self.writer.failed

    # -- opening and closing -------------------------------------------------------------------

    async def open(self) -> None:
        """Open the store, and load the games whose clocks are running.

        Raises:
            StorageError: the store cannot be opened.
        """
        await self.writer.run(self.store.open)
        await self.uptime.record_start()
        self.moderation.load(*await self.readers.run(self.moderation.read))
        self.kept = await self.readers.run(self.store.count_games)
        self.lobby.unfinished = await self.readers.run(self.store.count_unfinished)
        for address in await self.readers.run(self.store.running_clocks):
            self.sessions[address].read_log()
        await self.lobby.refresh()
        await self.nodes.open(self.receive)
        self.housekeeper.start()
        self.is_open = True

    async def reload_after_failure(self) -> None:
        """Compare memory with the log after a storage failure; the log wins, even a shorter one."""
        await self.uptime.record_start()
        known = {address: session.loaded.version for address, session in self.sessions.items()}
        heads = await self.readers.run(self.store.heads, list(known))
        for address, version in known.items():
            session = self.sessions.get(address)
            if session is not None and heads.get(address, 0) < version:
                log("the log has lost events", level=ERROR, game=address)
                session.start_over()

    async def stop(self) -> None:
        """Announce the shutdown, finish pending requests, and close everything."""
        self.is_stopping = True
        self.moderation.cancel_timer()
        notice = frame_of(Closing("restart", 1000))
        for connection in tuple(self.connections):
            connection.socket.send_frame(notice)
        await self._finish()
        for connection in tuple(self.connections):
            connection.socket.close(RESTART, "the server stops")
        await self.tasks.end()
        await asyncio.to_thread(self.computers.close)
        await asyncio.to_thread(self.analyst.close)
        await self.nodes.close()
        await self._close_store()
        self.readers.close()

    async def _finish(self) -> None:
        end = self.clock() + self.finish_seconds
        while self.metrics.unanswered and self.clock() < end:
            await asyncio.sleep(0.005)

    async def _close_store(self) -> None:
        """Close the store; do not wait for one that hangs.

        That loses nothing: what has been acknowledged is committed already.
        """
        try:
            if self.sessions.clocks_run:
                await asyncio.wait_for(self.uptime.record_beat(), CLOSE_SECONDS)
        except StorageError as error:
            log("the last beat could not be written", level=ERROR, problem=str(error))
        except asyncio.TimeoutError:
            self.is_stuck = True
        try:
            await asyncio.wait_for(self.writer.close(), CLOSE_SECONDS)
        except asyncio.TimeoutError:
            self.is_stuck = True
        if self.is_stuck:
            log("the storage hangs, and is not waited for", level=ERROR)

    # -- connections ---------------------------------------------------------------------------

    def connect(self, socket: WebSocket, address: str) -> Connection | None:
        """Return the connection of a new client; ``None`` if its address has too many already."""
        budget = self.addresses.connect(address)
        if budget is None:
            self.connection_log.log("connection refused", address)
            return None
        connection = Connection(self.sessions, self.creator, socket, budget)
        self.connections[connection] = address
        self.connection_log.log("connection opened", address)
        return connection

    def disconnect(self, connection: Connection) -> None:
        """Remove a client that has gone."""
        address = self.connections.pop(connection, None)
        if address is not None:
            self.connection_log.log("connection closed", address)
        connection.closed()

    def check_ban(self, address: str) -> int:
        """Return until when an address is banned, see `banned_until`, and count the refusal."""
        until = self.moderation.banned_until(address)
        if until:
            self.moderation.refused += 1
            self.metrics.turned_away("banned")
            self.connection_log.log("banned address refused", address)
        return until

    def close_banned(self) -> int:
        """Close the connections of banned addresses, and return their number."""
        now, banned_until = self.now(), self.moderation.banned_until
        until = {address: banned_until(address) for address in {*self.connections.values()}}
        closed = [each for each, address in self.connections.items() if until[address]]
        for connection in closed:
            retry = until[self.connections[connection]] - now
            connection.socket.send_frame(frame_of(Closing("banned", retry)))
            connection.socket.close(POLICY, "this address is banned")
        return len(closed)

    def announce(self, text: str, *, elsewhere: bool = True) -> int:
        """Send a notice to all clients, and return the number of those here.

        With `elsewhere` the other servers send it to theirs, too.
        """
        if elsewhere:
            self.nodes.publish(NOTICE, text=text)
        return self._notify(Notice(text))

    def _notify(self, notice: Notice) -> int:
        frame = frame_of(notice)
        for connection in tuple(self.connections):
            connection.socket.send_frame(frame)
        return len(self.connections)

    async def read_moderation(self) -> None:
        """Apply what operators have decided at other servers."""
        try:
            await self.revisions.read_changes()
        except StorageError as error:
            log("no decisions of operators can be read", level=ERROR, problem=str(error))

    def _update_game(self, game: OnlineGame) -> None:
        self.quotas.update_game(game)
        self.computers.consider(self.sessions, game)
        self.matchmaker.update_game(game)

    # -- the other servers --------------------------------------------------------------------

    def receive(self, message: NodeMessage) -> None:
        """Handle a message of another server."""
        session = self.sessions.get(message.address)
        if message.kind == PRESENCE:
            for seat in message.seats:
                self.presence.seen_elsewhere(message.address, seat)
        if message.kind == LOBBY:
            self.tasks.start(self.lobby.refresh())
        elif message.kind == MODERATION:
            self.tasks.start(self.read_moderation())
        elif message.kind == NOTICE:
            self.announce(message.text, elsewhere=False)
        elif session is not None and message.kind == NEWS:
            session.read_log()
        elif session is not None and message.kind == PRESENCE:
            session.followers.receive(message)
        elif session is not None and message.kind == TALK:
            session.talk.receive(message)
