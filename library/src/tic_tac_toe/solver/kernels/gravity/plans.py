"""Plans under gravity: played out against every reply, and mended where they fail.

A plan is the cells, each as a bit of `board`, with the one that the prover wants most first.
`tic_tac_toe.certificate_check` says by which rules the prover plays, and is the slow oracle of this
module.

A plan that fails is mended by local search with an exact solver at hand. On the path where it
fails the search finds the last position from which the prover could still reach the goal, and the
moves that would have been right there; one of these goes up in the order of the cells. The change
stays if the plan fails later than before.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

import numpy as np

from tic_tac_toe.solver.kernels.bits import U0, U1, Word, Words, called, inlined, popcount
from tic_tac_toe.solver.kernels.compiling import Compiled
from tic_tac_toe.solver.kernels.control import HIGH, LOW, NEVER, assemble
from tic_tac_toe.solver.kernels.gravity.board import (
    MULTIPLIER,
    Game,
    threats_of,
    threats_of_four,
)
from tic_tac_toe.solver.kernels.gravity.search import PARTS, begin

#: What comes of a plan: it reaches the goal everywhere; it does not where the path ends; or it has
#: led through too many positions.
HOLDS, FAILS, TOO_LONG = 0, 1, 2
#: A level of the path: the position with the prover to move, its answer, the replies not yet tried.
OWN, OTHER, ANSWER, REPLIES, LEVEL = 0, 1, 2, 3, 4
#: The words of the result: how many positions there were, and the level that the path ends with;
#: what the search adds: the moves that would have been right, and those there were.
POSITIONS, DEPTH, RIGHT, PLAYABLE, RESULTS = 0, 1, 2, 3, 4
#: A step is kept for its own sake in one of this number; what it does is drawn from as many.
KEPT, RAISED, LOWERED, WAYS = 10, 9, 18, 20

narrow: Callable[..., int] = assemble(PARTS).narrow


class Aim(NamedTuple):
    """What the prover is to reach, and in how many positions."""

    must_win: Word
    longest: Word


@inlined
def completing(marks: Word, game: Game) -> Word:
    """Return where one more mark completes a line, taken or not, on the board or not."""
    return threats_of_four(marks, game.up) if game.four != U0 else threats_of(marks, game)


@inlined
def enter(path: Words, level: Word, order: Words, game: Game, aim: Aim) -> Word:
    """Let the plan answer in the position at a level of the path.

    Returns:
        ``HOLDS`` if the goal is reached whatever comes, ``FAILS`` if it is missed, and `TOO_LONG`
        if there are replies to look at.
    """
    at = np.int64(LEVEL) * level
    own, other = path[at + OWN], path[at + OTHER]
    taken, board = own | other, game.board
    playable = (taken + game.bottom) & board
    path[at + ANSWER] = U0
    if playable == U0:
        return FAILS if aim.must_win != U0 else HOLDS
    if completing(own, game) & playable != U0:
        return HOLDS
    losses = completing(other, game) & (board ^ taken)
    answer = losses & playable
    if answer == U0:
        safe = playable & ~(losses >> U1)
        for index in range(order.size):
            if order[index] & safe != U0:
                answer = order[index]
                break
    path[at + ANSWER] = answer
    replies = ((taken | answer) + game.bottom) & board
    if answer == U0 or answer & (answer - U1) != U0 or replies & losses != U0:
        return FAILS
    if replies == U0:
        return FAILS if aim.must_win != U0 else HOLDS
    threats = completing(own | answer, game) & replies
    if threats & (threats - U1) != U0:
        return HOLDS
    path[at + REPLIES] = replies if threats == U0 else threats
    return TOO_LONG


@inlined
def is_new(position: Word, seen: Words, stamps: Words, stamp: Word) -> Word:
    """Put a position into a set of those that have this stamp; return whether it was not there."""
    place = (position * MULTIPLIER) >> np.uint64(32) & np.uint64(seen.size - 1)
    while stamps[place] == stamp:
        if seen[place] == position:
            return False
        place = (place + U1) & np.uint64(seen.size - 1)
    stamps[place], seen[place] = stamp, position
    return True


@called
def play_out(
    order: Words,
    path: Words,
    seen: Words,
    stamps: Words,
    result: Words,
    game: Game,
    aim: Aim,
    stamp: Word,
) -> Word:
    """Return what comes of a plan from the position at the beginning of the path.

    Args:
        order: the empty cells, the one that is wanted most first.
        path: has `LEVEL` words a level, and one more level than there are cells.
        seen, stamps: arrays of a power of two, larger than ``aim.longest``, for the positions.
        result: gets its `RESULTS`.
        stamp: larger than in every earlier call with these arrays.
    """
    level, positions = 0, 0
    status = enter(path, level, order, game, aim)
    while status != FAILS:
        if status == HOLDS:  # go back to where there is a reply left
            level -= 1
            while level >= 0 and path[LEVEL * level + REPLIES] == U0:
                level -= 1
            if level < 0:
                break
        elif positions > np.int64(aim.longest):
            break
        at = np.int64(LEVEL) * level
        reply = path[at + REPLIES] & (U0 - path[at + REPLIES])
        path[at + REPLIES] ^= reply
        own, other = path[at + OWN] | path[at + ANSWER], path[at + OTHER] | reply
        level += 1
        status = HOLDS
        if is_new(own + (own | other), seen, stamps, stamp):
            positions += 1
            path[at + LEVEL + OWN], path[at + LEVEL + OTHER] = own, other
            status = enter(path, level, order, game, aim)
    result[POSITIONS], result[DEPTH] = positions, level
    return status


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
PLAY_OUT = Compiled(play_out, name="gravity-play_out")
MEND = Compiled(mend, name="gravity-mend")
