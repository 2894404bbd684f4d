"""Computer players: they search in other processes, and hold up no game."""

from __future__ import annotations

import asyncio
import random
from collections.abc import Mapping
from dataclasses import dataclass, field
from logging import WARNING
from typing import NamedTuple

from pebble import ProcessPool

from tic_tac_toe.game.strategies import play_by_rules
from tic_tac_toe.logic.models import GameState, Mark
from tic_tac_toe.logic.records import rules_named
from tic_tac_toe.opponents.finding import find_brain
from tic_tac_toe.opponents.registry import Opponents
from tic_tac_toe.protocols.online.events import DRAW, SEATS, SIDES
from tic_tac_toe.protocols.online.game import OnlineGame
from tic_tac_toe.protocols.online.replies import BUSY, Answer, Welcome
from tic_tac_toe.protocols.online.requests import Accept, Decline, Move

from .logs import say
from .pending import PendingRequest
from .processes import close_pool, make_pool
from .sessions import Sessions

#: Seconds after which a search for a move is given up, and its process ended.
LONGEST_THOUGHT = 20.0
#: Searches that run or wait for a process at most; further games try again later.
MOST_THOUGHTS = 500
#: Seconds after which a request that was answered `busy` is tried again.
AGAIN = 1.0


@dataclass(eq=False)
class Computers:
    """Moves for the seats of strategies, from a few processes of their own.

    Args:
        processes: the number of searches that run at once.
        longest: seconds after which a search is given up for a quick move by simple rules.
        think_seconds: seconds of each thought, by the clock, if they are given.
        programs: the paths of the programs that the operator offers, by the names that clients see.
        most, again: see `MOST_THOUGHTS` and `AGAIN`.
    """

    processes: int = 1
    longest: float = LONGEST_THOUGHT
    most: int = MOST_THOUGHTS
    again: float = AGAIN
    think_seconds: float | None = None
    programs: Mapping[str, str] = field(default_factory=dict)
    _pool: ProcessPool | None = field(default=None, init=False)
    _thinking: set[tuple[str, int]] = field(default_factory=set, init=False)
    _waiting: set[str] = field(default_factory=set, init=False)

    def __len__(self) -> int:
        return len(self._thinking)

    def consider(self, sessions: Sessions, game: OnlineGame) -> None:
        """Let each computer at a game answer offers, and begin to think if it is its turn."""
        for seat in SEATS:
            player = game.player(seat)
            if player is None or not player.strategy:
                continue
            person = SEATS[1 - SIDES[seat]]
            for what in sorted(what for offerer, what in game.offers if offerer == person):
                answer = Decline if what == DRAW else Accept
                request = answer(f"c{game.version}-{what}", game.version, what)
                self._ask(sessions, game.address, seat, request)
            if game.turn == seat and (game.address, game.changed) not in self._thinking:
                self._begin_to_think(sessions, game, seat, player.strategy)

    def _begin_to_think(
        self, sessions: Sessions, game: OnlineGame, seat: str, strategy: str
    ) -> None:
        if len(self._thinking) >= self.most:
            self.try_again(sessions, game.address)
            return
        self._thinking.add((game.address, game.changed))
        sessions.core.tasks.start(self.think(sessions, game, seat, strategy))

    async def think(self, sessions: Sessions, game: OnlineGame, seat: str, strategy: str) -> None:
        """Find a move in another process, and ask to play it."""
        version, setup = game.changed, game.setup
        question = Question(setup.variant, setup.starting, game.moves, strategy)
        program = self.programs.get(strategy, "")
        try:
            future = self._processes().schedule(
                choose,
                args=[question, random.getrandbits(64), self.think_seconds, program],
                timeout=self.longest,
            )
            cell = await asyncio.wrap_future(future)
        except asyncio.CancelledError:
            raise
        except Exception as error:  # whatever goes wrong in another process, the game goes on
            say("no move was found", level=WARNING, strategy=strategy, problem=type(error).__name__)
            cell = choose(question._replace(strategy="rules"), 0)
        finally:
            self._thinking.discard((game.address, version))
        self._ask(sessions, game.address, seat, Move(f"c{version}", version, cell))

    def _ask(
        self, sessions: Sessions, address: str, seat: str, request: Move | Accept | Decline
    ) -> None:
        def answered(answer: Answer | Welcome) -> None:
            if isinstance(answer, Answer) and answer.status == BUSY:
                self.try_again(sessions, address)

        sessions[address].ask(PendingRequest(request, seat, answered))

    def try_again(self, sessions: Sessions, address: str) -> None:
        """Consider a game again later: once, however many requests were answered `busy`."""
        if address in self._waiting:
            return
        self._waiting.add(address)

        def consider() -> None:
            self._waiting.discard(address)
            session = sessions.get(address)
            if session is not None and session.game is not None and not sessions.core.is_stopping:
                self.consider(sessions, session.game)

        asyncio.get_running_loop().call_later(self.again, consider)

    def _processes(self) -> ProcessPool:
        if self._pool is None:
            self._pool = make_pool(self.processes)
        return self._pool

    def close(self) -> None:
        """Give up all searches, and end the processes."""
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
    state = GameState.new(rules_named(question.variant), Mark(question.starting))
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
