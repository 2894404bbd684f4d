"""The kernel for misère play, where who completes a line loses; with gravity and without.

Bit *i* of a board is cell *i*, as in `logic.shapes.Layout`. The side to move gives up the cells in
which it would complete a line: it has `safe` ones wherever the search looks, for a side without any
has lost. On the scale of `questions` a score counts the marks of the winner when the line is there,
though the last mark is the loser's.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from tic_tac_toe.solver.bits import U0, U1, popcount
from tic_tac_toe.solver.kernel_code import Word, Words, called, inlined
from tic_tac_toe.solver.lines_table import (
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
    NEXT,
    NODES,
    PAUSED,
    TABLE_BITS,
    TABLE_START,
    VALUE,
    VARIATION,
    choose_question,
    may_grow,
    open_range,
    settle,
    worth,
)


class Game(NamedTuple):
    """What the kernel knows of its game, as unsigned words."""

    board: Word
    floor: Word  # where marks can lie without support: the bottom row, or all without gravity
    columns: Word
    cells: Word
    length: Word
    directions: Word  # how many pairs of a step and its starts there are in `constants`


# A frame, in words: the marks of the side to move and of the other, and the mixed key.
OWN, OTHER, KEY_LOW, KEY_HIGH = map(np.uint64, range(4))
FRAME = np.uint64(4)
# A frame of signed numbers: (alpha is the first) and then the moves in the order of their promise.
BEST_AT, TRIED_AT, COUNT_AT, PLY_AT, SINCE_AT, QUEUE_AT = map(np.uint64, (1, 2, 3, 4, 5, 8))
NUMBERS = 8 + 64
#: Scores in the table lie between 0 and 63.
BIAS = 31
#: Beyond so many cells two bit boards are too long for a key, and it is a number in base three.
PAIRED_CELLS, TERNARY_CELLS = 46, 40


@inlined
def completing(stones: Word, constants: Words, game: Game) -> Word:
    """Return the cells, taken or not, in which one more mark completes a line."""
    cells = U0
    length = np.int64(game.length)
    for direction in range(game.directions):
        step, starts = constants[direction + direction], constants[direction + direction + U1]
        for gap in range(length):
            found = starts
            for place in range(length):
                if place != gap:
                    found &= stones >> (np.uint64(place) * step)
            cells |= found << (np.uint64(gap) * step)
    return cells


@inlined
def open_cells(occupied: Word, game: Game) -> Word:
    """Return the cells that a mark may enter."""
    return ((occupied >> game.columns) | game.floor) & game.board & ~occupied


@inlined
def key_of(own: Word, other: Word, cells: Word) -> tuple[Word, Word]:
    """Return two words, the second of 46 bits at most, that no other position has."""
    if cells <= PAIRED_CELLS:
        return own, other
    low, high = U0, U0
    for cell in range(cells):
        digit = ((own >> cell) & U1) + (((other >> cell) & U1) << U1)
        if cell < TERNARY_CELLS:
            low = low + low + low + digit
        else:
            high = high + high + high + digit
    return low, high


@inlined
def set_key(frames: Words, frame: Word, game: Game) -> None:
    """Put the mixed key of a node into its frame."""
    low, high = key_of(frames[frame + OWN], frames[frame + OTHER], game.cells)
    low, high = mixed(low, high)
    frames[frame + KEY_LOW], frames[frame + KEY_HIGH] = low, high


@called
def queue_moves(
    frames: Words,
    frame: Word,
    numbers: Words,
    number: Word,
    safe: Word,
    variation: Word,
    constants: Words,
    game: Game,
) -> Word:
    """Put the safe moves in order; return whether one of them leaves the opponent none.

    Those come first that leave the opponent few safe cells and the mover many.
    """
    own, other = frames[frame + OWN], frames[frame + OTHER]
    fatal = completing(other, constants, game)
    count = 0
    for cell in range(game.cells):
        move = U1 << cell
        if safe & move == U0:
            continue
        empty = game.board & ~(own | other | move)
        replies = open_cells(own | other | move, game)
        if replies & ~fatal == U0 and replies != U0:
            return True
        mine = np.int64(popcount(empty & ~completing(own | move, constants, game)))
        theirs = np.int64(popcount(replies & ~fatal))
        promise = (64 + mine - theirs) * 64 + (np.int64(cell) ^ variation)
        promise = promise * 64 + np.int64(cell)
        at = number + QUEUE_AT + np.uint64(count)
        while at > number + QUEUE_AT and numbers[at - U1] < promise:
            numbers[at] = numbers[at - U1]
            at -= U1
        numbers[at] = promise
        count += 1
    numbers[number + COUNT_AT] = count
    return False


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
    """Answer the question that is being asked, or pause when ``until`` nodes have been looked at.

    Alpha-beta with a null window, fail-soft, over frames; see `gravity.search`.
    """
    cells, bits = np.int64(game.cells), np.uint64(control[TABLE_BITS])
    variation, top = control[VARIATION] & 63, ((cells + 1) >> 1) + 1
    depth, nodes = control[DEPTH], control[NODES]
    frame, number = FRAME * np.uint64(depth), np.uint64(NUMBERS * depth)
    entering, value = True, np.int64(0)
    while depth >= 0:
        if entering:
            if nodes >= until:
                control[DEPTH], control[NODES] = depth, nodes
                return PAUSED
            nodes += 1
            entering = False
            own, other = frames[frame + OWN], frames[frame + OTHER]
            ply, alpha = numbers[number + PLY_AT], numbers[number]
            known = True
            soonest, latest = worth(top, ply + 2), -worth(top, ply + 3)
            if ply + 1 >= cells:
                value = np.int64(0)
            elif soonest <= alpha:
                value = soonest
            elif latest > alpha:
                value = latest
            else:
                set_key(frames, frame, game)
                low, high = frames[frame + KEY_LOW], frames[frame + KEY_HIGH]
                entry = find_entry(table, bucket_of(low, bits), low, high)
                at_least, at_most = latest, soonest
                if entry != U0:
                    at_least = np.int64((entry >> U6) & SIX) - BIAS
                    at_most = np.int64(entry & SIX) - BIAS
                if at_least > alpha:
                    value = at_least
                elif at_most <= alpha:
                    value = at_most
                else:
                    safe = open_cells(own | other, game) & ~completing(own, constants, game)
                    if queue_moves(
                        frames, frame, numbers, number, safe, variation, constants, game
                    ):
                        value = soonest
                    else:
                        known = False
                        numbers[number + BEST_AT], numbers[number + TRIED_AT] = -top, 0
                        numbers[number + SINCE_AT] = nodes
            if known:
                depth -= 1
                frame -= FRAME
                number -= np.uint64(NUMBERS)
                if depth >= 0:
                    numbers[number + BEST_AT] = max(numbers[number + BEST_AT], -value)
                continue
        alpha, best = numbers[number], numbers[number + BEST_AT]
        ply, tried = numbers[number + PLY_AT], numbers[number + TRIED_AT]
        if best <= alpha and tried < numbers[number + COUNT_AT]:
            move = U1 << np.uint64(numbers[number + QUEUE_AT + np.uint64(tried)] & 63)
            numbers[number + TRIED_AT] = tried + 1
            frames[frame + FRAME + OWN] = frames[frame + OTHER]
            frames[frame + FRAME + OTHER] = frames[frame + OWN] | move
            depth += 1
            frame += FRAME
            number += np.uint64(NUMBERS)
            numbers[number], numbers[number + PLY_AT] = -alpha - 1, ply + 1
            entering = True
            continue
        value = best
        at_least = value if value > alpha else -worth(top, ply + 3)
        at_most = worth(top, ply + 2) if value > alpha else value
        low, high = frames[frame + KEY_LOW], frames[frame + KEY_HIGH]
        if at_most < 64 - BIAS:  # the empty board of 64 cells is the only one that has no room
            store(
                table,
                bucket_of(low, bits),
                low,
                high,
                np.uint64(at_least + BIAS),
                np.uint64(at_most + BIAS),
                nodes - numbers[number + SINCE_AT],
            )
        depth -= 1
        frame -= FRAME
        number -= np.uint64(NUMBERS)
        if depth >= 0:
            numbers[number + BEST_AT] = max(numbers[number + BEST_AT], -value)
    control[DEPTH], control[NODES], control[VALUE] = 0, nodes, value
    return FINISHED


@called
def begin(
    own: Word,
    other: Word,
    frames: Words,
    numbers: Words,
    constants: Words,
    game: Game,
    control: Words,
) -> None:
    """Set the search to a position that is not over: what is seen at once, and the first frame."""
    cells, ply = np.int64(game.cells), np.int64(popcount(own | other))
    top = ((cells + 1) >> 1) + 1
    low, high = -worth(top, ply + 3), worth(top, ply + 2)
    if open_cells(own | other, game) & ~completing(own, constants, game) == U0:
        low = high = -worth(top, ply + 1)
    elif ply + 1 >= cells:
        low = high = 0
    open_range(control, low, high)
    frames[OWN], frames[OTHER] = own, other
    numbers[PLY_AT] = ply


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
            control[ALPHA] = numbers[0] = choose_question(control)
            control[ASKING], control[DEPTH] = 1, 0
        stop = min(until, control[GROW_AT])
        if search(frames, numbers, constants, table, game, control, stop) == FINISHED:
            settle(control)
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
    """Solve positions one after the other, each with an empty table; see `gravity.solve_batch`."""
    while control[NEXT] < owns.size:
        index = control[NEXT]
        if control[ASKING] == 0:
            control[TABLE_BITS] = bits = control[TABLE_START]
            for word in range(np.int64(4) << bits):
                table[word] = U0
            control[GROW_AT] = control[NODES] + grows_at(bits)
            control[LOW], control[HIGH] = lows[index], highs[index]
            begin(owns[index], others[index], frames, numbers, constants, game, control)
        status = narrow(frames, numbers, constants, table, spare, game, control, until)
        lows[index], highs[index] = control[LOW], control[HIGH]
        if status == PAUSED:
            return PAUSED
        control[NEXT] += 1
    return FINISHED
