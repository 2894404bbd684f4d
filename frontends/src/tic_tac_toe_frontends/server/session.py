"""One game in memory: its requests in order, each committed before it is answered.

A coroutine runs for a game while something is asked of it. It belongs to the game and not to a
connection, whose end would cancel it while its commit is under way. All that reads or writes the
log of a game has the game's turn meanwhile.
"""

from __future__ import annotations

import asyncio
from collections import deque
from collections.abc import Callable, Iterable
from contextlib import suppress
from logging import ERROR
from typing import NamedTuple

from tic_tac_toe.logic.exceptions import InvalidVariant
from tic_tac_toe.protocols.online.events import SEATS, SIDES, Accepted, Event, Moved
from tic_tac_toe.protocols.online.game import Gap, OnlineGame, Replaced, begin
from tic_tac_toe.protocols.online.judge import Judged, flag, time_left
from tic_tac_toe.protocols.online.replies import DELETED, OK, Answer, Closing, Happened, Welcome

from .budgets import Budget
from .core import ServerCore
from .followers import Followers, WatcherTalk
from .loaded_game import LoadedGame, LoadRefused
from .lobby import Lobby
from .logs import log
from .nodes import NEWS
from .pending import PendingRequest, busy, too_fast
from .referee import Referee
from .storage.game_rows import GameRow, Transaction, row_of
from .storage.store import DamagedGame, StorageError
from .wire.web_socket import POLICY, RESTART, WebSocket, frame_of
from .writer import CommitResult

#: Requests that may wait for one game; more are answered `busy`.
MOST_WAITING = 64
#: Version conflicts per request before it is answered `busy`.
MOST_CONFLICTS = 5
#: Seconds until a clock is checked again if it cannot be judged now.
FLAG_AGAIN = 0.25


class Turn:
    """The right to read and write the log of a game; coroutines get it in the order of asking."""

    def __init__(self) -> None:
        self._lock = asyncio.Lock()
        self._users = 0

    @property
    def is_taken(self) -> bool:
        """Whether a coroutine has the turn, or waits for it."""
        return self._users > 0

    async def __aenter__(self) -> None:
        self._users += 1
        try:
            await self._lock.acquire()
        except asyncio.CancelledError:
            self._users -= 1
            raise

    async def __aexit__(self, *_error: object) -> None:
        self._users -= 1
        self._lock.release()


class Change(NamedTuple):
    """An event that is to be written, with the game and the row that it leads to."""

    event: Event
    game: OnlineGame
    row: GameRow
    transaction: Transaction


class GameSession:
    """One game as the log has it, and the clients that follow it.

    Memory follows the log: an event is committed, then applied, then answered, then sent to all
    followers. The next request waits until the commit is done.

    Attributes:
        loaded: the events, the game that they make, and its row.
        is_known: whether `loaded` is as new as the log, as far as this server knows.
        turn: taken by all that reads or writes the log of the game, until it is done.
        touched: when it was last used, in seconds of the server's clock.
        sponsor: the budget that pays for computers' searches: that of the last writer, or of the
            player who came first; ``None`` if nobody has come since the game was loaded.
    """

    def __init__(self, sessions: Sessions, address: str) -> None:
        self.sessions = sessions
        self.core = core = sessions.core
        self.address = address
        self.loaded = LoadedGame(address)
        self.is_known = False
        self.followers = Followers(core, self.loaded)
        self.talk = WatcherTalk(core, address, self.followers)
        self.referee = Referee(core, sessions.lobby, self.loaded, self.followers.claimable_at)
        self.touched = core.clock()
        self.sponsor: Budget | None = None
        self._queue: deque[PendingRequest] = deque()
        self.turn = Turn()
        self._is_serving = self._is_to_read = False
        self._flag_timer: asyncio.TimerHandle | None = None

    def __repr__(self) -> str:
        return f"GameSession({self.address!r}, {self.game!r}, followers={len(self.followers)})"

    @property
    def game(self) -> OnlineGame | None:
        """The game, if it is known."""
        return self.loaded.game

    @property
    def is_at_work(self) -> bool:
        """Whether a request waits, or the log is being read or written."""
        return self._is_serving or self._is_to_read or self.turn.is_taken

    @property
    def is_idle(self) -> bool:
        """Whether no client follows the game, no work is pending, and no clock runs."""
        return not (self.followers or self.is_at_work or self.loaded.clock_runs)

    @property
    def is_free(self) -> bool:
        """Whether an event can be written now: the game is up to date and no request is pending."""
        return self.is_known and not self.is_at_work and not self.core.writer.failed

    # -- requests ------------------------------------------------------------------------------

    def submit(self, pending: PendingRequest) -> None:
        """Queue a request; it is answered once, now or later."""
        self.touched = self.core.clock()
        if len(self._queue) >= MOST_WAITING:
            pending.answer(busy(pending.request.id, "too_fast"))
            return
        self._queue.append(pending)
        if not self._is_serving:
            self._is_serving = True
            self.core.tasks.start(self._serve())

    async def _serve(self) -> None:
        """Answer the requests that wait, in order."""
        try:
            while self._queue:
                async with self.turn:
                    await self._serve_next(self._queue.popleft())
        finally:
            self._is_serving = False
        if self.game is None:
            self.sessions.drop(self)

    async def _serve_next(self, pending: PendingRequest) -> None:
        try:
            await self._handle(pending)
        except LoadRefused as refused:
            pending.answer(too_fast(pending.request.id, refused.seconds))
        except StorageError:
            pending.answer(busy(pending.request.id, "storage"))
            while self._queue and not self.is_known:  # the log cannot be read for them either
                each = self._queue.popleft()
                each.answer(busy(each.request.id, "storage"))
        except Exception as error:  # a fault in one game must not affect the others
            log("a game failed", level=ERROR, error=error, game=self.address)
            self.start_over("the game failed")
            if not pending.is_answered:
                pending.answer(busy(pending.request.id, "storage"))

    async def _handle(self, pending: PendingRequest) -> None:
        """Answer a request: read what is missing, judge, commit, apply, answer, tell.

        Raises:
            StorageError: the storage cannot be read; nothing was answered.
            LoadRefused: likewise, because the sender has loaded too many games.
        """
        core = self.core
        for _ in range(1 + MOST_CONFLICTS):
            if not self.is_known:
                await self._update_for(pending)
            if self._must_know_pause(pending):
                await core.uptime.known()
            if core.is_shared and not pending.is_fresh and self.referee.needs_fresh_log(pending):
                await self._update_for(pending)
            if key := self.referee.key_to_know(pending):
                await core.blocks.load(key)  # the last: a new block makes the server forget it
            decision = self.referee.decide(pending)
            if isinstance(decision, Answer | Welcome):
                self._take_sponsor(pending, decision)
                pending.answer(decision)
                return
            is_flag = not decision.id  # it is written first, and the request is decided again
            result = await self.commit(decision, None if is_flag else pending)
            if result is CommitResult.WRITTEN and not is_flag:
                return
            if result is CommitResult.UNKNOWN:
                break
        pending.answer(busy(pending.request.id, "storage"))

    async def _update_for(self, pending: PendingRequest) -> None:
        """Read the log once for a request and for those that wait already."""
        waiting = (pending, *self._queue)
        await self.update(pending.budget)
        for each in waiting:
            each.is_fresh = True

    def _take_sponsor(self, pending: PendingRequest, decision: Answer | Welcome) -> None:
        if isinstance(decision, Welcome) and decision.seat and self.sponsor is None:
            self.sponsor = pending.budget
            self.game_changed()

    def _must_know_pause(self, pending: PendingRequest) -> bool:
        """Whether a request has come out of a standstill that a running clock must not count."""
        if not self.core.uptime.has_slept or self.core.writer.failed:
            return False
        has_deadline = self.game is not None and self.game.deadline is not None
        return has_deadline and isinstance(pending.request, Judged)

    # -- writing the log -----------------------------------------------------------------------

    async def write(self, event: Event) -> bool:
        """Write an event of the server's own, unless the game goes on first."""
        async with self.turn:
            is_next = self.game is not None and event.version == self.game.version + 1
            if not (self.is_known and is_next and self.sessions.get(self.address) is self):
                return False
            return await self.commit(event) is CommitResult.WRITTEN

    async def commit(self, event: Event, pending: PendingRequest | None = None) -> CommitResult:
        """Write an event, and do what follows from it; the caller has the turn."""
        change = self.prepare(event)
        try:
            result = await self.core.writer.write(change.transaction)
        except asyncio.CancelledError:  # an operator waits no longer; the event may be in the log
            self.is_known = False
            raise
        self.settle(change, result, pending)
        return result

    def prepare(self, event: Event) -> Change:
        """Return what is to be written for an event; the caller has the turn until `settle`."""
        assert self.game is not None
        game = self.game.apply(event, self.core.uptime.pauses)
        row = row_of(game, self.loaded.row)
        return Change(event, game, row, self.loaded.transaction(event, game, row))

    def settle(
        self, change: Change, result: CommitResult, pending: PendingRequest | None = None
    ) -> None:
        """Apply an event that is committed, answer its request, and send it to all followers."""
        if result is CommitResult.WRITTEN:
            self._apply(change, pending)
            self.send_event(change.event)
            self._after_event(change.event, change.game, pending)
        else:
            self.is_known = False
            self._set_flag()

    def adopt_created(self, event: Event, row: GameRow, pending: PendingRequest) -> None:
        """Take over a game that has just been created, and answer its creator."""
        self.is_known = True
        change = Change(event, begin(event), row, Transaction((event,), (row,)))
        self._apply(change, pending)
        self._after_event(event, change.game, pending)

    def _apply(self, change: Change, pending: PendingRequest | None) -> None:
        event, game, row, _ = change
        self.loaded.add(event, game)
        self.loaded.row = row
        if pending is not None and pending.budget is not None:
            self.sponsor = pending.budget
        if pending is not None:
            pending.answer(self.loaded.done_answer(pending.request, OK, event.version))
        if self.core.is_shared:
            self.core.nodes.publish(NEWS, self.address)

    def _after_event(self, event: Event, game: OnlineGame, pending: PendingRequest | None) -> None:
        if isinstance(event, Accepted) and event.follower and pending and pending.budget:
            seat = SEATS[1 - SIDES[event.seat]]  # players swap sides in a rematch
            self.core.quotas.expect_seat(event.follower, seat, pending.budget)
        if isinstance(event, Moved) and game.end is None and not game.has_computer:
            self._set_flag()  # nothing else depends on it, but who keeps a stranger waiting
            if len(game.moves) <= len(SEATS):
                self.core.quotas.update_game(game)
        else:
            self.sessions.lobby.event_written(event, game)
            self.game_changed()
        if isinstance(event, Accepted) and event.follower and game.setup.clock is not None:
            self.sessions[event.follower].read_log()

    def game_changed(self) -> None:
        """Update timer, presence, quotas, computers and pairing for the game as it is now."""
        self._set_flag()
        self.followers.update_presence()
        if self.game is not None:
            self.sessions.update_game(self.game)

    # -- reading the log -----------------------------------------------------------------------

    def read_log(self) -> None:
        """Read soon what other servers may have written to the log."""
        if not self._is_to_read:
            self._is_to_read = True
            self.core.tasks.start(self._read_log())

    async def _read_log(self) -> None:
        async with self.turn:
            self._is_to_read = False  # what is written from now on has to be read once more
            with suppress(StorageError):  # it has been logged
                await self.update()
        if self.game is None:
            self.sessions.drop(self)

    async def update(self, owner: Budget | None = None) -> None:
        """Read the events that are not in memory yet; the caller has the turn.

        Args:
            owner: the budget that pays for loading the whole game; ``None``: the server's own work.

        Raises:
            StorageError: the log cannot be read.
            LoadRefused: the owner may load no games now.
        """
        self.is_known = False
        try:
            while not self.is_known:  # it may be created or dropped meanwhile
                await (self._read_news() if self.loaded.version else self._load(owner))
        except DamagedGame as error:
            self.is_known = True
            self._discard_damaged(str(error))
        except StorageError as error:
            log("the log cannot be read", level=ERROR, problem=str(error))
            self.core.writer.check()
            raise

    async def _read_news(self) -> None:
        core, after = self.core, self.loaded.version
        events = await core.readers.run(core.store.events, self.address, after)
        if after == self.loaded.version:
            self.is_known = True
            self.apply(events)

    async def _load(self, owner: Budget | None) -> None:
        core = self.core
        loaded = await core.loads.load(self.address, owner, core.uptime.pauses)
        if self.loaded.version:
            return
        self.is_known = True
        if loaded.damage:
            self._discard_damaged(loaded.damage)
        elif loaded.game is not None:
            core.damaged.discard(self.address)
            self.loaded.take_over(loaded)
            self.game_changed()

    def apply(self, events: Iterable[Event]) -> None:
        """Apply the events that are not in memory yet, and send them to the followers."""
        has_new = False
        try:
            for event in self.loaded.learn(events, self.core.uptime.pauses):
                self.send_event(event)
                has_new = True
        except Gap:
            pass  # later events cannot be applied without the missing one
        except (Replaced, InvalidVariant) as error:
            self._discard_damaged(str(error))
            return
        if self.game is not None and (has_new or self.loaded.row is None):
            self.loaded.row = row_of(self.game, self.loaded.row)
            self.game_changed()

    def _discard_damaged(self, damage: str) -> None:
        """Drop a damaged game: without its last events it is not what was played."""
        self.core.report_damaged(self.address, damage)
        self.loaded.clear()

    def start_over(self, why: str = "the log has lost events") -> None:
        """Drop the game, for the log is shorter than memory; all clients reconnect."""
        self._forget()
        self.followers.close(RESTART, why)

    def game_deleted(self) -> None:
        """Drop a deleted game and disconnect its clients."""
        self._forget()
        self.followers.send(frame_of(Closing(DELETED, 0)))
        self.followers.close(POLICY, "the game was deleted")

    def _forget(self) -> None:
        self.loaded.clear()
        self.is_known = False
        self.stop_clock()

    # -- the clients that follow ---------------------------------------------------------------

    def enter(self, follower: WebSocket, seat: str) -> None:
        """Add a follower, at a seat or as a watcher."""
        self.followers.add(follower, seat)
        self.talk.send_lines(follower, seat)
        if seat and self.game is not None and self.game.waiting:
            self.sessions.lobby.refresh_soon()  # which shows no game whose creator is gone

    def exit(self, follower: WebSocket) -> None:
        """Remove a follower."""
        self.followers.remove(follower)
        self.talk.remove_speaker(follower)
        self.touched = self.core.clock()

    def send_event(self, event: Event) -> None:
        """Send an event to the followers."""
        if self.followers and self.game is not None:
            clock = self.game.clock and self.game.clock.at(event.time, self.core.uptime.pauses)
            end = self.game.end if self.game.changed == event.version else None
            self.followers.send(frame_of(Happened(event, clock, end)))
            if end is not None:
                self.talk.send_to_players()

    # -- the clocks ----------------------------------------------------------------------------

    def stop_clock(self) -> None:
        """Watch the players' clocks no more."""
        if self._flag_timer is not None:
            self._flag_timer.cancel()
            self._flag_timer = None

    def _set_flag(self) -> None:
        """Have the clock checked when the player to move has run out of time, if one runs."""
        self.stop_clock()
        now, pauses = self.core.now(), self.core.uptime.pauses
        left = None if self.game is None else time_left(self.game, now, pauses)
        if left is not None:
            self._check_flag_in(left / 1000 + 0.01)

    def _check_flag_in(self, seconds: float) -> None:
        self.stop_clock()
        self._flag_timer = asyncio.get_running_loop().call_later(seconds, self.check_flag)

    def check_flag(self) -> None:
        """End the game if the player to move has run out of time."""
        self.core.tasks.start(self._check_flag())

    async def _check_flag(self) -> None:
        core = self.core
        async with self.turn:
            if not core.writer.failed and (core.uptime.has_slept or not self.is_known):
                with suppress(StorageError):  # it has been logged
                    await self.update()
            can_judge = self.is_known and not core.writer.failed and not core.uptime.has_slept
            if self.game is None:
                return
            if not can_judge:
                self._check_flag_in(FLAG_AGAIN)
            elif (event := flag(self.game, core.now(), core.uptime.pauses)) is not None:
                await self.commit(event)
            else:
                self._set_flag()


class Sessions(dict[str, GameSession]):
    """The games in memory, by address; a missing one gets a session that loads it on demand.

    Args:
        lobby: is told of new events.
        update_game: called with a game after its events.
    """

    def __init__(
        self, core: ServerCore, lobby: Lobby, update_game: Callable[[OnlineGame], None]
    ) -> None:
        super().__init__()
        self.core = core
        self.lobby = lobby
        self.update_game = update_game

    def __missing__(self, address: str) -> GameSession:
        """Return a new session, which reads the log when something is asked of it."""
        session = self[address] = GameSession(self, address)
        return session

    def drop(self, session: GameSession) -> None:
        """Remove a game from memory unless it is in use; the log keeps it."""
        if self.get(session.address) is session and session.is_idle:
            session.stop_clock()
            del self[session.address]

    @property
    def clocks_run(self) -> bool:
        """Whether a player's clock is running in any game."""
        return any(session.loaded.clock_runs for session in self.values())
