"""Plays a plan out against every reply, under gravity; see `tic_tac_toe.certificate_check`.

A plan is the cells, each as a bit of `board`, with the one that the prover wants most first. That
module says by which rules the prover plays, and is the slow oracle of this one.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from tic_tac_toe.solver.kernels.bits import U0, U1
from tic_tac_toe.solver.kernels.compiling import Compiled
from tic_tac_toe.solver.kernels.gravity.board import (
    MULTIPLIER,
    Game,
    threats_of,
    threats_of_four,
)
from tic_tac_toe.solver.kernels.inlining import Word, Words, called, inlined

#: What comes of a plan: it reaches the goal everywhere; it does not where the path ends; or it has
#: led through too many positions.
HOLDS, FAILS, TOO_LONG = 0, 1, 2
#: A level of the path: the position with the prover to move, its answer, the replies not yet tried.
OWN, OTHER, ANSWER, REPLIES, LEVEL = 0, 1, 2, 3, 4
#: The words of the result: how many positions there were, and the level that the path ends with.
POSITIONS, DEPTH, RESULTS = 0, 1, 2


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


PLAY_OUT = Compiled(play_out, name="gravity-play_out")
