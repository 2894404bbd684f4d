"""The boards of the m,n,k kernel: frames, keys, symmetries, what lines weigh and tell, and pairs.

Boards are bit boards: bit *i* is cell *i*, as in `logic.shapes.Layout`. The kernel does not know
where the cells lie; it is given the places for a line as masks. A line is open to a side while the
other has no mark on it, and what counts is which cells it still misses.

The defender may hold by answering within pairs of cells, and elsewhere by potential.
When the attacker takes a cell of a pair the defender takes the other, so no line that holds a pair
is ever complete (A. W. Hales and R. I. Jewett, "Regularity and positional games", Transactions of
the AMS 106, 1963). On the lines that hold none, the cells of pairs count as marks of the attacker;
where these lines together weigh little enough, the defender holds them by the potential of Erdős
and Selfridge, with the cells that are in no pair.

Pairs are chosen greedily: for the line with the fewest cells left, the two cells after which the
lines without a pair weigh least. A line for which no pair was left comes first in the next attempt.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from tic_tac_toe.solver.kernels.bits import ALL, U0, U1, U2, Word, Words, inlined, popcount
from tic_tac_toe.solver.support import MOST_LINES

MAXIMUM_LINES = MOST_LINES  # 8 x 8 has 210 of length 2
#: How often pairs of cells are chosen anew in a node, at most.
MOST_ATTEMPTS = 6

# A frame of words: the masks of the attacker's open lines, those of the defender's, then the node.
ATTACK = np.uint64(0 * MAXIMUM_LINES)  # the attacker's open lines
DEFEND = np.uint64(1 * MAXIMUM_LINES)  # the defender's
_NODE = 2 * MAXIMUM_LINES
OWN = np.uint64(_NODE)  # the attacker's marks
OTHER = np.uint64(_NODE + 1)  # the defender's marks
ATTACKS = np.uint64(_NODE + 2)  # how many open lines the attacker has
DEFENDS = np.uint64(_NODE + 3)  # how many the defender has
ZONE = np.uint64(_NODE + 4)  # the cells that matter in the attacker's wins found so far
ALLOWED = np.uint64(_NODE + 5)  # the moves that are not yet known to lose
REACH = np.uint64(_NODE + 6)  # the cells on the defender's lines
KEY_LOW = np.uint64(_NODE + 7)  # the mixed key, first word
KEY_HIGH = np.uint64(_NODE + 8)  # the mixed key, second word
LAST = np.uint64(_NODE + 9)  # the move that is being tried
# Of the first frame: how a question is deepened.
MOST_LEFT = np.uint64(_NODE + 10)  # the marks that the attacker has left in the whole question
REFUTED = np.uint64(_NODE + 11)  # with this number of marks it is known not to win
SINCE = np.uint64(_NODE + 12)  # the count of nodes when the question was posed
FRAME = np.uint64(_NODE + 16)

# A frame of signed numbers.
LEFT = np.uint64(0)  # the marks that the attacker has left
TURN = np.uint64(1)  # 0 if the attacker is to move, 1 if the defender is
BEST = np.uint64(2)  # the most marks that a win has taken so far
TRIED = np.uint64(3)  # how many looks and moves of the row have been tried
COUNT = np.uint64(4)  # how many moves the row has
BEGUN = np.uint64(5)  # the count of nodes when the node was entered
TABLED = np.uint64(6)  # 1 if the answer goes into the table
LOOKS = np.uint64(7)  # how many moves of the row are looked at before any is searched
QUEUE = np.uint64(8)  # the row of moves
STRONG = np.uint64(72)  # of the first frame: 1 if the defender's lines count
NUMBERS = 73

# Words that only one node uses at a time, from `Game.scratch` on.
PHI = np.uint64(0)  # for each cell: its potential
LINES_AT = np.uint64(64)  # for each cell: how many of the attacker's lines it is on
MEET = np.uint64(128)  # for each cell: the cells common to those lines
MEET_OTHER = np.uint64(192)  # for each cell: the cells common to the defender's lines through it
PAIR = np.uint64(256)  # the attacker's lines that miss two marks
POSITION = np.uint64(256 + MAXIMUM_LINES)  # the position that is asked about: two bit boards
PHI_OTHER = np.uint64(258 + MAXIMUM_LINES)  # for each cell: the potential of the defender's lines
_PAIRING = 258 + MAXIMUM_LINES + 64
FREE = np.uint64(_PAIRING)  # the attacker's lines that hold no pair, without the cells of pairs
WHOLE = np.uint64(_PAIRING + MAXIMUM_LINES)  # the same lines with all their empty cells
WEIGHT = np.uint64(_PAIRING + 2 * MAXIMUM_LINES)  # what they weigh
PHI_FREE = np.uint64(_PAIRING + 3 * MAXIMUM_LINES)  # for each cell: their potential
URGENT = np.uint64(_PAIRING + 3 * MAXIMUM_LINES + 64)  # the lines that get a pair first
SCRATCH = _PAIRING + 3 * MAXIMUM_LINES + 64 + MOST_ATTEMPTS

# Words that never change.
PLACES = np.uint64(0)  # the lines
TERNARY = np.uint64(MAXIMUM_LINES)  # bytes as numbers to the base three
IMAGES = np.uint64(MAXIMUM_LINES + 256)  # images of bytes


class Game(NamedTuple):
    """What a kernel knows of its game: unsigned words, so that the compiler keeps them at hand."""

    board: Word
    cells: Word
    lines: Word  # how many places for a line there are
    images: Word  # how many symmetries the board has
    scratch: Word  # where in `frames` the words begin that only one node uses at a time


#: The weight of a complete line in potentials, and its log2.
UNIT = np.uint64(44)
ONE = U1 << UNIT
#: Two bits a cell fit the key on boards up to this size; on larger ones a cell is a digit of three.
TWO_BITS = np.uint64(54)
U8, BYTE = np.uint64(8), np.uint64(255)
FORTIETH = np.uint64(40)
FORTY = (U1 << FORTIETH) - U1
#: How often pairs are chosen anew in the real game, where it seldom pays.
REAL_ATTEMPTS = 1
#: In the real game no pairs are chosen where all lines weigh as much as this, with the attacker and
#: with the defender to move, for they are hardly ever enough. In both games there is no further
#: attempt after one that left lines of the second weight.
HOPELESS, HOPELESS_DEFENDER = ONE * np.uint64(7) >> U2, ONE * U2
NO_LINE = np.uint64(65)


@inlined
def cell_of(bit: Word) -> Word:
    """Return the number of the only bit that is set."""
    return popcount(bit - U1)


@inlined
def weight_of(size: Word) -> Word:
    """Return the weight of a line that misses ``size`` marks, rounded up."""
    return U1 << (UNIT - min(size, UNIT))


@inlined
def image_of(bits: Word, image: Word, constants: Words) -> Word:
    """Return the image of a bit board under a symmetry, a byte at a time."""
    result, at = U0, IMAGES + (image << np.uint64(11))
    while bits != U0:
        result |= constants[at + (bits & BYTE)]
        bits >>= U8
        at += np.uint64(256)
    return result


@inlined
def ternary(bits: Word, constants: Words) -> Word:
    """Return bits (40 at most) as digits of a number to the base three."""
    result, power = U0, U1
    while bits != U0:
        result += constants[TERNARY + (bits & BYTE)] * power
        power *= np.uint64(6561)
        bits >>= U8
    return result


@inlined
def key_of(
    first: Word, second: Word, flags: Word, game: Game, constants: Words
) -> tuple[Word, Word]:
    """Return two bit boards and two flags as one key, never the same for two positions.

    On more than `TWO_BITS` cells no bit may be in both boards.
    """
    cells = game.cells
    if cells <= np.uint64(32):
        return first | (second << np.uint64(32)), flags
    if cells <= TWO_BITS:
        return first | (second << cells), (second >> (np.uint64(64) - cells)) << U2 | flags
    low = ternary(first & FORTY, constants) + ternary(second & FORTY, constants) * U2
    high = ternary(first >> FORTIETH, constants) + ternary(second >> FORTIETH, constants) * U2
    return low, high << U2 | flags


@inlined
def smallest_image(first: Word, second: Word, game: Game, constants: Words) -> tuple[Word, Word]:
    """Return the smallest pair that a symmetry of the board makes of two bit boards."""
    best, best_second = first, second
    for image in range(1, game.images):
        moved = image_of(first, np.uint64(image), constants)
        if moved <= best:
            moved_second = image_of(second, np.uint64(image), constants)
            if moved < best or moved_second < best_second:
                best, best_second = moved, moved_second
    return best, best_second


@inlined
def make_move(
    frames: Words, frame: Word, numbers: Words, number: Word, bit: Word, game: Game
) -> None:
    """Fill the next frame: the position after a move, and the lines that still matter there."""
    child, below = frame + FRAME, number + np.uint64(NUMBERS)
    own, other = frames[frame + OWN], frames[frame + OTHER]
    left, turn = numbers[number + LEFT], numbers[number + TURN]
    attacked = defended = U0
    if turn == 0:
        own |= bit
        left -= 1
        attacked = bit
    else:
        other |= bit
        defended = bit
    empty = game.board & ~(own | other)
    # A line that misses more marks than its side has left is dropped; the defender makes its last
    # mark before the attacker's last.
    limit, limit_other = np.uint64(left), np.uint64(left - turn)
    count = U0
    for index in range(frames[frame + ATTACKS]):
        line = frames[frame + ATTACK + index]
        frames[child + ATTACK + count] = line
        count += U1 if line & defended == U0 and popcount(line & empty) <= limit else U0
    frames[child + ATTACKS] = count
    count = U0
    for index in range(frames[frame + DEFENDS]):
        line = frames[frame + DEFEND + index]
        frames[child + DEFEND + count] = line
        count += U1 if line & attacked == U0 and popcount(line & empty) <= limit_other else U0
    frames[child + DEFENDS] = count
    frames[child + OWN], frames[child + OTHER] = own, other
    numbers[below + LEFT], numbers[below + TURN] = left, 1 - turn
    frames[frame + LAST] = bit


# What the lines of a node tell: cells that decide, potentials, and cells that need no look. The
# attacker's lines and their pairs (lines that miss two marks) stand in the frame and in the scratch
# words; sets of cells are bit boards.


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
