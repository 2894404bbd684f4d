"""Computer players: they search in other processes, and hold up no game."""

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

from .logs import say
from .pending import PendingRequest
from .processes import close_pool, make_pool
from .sessions import Sessions
from .thoughts import Thought, Turns

#: Seconds after which a search for a move is given up, and its process ended.
LONGEST_THOUGHT = 10.0
#: Seconds after which a request that was answered `busy` is tried again.
AGAIN = 1.0
#: The computers that move within some hundredths of a second, in a process of their own.
QUICK = frozenset({"random", "easy", "rules", "medium"})
#: What moves where a search has failed.
SUBSTITUTE = "rules"


@dataclass(eq=False)
class Computers:
    """Moves for the seats of strategies, from a few processes of their own.

    A game has one thought at a time, which is given up once the game has gone on without it.
    `QUICK` strategies wait for no others. Addresses take turns, see `Turns`.

    Args:
        processes: the number of searches that run at once, beside those of quick strategies.
        longest: seconds after which a search is given up for a quick move by simple rules.
        think_seconds: seconds of each thought, by the clock, if they are given.
        programs: the paths of the programs that the operator offers, by the names that clients see.
        again: see `AGAIN`.
        clock: seconds from any start.

    Attributes:
        waited: called with the seconds that a thought has waited for its turn.
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
    _lanes: tuple[_Lane, _Lane] = field(init=False)

    def __post_init__(self) -> None:
        self._lanes = _Lane(1, self.clock), _Lane(self.processes, self.clock)

    def __len__(self) -> int:
        return sum(len(lane.turns) for lane in self._lanes)

    @property
    def waiting(self) -> int:
        """The number of thoughts that wait for their turn."""
        return sum(lane.turns.waiting for lane in self._lanes)

    def consider(self, sessions: Sessions, game: OnlineGame) -> None:
        """Let each computer at a game answer offers, and begin to think if it is its turn."""
        thinker = ""
        for seat in SEATS:
            player = game.player(seat)
            if player is None or not player.strategy:
                continue
            person = SEATS[1 - SIDES[seat]]
            for what in sorted(what for offerer, what in game.offers if offerer == person):
                answer = Decline if what == DRAW else Accept
                request = answer(f"c{game.version}-{what}", game.version, what)
                self._ask(sessions, game.address, seat, request)
            if game.turn == seat:
                thinker = player.strategy
        if self._is_new(sessions, game, thinker):
            for lane in self._lanes:
                lane.turns.drop(game.address)
            if thinker:
                self._think(sessions, game, thinker)
            self._begin()

    def _is_new(self, sessions: Sessions, game: OnlineGame, thinker: str) -> bool:
        """Whether what is thought of a game, if anything, is not what should be."""
        known = next(filter(None, (lane.turns.find(game.address) for lane in self._lanes)), None)
        if known is None or not thinker or known.version != game.changed:
            return bool(known or thinker)
        is_taken_up = known.owner is None and sessions[game.address].sponsor is not None
        return is_taken_up and known.begun is None

    def _think(self, sessions: Sessions, game: OnlineGame, strategy: str) -> None:
        """Let a thought wait for its turn."""
        lane = self._lanes[strategy not in QUICK]
        owner = sessions[game.address].sponsor
        lane.turns.add(
            Thought(
                game.address,
                game.changed,
                owner,
                self.clock(),
                lambda thought: self.search(sessions, game, strategy, lane, thought),
            )
        )

    def _begin(self) -> None:
        """Begin the searches whose turn it is."""
        if self._is_closed:
            return
        for lane in self._lanes:
            while (thought := lane.turns.begin()) is not None:
                self.waited(self.clock() - thought.asked)
            if lane.timer is None and (pause := lane.turns.pause()) is not None:
                lane.timer = asyncio.get_running_loop().call_later(pause, self._go_on, lane)

    def _go_on(self, lane: _Lane) -> None:
        lane.timer = None
        self._begin()

    def search(
        self, sessions: Sessions, game: OnlineGame, strategy: str, lane: _Lane, thought: Thought
    ) -> Callable[[], object]:
        """Find a move in another process, then ask to play it; return what stops the search."""
        setup = game.setup
        question = Question(setup.variant, setup.starting, game.moves, strategy)
        program = self.programs.get(strategy, "")
        arguments = [question, random.getrandbits(64), self.think_seconds, program]
        try:
            future = lane.processes().schedule(choose, args=arguments, timeout=self.longest)
        except RuntimeError as error:  # no process could be started, and none will be by this pool
            say("no computer can think", level=ERROR, problem=str(error))
            sessions.core.tasks.start(lane.begin_anew())
            asyncio.get_running_loop().call_soon(lane.turns.done, thought)
            self.try_again(sessions, game.address)
            return lambda: None

        def found(result: asyncio.Future[int]) -> None:
            if not lane.turns.done(thought):
                return
            error = None if result.cancelled() else result.exception()
            if not result.cancelled() and error is None:
                move = Move(f"c{game.changed}", game.changed, result.result())
                self._ask(sessions, game.address, game.turn, move)
            else:  # whatever goes wrong in another process, the game goes on
                problem = type(error).__name__
                say("no move was found", level=WARNING, strategy=strategy, problem=problem)
                if strategy == SUBSTITUTE:
                    self.try_again(sessions, game.address)
                else:
                    self._think(sessions, game, SUBSTITUTE)
            self._begin()

        asyncio.wrap_future(future).add_done_callback(found)
        return future.cancel

    def _ask(
        self, sessions: Sessions, address: str, seat: str, request: Move | Accept | Decline
    ) -> None:
        def answered(answer: Answer | Welcome) -> None:
            if isinstance(answer, Answer) and answer.status == BUSY:
                self.try_again(sessions, address)

        sessions[address].ask(PendingRequest(request, seat, answered))

    def try_again(self, sessions: Sessions, address: str) -> None:
        """Consider a game again later: once, however many requests were answered `busy`."""
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
        """Give up all searches, and end the processes."""
        self._is_closed = True
        for lane in self._lanes:
            lane.close()


class _Lane:
    """Processes that search, and the thoughts that wait for them."""

    def __init__(self, slots: int, clock: Callable[[], float]) -> None:
        self.turns = Turns(slots, clock)
        self.timer: asyncio.TimerHandle | None = None
        self._pool: ProcessPool | None = None

    def processes(self) -> ProcessPool:
        """Return the processes; they start when they are needed first."""
        if self._pool is None:
            self._pool = make_pool(self.turns.slots)
        return self._pool

    async def begin_anew(self) -> None:
        """Let the next search make new processes."""
        pool, self._pool = self._pool, None
        if pool is not None:
            await asyncio.to_thread(close_pool, pool)

    def close(self) -> None:
        """Forget all thoughts, and end the processes."""
        self.turns.clear()
        if self._pool is not None:
            close_pool(self._pool)
            self._pool = None


class Question(NamedTuple):
    """What a process of the pool is asked.

    Attributes:
        variant, starting, moves: the game so far.
        strategy: the name of the computer player.
    """

    variant: str
    starting: str
    moves: tuple[int, ...]
    strategy: str


def choose(question: Question, seed: int, think: float | None = None, program: str = "") -> int:
    """Return the cell that a computer plays; runs in a process of the pool.

    Args:
        think: seconds for the thought, by the clock, if they are given.
        program: the path of the program that plays; empty: a strategy does.

    Raises:
        BrainError: the program does not play as it should.
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
