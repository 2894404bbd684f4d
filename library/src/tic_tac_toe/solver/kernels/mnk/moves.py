"""Which moves of a node the m,n,k kernel tries, in which order, and which answer it passes over."""

from __future__ import annotations

import numpy as np

from tic_tac_toe.solver.kernels.bits import ALL, U0, U1, U3, U4
from tic_tac_toe.solver.kernels.inlining import Word, Words, inlined
from tic_tac_toe.solver.kernels.mnk.board import ONE, UNIT, Game, cell_of
from tic_tac_toe.solver.kernels.mnk.frame import (
    ALLOWED,
    ATTACK,
    ATTACKS,
    BEGUN,
    BEST,
    COUNT,
    LAST,
    LINES_AT,
    LOOKS,
    MEET,
    MEET_OTHER,
    NUMBERS,
    OTHER,
    OWN,
    PHI,
    PHI_OTHER,
    QUEUE,
    REACH,
    TABLED,
    TRIED,
    ZONE,
)
from tic_tac_toe.solver.kernels.mnk.lines import Weights
from tic_tac_toe.solver.kernels.stack import enqueue
from tic_tac_toe.solver.kernels.wide_table import SIX, U6

#: How many of the defender's moves are looked at, in the weak game, before any is searched.
MOST_LOOKS = 16


@inlined
def queue_forced(frames: Words, frame: Word, numbers: Words, number: Word, forced: Word) -> None:
    """Make the only cell that stops a line the only move; the table is not told of it."""
    numbers[number + COUNT], numbers[number + TABLED] = 1, 0
    numbers[number + LOOKS] = 0
    numbers[number + QUEUE] = np.int64(cell_of(forced))
    frames[frame + ALLOWED] = frames[frame + ZONE] = forced
    frames[frame + REACH] = U0
    numbers[number + TRIED] = numbers[number + BEST] = 0


@inlined
def is_dominated(
    frames: Words, meet: Word, meet_other: Word, at: Word, live: Word, has_defended: Word
) -> Word:
    """Return whether another cell on all lines of this one serves both sides at least as well."""
    bit = U1 << at
    shared = frames[meet + at] & live & ~bit
    if has_defended:
        shared &= frames[meet_other + at]
    better = False
    while shared != U0:
        partner = shared & (U0 - shared)
        shared ^= partner
        there = cell_of(partner)
        mutual = frames[meet + there] & bit != U0
        mutual &= not has_defended or frames[meet_other + there] & bit != U0
        better |= not mutual or partner < bit
    return better


@inlined
def queue_moves(
    frames: Words,
    frame: Word,
    numbers: Words,
    number: Word,
    turn: Word,
    allowed: Word,
    reach_other: Word,
    weights: Weights,
    has_defended: Word,
    by_lines: Word,
    variation: Word,
    nodes: Word,
    game: Game,
) -> None:
    """Put in order the moves that are worth trying.

    Args:
        by_lines: whether a defender prefers the cells on the most lines.
        variation: of the order, by the worker.
    """
    phi_other = game.scratch + PHI_OTHER
    phi, lines_at = game.scratch + PHI, game.scratch + LINES_AT
    meet, meet_other = game.scratch + MEET, game.scratch + MEET_OTHER
    live, second_most = weights.reach | reach_other, weights.second_most
    tries, rest = 0, allowed
    while rest != U0:
        bit = rest & (U0 - rest)
        rest ^= bit
        at = cell_of(bit)
        better = is_dominated(frames, meet, meet_other, at, live, has_defended)
        # If the defender's answer to it is the heaviest cell, what is left is below 1.
        gain = frames[phi + at]
        if turn == 0 and bit != weights.best:
            gained = gain + second_most + min(gain, second_most)
            better |= weights.total + gained < weights.most + ONE
        if better:
            continue
        # In the weak game the defender does best to end as many lines as it can. In the real one
        # its own lines count as well, for they come to force the attacker.
        if by_lines and turn == 1:
            gain += frames[lines_at + at] << UNIT
        elif has_defended and turn == 1:
            gain += frames[phi_other + at] << U1
        gain += (gain >> U4) * ((at + variation) * variation & U3)
        enqueue(numbers, number + QUEUE, tries, np.int64(gain << U6 | at))
        tries += 1
    frames[frame + ALLOWED], frames[frame + REACH] = ALL, reach_other
    numbers[number + COUNT], numbers[number + TABLED] = tries, 1
    numbers[number + TRIED] = numbers[number + BEST] = 0
    numbers[number + LOOKS] = min(tries, MOST_LOOKS) if by_lines and turn == 1 else 0
    numbers[number + BEGUN] = nodes


@inlined
def next_move(frames: Words, frame: Word, numbers: Words, number: Word) -> Word:
    """Return the next move that is not known to lose, as a bit, or 0.

    The first ones come twice where moves are looked at: one that holds at once spares the search of
    those before it.
    """
    tried, looks = numbers[number + TRIED], numbers[number + LOOKS]
    bit, allowed, last = U0, frames[frame + ALLOWED], looks + numbers[number + COUNT]
    while bit == U0 and tried < last:
        place = np.uint64(tried if tried < looks else tried - looks)
        bit = (U1 << (np.uint64(numbers[number + QUEUE + place]) & SIX)) & allowed
        tried += 1
    numbers[number + TRIED] = tried
    return bit


@inlined
def steps_back(numbers: Words, number: Word, depth: Word, known: Word) -> Word:
    """Return 1 if a node was only looked at, and is not answered, so that its parent goes on."""
    if known or depth == 0:
        return 0
    parent = number - np.uint64(NUMBERS)
    return 1 if numbers[parent + TRIED] <= numbers[parent + LOOKS] else 0


@inlined
def pass_over_refuted(frames: Words, frame: Word, played: Word, reply: Word, empty: Word) -> None:
    """Pass over each move that shares all its other lines with a refuted one.

    The reply that refutes the one refutes the others.
    """
    played |= reply
    still = reply
    for index in range(frames[frame + ATTACKS]):
        line = frames[frame + ATTACK + index] & empty
        still |= line if line & played == U0 else U0
    frames[frame + ALLOWED] &= still


@inlined
def take_attack(
    frames: Words, frame: Word, below: Word, value: Word, zone: Word, board: Word
) -> tuple[Word, Word, Word]:
    """Take the answer to the attacker's move: whether it wins, its marks, and its zone."""
    played, reply = frames[frame + LAST], frames[below + LAST]
    if value == 0 and reply != U0 and frames[frame + REACH] == U0:
        empty = board & ~(frames[frame + OWN] | frames[frame + OTHER])
        pass_over_refuted(frames, frame, played, reply, empty)
    return value > 0, value + 1, zone | played


@inlined
def take_defence(
    frames: Words, frame: Word, numbers: Words, number: Word, value: Word, zone: Word
) -> Word:
    """Take the answer to the defender's move; return whether it holds.

    The same win answers each move outside its zone that starts no counter-attack ("relevance
    zones": I-C. Wu and P.-H. Lin, IEEE TCIAIG 2, 2010).
    """
    if value > 0:
        numbers[number + BEST] = max(numbers[number + BEST], value)
        frames[frame + ZONE] |= zone
        frames[frame + ALLOWED] &= zone | frames[frame + REACH]
    return value == 0
