"""What is seen of a new node of the m,n,k kernel before its moves are searched."""

from __future__ import annotations

import numpy as np

from tic_tac_toe.solver.kernels.bits import U0, U1, U2
from tic_tac_toe.solver.kernels.inlining import Word, Words, inlined
from tic_tac_toe.solver.kernels.mnk.board import (
    TWO_BITS,
    Game,
    key_of,
    smallest_image,
)
from tic_tac_toe.solver.kernels.mnk.frame import (
    ATTACK,
    ATTACKS,
    DEFEND,
    DEFENDS,
    KEY_HIGH,
    KEY_LOW,
    LAST,
    LEFT,
    MEET_OTHER,
    OTHER,
    OWN,
    PAIR,
    TURN,
    ZONE,
)
from tic_tac_toe.solver.kernels.mnk.lines import (
    cells_on,
    double_threat,
    last_cells,
    meet_defended,
    parries,
    reduce_lines,
)
from tic_tac_toe.solver.kernels.mnk.moves import (
    queue_forced,
    queue_moves,
)
from tic_tac_toe.solver.kernels.mnk.pairing import holds_by_pairs
from tic_tac_toe.solver.kernels.wide_table import (
    SIX,
    U6,
    bucket_of,
    find_entry,
    mixed,
)


@inlined
def see_threats(
    turn: Word, left: Word, count: Word, singles: Word, singles_other: Word
) -> tuple[Word, Word, Word, Word]:
    """Say what the cells that complete a line decide: the side that can complete one does so.

    Returns:
        whether the node is answered, the attacker's marks with which it wins, the zone of the win,
        and the only cell that stops a line, if the side to move has to stop one.
    """
    if turn == 0:
        if singles != U0:
            return True, np.int64(1), singles & (U0 - singles), U0
        if left < 2 or count == U0 or singles_other & (singles_other - U1) != U0:
            return True, np.int64(0), U0, U0
        return False, np.int64(0), U0, singles_other
    if singles_other != U0 or count == U0:
        return True, np.int64(0), U0, U0
    second = singles & (singles - U1)
    if second != U0:
        return True, np.int64(1), (singles ^ second) | (second & (U0 - second)), U0
    return False, np.int64(0), U0, singles


@inlined
def key_of_node(
    frames: Words,
    frame: Word,
    turn: Word,
    reach: Word,
    reach_other: Word,
    game: Game,
    constants: Words,
) -> tuple[Word, Word]:
    """Return the mixed key: the marks on lines that matter and the empty cells on them.

    All other cells are alike: "dead" ones count as marks of both.
    """
    own, other = frames[frame + OWN], frames[frame + OTHER]
    count, count_other = frames[frame + ATTACKS], frames[frame + DEFENDS]
    places = cells_on(frames, frame + ATTACK, count)
    places_other = cells_on(frames, frame + DEFEND, count_other)
    if game.cells <= TWO_BITS:
        dead = game.board & ~(reach | reach_other | (places & own) | (places_other & other))
        first, second = (places & own) | dead, (places_other & other) | dead
    elif count_other == U0:
        first, second = places & own, reach
    else:
        first, second = own, other
    first, second = smallest_image(first, second, game, constants)
    flags = np.uint64(turn) | (U2 if count_other != U0 else U0)
    low, high = key_of(first, second, flags, game, constants)
    return mixed(low, high)


@inlined
def look_up(table: Words, bits: Word, low: Word, high: Word, left: Word) -> tuple[Word, Word]:
    """Return whether the table answers, and the attacker's marks with which it wins, or 0."""
    entry = find_entry(table, bucket_of(low, bits), low, high)
    wins, fails = np.int64(entry & SIX), np.int64((entry >> U6) & SIX)
    if entry != U0 and wins <= left:
        return True, wins
    return entry != U0 and fails >= left, np.int64(0)


@inlined
def enter(
    frames: Words,
    frame: Word,
    numbers: Words,
    number: Word,
    constants: Words,
    table: Words,
    table_bits: Word,
    by_lines: Word,
    variation: Word,
    nodes: Word,
    game: Game,
) -> tuple[Word, Word, Word]:
    """Look at a new node: return whether it is answered at once, with which marks, and the zone."""
    frames[frame + LAST] = U0
    empty = game.board & ~(frames[frame + OWN] | frames[frame + OTHER])
    left, turn = numbers[number + LEFT], numbers[number + TURN]
    count, count_other = frames[frame + ATTACKS], frames[frame + DEFENDS]
    singles = last_cells(frames, frame + ATTACK, count, empty)
    singles_other = last_cells(frames, frame + DEFEND, count_other, empty)
    known, value, zone, forced = see_threats(turn, left, count, singles, singles_other)
    if known:
        return True, value, zone
    if forced != U0:
        queue_forced(frames, frame, numbers, number, forced)
        return False, value, zone
    reach_other = cells_on(frames, frame + DEFEND, count_other) & empty
    known, weights, pairs, twice = reduce_lines(frames, frame, turn, empty, reach_other, game)
    if known:
        frames[frame + LAST] = weights.best
        return True, np.int64(0), U0
    pair = game.scratch + PAIR
    if turn == 0 and twice != U0:
        return True, np.int64(2), double_threat(frames, pair, pairs, twice & (U0 - twice))
    meet_other = game.scratch + MEET_OTHER
    pairs_other = meet_defended(frames, frame, meet_other, count_other, empty, game)
    allowed = weights.reach | reach_other
    frames[frame + ZONE] = U0
    if turn == 1 and twice != U0:
        allowed = parries(frames, frame, pair, pairs, twice, pairs_other, allowed)
        if allowed == U0:
            return True, np.int64(2), frames[frame + ZONE]
    low, high = key_of_node(frames, frame, turn, weights.reach, reach_other, game, constants)
    frames[frame + KEY_LOW], frames[frame + KEY_HIGH] = low, high
    known, value = look_up(table, table_bits, low, high, left)
    if known:
        return True, value, weights.reach
    held, last = holds_by_pairs(frames, frame, turn, by_lines, empty, weights.total, game)
    if held:
        frames[frame + LAST] = last if last != U0 else weights.best
        return True, np.int64(0), U0
    queue_moves(
        frames,
        frame,
        numbers,
        number,
        turn,
        allowed,
        reach_other,
        weights,
        count_other != U0,
        by_lines,
        variation,
        nodes,
        game,
    )
    return False, np.int64(0), U0
