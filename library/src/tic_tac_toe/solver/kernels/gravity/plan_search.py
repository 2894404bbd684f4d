"""Mends a plan, under gravity, where it fails: local search with an exact solver at hand.

The plan is played out. On the path where it fails the search finds the last position from which the
prover could still reach the goal, and the moves that would have been right there; one of these goes
up in the order of the cells. The change stays if the plan fails later than before.
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from tic_tac_toe.solver.kernels.bits import U0, U1, popcount
from tic_tac_toe.solver.kernels.compiling import Compiled
from tic_tac_toe.solver.kernels.control import HIGH, LOW, NEVER
from tic_tac_toe.solver.kernels.driver import assemble
from tic_tac_toe.solver.kernels.gravity.board import Game
from tic_tac_toe.solver.kernels.gravity.plans import (
    ANSWER,
    DEPTH,
    FAILS,
    HOLDS,
    LEVEL,
    OTHER,
    OWN,
    POSITIONS,
    TOO_LONG,
    Aim,
    completing,
    play_out,
)
from tic_tac_toe.solver.kernels.gravity.search import PARTS, begin
from tic_tac_toe.solver.kernels.inlining import Word, Words, called, inlined

#: A step is kept for its own sake in one of this number; what it does is drawn from as many.
KEPT, RAISED, LOWERED, WAYS = 10, 9, 18, 20
#: What of the result the search adds: the moves that would have been right, those there were.
RIGHT, PLAYABLE, RESULTS = 2, 3, 4

narrow: Callable[..., int] = assemble(PARTS).narrow


@inlined
def drawn(chance: Words, below: Word) -> Word:
    """Return a random number; xorshift64* (Vigna, 2016)."""
    state = chance[0]
    state ^= state >> np.uint64(12)
    state ^= state << np.uint64(25)
    state ^= state >> np.uint64(27)
    chance[0] = state
    return np.int64(((state * np.uint64(0x2545F4914F6CDD1D)) >> np.uint64(33)) % np.uint64(below))


@called
def reaches(
    own: Word,
    mask: Word,
    bound: Word,
    frames: Words,
    numbers: Words,
    busy: Words,
    table: Words,
    spare: Words,
    game: Game,
    control: Words,
) -> Word:
    """Return whether the side to move gets at least a draw (0) or a win (1), as ``bound`` says."""
    control[LOW], control[HIGH] = bound - 1, bound
    begin(own, mask, frames, numbers, busy, game, control)
    narrow(frames, numbers, busy, table, spare, game, control, NEVER)
    return control[LOW] >= bound


@called
def find_fault(
    path: Words,
    result: Words,
    frames: Words,
    numbers: Words,
    busy: Words,
    table: Words,
    spare: Words,
    game: Game,
    aim: Aim,
    control: Words,
) -> Word:
    """Find what would have been right at the end of a failing path; return whether anything is.

    The result gets the right moves of the last position from which the goal can be reached, but for
    the one that was made, and all moves there that do not lose at once.
    """
    must_win = np.int64(aim.must_win)
    for level in range(result[DEPTH], -1, -1):
        at = LEVEL * level
        own, other = path[at + OWN], path[at + OTHER]
        mask = own | other
        if not reaches(own, mask, must_win, frames, numbers, busy, table, spare, game, control):
            continue
        losses = completing(other, game) & (game.board ^ mask)
        playable = (mask + game.bottom) & game.board
        forced = losses & playable
        playable = forced if forced != U0 else playable & ~(losses >> U1)
        right, left = U0, playable & ~path[at + ANSWER]
        while left != U0:
            move = left & (U0 - left)
            left ^= move
            after = mask | move
            if losses & (after + game.bottom) & ~move != U0:
                continue
            if (after & game.board) == game.board:
                won = must_win == 0
            else:
                won = not reaches(
                    other, after, 1 - must_win, frames, numbers, busy, table, spare, game, control
                )
            if won:
                right |= move
        result[RIGHT], result[PLAYABLE] = np.int64(right), np.int64(playable)
        return right != U0
    return False


@inlined
def some(cells: Word, chance: Words) -> Word:
    """Return one of the cells, whichever."""
    for _ in range(drawn(chance, np.int64(popcount(cells)))):
        cells &= cells - U1
    return cells & (U0 - cells)


@inlined
def first_in(order: Words, cells: Word) -> Word:
    """Return the place of that one of the cells that is wanted most."""
    place = 0
    while order[place] & cells == U0:
        place += 1
    return place


@inlined
def raise_to(order: Words, changed: Words, place: Word, to: Word) -> None:
    """Make an order in which the cell at a place stands at another one."""
    source = 0
    for index in range(order.size):
        if index == to:
            changed[index] = order[place]
            continue
        if source == place:
            source += 1
        changed[index] = order[source]
        source += 1


@inlined
def lower_rivals(order: Words, changed: Words, rivals: Word, place: Word) -> None:
    """Make an order in which the rivals that stand before a place come right after it."""
    at = 0
    for index in range(place + 1):
        if order[index] & rivals == U0 or index == place:
            changed[at] = order[index]
            at += 1
    for index in range(place):
        if order[index] & rivals != U0:
            changed[at] = order[index]
            at += 1
    for index in range(place + 1, order.size):
        changed[index] = order[index]


@inlined
def change(order: Words, changed: Words, right: Word, playable: Word, chance: Words) -> None:
    """Make an order in which one of the right moves is wanted more."""
    place = first_in(order, some(right, chance))
    way = drawn(chance, WAYS)
    if way < RAISED:
        raise_to(order, changed, place, np.int64(first_in(order, playable)))
    elif way < LOWERED:
        lower_rivals(order, changed, playable, place)
    else:
        raise_to(order, changed, place, drawn(chance, order.size))


@called
def mend(
    order: Words,
    changed: Words,
    path: Words,
    seen: Words,
    stamps: Words,
    result: Words,
    chance: Words,
    stop: Words,
    frames: Words,
    numbers: Words,
    busy: Words,
    table: Words,
    spare: Words,
    game: Game,
    aim: Aim,
    control: Words,
    steps: Word,
) -> Word:
    """Change an order until it is a plan for the position at the beginning of the path.

    Args:
        order: the empty cells, the one that is wanted most first; in the end the plan, if it holds.
        changed: an array like it.
        result: gets its `RESULTS`.
        chance: the state of the random numbers, and the last stamp that was used.
        stop: its word is not 0 when the search is to end, without a plan.
        frames, numbers, busy, table, spare, control: of a worker, as in `driver.Parts`.
        steps: how many orders are played out at most.

    Returns:
        ``HOLDS``; ``FAILS`` if there is no plan after these steps; or `TOO_LONG`.
    """
    best = np.int64(-1)
    for index in range(order.size):
        changed[index] = order[index]
    for _ in range(steps):
        if stop[0] != 0:
            break
        chance[1] += U1
        status = play_out(changed, path, seen, stamps, result, game, aim, np.int64(chance[1]))
        if status == TOO_LONG:
            return TOO_LONG
        if status == HOLDS or result[POSITIONS] >= best or drawn(chance, KEPT) == 0:
            for index in range(order.size):
                order[index] = changed[index]
            if status == HOLDS:
                return HOLDS
            best = result[POSITIONS]
            if not find_fault(
                path, result, frames, numbers, busy, table, spare, game, aim, control
            ):
                return FAILS
        change(order, changed, np.uint64(result[RIGHT]), np.uint64(result[PLAYABLE]), chance)
    return FAILS


@inlined
def count_signs(order: Words, places: Words) -> Word:
    """Return how many signs an order takes, but for one: see `certificates.plans`."""
    signs, before = 0, np.int64(-1)
    for index in range(order.size):
        place = places[np.int64(popcount(order[index] - U1))]
        if place < before:
            signs += 1
        before = place
    return signs


@called
def shrink(
    order: Words,
    changed: Words,
    places: Words,
    path: Words,
    seen: Words,
    stamps: Words,
    result: Words,
    chance: Words,
    game: Game,
    aim: Aim,
    tries: Word,
) -> Word:
    """Move cells of a plan at random, to lead through fewer positions, or to take fewer signs.

    Args:
        places: for each bit of `board` where the cell stands in reading order.
        tries: how many moves are tried.

    The others are as in `mend`.

    Returns:
        the positions.
    """
    best, signs = np.int64(aim.longest), count_signs(order, places)
    for number in range(tries + 1):
        if number == 0:
            raise_to(order, changed, 0, 0)
        else:
            raise_to(order, changed, drawn(chance, order.size), drawn(chance, order.size))
        chance[1] += U1
        within = Aim(aim.must_win, np.uint64(best))
        status = play_out(changed, path, seen, stamps, result, game, within, np.int64(chance[1]))
        count = result[POSITIONS]
        if status == HOLDS and count <= best:
            fewer = count_signs(changed, places)
            if count < best or fewer <= signs:
                best, signs = count, fewer
                for index in range(order.size):
                    order[index] = changed[index]
    return best


SHRINK = Compiled(shrink, name="gravity-shrink")
MEND = Compiled(mend, name="gravity-mend")
