"""The kernel for m,n,k games without gravity, in normal play.

A question with a null window has one attacker: "does it complete a line with at most so many more
marks of its own, whatever the defender does?" So the search is an AND/OR search, and a node holds
the lines that still matter: the attacker's open lines, and those of the defender that it could
complete in time and so force the attacker to answer.

First the question is asked of the *weak* game, where the defender's lines count for nothing (the
maker-breaker game; Beck, "Combinatorial Games", 2008). Its no is a no for the real game, and it
is much smaller, for all that matters of a position are the attacker's open lines. Only after a yes
is the real game searched.

Most nodes are decided without a search by the potential of Erdős and Selfridge ("On a combinatorial
game", Journal of Combinatorial Theory A 14, 1973): an open line that misses n marks weighs 2**-n,
and where the lines together weigh less than 1 with the defender to move, it only ever needs to take
the heaviest cell.
"""

from __future__ import annotations

import numpy as np

from tic_tac_toe.solver.bits import ALL, U0, U1, U2, U3, U4, popcount
from tic_tac_toe.solver.kernel_code import Word, Words, called
from tic_tac_toe.solver.lines_board import (
    ALLOWED,
    ATTACK,
    ATTACKS,
    BEGUN,
    BEST,
    COUNT,
    DEFEND,
    DEFENDS,
    FRAME,
    KEY_HIGH,
    KEY_LOW,
    LAST,
    LEFT,
    LINES_AT,
    MEET,
    MEET_OTHER,
    NUMBERS,
    ONE,
    OTHER,
    OWN,
    PAIR,
    PHI,
    PLACES,
    POSITION,
    QUEUE,
    REACH,
    STRONG,
    TABLED,
    TRIED,
    TURN,
    TWO_BITS,
    UNIT,
    ZONE,
    Game,
    cell_of,
    key_of,
    make_move,
    smallest_image,
    weight_of,
)
from tic_tac_toe.solver.lines_table import (
    SIX,
    U6,
    UNWON,
    bucket_of,
    find_entry,
    grow,
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
    NEXT,
    NODES,
    PAUSED,
    TABLE_BITS,
    VALUE,
    VARIATION,
    choose_question,
    may_grow,
    open_range,
    settle,
    worth,
)


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
    phi, meet, lines_at = game.scratch + PHI, game.scratch + MEET, game.scratch + LINES_AT
    meet_other, pair = game.scratch + MEET_OTHER, game.scratch + PAIR
    table_bits = np.uint64(control[TABLE_BITS])
    variation = np.uint64(control[VARIATION])
    depth, nodes, by_lines = control[DEPTH], control[NODES], numbers[STRONG] == 0
    frame, number = FRAME * np.uint64(depth), np.uint64(NUMBERS * depth)
    value, zone = np.int64(0), U0
    while True:
        if nodes >= until:
            control[DEPTH], control[NODES] = depth, nodes
            return PAUSED
        nodes += 1
        known = False
        frames[frame + LAST] = U0
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
        # Who can complete a line does; who can only stop one must.
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
            for index in range(count_other):
                reach_other |= frames[frame + DEFEND + index] & empty
            # A pair is a line that misses two marks. Longer lines that contain one add nothing.
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
            again = True
            reach = total = most = second_most = best = U0
            while again:
                reach = total = most = second_most = best = kept = U0
                for cell in range(cells):
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
                count, rest = kept, reach
                while rest != U0:
                    bit = rest & (U0 - rest)
                    rest ^= bit
                    here = frames[phi + cell_of(bit)]
                    best = bit if here > most else best
                    second_most = max(second_most, min(most, here))
                    most = max(most, here)
                # The attacker adds at most the heaviest cell; the defender takes it away first.
                known = count == U0 or total + (most if turn == 0 else second_most - most) < ONE
                again = False
                if not known:
                    for cell in range(cells):
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
                        count, again = kept, True
                        kept = pair_cells = twice = U0
                        for index in range(pairs):
                            line = frames[pair + index]
                            if line & dead == U0:
                                twice |= pair_cells & line
                                pair_cells |= line
                                frames[pair + kept] = line
                                kept += U1
                        pairs = kept
            frames[frame + ATTACKS] = count
            if known:
                value = np.int64(0)
                frames[frame + LAST] = best
            elif turn == 0 and twice != U0:
                value, zone, known, found = np.int64(2), U0, True, 0
                centre = twice & (U0 - twice)
                for index in range(pairs):
                    if frames[pair + index] & centre != U0 and found < 2:
                        zone |= frames[pair + index]
                        found += 1
            pairs_other = U0
            if not known and count_other != U0:
                for cell in range(cells):
                    frames[meet_other + np.uint64(cell)] = ALL
                for index in range(count_other):
                    line = frames[frame + DEFEND + index] & empty
                    pairs_other |= line if popcount(line) == U2 else U0
                    rest = line
                    while rest != U0:
                        bit = rest & (U0 - rest)
                        rest ^= bit
                        frames[meet_other + cell_of(bit)] &= line
            allowed = live = reach | reach_other
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
                # The key holds the marks on lines that matter and the empty cells on them. All
                # other cells are alike: "dead" ones count as marks of both.
                places = places_other = U0
                for index in range(count):
                    places |= frames[frame + ATTACK + index]
                for index in range(count_other):
                    places_other |= frames[frame + DEFEND + index]
                if game.cells <= TWO_BITS:
                    dead = board & ~(live | (places & own) | (places_other & other))
                    first, second = (places & own) | dead, (places_other & other) | dead
                elif count_other == U0:
                    first, second = places & own, reach
                else:
                    first, second = own, other
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
                    shared = frames[meet + at] & live & ~bit
                    if count_other != U0:
                        shared &= frames[meet_other + at]
                    # Another cell on all lines of this one serves both sides at least as well.
                    better = False
                    while shared != U0:
                        partner = shared & (U0 - shared)
                        shared ^= partner
                        there = cell_of(partner)
                        mutual = frames[meet + there] & bit != U0
                        mutual &= count_other == U0 or frames[meet_other + there] & bit != U0
                        better |= not mutual or partner < bit
                    # If the defender's answer to it is the heaviest cell, what is left is below 1.
                    gain = frames[phi + at]
                    if turn == 0 and bit != best:
                        gained = gain + second_most + min(gain, second_most)
                        better |= total + gained < most + ONE
                    if better:
                        continue
                    # In the weak game the defender does best to end as many lines as it can.
                    if by_lines and turn == 1:
                        gain = (frames[lines_at + at] << UNIT) + gain
                    gain += (gain >> U4) * ((at + variation) * variation & U3)
                    promise = np.int64(gain << U6 | at)
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
                    np.uint64(value) if value > 0 else UNWON,
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
                played, reply = frames[frame + LAST], frames[frame + FRAME + LAST]
                value, zone = value + 1, zone | played
                if not known and reply != U0 and frames[frame + REACH] == U0:
                    # The same reply refutes each move that shares all its other lines with this.
                    empty = board & ~(frames[frame + OWN] | frames[frame + OTHER])
                    played |= reply
                    still = reply
                    for index in range(frames[frame + ATTACKS]):
                        line = frames[frame + ATTACK + index] & empty
                        still |= line if line & played == U0 else U0
                    frames[frame + ALLOWED] &= still
            else:
                known = value == 0
                if not known:
                    # The same win answers each move outside its zone that starts no counter-attack
                    # ("relevance zones": I-C. Wu and P.-H. Lin, IEEE TCIAIG 2, 2010).
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
) -> Word:
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
    open_range(control, low, high)
    position = game.scratch + POSITION
    frames[position], frames[position + U1] = own, other
    return FINISHED


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
            if may_grow(control):
                grow(table, spare, control)
        else:
            return PAUSED
    return FINISHED


@called
def solve_batch(
    owns: Words,
    others: Words,
    lows: Words,
    highs: Words,
    frames: Words,
    numbers: Words,
    constants: Words,
    table: Words,
    spare: Words,
    game: Game,
    control: Words,
    until: Word,
) -> Word:
    """Solve positions one after the other; or pause, to be called again.

    Args:
        lows: what is asked of each score, and then what is known of it, together with `highs`.
    """
    while control[NEXT] < owns.size:
        index = control[NEXT]
        if control[ASKING] == 0:
            control[LOW], control[HIGH] = lows[index], highs[index]
            begin(owns[index], others[index], frames, constants, game, control)
        status = narrow(frames, numbers, constants, table, spare, game, control, until)
        lows[index], highs[index] = control[LOW], control[HIGH]
        if status == PAUSED:
            return PAUSED
        control[NEXT] += 1
    return FINISHED
