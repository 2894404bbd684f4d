"""What the lines of a node tell: cells that decide, potentials, and cells that need no look.

Sets of cells are bit boards. The attacker's lines and their pairs (lines that miss two marks) stand
in the frame and in the scratch words; see `frame`.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from tic_tac_toe.solver.kernels.bits import ALL, U0, U1, U2, popcount
from tic_tac_toe.solver.kernels.inlining import Word, Words, inlined
from tic_tac_toe.solver.kernels.mnk.board import ONE, Game, cell_of, weight_of
from tic_tac_toe.solver.kernels.mnk.frame import (
    ATTACK,
    ATTACKS,
    DEFEND,
    LINES_AT,
    MEET,
    PAIR,
    PHI,
    PHI_OTHER,
    ZONE,
)


class Weights(NamedTuple):
    """What the attacker's lines weigh together."""

    reach: Word  # the empty cells on them
    total: Word
    best: Word  # the heaviest cell, as a bit
    most: Word  # its potential
    second_most: Word  # the potential of the next


@inlined
def last_cells(frames: Words, first: Word, count: Word, empty: Word) -> Word:
    """Return the cells that each complete one of the lines, which begin at ``first``."""
    singles = U0
    for index in range(count):
        rest = frames[first + index] & empty
        singles |= rest if rest & (rest - U1) == U0 else U0
    return singles


@inlined
def cells_on(frames: Words, first: Word, count: Word) -> Word:
    """Return all cells of the lines, which begin at ``first``."""
    cells = U0
    for index in range(count):
        cells |= frames[first + index]
    return cells


@inlined
def find_pairs(
    frames: Words, frame: Word, pair: Word, count: Word, empty: Word
) -> tuple[Word, Word]:
    """List the pairs; return how many there are, and the cells that are in two of them."""
    pairs = twice = pair_cells = U0
    for index in range(count):
        line = frames[frame + ATTACK + index] & empty
        if popcount(line) == U2:
            new = True
            for known_pair in range(pairs):
                new &= frames[pair + known_pair] != line
            if new:
                twice |= pair_cells & line
                pair_cells |= line
                frames[pair + pairs] = line
                pairs += U1
    return pairs, twice


@inlined
def drop_pairs(frames: Words, pair: Word, pairs: Word, dead: Word) -> tuple[Word, Word]:
    """Drop the pairs with a dead cell; return how many are left, and the cells in two of them."""
    kept = pair_cells = twice = U0
    for index in range(pairs):
        line = frames[pair + index]
        if line & dead == U0:
            twice |= pair_cells & line
            pair_cells |= line
            frames[pair + kept] = line
            kept += U1
    return kept, twice


@inlined
def drop_lines(frames: Words, frame: Word, count: Word, dead: Word) -> Word:
    """Drop the attacker's lines with a dead cell; return how many are left."""
    kept = U0
    for index in range(count):
        place = frames[frame + ATTACK + index]
        frames[frame + ATTACK + kept] = place
        kept += U1 if place & dead == U0 else U0
    return kept


@inlined
def weigh_lines(
    frames: Words, frame: Word, pairs: Word, count: Word, empty: Word, game: Game
) -> tuple[Word, Word, Word]:
    """Give each cell its potential, and drop the longer lines that contain a pair.

    Returns:
        how many lines are left, the empty cells on them, and their weight.
    """
    phi, pair = game.scratch + PHI, game.scratch + PAIR
    reach = total = kept = U0
    for cell in range(np.int64(game.cells)):
        frames[phi + np.uint64(cell)] = U0
    for index in range(count):
        place = frames[frame + ATTACK + index]
        line = place & empty
        size = popcount(line)
        if size > U2 and pairs != U0:
            covered = False
            for known_pair in range(pairs):
                covered |= frames[pair + known_pair] & ~line == U0
            if covered:
                continue
        frames[frame + ATTACK + kept] = place
        kept += U1
        weight = weight_of(size)
        total += weight
        reach |= line
        while line != U0:
            bit = line & (U0 - line)
            line ^= bit
            frames[phi + cell_of(bit)] += weight
    return kept, reach, total


@inlined
def heaviest(frames: Words, phi: Word, reach: Word) -> tuple[Word, Word, Word]:
    """Return the cell of the highest potential, that potential, and the next."""
    rest = reach
    most = second_most = best = U0
    while rest != U0:
        bit = rest & (U0 - rest)
        rest ^= bit
        here = frames[phi + cell_of(bit)]
        best = bit if here > most else best
        second_most = max(second_most, min(most, here))
        most = max(most, here)
    return best, most, second_most


@inlined
def meet_lines(frames: Words, frame: Word, count: Word, empty: Word, game: Game) -> None:
    """Note for each cell how many of the attacker's lines it is on, and what is common to them."""
    meet, lines_at = game.scratch + MEET, game.scratch + LINES_AT
    for cell in range(np.int64(game.cells)):
        frames[meet + np.uint64(cell)] = ALL
        frames[lines_at + np.uint64(cell)] = U0
    for index in range(count):
        line = frames[frame + ATTACK + index] & empty
        rest = line
        while rest != U0:
            bit = rest & (U0 - rest)
            rest ^= bit
            frames[meet + cell_of(bit)] &= line
            frames[lines_at + cell_of(bit)] += U1


@inlined
def meet_defended(
    frames: Words, frame: Word, meet: Word, count: Word, empty: Word, game: Game
) -> Word:
    """Note for each cell what is common to the defender's lines, and what they weigh.

    Returns:
        the cells on its pairs.
    """
    pairs, phi = U0, game.scratch + PHI_OTHER
    if count != U0:
        for cell in range(np.int64(game.cells)):
            frames[meet + np.uint64(cell)] = ALL
            frames[phi + np.uint64(cell)] = U0
        for index in range(count):
            line = frames[frame + DEFEND + index] & empty
            size = popcount(line)
            pairs |= line if size == U2 else U0
            weight, rest = weight_of(size), line
            while rest != U0:
                bit = rest & (U0 - rest)
                rest ^= bit
                frames[meet + cell_of(bit)] &= line
                frames[phi + cell_of(bit)] += weight
    return pairs


@inlined
def dead_cells(frames: Words, meet: Word, cells: Word) -> Word:
    """Return the cells that lie two by two on the same lines: one is answered by the other."""
    dead, rest = U0, cells
    while rest != U0:
        bit = rest & (U0 - rest)
        rest ^= bit
        partners = frames[meet + cell_of(bit)] & rest
        while partners != U0:
            partner = partners & (U0 - partners)
            partners ^= partner
            if frames[meet + cell_of(partner)] & bit != U0:
                dead |= bit | partner
    return dead


@inlined
def reduce_lines(
    frames: Words, frame: Word, turn: Word, empty: Word, reach_other: Word, game: Game
) -> tuple[Word, Weights, Word, Word]:
    """Drop the attacker's lines that add nothing, until none is left to drop.

    Returns:
        whether the defender is seen to hold by the potential; what the lines weigh; how many pairs
        there are; and the cells that are in two of them.
    """
    pair, count = game.scratch + PAIR, frames[frame + ATTACKS]
    pairs, twice = find_pairs(frames, frame, pair, count, empty)
    known = False
    while True:
        count, reach, total = weigh_lines(frames, frame, pairs, count, empty, game)
        best, most, second_most = heaviest(frames, game.scratch + PHI, reach)
        # The attacker adds at most the heaviest cell; the defender takes it away first.
        known = count == U0 or total + (most if turn == 0 else second_most - most) < ONE
        if known:
            break
        meet_lines(frames, frame, count, empty, game)
        dead = dead_cells(frames, game.scratch + MEET, reach & ~reach_other)
        if dead == U0:
            break
        count = drop_lines(frames, frame, count, dead)
        pairs, twice = drop_pairs(frames, pair, pairs, dead)
    frames[frame + ATTACKS] = count
    return known, Weights(reach, total, best, most, second_most), pairs, twice


@inlined
def double_threat(frames: Words, pair: Word, pairs: Word, centre: Word) -> Word:
    """Return the cells of two pairs that meet in a cell: with it the attacker makes two threats."""
    zone, found = U0, 0
    for index in range(pairs):
        if frames[pair + index] & centre != U0 and found < 2:
            zone |= frames[pair + index]
            found += 1
    return zone


@inlined
def parries(
    frames: Words, frame: Word, pair: Word, pairs: Word, twice: Word, pairs_other: Word, live: Word
) -> Word:
    """Return the defender's moves against an attacker that threatens to make two threats at once.

    The cells that matter in those threats go into the node's zone.
    """
    allowed, rest = live, twice
    while rest != U0:
        centre = rest & (U0 - rest)
        rest ^= centre
        ends, found = U0, 0
        for index in range(pairs):
            if frames[pair + index] & centre != U0:
                ends |= frames[pair + index]
                found += 1
        frames[frame + ZONE] |= ends
        allowed &= (ends if found == 2 else centre) | pairs_other
    return allowed
