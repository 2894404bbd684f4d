"""Whether the defender holds by answering within pairs of cells, and elsewhere by potential.

When the attacker takes a cell of a pair the defender takes the other, so no line that holds a pair
is ever complete (A. W. Hales and R. I. Jewett, "Regularity and positional games", Transactions of
the AMS 106, 1963). On the lines that hold none, the cells of pairs count as marks of the attacker;
where these lines together weigh little enough, the defender holds them by the potential of Erdős
and Selfridge, with the cells that are in no pair.

Pairs are chosen greedily: for the line with the fewest cells left, the two cells after which the
lines without a pair weigh least. A line for which no pair was left comes first in the next attempt.
"""

from __future__ import annotations

import numpy as np

from tic_tac_toe.solver.kernels.bits import U0, U1, U2, Word, Words, inlined, popcount
from tic_tac_toe.solver.kernels.mnk.board import (
    ATTACK,
    ATTACKS,
    FREE,
    MOST_ATTEMPTS,
    ONE,
    PHI_FREE,
    URGENT,
    WEIGHT,
    WHOLE,
    Game,
    cell_of,
    heaviest,
    weight_of,
)

#: How often pairs are chosen anew in the real game, where it seldom pays.
REAL_ATTEMPTS = 1
#: In the real game no pairs are chosen where all lines weigh as much as this, with the attacker and
#: with the defender to move, for they are hardly ever enough. In both games there is no further
#: attempt after one that left lines of the second weight.
HOPELESS, HOPELESS_DEFENDER = ONE * np.uint64(7) >> U2, ONE * U2
NO_LINE = np.uint64(65)


@inlined
def weigh_free(frames: Words, count: Word, game: Game) -> tuple[Word, Word, Word, Word]:
    """Weigh the lines that hold no pair, by their cells that are in none.

    Returns:
        the empty cells on them, the weight of all, the number of the line that has the fewest
        cells, and how many it has.
    """
    free, weights = game.scratch + FREE, game.scratch + WEIGHT
    reach = total = shortest = U0
    fewest = NO_LINE
    for index in range(count):
        line = frames[free + index]
        size = popcount(line)
        weight = weight_of(size)
        frames[weights + index] = weight
        reach |= line
        total += weight
        shortest = index if size < fewest else shortest
        fewest = min(fewest, size)
    return reach, total, shortest, fewest


@inlined
def heaviest_free(frames: Words, count: Word, reach: Word, game: Game) -> tuple[Word, Word, Word]:
    """Return the heaviest cell on those lines, its potential, and the next."""
    free, phi, rest = game.scratch + FREE, game.scratch + PHI_FREE, reach
    while rest != U0:
        bit = rest & (U0 - rest)
        rest ^= bit
        frames[phi + cell_of(bit)] = U0
    for index in range(count):
        line, weight = frames[free + index], frames[game.scratch + WEIGHT + index]
        while line != U0:
            bit = line & (U0 - line)
            line ^= bit
            frames[phi + cell_of(bit)] += weight
    return heaviest(frames, phi, reach)


@inlined
def best_pair(frames: Words, count: Word, line: Word, game: Game) -> Word:
    """Return the two cells of a line after which the lines without a pair weigh least."""
    free, weights = game.scratch + FREE, game.scratch + WEIGHT
    best, most, first = U0, np.int64(-1) << np.int64(62), line
    while first != U0:
        bit = first & (U0 - first)
        first ^= bit
        second = first
        while second != U0:
            partner = second & (U0 - second)
            second ^= partner
            pair, gain = bit | partner, np.int64(0)
            for index in range(count):
                shared, weight = pair & frames[free + index], np.int64(frames[weights + index])
                gain += weight if shared == pair else (-weight if shared != U0 else np.int64(0))
            best = pair if gain > most else best
            most = max(most, gain)
    return best


@inlined
def next_line(
    frames: Words, count: Word, shortest: Word, tried: Word, urgents: Word, game: Game
) -> tuple[Word, Word]:
    """Return the free cells of the line that gets a pair next, and how many urgent ones had theirs.

    That is the next urgent one that holds no pair yet and has room for one, or else the shortest.
    """
    free, whole = game.scratch + FREE, game.scratch + WHOLE
    while tried < urgents:
        line, found = frames[game.scratch + URGENT + np.uint64(tried)], U0
        for index in range(count):
            found = frames[free + index] if frames[whole + index] == line else found
        tried += 1
        if popcount(found) >= U2:
            return found, tried
    return frames[free + shortest], tried


@inlined
def take_pair(frames: Words, count: Word, pair: Word, game: Game) -> Word:
    """Drop the lines that hold a pair, and its cells from the others; return how many are left."""
    free, whole, kept = game.scratch + FREE, game.scratch + WHOLE, U0
    for index in range(count):
        line = frames[free + index]
        frames[free + kept] = line & ~pair
        frames[whole + kept] = frames[whole + index]
        kept += U1 if pair & ~line != U0 else U0
    return kept


@inlined
def holds_by_pairs(
    frames: Words, frame: Word, turn: Word, weak: Word, empty: Word, weight: Word, game: Game
) -> tuple[Word, Word]:
    """Return whether the defender is seen to hold, and the cell that it takes first, or 0.

    Args:
        weak: whether the question is about the weak game.
        weight: of all the attacker's lines.
    """
    if not weak and weight >= (HOPELESS if turn == 0 else HOPELESS_DEFENDER):
        return False, U0
    free, whole, urgent = game.scratch + FREE, game.scratch + WHOLE, game.scratch + URGENT
    lines, enough = frames[frame + ATTACKS], ONE if turn == 0 else ONE + ONE
    held, last = False, U0
    for attempt in range(MOST_ATTEMPTS if weak else REAL_ATTEMPTS):
        count, tried = lines, 0
        for index in range(lines):
            frames[free + index] = frames[whole + index] = frames[frame + ATTACK + index] & empty
        while True:
            reach, total, shortest, fewest = weigh_free(frames, count, game)
            # The attacker adds at most the heaviest cell; the defender takes it away first.
            if total < enough:
                last, most, second_most = heaviest_free(frames, count, reach, game)
                held = total + (most if turn == 0 else second_most - most) < ONE
            if held or fewest < U2:
                break
            line, tried = next_line(frames, count, shortest, tried, attempt, game)
            count = take_pair(frames, count, best_pair(frames, count, line, game), game)
        if held or total >= HOPELESS_DEFENDER:
            break
        for index in range(attempt, 0, -1):
            frames[urgent + np.uint64(index)] = frames[urgent + np.uint64(index - 1)]
        frames[urgent] = frames[whole + shortest]
    return held, last
