"""One game in memory: its requests in order, each committed before it is answered.

Sessions, the writer and computers use callbacks instead of `await`. Nothing else runs between the
decision about a request and its transfer to the writer, so the requests of a game keep their order
without a lock, and a request needs no task of its own.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable
from typing import Protocol

from tic_tac_toe.protocols.online.events import SEATS, SIDES, Accepted, Event, Moved
from tic_tac_toe.protocols.online.game import OnlineGame, begin
from tic_tac_toe.protocols.online.judge import Judged, flag
from tic_tac_toe.protocols.online.replies import DELETED, OK, Answer, Closing, Happened, Welcome

from .budgets import Budget
from .core import ServerCore
from .flags import FLAG_AGAIN, FlagTimer
from .followers import Followers
from .game_copy import GameCopy
from .lobby import Lobby
from .nodes import NEWS
from .pending import PendingRequest, busy, too_fast
from .referee import Referee
from .storage.game_rows import GameRow, Transaction, row_of
from .talk import WatcherTalk
from .wire.web_socket import POLICY, RESTART, WebSocket, frame_of
from .writer import CommitResult

#: Requests that may wait for one game; more are answered `busy`.
MOST_WAITING = 64
#: Version conflicts per request before it is answered `busy`.
MOST_CONFLICTS = 5


class SessionTable(Protocol):
    """What a game needs of `Sessions`, declared here to avoid a circular import."""

    core: ServerCore
    lobby: Lobby
    update_game: Callable[[OnlineGame], None]

    def __getitem__(self, address: str, /) -> GameSession: ...

    def drop(self, session: GameSession) -> None:
        """Remove a game from memory unless it is in use."""


class GameSession:
    """One game as the log has it, and the clients that follow it.

    Memory follows the log: an event is committed, then applied, then answered, then sent to all
    followers. The next request waits until the commit is done.

    Attributes:
        copy: what is in memory of the log.
        touched: when it was last used, in seconds of the server's clock.
        sponsor: the budget that pays for computers' searches: that of the last writer, or of the
            player who came first; ``None`` if nobody has come since the game was loaded.
    """

    def __init__(self, sessions: SessionTable, address: str) -> None:
        self.sessions = sessions
        self.core = core = sessions.core
        self.address = address
        self.copy = GameCopy(core, address, self)
        self.loaded = self.copy.loaded
        self.followers = Followers(core, self.loaded)
        self.talk = WatcherTalk(core, address, self.followers)
        self.referee = Referee(core, sessions.lobby, self.loaded, self.followers.claimable_at)
        self.touched = core.clock()
        self.sponsor: Budget | None = None
        self.flag_timer = FlagTimer(self.check_flag)
        self._queue: deque[PendingRequest] = deque()

    def __repr__(self) -> str:
        return f"GameSession({self.address!r}, {self.game!r}, followers={len(self.followers)})"

    @property
    def game(self) -> OnlineGame | None:
        """The game, if it is known."""
        return self.loaded.game

    @property
    def is_at_work(self) -> bool:
        """Whether a request waits, or the log is being read or written."""
        return self.copy.is_busy or bool(self._queue)

    @property
    def is_idle(self) -> bool:
        """Whether no client follows the game, no work is pending, and no clock runs."""
        return not (self.followers or self.is_at_work or self.loaded.clock_runs)

    @property
    def is_free(self) -> bool:
        """Whether an event can be written now: the game is up to date and no request is pending."""
        return self.copy.is_known and not self.is_at_work and not self.core.writer.failed

    # -- requests ------------------------------------------------------------------------------

    def submit(self, pending: PendingRequest) -> None:
        """Queue a request; it is answered once, now or later."""
        self.touched = self.core.clock()
        if len(self._queue) >= MOST_WAITING:
            pending.answer(busy(pending.request.id, "too_fast"))
            return
        self._queue.append(pending)
        self.proceed()

    def proceed(self) -> None:
        """Handle the waiting requests in order, until one needs the log."""
        while self._queue and not self.copy.is_busy:
            if not self.copy.is_known:
                self.copy.read_log()
                return
            if self._must_know_pause(self._queue[0]):
                self.core.uptime.when_known(self.proceed)
                return
            pending = self._queue.popleft()
            if (
                self.core.is_shared
                and not pending.is_fresh
                and self.referee.needs_fresh_log(pending)
            ):
                pending.is_fresh = True
                self._queue.appendleft(pending)
                self.copy.read_log()
                return
            self._handle(pending)

    def _must_know_pause(self, pending: PendingRequest) -> bool:
        """Whether a request has come out of a standstill that a running clock must not count."""
        if not self.core.uptime.has_slept or self.core.writer.failed:
            return False
        has_deadline = self.game is not None and self.game.deadline is not None
        return has_deadline and isinstance(pending.request, Judged)

    def _handle(self, pending: PendingRequest) -> None:
        decision = self.referee.decide(pending)
        if isinstance(decision, Answer | Welcome):
            if isinstance(decision, Welcome) and decision.seat and self.sponsor is None:
                self.sponsor = pending.budget
                self.game_changed()
            pending.answer(decision)
        elif not decision.id:  # a flag: it is written first, and the request is decided again
            self._queue.appendleft(pending)
            self.write(decision, None)
        else:
            self.write(decision, pending)

    # -- writing the log -----------------------------------------------------------------------

    def adopt_created(self, event: Event, row: GameRow, pending: PendingRequest) -> None:
        """Take over a game that has just been created, and answer its creator."""
        self.copy.is_known = True
        game = begin(event)
        self._written(event, game, row, pending)
        self._after_event(event, game, pending)

    def write(self, event: Event, pending: PendingRequest | None) -> None:
        """Commit an event; then apply it, answer its request, and send it to all followers."""
        transaction, committed = self.prepare_write(event, pending)
        self.core.writer.write(transaction, committed)

    def prepare_write(
        self, event: Event, pending: PendingRequest | None
    ) -> tuple[Transaction, Callable[[CommitResult], None]]:
        """Return the transaction of an event, and the callback for the result of its commit."""
        assert self.game is not None
        game = self.game.apply(event, self.core.uptime.pauses)
        row = row_of(game, self.loaded.row)
        self.copy.is_busy = True

        def committed(result: CommitResult) -> None:
            self.copy.is_busy = False
            if result is CommitResult.WRITTEN:
                self._written(event, game, row, pending)
                self.send_event(event)
                self._after_event(event, game, pending)
            elif result is CommitResult.TAKEN and pending and pending.conflicts < MOST_CONFLICTS:
                pending.is_fresh = True
                pending.conflicts += 1
                self._queue.appendleft(pending)
                self.copy.mark_stale()
            else:
                if pending is not None:
                    pending.answer(busy(pending.request.id, "storage"))
                self.copy.mark_stale()
                self._set_flag()
            self.proceed()

        return self.loaded.transaction(event, game, row), committed

    def _written(
        self, event: Event, game: OnlineGame, row: GameRow, pending: PendingRequest | None
    ) -> None:
        self.loaded.add(event, game)
        self.loaded.row = row
        if pending is not None and pending.budget is not None:
            self.sponsor = pending.budget
        if pending is not None:
            pending.answer(self.loaded.done_answer(pending.request, OK, event.version))
        self.core.nodes.publish(NEWS, self.address)

    def _after_event(self, event: Event, game: OnlineGame, pending: PendingRequest | None) -> None:
        if isinstance(event, Accepted) and event.follower and pending and pending.budget:
            seat = SEATS[1 - SIDES[event.seat]]  # players swap sides in a rematch
            self.core.quotas.expect_seat(event.follower, seat, pending.budget)
        is_early = len(game.moves) <= len(SEATS)
        is_plain = game.end is None and not game.has_computer and not is_early
        if isinstance(event, Moved) and is_plain:
            self._set_flag()  # the lobby, quotas and computers do not depend on it
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

    @property
    def payer(self) -> Budget | None:
        """The budget that pays for loading the game: that of the oldest waiting request."""
        return next((each.budget for each in self._queue if each.budget is not None), None)

    def read_log(self) -> None:
        """Read what other servers may have written to the log."""
        if not self.copy.is_busy:
            self.copy.read_log()

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
        self.copy.clear()
        self.flag_timer.cancel()

    def seize(self) -> bool:
        """Hold back all requests until `release`; return `False` if work is going on."""
        return self.copy.seize()

    def release(self) -> None:
        """Read the log and go on, if the game is still used."""
        if self._queue or self.loaded.version or self.followers:
            self.copy.read_log()
        else:
            self.copy.is_busy = False
            self.sessions.drop(self)

    def postpone(self, owner: Budget | None, seconds: float) -> None:
        """Refuse the requests of an address that may load no games now; the others go on."""
        asked, self._queue = self._queue, deque()
        for pending in asked:
            if pending.budget is owner:
                pending.answer(too_fast(pending.request.id, seconds))
            else:
                self._queue.append(pending)
        if self._queue:
            self.copy.read_log()
        else:
            self.sessions.drop(self)

    def log_was_read(self, *, is_known: bool) -> None:
        """Go on after reading the log, or after failing to."""
        if not is_known:
            while self._queue:
                pending = self._queue.popleft()
                pending.answer(busy(pending.request.id, "storage"))
            return
        for pending in self._queue:
            pending.is_fresh = True
        self.proceed()
        if self.game is None and not self._queue:
            self.sessions.drop(self)

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

    # -- ends that no request asks for ---------------------------------------------------------

    def _set_flag(self) -> None:
        self.flag_timer.set(self.game, self.core.now(), self.core.uptime.pauses)

    def check_flag(self) -> None:
        """End the game if the player to move has run out of time."""
        game = self.game
        is_writable = not (self.copy.is_busy or self.core.writer.failed)
        if game is None or not is_writable or self.core.uptime.has_slept or not self.copy.is_known:
            if is_writable:
                self.copy.read_log()
            self.flag_timer.wait(FLAG_AGAIN)
            return
        event = flag(game, self.core.now(), self.core.uptime.pauses)
        if event is not None:
            self.write(event, None)
        else:
            self._set_flag()

    def expire(self, event: Event) -> None:
        """Write that the server ends the game, unless other work is going on."""
        if not self.copy.is_busy and self.copy.is_known:
            self.write(event, None)
