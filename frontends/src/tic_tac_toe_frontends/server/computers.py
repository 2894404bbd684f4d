"""Computer players: they search in other processes, so that the event loop never waits for them."""

from __future__ import annotations

import asyncio
import logging
import multiprocessing
import os
import random
import time
from collections.abc import Callable, Mapping
from contextlib import suppress
from dataclasses import dataclass, field, replace
from logging import ERROR, WARNING
from typing import NamedTuple

from pebble import ProcessPool

from tic_tac_toe.game.strategies import play_by_rules
from tic_tac_toe.logic.models import Mark
from tic_tac_toe.logic.records import first_state, rules_named
from tic_tac_toe.opponents import Opponents, find_brain
from tic_tac_toe.protocols.online.events import DRAW, SEATS, SIDES
from tic_tac_toe.protocols.online.game import OnlineGame
from tic_tac_toe.protocols.online.replies import BUSY, Answer, Welcome
from tic_tac_toe.protocols.online.requests import Accept, Decline, Move

from ..program.process import end_with_parent
from .budgets import Budget
from .logs import log
from .pending import PendingRequest
from .session import Sessions


def make_pool(processes: int, *, nice: int = 0) -> ProcessPool:
    """Return a pool of processes with a niceness, which start on demand and end with this one."""
    return ProcessPool(
        max_workers=processes,
        initializer=initialise,
        initargs=[os.getpid(), nice, logging.lastResort and logging.lastResort.formatter],
        context=multiprocessing.get_context("spawn"),
    )


def close_pool(pool: ProcessPool) -> None:
    """Stop all work, and end the processes."""
    pool.stop()  # type: ignore[no-untyped-call]  # untyped in Pebble
    with suppress(TimeoutError):  # they end with this process in any case
        pool.join(timeout=2)


def initialise(parent: int, nice: int, formatter: logging.Formatter | None) -> None:
    """Initialise a process of a pool: it ends with its parent, and gives way to others.

    Args:
        parent: the process id of the parent.
        nice: see `make_pool`.
        formatter: for what the library logs there; see `logs.configure`.
    """
    if logging.lastResort is not None:
        logging.lastResort.setFormatter(formatter)
    end_with_parent(parent)
    if nice and hasattr(os, "nice"):
        os.nice(nice)


#: Seconds that a stopped search costs its owner at least, because a new process has to be started;
#: and seconds for which no other search of that owner starts.
STOPPED_SECONDS = 1.0


@dataclass(eq=False)
class MoveSearch:
    """A search for the move of a computer player.

    Args:
        game: the address of the game.
        version: the event after which the search was asked for; later events make it needless.
        owner: the budget that pays for it; ``None``: nobody who is connected asked for it.
        asked_at: when it was asked for, in seconds of the server's clock.
        run: starts the search, and returns what stops it.

    Attributes:
        started_at: when the search started, likewise; ``None`` while it waits.
    """

    game: str
    version: int
    owner: Budget | None
    asked_at: float
    run: Callable[[MoveSearch], Callable[[], object]]
    started_at: float | None = field(default=None, init=False)
    _stop: Callable[[], object] = field(default=lambda: None, init=False)

    def start(self, now: float) -> None:
        """Start the search."""
        self.started_at = now
        self._stop = self.run(self)

    def stop(self) -> None:
        """Stop the search; it may start again later."""
        self.started_at = None
        self._stop()


class SearchQueue:
    """The searches of one pool, at most one for each game: some run, and the others wait.

    Owners take turns. Ranks, first to last: owners with thinking seconds left and no running
    search,
    owners with a running search, owners without seconds left, games that nobody connected asked
    for.
    A search of an owner with more than a fair share is stopped for one of rank 0.

    Args:
        slots: searches that run at the same time.
        clock: seconds since any start.
    """

    def __init__(self, slots: int, clock: Callable[[], float]) -> None:
        self.slots = slots
        self.running: dict[str, MoveSearch] = {}
        self._clock = clock
        self._waiting: dict[Budget | None, dict[str, MoveSearch]] = {}
        self._owners: dict[str, Budget | None] = {}  # of the waiting searches, by game
        self._paused: dict[Budget | None, float] = {}

    def __len__(self) -> int:
        return len(self.running) + self.waiting

    @property
    def waiting(self) -> int:
        """The number of searches that wait."""
        return len(self._owners)

    def find(self, game: str) -> MoveSearch | None:
        """Return the search of a game."""
        if game in self._owners:
            return self._waiting[self._owners[game]][game]
        return self.running.get(game)

    def add(self, search: MoveSearch) -> None:
        """Queue a search; its game has no other."""
        self._owners[search.game] = search.owner
        self._waiting.setdefault(search.owner, {})[search.game] = search

    def drop(self, game: str) -> None:
        """Remove the search of a game, if there is one, and stop it if it runs."""
        if game in self._owners:
            self._remove(game)
        elif (search := self.running.pop(game, None)) is not None:
            self._charge(search, STOPPED_SECONDS)
            self._paused[search.owner] = self._clock() + STOPPED_SECONDS
            search.stop()

    def clear(self) -> None:
        """Remove all searches, and stop those that run."""
        for game in (*self._owners, *self.running):
            self.drop(game)

    def finish(self, search: MoveSearch) -> bool:
        """Remove a search that has ended; return whether its result is still wanted."""
        if self.running.get(search.game) is not search:
            return False
        del self.running[search.game]
        self._charge(search, 0.0)
        return True

    def start_next(self) -> MoveSearch | None:
        """Start the next search, and return it; ``None`` if none can start now."""
        search = self._next()
        if search is None or (len(self.running) >= self.slots and not self._make_room(search)):
            return None
        owner = search.owner
        self._remove(search.game)
        if owner in self._waiting:  # to the end of the row: owners take turns
            self._waiting[owner] = self._waiting.pop(owner)
        self.running[search.game] = search
        search.start(self._clock())
        return search

    def pause(self) -> float | None:
        """Return the seconds until an owner whose search was stopped has a turn again."""
        ends = [end for owner, end in self._paused.items() if owner in self._waiting]
        return max(0.0, min(ends) - self._clock()) if ends else None

    def _next(self) -> MoveSearch | None:
        now, best, first = self._clock(), 4, None
        if self._paused:
            self._paused = {owner: end for owner, end in self._paused.items() if end > now}
        for owner, searches in self._waiting.items():
            rank = 4 if owner in self._paused else self._rank(owner, now)
            if rank < best:
                best, first = rank, next(iter(searches.values()))
            if rank == 0:
                break
        return first

    def _rank(self, owner: Budget | None, now: float) -> int:
        """Return the rank of an owner: 0 is first, 3 last."""
        if owner is None:
            return 3
        if not owner.thinking.has(now):
            return 2
        return int(self._searches_of(owner) > 0)

    def _searches_of(self, owner: Budget | None) -> int:
        return sum(search.owner is owner for search in self.running.values())

    def _make_room(self, newcomer: MoveSearch) -> bool:
        """Stop the last started search of an owner with more than a fair share, if there is one.

        It goes back into the queue.
        """
        now = self._clock()
        if self._rank(newcomer.owner, now) > 0:
            return False
        for search in reversed(self.running.values()):
            owner = search.owner
            if self._rank(owner, now) > 1 or self._searches_of(owner) > 1:
                self._charge(search, 0.0)
                del self.running[search.game]
                search.stop()
                # A copy: the late end of the stopped search must not end the new one.
                self.add(replace(search))
                return True
        return False

    def _remove(self, game: str) -> MoveSearch:
        owner = self._owners.pop(game)
        searches = self._waiting[owner]
        search = searches.pop(game)
        if not searches:
            del self._waiting[owner]
        return search

    def _charge(self, search: MoveSearch, least: float) -> None:
        now = self._clock()
        if search.owner is not None and search.started_at is not None:
            search.owner.thinking.charge(now, max(least, now - search.started_at))


#: Seconds after which a search is stopped, together with its process.
LONGEST_THOUGHT = 10.0
#: Seconds after which a request that was answered `busy` is tried again.
AGAIN = 1.0
#: The strategies that move within some hundredths of a second; they have a process of their own.
QUICK = frozenset({"random", "easy", "rules", "medium"})
#: The strategy that moves when a search has failed.
SUBSTITUTE = "rules"


@dataclass(eq=False)
class Computers:
    """Finds moves for seats that strategies or programs hold, in a few processes.

    Each game has at most one search, which is dropped once the game has gone on without it. `QUICK`
    strategies have their own process and never wait for the others. Addresses take turns, see
    `SearchQueue`.

    Args:
        processes: searches that run at the same time, not counting quick strategies.
        longest: seconds after which a search is stopped and `SUBSTITUTE` moves.
        think_seconds: seconds of wall-clock time for each search; ``None``: the strategy decides.
        programs: the paths of the operator's programs, by the names that clients see.
        clock: seconds since any start.

    Attributes:
        waited: called with the seconds that a search has waited for its turn.
    """

    processes: int = 1
    longest: float = LONGEST_THOUGHT
    again: float = AGAIN
    think_seconds: float | None = None
    programs: Mapping[str, str] = field(default_factory=dict)
    clock: Callable[[], float] = time.monotonic
    waited: Callable[[float], object] = field(default=lambda _seconds: None, init=False)
    _trying_again: set[str] = field(default_factory=set, init=False)
    _is_closed: bool = field(default=False, init=False)
    _pools: tuple[_SearchPool, _SearchPool] = field(init=False)

    def __post_init__(self) -> None:
        self._pools = _SearchPool(1, self.clock), _SearchPool(self.processes, self.clock)

    def __len__(self) -> int:
        return sum(len(pool.queue) for pool in self._pools)

    @property
    def waiting(self) -> int:
        """The number of searches that wait for their turn."""
        return sum(pool.queue.waiting for pool in self._pools)

    def consider(self, sessions: Sessions, game: OnlineGame) -> None:
        """Let each computer at a game answer offers, and search if it is its turn."""
        thinker = ""
        for seat in SEATS:
            player = game.player(seat)
            if player is None or not player.strategy:
                continue
            person = SEATS[1 - SIDES[seat]]
            for what in sorted(what for offerer, what in game.offers if offerer == person):
                answer = Decline if what == DRAW else Accept
                request = answer(f"c{game.version}-{what}", game.version, what)
                self._submit(sessions, game.address, seat, request)
            if game.turn == seat:
                thinker = player.strategy
        if self._needs_update(sessions, game, thinker):
            for pool in self._pools:
                pool.queue.drop(game.address)
            if thinker:
                self._enqueue(sessions, game, thinker)
            self._start_searches()

    def _needs_update(self, sessions: Sessions, game: OnlineGame, thinker: str) -> bool:
        known = next(filter(None, (pool.queue.find(game.address) for pool in self._pools)), None)
        if known is None or not thinker or known.version != game.changed:
            return bool(known or thinker)
        is_taken_up = known.owner is None and sessions[game.address].sponsor is not None
        return is_taken_up and known.started_at is None

    def _enqueue(self, sessions: Sessions, game: OnlineGame, strategy: str) -> None:
        pool = self._pools[strategy not in QUICK]
        owner = sessions[game.address].sponsor
        pool.queue.add(
            MoveSearch(
                game.address,
                game.changed,
                owner,
                self.clock(),
                lambda search: self.start_search(sessions, game, strategy, pool, search),
            )
        )

    def _start_searches(self) -> None:
        if self._is_closed:
            return
        for pool in self._pools:
            while (search := pool.queue.start_next()) is not None:
                self.waited(self.clock() - search.asked_at)
            if pool.timer is None and (pause := pool.queue.pause()) is not None:
                pool.timer = asyncio.get_running_loop().call_later(pause, self._resume, pool)

    def _resume(self, pool: _SearchPool) -> None:
        pool.timer = None
        self._start_searches()

    def start_search(
        self,
        sessions: Sessions,
        game: OnlineGame,
        strategy: str,
        pool: _SearchPool,
        search: MoveSearch,
    ) -> Callable[[], object]:
        """Search for a move in another process, then submit it; return what stops the search."""
        setup = game.setup
        question = Question(setup.variant, setup.starting, game.moves, strategy)
        program = self.programs.get(strategy, "")
        arguments = [question, random.getrandbits(64), self.think_seconds, program]
        try:
            future = pool.processes().schedule(choose, args=arguments, timeout=self.longest)
        except RuntimeError as error:  # a pool that failed to start a process never will again
            log("no computer can think", level=ERROR, problem=str(error))
            sessions.core.tasks.start(pool.restart())
            asyncio.get_running_loop().call_soon(pool.queue.finish, search)
            self.try_again(sessions, game.address)
            return lambda: None

        def found(result: asyncio.Future[int]) -> None:
            if not pool.queue.finish(search):
                return
            error = None if result.cancelled() else result.exception()
            if not result.cancelled() and error is None:
                move = Move(f"c{game.changed}", game.changed, result.result())
                self._submit(sessions, game.address, game.turn, move)
            else:  # whatever went wrong in the other process, the game goes on
                problem = type(error).__name__
                log("no move was found", level=WARNING, strategy=strategy, problem=problem)
                if strategy == SUBSTITUTE:
                    self.try_again(sessions, game.address)
                else:
                    self._enqueue(sessions, game, SUBSTITUTE)
            self._start_searches()

        asyncio.wrap_future(future).add_done_callback(found)
        return future.cancel

    def _submit(
        self, sessions: Sessions, address: str, seat: str, request: Move | Accept | Decline
    ) -> None:
        def answered(answer: Answer | Welcome) -> None:
            if isinstance(answer, Answer) and answer.status == BUSY:
                self.try_again(sessions, address)

        sessions[address].submit(PendingRequest(request, seat, answered))

    def try_again(self, sessions: Sessions, address: str) -> None:
        """Consider a game again later; once, however many requests were answered `busy`."""
        if address in self._trying_again:
            return
        self._trying_again.add(address)

        def consider() -> None:
            self._trying_again.discard(address)
            session = sessions.get(address)
            if session is not None and session.game is not None and not sessions.core.is_stopping:
                self.consider(sessions, session.game)

        asyncio.get_running_loop().call_later(self.again, consider)

    def close(self) -> None:
        """Stop all searches, and end the processes."""
        self._is_closed = True
        for pool in self._pools:
            pool.close()


class _SearchPool:
    """Processes that search, and the queue of searches for them."""

    def __init__(self, slots: int, clock: Callable[[], float]) -> None:
        self.queue = SearchQueue(slots, clock)
        self.timer: asyncio.TimerHandle | None = None
        self._pool: ProcessPool | None = None

    def processes(self) -> ProcessPool:
        """Return the process pool, which is made on first use."""
        if self._pool is None:
            self._pool = make_pool(self.queue.slots)
        return self._pool

    async def restart(self) -> None:
        """Close the process pool; the next search makes a new one."""
        pool, self._pool = self._pool, None
        if pool is not None:
            await asyncio.to_thread(close_pool, pool)

    def close(self) -> None:
        """Drop all searches, and end the processes."""
        self.queue.clear()
        if self._pool is not None:
            close_pool(self._pool)
            self._pool = None


class Question(NamedTuple):
    """What a search process is asked.

    Attributes:
        variant, starting, moves: the game so far.
        strategy: the name of the computer player.
    """

    variant: str
    starting: str
    moves: tuple[int, ...]
    strategy: str


def choose(question: Question, seed: int, think: float | None = None, program: str = "") -> int:
    """Return the cell that a computer plays; this runs in another process.

    Args:
        think: seconds of wall-clock time for the search; ``None``: the strategy decides.
        program: the path of the program that plays; empty for a strategy.

    Raises:
        BrainError: the program broke the protocol.
    """
    state = first_state(rules_named(question.variant), Mark(question.starting))
    for cell in question.moves:
        state = state.make_move_to(cell).after_state
    rng, name = random.Random(seed), question.strategy
    opponents = Opponents(think, {name: find_brain(program, think=think)} if program else {})
    try:
        move = opponents.strategy(name)(state, rng) or play_by_rules(state, rng)
    finally:
        opponents.close()
    assert move is not None
    return move.number
