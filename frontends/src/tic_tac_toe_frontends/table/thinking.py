"""Thinking aside, so that no screen waits for a computer player."""

from __future__ import annotations

import asyncio
import random
import threading
from collections.abc import Callable
from typing import TypeVar

from tic_tac_toe.game.moments import MOMENT, has_fast_solver, plain_python_solves
from tic_tac_toe.game.strategies import STRATEGIES
from tic_tac_toe.logic.exceptions import InvalidMove
from tic_tac_toe.logic.models import GameState
from tic_tac_toe.logic.rules.traits import plies_left
from tic_tac_toe.logic.search.table import is_small

Result = TypeVar("Result")

#: The pause before a computer's move where somebody is watching, in seconds.
DELAY_SECONDS = 0.25
#: After so long a thread that thinks gives way to the screen's: a tenth of what is usual.
SWITCH_SECONDS = 0.0005

#: What `find_hint` takes at most in plain Python on a slow machine, in seconds: to look ahead as
#: many positions as `Effort.lookahead_nodes`, or as many as `Effort.solve_nodes` to solve ...
LOOKAHEAD_SECONDS, SOLVE_SECONDS = 3, 10
#: ... which is a fraction of a second with at most this number of plies left.
PLIES_AT_ONCE = 11


def hint_seconds(state: GameState) -> int:
    """Return after how many seconds at most `find_hint` answers; 0 where it answers at once."""
    rules, position = state.rules, state.position
    left = plies_left(rules, position)
    if is_small(rules) or (left is not None and left <= PLIES_AT_ONCE):
        return 0
    if has_fast_solver(rules):
        limit = round(MOMENT.fast_seconds + MOMENT.keep_seconds) + LOOKAHEAD_SECONDS
        return 0 if plain_python_solves(rules, position) or _is_in_book(state) else limit
    return SOLVE_SECONDS if plain_python_solves(rules, position) else LOOKAHEAD_SECONDS


def _is_in_book(state: GameState) -> bool:
    """Return whether the opening book of the fast solver knows what every move is worth."""
    from tic_tac_toe.solver.book import book_for

    book, rules, position = book_for(state.rules), state.rules, state.position
    return book is not None and all(
        book.score(rules.play(position, move)) is not None for move in rules.moves(position)
    )


def choose(state: GameState, name: str, rng: random.Random) -> int:
    """Return the cell that a strategy of `STRATEGIES` chooses.

    Raises:
        InvalidMove: the game is over.
    """
    move = STRATEGIES[name](state, rng)
    if move is None:
        raise InvalidMove("No more possible moves", "no_moves")
    return move.cell_index


def in_background(
    call: Callable[[], Result],
    done: Callable[[Result], object],
    failed: Callable[[Exception], object],
) -> None:
    """Start a call in a thread of its own, which nobody has to wait for at the end.

    Args:
        done, failed: called in that thread, with what came of it.
    """

    def run() -> None:
        try:
            result = call()
        except Exception as error:
            failed(error)
        else:
            done(result)

    threading.Thread(target=run, name="thinking", daemon=True).start()


async def in_thread(call: Callable[[], Result]) -> Result:
    """Return what a call returns that runs in a thread of its own.

    Unlike the threads of an executor it holds up neither a cancelled task nor the end of the
    program: what it comes to is then dropped.
    """
    loop = asyncio.get_running_loop()
    future: asyncio.Future[Result] = loop.create_future()

    def settle(set_outcome: Callable[[], None]) -> None:
        if not future.done():
            set_outcome()

    def tell(set_outcome: Callable[[], None]) -> None:
        if not loop.is_closed():
            loop.call_soon_threadsafe(settle, set_outcome)

    in_background(
        call,
        lambda result: tell(lambda: future.set_result(result)),
        lambda error: tell(lambda: future.set_exception(error)),
    )
    return await future
