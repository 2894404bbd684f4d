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

from tic_tac_toe.solver.kernels.bits import U0, U1, U2, popcount
from tic_tac_toe.solver.kernels.control import (
    ALPHA,
    DEPTH,
    FINISHED,
    NODES,
    PAUSED,
    TABLE_BITS,
    VALUE,
    VARIATION,
    open_range,
    settle,
    top_of,
    worth,
)
from tic_tac_toe.solver.kernels.driver import Parts
from tic_tac_toe.solver.kernels.inlining import Word, Words, called, inlined
from tic_tac_toe.solver.kernels.mnk.board import (
    TWO_BITS,
    Game,
    key_of,
    make_move,
    smallest_image,
)
from tic_tac_toe.solver.kernels.mnk.frame import (
    ATTACK,
    ATTACKS,
    BEGUN,
    BEST,
    DEFEND,
    DEFENDS,
    FRAME,
    KEY_HIGH,
    KEY_LOW,
    LAST,
    LEFT,
    MEET_OTHER,
    NUMBERS,
    OTHER,
    OWN,
    PAIR,
    PLACES,
    POSITION,
    STRONG,
    TABLED,
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
    next_move,
    queue_forced,
    queue_moves,
    take_attack,
    take_defence,
)
from tic_tac_toe.solver.kernels.wide_table import (
    SIX,
    U6,
    UNWON,
    bucket_of,
    find_entry,
    grow,
    grows_at,
    mixed,
    store,
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
    entry = find_entry(table, bucket_of(low, table_bits), low, high)
    if entry != U0:
        if np.int64(entry & SIX) <= left:
            return True, np.int64(entry & SIX), weights.reach
        if np.int64((entry >> U6) & SIX) >= left:
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


@inlined
def keep(
    frames: Words,
    frame: Word,
    numbers: Words,
    number: Word,
    table: Words,
    table_bits: Word,
    value: Word,
    nodes: Word,
) -> None:
    """Put the answer of a node that was searched into the table, unless its move was forced."""
    if numbers[number + TABLED] == 1:
        store(
            table,
            bucket_of(frames[frame + KEY_LOW], table_bits),
            frames[frame + KEY_LOW],
            frames[frame + KEY_HIGH],
            np.uint64(numbers[number + LEFT]) if value == 0 else U0,
            np.uint64(value) if value > 0 else UNWON,
            nodes - numbers[number + BEGUN],
        )


@inlined
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
    table_bits = np.uint64(control[TABLE_BITS])
    variation, by_lines = np.uint64(control[VARIATION]), numbers[STRONG] == 0
    depth, nodes = control[DEPTH], control[NODES]
    frame, number = FRAME * np.uint64(depth), np.uint64(NUMBERS * depth)
    while True:
        if nodes >= until:
            control[DEPTH], control[NODES] = depth, nodes
            return PAUSED
        nodes += 1
        known, value, zone = enter(
            frames,
            frame,
            numbers,
            number,
            constants,
            table,
            table_bits,
            by_lines,
            variation,
            nodes,
            game,
        )
        searched = False
        # Answers go up to the parent until one does not decide there; then its next move is made.
        while True:
            if not known:
                bit = next_move(frames, frame, numbers, number)
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
            if searched:
                keep(frames, frame, numbers, number, table, table_bits, value, nodes)
            depth -= 1
            if depth < 0:
                control[DEPTH], control[NODES], control[VALUE] = 0, nodes, value
                return FINISHED
            below = frame
            frame -= FRAME
            number -= np.uint64(NUMBERS)
            if numbers[number + TURN] == 0:
                known, value, zone = take_attack(frames, frame, below, value, zone, game.board)
            else:
                known = take_defence(frames, frame, numbers, number, value, zone)
            searched = known


@called
def fill_root(
    frames: Words, numbers: Words, constants: Words, game: Game, control: Words, weak: Word
) -> None:
    """Fill the first frame with the question that is asked, about the weak game or the real one."""
    position = game.scratch + POSITION
    own, other = frames[position], frames[position + U1]
    ply, alpha, cells = np.int64(popcount(own | other)), control[ALPHA], np.int64(game.cells)
    top, turn = top_of(cells), np.int64(0)
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
def pose(frames: Words, numbers: Words, constants: Words, game: Game, control: Words) -> None:
    """Pose a question about the weak game."""
    fill_root(frames, numbers, constants, game, control, True)


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
    """Set the search to a position that is not over; the range takes in what is seen at once.

    On the empty board the second player cannot win, for the first could win by its strategy (John
    Nash's strategy stealing).
    """
    cells, ply = np.int64(game.cells), np.int64(popcount(own | other))
    top = top_of(cells)
    low = -worth(top, ply + 2) if ply > 0 and ply + 2 <= cells else 0
    high = worth(top, ply + 3) if ply + 3 <= cells else 0
    for index in range(game.lines):
        line = constants[PLACES + np.uint64(index)]
        if line & other == U0 and popcount(line & ~own) == U1:
            low = high = worth(top, ply + 1)
    open_range(control, low, high)
    position = game.scratch + POSITION
    frames[position], frames[position + U1] = own, other


@called
def answer(frames: Words, numbers: Words, constants: Words, game: Game, control: Words) -> None:
    """Narrow the range by the answer of the last search; a win in the weak game is asked again."""
    if control[VALUE] > 0 and numbers[STRONG] == 0:
        fill_root(frames, numbers, constants, game, control, False)
        if frames[DEFENDS] != U0:
            return
    marks, alpha, cells = control[VALUE], control[ALPHA], np.int64(game.cells)
    position = game.scratch + POSITION
    ply = np.int64(popcount(frames[position] | frames[position + U1]))
    top = top_of(cells)
    if alpha >= 0:
        control[VALUE] = worth(top, ply + 2 * marks - 1) if marks > 0 else alpha
    else:
        control[VALUE] = -worth(top, ply + 2 * marks) if marks > 0 else alpha + 1
    settle(control)


PARTS = Parts(
    "mnk", begin, search, grow, grows_at, pose, answer, bucket_words=4, clears_table=False
)
