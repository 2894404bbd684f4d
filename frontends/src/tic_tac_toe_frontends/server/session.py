"""A game that is being played: one request after the other, each committed before it is answered.

Sessions, the writer and computers call back instead of being awaited: between the decision about a
request and its hand-over to the writer nothing else may run, the requests of a game keep their
order without a lock, and a request costs no task of its own.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable
from typing import Protocol

from tic_tac_toe.protocols.online.events import SEATS, SIDES, Accepted, Event, Moved
from tic_tac_toe.protocols.online.game import OnlineGame, begin
from tic_tac_toe.protocols.online.judge import flag
from tic_tac_toe.protocols.online.replies import DELETED, OK, Answer, Closing, Happened, Welcome

from .core import ServerCore
from .flags import FLAG_AGAIN, FlagTimer
from .game_copy import GameCopy
from .hints import NEWS
from .lobby import Lobby
from .net.web_socket import POLICY, RESTART, WebSocket, frame_of
from .pending import PendingRequest, busy, too_fast
from .presence import Followers
from .rate_limits import Account
from .referee import Referee
from .storage.game_rows import GameRow, Transaction, row_of
from .talk import WatcherTalk
from .writer import CommitResult

#: Requests of one game that wait for their turn at most; more are answered `busy`.
MOST_WAITING = 64
#: Version conflicts per request before it is answered `busy`.
MOST_CONFLICTS = 5


class Neighbours(Protocol):
    """What a game needs of its server and of the other games in memory, see `Sessions`."""

    core: ServerCore
    lobby: Lobby
    settled: Callable[[OnlineGame], None]

    def __getitem__(self, address: str, /) -> GameSession: ...

    def drop(self, session: GameSession) -> None:
        """Forget a game in memory unless it is in use."""


class GameSession:
    """One game, as the log tells it, and the clients that are told what happens.

    What is in memory follows the log: an event is committed, then applied, then answered, then told
    to all. While one is being committed the next request waits.

    Attributes:
        copy: what is in memory of the log.
        touched: when something was last asked of it, in seconds of the server's clock.
        sponsor: the account of the address whose request was last written, or from which a player
            came first: computers think on its behalf; ``None``: nobody has come since the game was
            loaded.
    """

    def __init__(self, sessions: Neighbours, address: str) -> None:
        self.sessions = sessions
        self.core = core = sessions.core
        self.address = address
        self.copy = GameCopy(core, address, self)
        self.loaded = self.copy.loaded
        self.followers = Followers(core, self.loaded)
        self.talk = WatcherTalk(core, address, self.followers)
        self.referee = Referee(core, sessions.lobby, self.loaded, self.followers.claimable_at)
        self.touched = core.clock()
        self.sponsor: Account | None = None
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
        """Whether no client follows the game, nothing goes on, and no clock runs."""
        return not (self.followers or self.is_at_work or self.loaded.clock_runs)

    @property
    def is_free(self) -> bool:
        """Whether an event can be written now, for the game is known as it is."""
        return self.copy.is_known and not self.is_at_work and not self.core.writer.failed

    # -- requests ------------------------------------------------------------------------------

    def ask(self, pending: PendingRequest) -> None:
        """Let a request wait for its turn; it is answered now or later, and once."""
        self.touched = self.core.clock()
        if len(self._queue) >= MOST_WAITING:
            pending.answer(busy(pending.request.id, "too_fast"))
            return
        self._queue.append(pending)
        self.proceed()

    def proceed(self) -> None:
        """Deal with the requests in their order, until one has to wait for the log."""
        while self._queue and not self.copy.is_busy:
            if not self.copy.is_known:
                self.copy.look()
                return
            pending = self._queue.popleft()
            if self.core.is_shared and not pending.is_fresh and self.referee.needs_news(pending):
                pending.is_fresh = True
                self._queue.appendleft(pending)
                self.copy.look()
                return
            self._deal_with(pending)

    def _deal_with(self, pending: PendingRequest) -> None:
        """Answer a request, or write the event that it leads to."""
        decision = self.referee.decide(pending)
        if isinstance(decision, Answer | Welcome):
            if isinstance(decision, Welcome) and decision.seat and self.sponsor is None:
                self.sponsor = pending.account
                self.settle()
            pending.answer(decision)
        elif not decision.id:  # a time has run out: that is written before the request is decided
            self._queue.appendleft(pending)
            self.write(decision, None)
        else:
            self.write(decision, pending)

    # -- writing the log -----------------------------------------------------------------------

    def begin(self, event: Event, row: GameRow, pending: PendingRequest) -> None:
        """Take over a game that has just been created, and answer its creator."""
        self.copy.is_known = True
        game = begin(event)
        self._written(event, game, row, pending)
        self._follow_up(event, game, pending)

    def write(self, event: Event, pending: PendingRequest | None) -> None:
        """Commit an event; then apply it, answer its request, and tell all followers."""
        transaction, committed = self.begin_to_write(event, pending)
        self.core.writer.write(transaction, committed)

    def begin_to_write(
        self, event: Event, pending: PendingRequest | None
    ) -> tuple[Transaction, Callable[[CommitResult], None]]:
        """Return what to write, and what to call once it is committed, or is not."""
        assert self.game is not None
        game = self.game.apply(event, self.core.uptime.pauses)
        row = row_of(game, self.loaded.row)
        self.copy.is_busy = True

        def committed(result: CommitResult) -> None:
            self.copy.is_busy = False
            if result is CommitResult.WRITTEN:
                self._written(event, game, row, pending)
                self.tell(event)
                self._follow_up(event, game, pending)
            elif result is CommitResult.TAKEN and pending and pending.conflicts < MOST_CONFLICTS:
                pending.is_fresh = True
                pending.conflicts += 1
                self._queue.appendleft(pending)
                self.copy.distrust()
            else:
                if pending is not None:
                    pending.answer(busy(pending.request.id, "storage"))
                self.copy.distrust()
                self._set_flag()
            self.proceed()

        return self.loaded.transaction(event, game, row), committed

    def _written(
        self, event: Event, game: OnlineGame, row: GameRow, pending: PendingRequest | None
    ) -> None:
        self.loaded.add(event, game)
        self.loaded.row = row
        if pending is not None and pending.account is not None:
            self.sponsor = pending.account
        if pending is not None:
            pending.answer(self.loaded.done(pending.request, OK, event.version))
        self.core.hints.tell(NEWS, self.address)

    def _follow_up(self, event: Event, game: OnlineGame, pending: PendingRequest | None) -> None:
        """Do what an event asks for that has been written and told."""
        if isinstance(event, Accepted) and event.follower and pending and pending.account:
            seat = SEATS[1 - SIDES[event.seat]]  # the colours are swapped
            self.core.holdings.expect(event.follower, seat, pending.account)
        is_early = len(game.moves) <= len(SEATS)
        is_plain = game.end is None and not game.has_computer and not is_early
        if isinstance(event, Moved) and is_plain:
            self._set_flag()  # nothing else can come of it
        else:
            self.sessions.lobby.wrote(event, game)
            self.settle()
        if isinstance(event, Accepted) and event.follower and game.setup.clock is not None:
            self.sessions[event.follower].look_for_news()

    def settle(self) -> None:
        """Do what the game as it is now asks of the server itself."""
        self._set_flag()
        self.followers.look()
        if self.game is not None:
            self.sessions.settled(self.game)

    # -- reading the log -----------------------------------------------------------------------

    @property
    def payer(self) -> Account | None:
        """Which address pays if the game has to be loaded: that of the request that waits first."""
        return next((each.account for each in self._queue if each.account is not None), None)

    def look_for_news(self) -> None:
        """Read the log, for another server may have written to it."""
        if not self.copy.is_busy:
            self.copy.look()

    def start_over(self, why: str = "the log has lost events") -> None:
        """Forget the game, for the log has less of it than was written there; all come back."""
        self._forget()
        self.followers.close(RESTART, why)

    def vanish(self) -> None:
        """Forget the game, for it was deleted; all are told so, and come back to find no game."""
        self._forget()
        self.followers.say(frame_of(Closing(DELETED, 0)))
        self.followers.close(POLICY, "the game was deleted")

    def _forget(self) -> None:
        self.copy.clear()
        self.flag_timer.cancel()

    def seize(self) -> bool:
        """Let all requests wait until `release`, unless something goes on already."""
        return self.copy.seize()

    def release(self) -> None:
        """Go on with what the log has now, if somebody wants to."""
        if self._queue or self.loaded.version or self.followers:
            self.copy.look()
        else:
            self.copy.is_busy = False
            self.sessions.drop(self)

    def put_off(self, owner: Account | None, seconds: float) -> None:
        """Let an address come again that has had too many games loaded; others wait for no one."""
        asked, self._queue = self._queue, deque()
        for pending in asked:
            if pending.account is owner:
                pending.answer(too_fast(pending.request.id, seconds))
            else:
                self._queue.append(pending)
        if self._queue:
            self.copy.look()
        else:
            self.sessions.drop(self)

    def looked(self, *, is_known: bool) -> None:
        """Go on after the log has been read, or could not be."""
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
        """Let a client follow the game, from a seat or as a watcher."""
        self.followers.add(follower, seat)
        self.talk.show(follower, seat)
        if seat and self.game is not None and self.game.waiting:
            self.sessions.lobby.refresh_soon()  # which shows no game whose creator is gone

    def exit(self, follower: WebSocket) -> None:
        """Let a client go."""
        self.followers.remove(follower)
        self.talk.forget(follower)
        self.touched = self.core.clock()

    def tell(self, event: Event) -> None:
        """Tell the clients that follow of an event."""
        if self.followers and self.game is not None:
            clock = self.game.clock and self.game.clock.at(event.time, self.core.uptime.pauses)
            end = self.game.end if self.game.changed == event.version else None
            self.followers.say(frame_of(Happened(event, clock, end)))
            if end is not None:
                self.talk.reveal()

    # -- what ends it from outside -------------------------------------------------------------

    def _set_flag(self) -> None:
        self.flag_timer.set(self.game, self.core.now(), self.core.uptime.pauses)

    def check_flag(self) -> None:
        """End the game if the time of the player to move has run out."""
        game = self.game
        is_writable = not (self.copy.is_busy or self.core.writer.failed)
        if game is None or not is_writable or self.core.uptime.has_slept or not self.copy.is_known:
            if is_writable:
                self.copy.look()
            self.flag_timer.wait(FLAG_AGAIN)
            return
        event = flag(game, self.core.now(), self.core.uptime.pauses)
        if event is not None:
            self.write(event, None)
        else:
            self._set_flag()

    def expire(self, event: Event) -> None:
        """Write that the server ends the game, unless something else is going on."""
        if not self.copy.is_busy and self.copy.is_known:
            self.write(event, None)
