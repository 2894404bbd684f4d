"""The kernel for m,n,k games without gravity, in normal play.

A question with a null window has one attacker: "does it complete a line with at most so many more
marks of its own, whatever the defender does?" So the search is an AND/OR search, and a node holds
the lines that still matter: the attacker's open lines, and those of the defender that it could
complete in time and so force the attacker to answer.

First the question is asked of the *weak* game, where the defender's lines count for nothing (the
maker-breaker game; Beck, "Combinatorial Games", 2008). Its no is a no for the real game, and it
is much smaller, for all that matters of a position are the attacker's open lines. Only after a yes
is the real game searched.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from tic_tac_toe.solver.bits import ALL, U0, U1, U2, popcount
from tic_tac_toe.solver.kernel_code import Word, Words, called, inlined
from tic_tac_toe.solver.lines_table import (
    GROWTH_BITS,
    NEVER,
    SIX,
    U6,
    bucket_of,
    find_entry,
    grow,
    grows_at,
    mixed,
    store,
)
from tic_tac_toe.solver.questions import (
    ALPHA,
    ASKING,
    DEPTH,
    FINISHED,
    GROW_AT,
    HIGH,
    LOW,
    NODES,
    OTHER_END,
    PAUSED,
    SINCE,
    TABLE_BITS,
    TABLE_LIMIT,
    VALUE,
    VARIATION,
    choose_question,
    settle,
    worth,
)


class Game(NamedTuple):
    """What a kernel knows of its game: unsigned words, so that the compiler keeps them at hand."""

    board: Word
    cells: Word
    lines: Word  # how many places for a line there are
    images: Word  # how many symmetries the board has
    symmetric_until: Word  # positions with fewer marks are looked up under all symmetries
    scratch: Word  # where in `frames` the words begin that only one node uses at a time


# A frame, in words: the attacker's open lines, then the defender's, then ten words.
MAXIMUM_LINES = 224  # 8 x 8 has 210 of length 2
ATTACK, DEFEND, NODE = (np.uint64(MAXIMUM_LINES * field) for field in range(3))
OWN, OTHER, ATTACKS, DEFENDS, ZONE, ALLOWED, REACH, KEY_LOW, KEY_HIGH, LAST = (
    NODE + np.uint64(field) for field in range(10)
)
FRAME = NODE + np.uint64(16)
# A frame of signed numbers: marks that the attacker has left, who is to move (0: the attacker), the
# most marks that a win has taken so far, moves tried, moves, nodes at the start, whether the table
# is to know; then the moves in the order of their promise.
LEFT, TURN, BEST, TRIED, COUNT, BEGUN, TABLED, QUEUE = map(np.uint64, range(8))
NUMBERS = 72
STRONG = np.uint64(71)  # of the first frame: whether the defender's lines count
# The scratch words: potentials by cell, cells common to the lines of a cell, pairs.
PHI, MEET, MEET_OTHER, PAIR = map(np.uint64, (0, 64, 128, 192))
SCRATCH = 192 + MAXIMUM_LINES
POSITION = np.uint64(SCRATCH)  # the marks of the side to move in the first position, and the other's
# The constant words: the lines, three powers by byte, images by byte.
PLACES, TERNARY, IMAGES = map(np.uint64, (0, MAXIMUM_LINES, MAXIMUM_LINES + 256))
#: The weight of a complete line in potentials.
UNIT = np.uint64(40)
U8, BYTE = np.uint64(8), np.uint64(255)


@inlined
def cell_of(bit: Word) -> Word:
    """Return the number of the only bit that is set."""
    return popcount(bit - U1)


@inlined
def weight_of(size: Word) -> Word:
    """Return the weight of a line with so many missing marks, rounded up."""
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

    On more than 54 cells no bit may be in both boards.
    """
    cells = game.cells
    if cells <= np.uint64(32):
        return first | (second << np.uint64(32)), flags
    if cells <= np.uint64(54):
        return first | (second << cells), (second >> (np.uint64(64) - cells)) << U2 | flags
    low = ternary(first & FORTY, constants) + ternary(second & FORTY, constants) * U2
    high = ternary(first >> FORTIETH, constants) + ternary(second >> FORTIETH, constants) * U2
    return low, high << U2 | flags


FORTIETH = np.uint64(40)
FORTY = (U1 << FORTIETH) - U1


@inlined
def smallest_image(
    first: Word, second: Word, game: Game, constants: Words
) -> tuple[Word, Word]:
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
    # A line that takes more marks than there are left is none; the defender makes its last mark
    # before the attacker's last.
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


@called
def search(
    frames: Words,
    numbers: Words,
    constants: Words,
    table: Words,
    game: Game,
    control: Words,
    until: Word,
) -> Word:
    """Answer the question of the first frame, or pause when ``until`` nodes have been looked at.

    The answer is in control[VALUE]: the attacker's marks with which it wins, or 0.
    """
    board, cells = game.board, np.int64(game.cells)
    phi, meet = game.scratch + PHI, game.scratch + MEET
    meet_other, pair = game.scratch + MEET_OTHER, game.scratch + PAIR
    table_bits = np.uint64(control[TABLE_BITS])
    variation = np.uint64(control[VARIATION])
    depth, nodes = control[DEPTH], control[NODES]
    frame, number = FRAME * np.uint64(depth), np.uint64(NUMBERS * depth)
    value, zone = np.int64(0), U0
    while True:
        if nodes >= until:
            control[DEPTH], control[NODES] = depth, nodes
            return PAUSED
        nodes += 1
        known = False
        own, other = frames[frame + OWN], frames[frame + OTHER]
        left, turn = numbers[number + LEFT], numbers[number + TURN]
        empty = board & ~(own | other)
        count, count_other = frames[frame + ATTACKS], frames[frame + DEFENDS]
        singles = singles_other = U0
        for index in range(count):
            rest = frames[frame + ATTACK + index] & empty
            singles |= rest if rest & (rest - U1) == U0 else U0
        for index in range(count_other):
            rest = frames[frame + DEFEND + index] & empty
            singles_other |= rest if rest & (rest - U1) == U0 else U0
        forced = U0
        if turn == 0:
            if singles != U0:
                value, zone, known = np.int64(1), singles & (U0 - singles), True
            elif left < 2 or count == U0 or singles_other & (singles_other - U1) != U0:
                value, known = np.int64(0), True
            else:
                forced = singles_other
        elif singles_other != U0 or count == U0:
            value, known = np.int64(0), True
        else:
            forced = singles
            if singles & (singles - U1) != U0:
                second = singles & (singles - U1)
                zone = (singles ^ second) | (second & (U0 - second))
                value, known = np.int64(1), True
        if not known and forced != U0:
            numbers[number + COUNT], numbers[number + TABLED] = 1, 0
            numbers[number + QUEUE] = np.int64(cell_of(forced))
            frames[frame + ALLOWED] = frames[frame + ZONE] = forced
            frames[frame + REACH] = U0
            numbers[number + TRIED] = numbers[number + BEST] = 0
        elif not known:
            reach_other = U0
            for cell in range(cells):
                frames[meet_other + np.uint64(cell)] = ALL
            pairs_other = U0
            for index in range(count_other):
                line = frames[frame + DEFEND + index] & empty
                reach_other |= line
                pairs_other |= line if popcount(line) == U2 else U0
                rest = line
                while rest != U0:
                    bit = rest & (U0 - rest)
                    rest ^= bit
                    frames[meet_other + cell_of(bit)] &= line
            again = True
            reach = twice = pairs = total = U0
            while again:
                again = False
                reach = twice = pairs = total = pair_cells = U0
                for cell in range(cells):
                    frames[phi + np.uint64(cell)] = U0
                    frames[meet + np.uint64(cell)] = ALL
                kept = U0
                for index in range(count):
                    place = frames[frame + ATTACK + index]
                    line = place & empty
                    if popcount(line) == U2:
                        new = True
                        for known_pair in range(pairs):
                            new &= frames[pair + known_pair] != line
                        if new:
                            twice |= pair_cells & line
                            pair_cells |= line
                            frames[pair + pairs] = line
                            pairs += U1
                        else:
                            place = U0
                    frames[frame + ATTACK + kept] = place
                    kept += U1 if place != U0 else U0
                count, kept = kept, U0
                for index in range(count):
                    place = frames[frame + ATTACK + index]
                    line = place & empty
                    size = popcount(line)
                    covered = False
                    if size > U2:
                        for known_pair in range(pairs):
                            covered |= frames[pair + known_pair] & ~line == U0
                    if covered:
                        continue
                    frames[frame + ATTACK + kept] = place
                    kept += U1
                    weight = weight_of(size)
                    total += weight
                    reach |= line
                    rest = line
                    while rest != U0:
                        bit = rest & (U0 - rest)
                        rest ^= bit
                        cell_at = cell_of(bit)
                        frames[phi + cell_at] += weight
                        frames[meet + cell_at] &= line
                count = kept
                # Two cells that lie on the same lines: the defender answers one by the other.
                dead, rest = U0, reach & ~reach_other
                while rest != U0:
                    bit = rest & (U0 - rest)
                    rest ^= bit
                    partners = frames[meet + cell_of(bit)] & rest
                    while partners != U0:
                        partner = partners & (U0 - partners)
                        partners ^= partner
                        if frames[meet + cell_of(partner)] & bit != U0:
                            dead |= bit | partner
                if dead != U0:
                    kept = U0
                    for index in range(count):
                        place = frames[frame + ATTACK + index]
                        frames[frame + ATTACK + kept] = place
                        kept += U1 if place & dead == U0 else U0
                    count = kept
                    again = True
            frames[frame + ATTACKS] = count
            most = second_most = U0
            rest = reach
            while rest != U0:
                bit = rest & (U0 - rest)
                rest ^= bit
                here = frames[phi + cell_of(bit)]
                second_most = max(second_most, min(most, here))
                most = max(most, here)
            if count == U0:
                value, known = np.int64(0), True
            elif turn == 0:
                if twice != U0:
                    value, known = np.int64(2), True
                    centre, zone, found = twice & (U0 - twice), U0, 0
                    for index in range(pairs):
                        if frames[pair + index] & centre != U0 and found < 2:
                            zone |= frames[pair + index]
                            found += 1
                elif total + most < weight_of(U0):
                    value, known = np.int64(0), True
            elif total - most + second_most < weight_of(U0):
                value, known = np.int64(0), True
            allowed = reach | reach_other
            frames[frame + ZONE] = U0
            if not known and turn == 1 and twice != U0:
                # The attacker threatens to make two threats with one mark.
                rest = twice
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
                if allowed == U0:
                    value, zone, known = np.int64(2), frames[frame + ZONE], True
            if not known:
                places = places_other = U0
                for index in range(count):
                    places |= frames[frame + ATTACK + index]
                for index in range(count_other):
                    places_other |= frames[frame + DEFEND + index]
                live = reach | reach_other
                if game.cells <= np.uint64(54):
                    dead = board & ~(live | (places & own) | (places_other & other))
                    first, second = (places & own) | dead, (places_other & other) | dead
                elif count_other == U0:
                    first, second = places & own, reach
                else:
                    first, second = own, other
                if popcount(own | other) < game.symmetric_until:
                    first, second = smallest_image(first, second, game, constants)
                flags = np.uint64(turn) | (U2 if count_other != U0 else U0)
                low, high = key_of(first, second, flags, game, constants)
                low, high = mixed(low, high)
                entry = find_entry(table, bucket_of(low, table_bits), low, high)
                if entry != U0:
                    if np.int64(entry & SIX) <= left:
                        value, zone, known = np.int64(entry & SIX), reach, True
                    elif np.int64((entry >> U6) & SIX) >= left:
                        value, known = np.int64(0), True
                frames[frame + KEY_LOW], frames[frame + KEY_HIGH] = low, high
            if not known:
                tries, rest = 0, allowed
                while rest != U0:
                    bit = rest & (U0 - rest)
                    rest ^= bit
                    at = cell_of(bit)
                    shared = frames[meet + at] & frames[meet_other + at] & live & ~bit
                    # Another cell on all lines of this one serves both sides at least as well.
                    better = False
                    while shared != U0:
                        partner = shared & (U0 - shared)
                        shared ^= partner
                        there = cell_of(partner)
                        mutual = frames[meet + there] & frames[meet_other + there] & bit != U0
                        better |= not mutual or partner < bit
                    if better:
                        continue
                    promise = np.int64(frames[phi + at] << U6 | at)
                    slot = number + QUEUE + np.uint64(tries)
                    while slot > number + QUEUE and numbers[slot - U1] < promise:
                        numbers[slot] = numbers[slot - U1]
                        slot -= U1
                    numbers[slot] = promise
                    tries += 1
                frames[frame + ALLOWED], frames[frame + REACH] = ALL, reach_other
                numbers[number + COUNT], numbers[number + TABLED] = tries, 1
                numbers[number + TRIED] = numbers[number + BEST] = 0
                numbers[number + BEGUN] = nodes
        # Answers go up to the parent until one does not decide there; then its next move is made.
        searched = False
        while True:
            if not known:
                tried, last = numbers[number + TRIED], numbers[number + COUNT]
                bit, allowed = U0, frames[frame + ALLOWED]
                while bit == U0 and tried < last:
                    at = np.uint64(numbers[number + QUEUE + np.uint64(tried)]) & SIX
                    bit = (U1 << at) & allowed
                    tried += 1
                numbers[number + TRIED] = tried
                if bit != U0:
                    make_move(frames, frame, numbers, number, bit, game)
                    depth += 1
                    frame += FRAME
                    number += np.uint64(NUMBERS)
                    break
                value, zone = np.int64(0), U0
                if numbers[number + TURN] == 1:
                    value, zone = numbers[number + BEST], frames[frame + ZONE]
                searched = True
            if searched and numbers[number + TABLED] == 1:
                store(
                    table,
                    bucket_of(frames[frame + KEY_LOW], table_bits),
                    frames[frame + KEY_LOW],
                    frames[frame + KEY_HIGH],
                    np.uint64(numbers[number + LEFT]) if value == 0 else U0,
                    np.uint64(value) if value > 0 else NEVER,
                    nodes - numbers[number + BEGUN],
                )
            depth -= 1
            if depth < 0:
                control[DEPTH], control[NODES], control[VALUE] = 0, nodes, value
                return FINISHED
            frame -= FRAME
            number -= np.uint64(NUMBERS)
            if numbers[number + TURN] == 0:
                known = value > 0
                value, zone = value + 1, zone | frames[frame + LAST]
            else:
                known = value == 0
                if not known:
                    numbers[number + BEST] = max(numbers[number + BEST], value)
                    frames[frame + ZONE] |= zone
                    frames[frame + ALLOWED] &= zone | frames[frame + REACH]
            searched = known


@called
def pose(
    frames: Words, numbers: Words, constants: Words, game: Game, control: Words, weak: Word
) -> None:
    """Fill the first frame with the question that is asked."""
    position = game.scratch + POSITION
    own, other = frames[position], frames[position + U1]
    ply, alpha, cells = np.int64(popcount(own | other)), control[ALPHA], np.int64(game.cells)
    top, turn = ((cells + 1) >> 1) + 1, np.int64(0)
    if alpha >= 0:
        left = min(top - alpha - 1 - (ply >> 1), (cells - ply + 1) >> 1)
    else:
        left = min(top + alpha - ((ply + 1) >> 1), (cells - ply) >> 1)
        own, other, turn = other, own, np.int64(1)
    empty = game.board & ~(own | other)
    count = count_other = U0
    for index in range(game.lines):
        line = constants[PLACES + np.uint64(index)]
        missing = np.int64(popcount(line & empty))
        if line & other == U0 and missing <= left:
            frames[ATTACK + count] = line
            count += U1
        if line & own == U0 and missing <= left - 1 + turn and not weak:
            frames[DEFEND + count_other] = line
            count_other += U1
    frames[OWN], frames[OTHER], frames[ATTACKS], frames[DEFENDS] = own, other, count, count_other
    numbers[LEFT], numbers[TURN], numbers[STRONG] = left, turn, 0 if weak else 1
    control[DEPTH] = 0


@called
def begin(
    own: Word, other: Word, frames: Words, constants: Words, game: Game, control: Words
) -> None:
    """Set the search to a position that is not over; the range takes in what is seen at once.

    On the empty board the second player cannot win, for the first could win by its strategy (John
    Nash's strategy stealing).
    """
    cells, ply = np.int64(game.cells), np.int64(popcount(own | other))
    top = ((cells + 1) >> 1) + 1
    low = -worth(top, ply + 2) if ply > 0 and ply + 2 <= cells else 0
    high = worth(top, ply + 3) if ply + 3 <= cells else 0
    for index in range(game.lines):
        line = constants[PLACES + np.uint64(index)]
        if line & other == U0 and popcount(line & ~own) == U1:
            low = high = worth(top, ply + 1)
    control[LOW] = max(low, min(control[LOW], high))
    control[HIGH] = min(high, max(control[HIGH], low))
    control[ASKING] = control[OTHER_END] = control[DEPTH] = 0
    control[SINCE] = control[NODES]
    position = game.scratch + POSITION
    frames[position], frames[position + U1] = own, other


@called
def answer(frames: Words, game: Game, control: Words) -> None:
    """Narrow the range by the answer of the last search."""
    marks, alpha, cells = control[VALUE], control[ALPHA], np.int64(game.cells)
    position = game.scratch + POSITION
    ply = np.int64(popcount(frames[position] | frames[position + U1]))
    top = ((cells + 1) >> 1) + 1
    if alpha >= 0:
        control[VALUE] = worth(top, ply + 2 * marks - 1) if marks > 0 else alpha
    else:
        control[VALUE] = -worth(top, ply + 2 * marks) if marks > 0 else alpha + 1
    settle(control)


@called
def narrow(
    frames: Words,
    numbers: Words,
    constants: Words,
    table: Words,
    spare: Words,
    game: Game,
    control: Words,
    until: Word,
) -> Word:
    """Ask questions until the range holds one score, or pause; the table grows as it fills."""
    while control[LOW] < control[HIGH]:
        if control[ASKING] == 0:
            control[ALPHA] = choose_question(control)
            control[ASKING] = 1
            pose(frames, numbers, constants, game, control, True)
        stop = min(until, control[GROW_AT])
        if search(frames, numbers, constants, table, game, control, stop) == FINISHED:
            if control[VALUE] > 0 and numbers[STRONG] == 0:
                pose(frames, numbers, constants, game, control, False)
                if frames[DEFENDS] != U0:
                    continue
            answer(frames, game, control)
        elif control[NODES] >= control[GROW_AT]:
            if control[TABLE_BITS] + GROWTH_BITS <= control[TABLE_LIMIT]:
                grow(table, spare, control)
                control[GROW_AT] += grows_at(control[TABLE_BITS])
            else:
                control[GROW_AT] = np.iinfo(np.int64).max
        else:
            return PAUSED
    return FINISHED
