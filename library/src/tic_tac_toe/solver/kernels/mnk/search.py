"""The kernel for m,n,k games without gravity, in normal play.

A question with a null window has one attacker: "does it complete a line with at most n more marks
of its own, whatever the defender does?" So the search is an AND/OR search, and a node holds
the lines that still matter: the attacker's open lines, and those of the defender that it could
complete in time and so force the attacker to answer.

First the question is asked of the *weak* game, where the defender's lines count for nothing (the
maker-breaker game; Beck, "Combinatorial Games", 2008). Its no is a no for the real game, and it
is much smaller, for all that matters of a position are the attacker's open lines. Only after a yes
is the real game searched.

Most nodes are decided without a search by the potential of Erdős and Selfridge ("On a combinatorial
game", Journal of Combinatorial Theory A 14, 1973): an open line that misses n marks weighs 2**-n,
and where the lines together weigh less than 1 with the defender to move, it only ever needs to take
the heaviest cell. Where that is not enough, `holds_by_pairs` looks for pairs of cells.
"""

from __future__ import annotations

import numpy as np

from tic_tac_toe.solver.kernels.bits import (
    ALL,
    U0,
    U1,
    U2,
    U3,
    U4,
    Word,
    Words,
    called,
    inlined,
    popcount,
)
from tic_tac_toe.solver.kernels.control import (
    ALPHA,
    DEPTH,
    FINISHED,
    HIGH,
    LOW,
    NODES,
    PAUSED,
    TABLE_BITS,
    VALUE,
    VARIATION,
    Parts,
    choose_outcome,
    enqueue,
    open_range,
    settle,
    top_of,
    worth,
)
from tic_tac_toe.solver.kernels.mnk.board import (
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
    LOOKS,
    MEET,
    MEET_OTHER,
    MOST_LEFT,
    NUMBERS,
    ONE,
    OTHER,
    OWN,
    PAIR,
    PHI,
    PHI_OTHER,
    PLACES,
    POSITION,
    QUEUE,
    REACH,
    REFUTED,
    SINCE,
    STRONG,
    TABLED,
    TRIED,
    TURN,
    TWO_BITS,
    UNIT,
    ZONE,
    Game,
    Weights,
    cell_of,
    cells_on,
    double_threat,
    holds_by_pairs,
    key_of,
    last_cells,
    make_move,
    meet_defended,
    parries,
    reduce_lines,
    smallest_image,
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


# What is seen of a new node before its moves are searched.


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


# How a question is posed, and what its answer means.

#: The first marks that the attacker is given, and the nodes that are spent on giving it one more at
#: a time: many wins are short, and the question whether there is one is then small.
FIRST_LEFT, DEEPENING_NODES = 3, 1 << 15


@inlined
def marks_left(own: Word, other: Word, game: Game, control: Words) -> Word:
    """Return the marks that the attacker may add in the question that is asked."""
    ply, alpha, cells = np.int64(popcount(own | other)), control[ALPHA], np.int64(game.cells)
    top = top_of(cells)
    if alpha >= 0:
        return min(top - alpha - 1 - (ply >> 1), (cells - ply + 1) >> 1)
    return min(top + alpha - ((ply + 1) >> 1), (cells - ply) >> 1)


@called
def fill_root(
    frames: Words,
    numbers: Words,
    constants: Words,
    game: Game,
    control: Words,
    weak: Word,
    left: Word,
) -> None:
    """Fill the first frame with the question that is asked, about the weak game or the real one.

    Args:
        left: the marks that the attacker may add.
    """
    position = game.scratch + POSITION
    own, other, turn = frames[position], frames[position + U1], np.int64(0)
    if control[ALPHA] < 0:
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
    position = game.scratch + POSITION
    most = marks_left(frames[position], frames[position + U1], game, control)
    frames[MOST_LEFT], frames[REFUTED], frames[SINCE] = np.uint64(most), U0, U0
    fill_root(frames, numbers, constants, game, control, True, most)


@inlined
def pose_next(frames: Words, numbers: Words, constants: Words, game: Game, control: Words) -> Word:
    """Pose the question that follows from the answer of the last one, if there is one.

    A win in the weak game is asked again of the real one: with few marks first, for many wins are
    short and then quickly found; at last with all.
    """
    left, most = numbers[LEFT], np.int64(frames[MOST_LEFT])
    is_weak, wins = numbers[STRONG] == 0, control[VALUE] > 0
    if is_weak and left == most:
        if not wins:
            return False
        frames[SINCE] = np.uint64(control[NODES])
        left, weak = min(most, FIRST_LEFT), most > FIRST_LEFT
    elif is_weak and wins:
        weak = False
    elif not wins and left < most:
        frames[REFUTED] = np.uint64(left)
        quick = control[NODES] - np.int64(frames[SINCE]) < DEEPENING_NODES
        left = left + 1 if quick else most
        weak = left < most
    else:
        return False
    fill_root(frames, numbers, constants, game, control, weak, left)
    # Where the defender has no lines to force with, the weak game is the real one.
    return not wins or weak or frames[DEFENDS] != U0


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
    """Narrow the range by the answer of the last search, or pose a harder question."""
    if pose_next(frames, numbers, constants, game, control):
        return
    marks, alpha, cells = control[VALUE], control[ALPHA], np.int64(game.cells)
    position = game.scratch + POSITION
    ply = np.int64(popcount(frames[position] | frames[position + U1]))
    top, is_exact = top_of(cells), marks == np.int64(frames[REFUTED]) + 1
    if alpha >= 0:
        control[VALUE] = worth(top, ply + 2 * marks - 1) if marks > 0 else alpha
    else:
        control[VALUE] = -worth(top, ply + 2 * marks) if marks > 0 else alpha + 1
    settle(control)
    if is_exact and marks > 0 and alpha >= 0:
        control[HIGH] = control[LOW]
    elif is_exact and marks > 0:
        control[LOW] = control[HIGH]


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
        back = steps_back(numbers, number, depth, known)
        depth -= back
        frame -= FRAME * np.uint64(back)
        number -= np.uint64(NUMBERS * back)
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


PARTS = Parts(
    "mnk",
    begin,
    search,
    grow,
    grows_at,
    pose,
    answer,
    bucket_words=4,
    numbers=NUMBERS,
    clears_table=False,
    choose=choose_outcome,
)
