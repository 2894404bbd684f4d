"""Computer players as seats: what they think runs in other processes, and holds up no game."""

from __future__ import annotations

import asyncio
import multiprocessing
import os
import random
import threading
import time
from contextlib import suppress
from logging import WARNING
from typing import TYPE_CHECKING

from pebble import ProcessPool

from tic_tac_toe.game.strategies import STRATEGIES, play_by_rules
from tic_tac_toe.logic.models import GameState, Mark
from tic_tac_toe.logic.records import rules_named
from tic_tac_toe.protocols.online.events import DRAW, SEATS, SIDES
from tic_tac_toe.protocols.online.replies import BUSY, Answer, Welcome
from tic_tac_toe.protocols.online.requests import Accept, Decline, Move

from .logs import say
from .room import Asked

if TYPE_CHECKING:
    from .room import Room

#: A thought that takes longer, in seconds, is given up, and its process with it.
LONGEST_THOUGHT = 20.0
#: So many thoughts wait for a process; games beyond wait and ask again.
MOST_THOUGHTS = 500
#: After how many seconds what found no place is tried again.
AGAIN = 1.0


class Computers:
    """Moves for the seats of strategies, from a few processes of their own.

    Args:
        processes: how many think at once.
        longest: seconds after which a thought is given up for a quick move by simple rules.
    """

    def __init__(self, processes: int = 1, longest: float = LONGEST_THOUGHT) -> None:
        self.processes = processes
        self.longest = longest
        self._pool: ProcessPool | None = None
        self._thinking: set[tuple[str, int]] = set()
        self._waiting: set[tuple[str, str]] = set()

    def __len__(self) -> int:
        return len(self._thinking)

    def consider(self, room: Room, seat: str, strategy: str) -> None:
        """Answer an offer or begin to think, if it is this computer's turn to do so."""
        game = room.game
        assert game is not None
        person = SEATS[1 - SIDES[seat]]
        for what in sorted(what for offerer, what in game.offers if offerer == person):
            answer = Decline if what == DRAW else Accept
            request = answer(f"c{game.version}-{what}", game.version, what)
            self._ask(room, seat, strategy, request)
        thought = (room.address, game.changed)
        if game.turn != seat or thought in self._thinking:
            return
        if len(self._thinking) >= MOST_THOUGHTS:
            self._again(room, seat, strategy)
            return
        self._thinking.add(thought)
        task = asyncio.get_running_loop().create_task(self._think(room, seat, strategy))
        room.hall.keep(task)

    async def _think(self, room: Room, seat: str, strategy: str) -> None:
        game = room.game
        assert game is not None
        version, moves = game.changed, game.moves
        setup = game.setup
        try:
            future = self._processes().schedule(
                choose,
                args=[setup.variant, setup.starting, moves, strategy, random.getrandbits(64)],
                timeout=self.longest,
            )
            cell = await asyncio.wrap_future(future)
        except asyncio.CancelledError:
            raise
        except Exception as error:  # whatever goes wrong in another process, the game goes on
            say("no move was found", level=WARNING, strategy=strategy, problem=type(error).__name__)
            cell = choose(setup.variant, setup.starting, moves, "rules", 0)
        finally:
            self._thinking.discard((room.address, version))
        self._ask(room, seat, strategy, Move(f"c{version}", version, cell))

    def _ask(self, room: Room, seat: str, strategy: str, request: Move | Accept | Decline) -> None:
        def answered(answer: Answer | Welcome) -> None:
            if isinstance(answer, Answer) and answer.status == BUSY:
                self._again(room, seat, strategy)

        # The room may have left the memory while the thought lasted.
        room.hall.room(room.address).ask(Asked(request, seat, answered))

    def _again(self, room: Room, seat: str, strategy: str) -> None:
        """Consider a game again later: once, however much of what was asked found no place."""
        if (room.address, seat) in self._waiting:
            return
        self._waiting.add((room.address, seat))

        def consider() -> None:
            self._waiting.discard((room.address, seat))
            if room.game is not None and not room.hall.is_stopping:
                self.consider(room, seat, strategy)

        asyncio.get_running_loop().call_later(AGAIN, consider)

    def _processes(self) -> ProcessPool:
        if self._pool is None:
            self._pool = ProcessPool(
                max_workers=self.processes,
                initializer=end_with_parent,
                initargs=[os.getpid()],
                context=multiprocessing.get_context("spawn"),
            )
        return self._pool

    def close(self) -> None:
        """Give up all thoughts, and end the processes."""
        if self._pool is not None:
            self._pool.stop()  # type: ignore[no-untyped-call]  # untyped in Pebble
            with suppress(TimeoutError):  # they end with this process in any case
                self._pool.join(timeout=2)
            self._pool = None


def choose(variant: str, starting: str, moves: tuple[int, ...], strategy: str, seed: int) -> int:
    """Return the cell that a strategy plays; runs in a process of the pool."""
    state = GameState.new(rules_named(variant), Mark(starting))
    for cell in moves:
        state = state.make_move_to(cell).after_state
    rng = random.Random(seed)
    move = STRATEGIES[strategy](state, rng) or play_by_rules(state, rng)
    assert move is not None
    return move.cell_index


def end_with_parent(parent: int) -> None:
    """End this process once its parent is gone, however it went."""

    def watch() -> None:
        while os.getppid() == parent:
            time.sleep(1)
        os._exit(0)

    threading.Thread(target=watch, daemon=True).start()
