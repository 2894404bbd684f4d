"""Computer players: they search in other processes, so that the event loop never waits for them."""

from __future__ import annotations

import asyncio
import random
import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
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

from .logs import log
from .pending import PendingRequest
from .processes import close_pool, make_pool
from .search_queue import MoveSearch, SearchQueue
from .session import Sessions

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
