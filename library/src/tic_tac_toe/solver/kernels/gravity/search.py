"""The search for games with gravity: Connect Four and its relatives, in normal play.

The boards are drawn in `board`. A node holds the marks of the side to move (``own``) and of both
(``mask``). ``own + mask`` is different for every position and is the key. Three things hold
wherever the search looks: nobody owns a line, the side to move cannot win with its next move, and
its ``moves`` are those after which the opponent cannot either.

All children of a node are made side by side in fixed lanes, so that the compiler turns the loops
into vector instructions, and what can be said of them without a search is said there: a win in two
plies, bounds by zugzwang, a bound in the table.
"""

from __future__ import annotations

import numpy as np

from tic_tac_toe.solver.kernels.bits import (
    U0,
    U1,
    U2,
    U4,
    U7,
    Word,
    Words,
    called,
    inlined,
    popcount,
    prefetch,
)
from tic_tac_toe.solver.kernels.control import (
    ALPHA_AT,
    BEST_AT,
    COUNT_AT,
    DEPTH,
    FINISHED,
    GROW_AT,
    GROWTH_BITS,
    NODES,
    PAUSED,
    PLY_AT,
    QUEUE_AT,
    SHARING,
    SINCE_AT,
    SYMMETRIC_UNTIL,
    TABLE_BITS,
    TRIED_AT,
    VALUE,
    Parts,
    answer_alpha,
    enqueue,
    open_range,
    pose_alpha,
    top_of,
    worth,
)
from tic_tac_toe.solver.kernels.gravity.board import (
    Game,
    four_in_row,
    hashed,
    line_in,
    mirrored,
    safe_moves,
    threats_of,
    threats_of_four,
)

MAXIMUM_COLUMNS = 32

# A frame of words: eight fields about the children, with a word a column, then five about the node.
# That the fields always lie so far apart tells the compiler that they do not overlap.
_FIELD = MAXIMUM_COLUMNS
OWN = np.uint64(0 * _FIELD)  # the marks of the side that made the move
MASK = np.uint64(1 * _FIELD)  # the marks of both sides
THREATS = np.uint64(2 * _FIELD)  # empty cells in which that side completes a line
MOVES = np.uint64(3 * _FIELD)  # the replies that do not lose at once
BUCKET = np.uint64(4 * _FIELD)  # where the child's bucket begins in the table
TAG = np.uint64(5 * _FIELD)  # what tells the child from others of the bucket
ORDER = np.uint64(6 * _FIELD)  # the promise of the move
BOUND = np.uint64(7 * _FIELD)  # what zugzwang proves: `NO_BOUND`, `NO_LOSS` or `WIN`
NODE = np.uint64(8 * _FIELD)  # of the node: the marks of the side to move
NODE_MASK = NODE + np.uint64(1)  # the marks of both sides
NODE_MOVES = NODE + np.uint64(2)  # the moves after which the opponent cannot win at once
NODE_BUCKET = NODE + np.uint64(3)  # where its bucket begins in the table
NODE_TAG = NODE + np.uint64(4)  # what tells it from others of the bucket
FRAME = NODE + np.uint64(8)

# A frame of signed numbers: the fields that `stack` names, then the row of moves. A move that waits
# for another worker stands there twice.
NUMBERS = 8 + 2 * MAXIMUM_COLUMNS

NO_BOUND, NO_LOSS, WIN = map(np.uint64, (0, 1, 2))


# The transposition table: one word a position, two positions a bucket. An entry is, from the high
# bits down: the tag, the work (log2 of the nodes that it took), the lower and the upper bound. A
# key is mixed by `hashed` without loss; its low bits number the bucket and all others are the tag,
# so two positions are never taken for one another. A word is read and written at once, so that
# threads share the table without a lock.

TAG_SHIFT, WORK_SHIFT, LOW_SHIFT = np.uint64(20), np.uint64(14), U7
WORK_MASK, SCORE_MASK = np.uint64(63), np.uint64(127)
#: Added to scores, which are then positive: an entry is never 0.
BIAS = 64
#: The table grows when the search has looked at this number of nodes for each bucket. A table that
#: no longer fits the processor's caches costs more than it saves, so one of 8 MiB grows later.
NODES_A_BUCKET, NODES_A_BUCKET_LARGE, LARGE_BITS = 2, 32, 19


@inlined
def store(table: Words, bucket: Word, tag: Word, low: Word, high: Word, nodes: Word) -> None:
    """Keep the bounds of a position; of three positions in a bucket the least work is forgotten."""
    work = np.uint64(nodes)
    work |= work >> U1
    work |= work >> U2
    work |= work >> U4
    work |= work >> np.uint64(8)
    work |= work >> np.uint64(16)
    work = popcount(work)
    bounds = (np.uint64(low + BIAS) << LOW_SHIFT) | np.uint64(high + BIAS)
    entry = (tag << TAG_SHIFT) | (work << WORK_SHIFT) | bounds
    first, second = table[bucket], table[bucket + U1]
    if first >> TAG_SHIFT == tag:
        table[bucket] = entry
    elif second >> TAG_SHIFT == tag:
        table[bucket + U1] = entry
    elif (first >> WORK_SHIFT) & WORK_MASK <= work:
        table[bucket + U1] = first
        table[bucket] = entry
    else:
        table[bucket + U1] = entry


@inlined
def find_entry(table: Words, bucket: Word, tag: Word) -> Word:
    """Return the entry of a position, or 0."""
    entry = table[bucket]
    if entry >> TAG_SHIFT == tag and entry != U0:
        return entry
    entry = table[bucket + U1]
    return entry if entry >> TAG_SHIFT == tag else U0


@inlined
def low_of(entry: Word) -> Word:
    """Return the lower bound in an entry."""
    return np.int64((entry >> LOW_SHIFT) & SCORE_MASK) - BIAS


@inlined
def high_of(entry: Word) -> Word:
    """Return the upper bound in an entry."""
    return np.int64(entry & SCORE_MASK) - BIAS


@called
def grows_at(bits: Word) -> Word:
    """Return the count of nodes at which a table of 2**bits buckets becomes too small."""
    return (NODES_A_BUCKET if bits < LARGE_BITS else NODES_A_BUCKET_LARGE) << bits


@called
def grow(table: Words, spare: Words, control: Words) -> None:
    """Spread what the table holds over eight times as many buckets."""
    before = np.uint64(control[TABLE_BITS])
    after = before + np.uint64(GROWTH_BITS)
    used = np.int64(U1 << (before + U1))
    for index in range(used):
        spare[index] = table[index]
    for index in range(used << GROWTH_BITS):
        table[index] = U0
    for index in range(used):
        entry = spare[index]
        if entry != U0:
            key = ((entry >> TAG_SHIFT) << before) | np.uint64(index >> 1)
            bucket = (key & ((U1 << after) - U1)) << U1
            moved = (key >> after << TAG_SHIFT) | (entry & ((U1 << TAG_SHIFT) - U1))
            # The first of a bucket took more work, as `store` left them, and comes first again.
            table[bucket if table[bucket] == U0 else bucket + U1] = moved
    control[TABLE_BITS] += GROWTH_BITS
    control[GROW_AT] += grows_at(control[TABLE_BITS])


# The children of a node, made side by side, and what is seen of them without a search.

#: The promise of a move is its order by threats, and below that how near to the centre it is, and
#: its lane.
ORDER_SHIFT = np.uint64(12)


@inlined
def make_children(
    frames: Words,
    table: Words,
    frame: Word,
    own: Word,
    mask: Word,
    moves: Word,
    ply: Word,
    table_bits: Word,
    symmetric: Word,
    game: Game,
) -> None:
    """Fill the lanes of a frame: one child a column, nonsense where there is no move."""
    up, board, bottom = game.up, game.board, game.bottom
    lanes, masks = game.lanes, game.masks
    ranks = masks + lanes
    key_bits, to_bucket = game.key_bits, (U1 << table_bits) - U1
    # The side that makes the last mark gets the cells at even distance from the top.
    odd = game.odd
    good = odd if (np.int64(game.cells) - ply) & 1 == 0 else board & ~odd
    # The buckets come first: they are on their way while the rest is worked out.
    for lane in range(lanes):
        move = moves & frames[masks + lane]
        frames[frame + OWN + lane] = own | move
        frames[frame + MASK + lane] = mask | move
        index = hashed(((mask | move) ^ (own | move)) + (mask | move), key_bits)
        frames[frame + BUCKET + lane] = (index & to_bucket) << U1 if move != U0 else U0
        frames[frame + TAG + lane] = index >> table_bits
    if symmetric:
        for lane in range(game.columns):
            child_mask = frames[frame + MASK + lane]
            key = (frames[frame + OWN + lane] ^ child_mask) + child_mask
            index = hashed(min(key, mirrored(key, up, game.columns)), key_bits)
            frames[frame + BUCKET + lane] = (index & to_bucket) << U1
            frames[frame + TAG + lane] = index >> table_bits
    for lane in range(game.columns):
        prefetch(table, frames[frame + BUCKET + lane])
    if game.four != U0:
        for lane in range(lanes):
            move = moves & frames[masks + lane]
            threats = threats_of_four(own | move, up) & (board & ~(mask | move))
            playable = ((mask | move) + bottom) & board
            frames[frame + THREATS + lane] = threats
            frames[frame + MOVES + lane] = safe_moves(threats, playable)
            order = popcount(threats & ~playable & good) + popcount(threats)
            frames[frame + ORDER + lane] = order << ORDER_SHIFT | frames[ranks + lane]
    else:
        for lane in range(lanes):
            move = moves & frames[masks + lane]
            threats = threats_of(own | move, game) & (board & ~(mask | move))
            playable = ((mask | move) + bottom) & board
            frames[frame + THREATS + lane] = threats
            frames[frame + MOVES + lane] = safe_moves(threats, playable)
            order = popcount(threats & ~playable & good) + popcount(threats)
            frames[frame + ORDER + lane] = order << ORDER_SHIFT | frames[ranks + lane]


@inlined
def follow_up(
    frames: Words, frame: Word, lane: Word, theirs: Word, game: Game
) -> tuple[Word, Word]:
    """Return all that the opponent can own at the end, and what the mover will own for certain."""
    mask = frames[frame + MASK + lane]
    empty, playable = game.board & ~mask, (mask + game.bottom) & game.board
    gets = theirs | (empty & game.odd) | playable
    return gets, frames[frame + OWN + lane] | (empty & ~game.odd & ~playable)


@inlined
def zugzwang(frames: Words, frame: Word, lane: Word, theirs: Word, game: Game) -> tuple[Word, Word]:
    """Return all that the opponent can own before it must allow a threat, and 2 if there is one."""
    mask = frames[frame + MASK + lane]
    empty, playable = game.board & ~mask, (mask + game.bottom) & game.board
    threats = frames[frame + THREATS + lane] & game.odd & ~playable
    threat = threats & (U0 - threats)
    guard = game.guards & ~(threat - U1)
    guard = guard & (U0 - guard)
    column = guard - (guard >> (game.up - U1))
    below = (threat - U1) & empty & column
    gets = (((empty & game.odd) | playable) & ~column) | (below & ~game.odd)
    return theirs | gets, (popcount(below) & U1) << U1  # no threat, no column, nothing below


@inlined
def bound_children(frames: Words, frame: Word, theirs: Word, ply: Word, game: Game) -> None:
    """Say of each child what zugzwang proves for the side that made the move.

    After the move the opponent is to move, and the mover answers each of its moves directly above
    ("follow-up"; Allis, 1988, calls it claimeven). The bottoms of columns with an odd number of
    empty cells are answered by each other. The opponent then gets at most the cells at odd distance
    from the top, and those bottoms: where they and its marks hold no line, it cannot win. Where the
    cells that are left and the mover's marks hold one, it loses.

    That takes an even number of empty cells. With an odd number the mover needs a threat at odd
    distance from the top over an odd number of empty cells: it plays follow-up everywhere, and the
    opponent has to play below the threat in the end.
    """
    up, lanes = game.up, game.lanes
    if (np.int64(game.cells) - ply) & 1 == 1:
        if game.four != U0:
            for lane in range(lanes):
                gets, keeps = follow_up(frames, frame, lane, theirs, game)
                safe = NO_LOSS if four_in_row(keeps, up) == U0 else WIN
                bound = safe if four_in_row(gets, up) == U0 else NO_BOUND
                frames[frame + BOUND + lane] = bound
        else:
            for lane in range(lanes):
                gets, keeps = follow_up(frames, frame, lane, theirs, game)
                safe = NO_LOSS if line_in(keeps, game) == U0 else WIN
                bound = safe if line_in(gets, game) == U0 else NO_BOUND
                frames[frame + BOUND + lane] = bound
    elif game.four != U0:
        for lane in range(lanes):
            gets, bound = zugzwang(frames, frame, lane, theirs, game)
            frames[frame + BOUND + lane] = bound if four_in_row(gets, up) == U0 else NO_BOUND
    else:
        for lane in range(lanes):
            gets, bound = zugzwang(frames, frame, lane, theirs, game)
            frames[frame + BOUND + lane] = bound if line_in(gets, game) == U0 else NO_BOUND


@inlined
def has_win(frames: Words, frame: Word, moves: Word, game: Game) -> Word:
    """Return whether a move leaves the opponent no reply that does not lose at once."""
    masks, won = game.masks, False
    for lane in range(game.columns):
        if moves & frames[masks + lane] != U0:
            won |= frames[frame + MOVES + lane] == U0
    return won


@inlined
def best_bound(frames: Words, frame: Word, moves: Word, least: Word, game: Game) -> Word:
    """Return the highest score that zugzwang proves for a move, or ``least``."""
    masks, best = game.masks, least
    for lane in range(game.columns):
        if moves & frames[masks + lane] != U0:
            bound = np.int64(frames[frame + BOUND + lane])
            if bound > 0:
                best = max(best, bound - 1)
    return best


# Which moves of a node are tried, in which order, and beside other workers.

#: How many marks there is room for in ``busy``.
MARKS = 1 << 12
#: Added to the promise of a move that has waited for another worker once.
WAITED = 1 << 40
NO_LANE = np.uint64(63)


@inlined
def mark_of(bucket: Word, tag: Word, alpha: Word, table_bits: Word) -> Word:
    """Return a word for "a worker asks about this position", never 0; it may be another's too."""
    index = (tag << table_bits) | (bucket >> U1)
    return ((index << U7) ^ np.uint64(alpha + BIAS)) | U1


@inlined
def place_of(mark: Word) -> Word:
    """Return where a mark is put in `busy`."""
    return (mark >> U7) & np.uint64(MARKS - 1)


@inlined
def queue_moves(
    frames: Words,
    numbers: Words,
    frame: Word,
    number: Word,
    table: Words,
    moves: Word,
    alpha: Word,
    best: Word,
    game: Game,
) -> tuple[Word, Word, Word]:
    """Put in order the moves that the table does not answer; return whether one answers the node.

    Returns:
        whether the score is known to be more than ``alpha``; what it is at least; how many moves
        are left to try.
    """
    row, masks = number + QUEUE_AT, game.masks
    legal = 0
    for lane in range(game.columns):
        numbers[row + np.uint64(legal)] = lane
        legal += 1 if moves & frames[masks + lane] != U0 else 0
    count = 0
    for one in range(legal):
        lane = np.uint64(numbers[row + np.uint64(one)])
        entry = find_entry(table, frames[frame + BUCKET + lane], frames[frame + TAG + lane])
        if entry != U0:
            if -high_of(entry) > alpha:
                return True, -high_of(entry), count
            if -low_of(entry) <= alpha:
                best = max(best, -low_of(entry))
                continue
        enqueue(numbers, row, count, np.int64(frames[frame + ORDER + lane]))
        count += 1
    return False, best, count


@inlined
def next_lane(
    frames: Words,
    numbers: Words,
    frame: Word,
    number: Word,
    table: Words,
    busy: Words,
    is_shared: Word,
    table_bits: Word,
) -> Word:
    """Return the lane of the move to try next, or `NO_LANE` if the node is answered.

    Where workers share the node, a move that another worker looks at waits once, and the table is
    asked again before each.
    """
    alpha = numbers[number + ALPHA_AT]
    while numbers[number + BEST_AT] <= alpha:
        tried = numbers[number + TRIED_AT]
        if tried >= numbers[number + COUNT_AT]:
            break
        promise = numbers[number + QUEUE_AT + np.uint64(tried)]
        lane = np.uint64(promise & 63)
        numbers[number + TRIED_AT] = tried + 1
        if is_shared:
            bucket, tag = frames[frame + BUCKET + lane], frames[frame + TAG + lane]
            entry = find_entry(table, bucket, tag)
            if entry != U0 and (-high_of(entry) > alpha or -low_of(entry) <= alpha):
                found = -high_of(entry) if -high_of(entry) > alpha else -low_of(entry)
                numbers[number + BEST_AT] = max(numbers[number + BEST_AT], found)
                continue
            mark = mark_of(bucket, tag, alpha, table_bits)
            if busy[place_of(mark)] == mark and promise < WAITED:
                count = numbers[number + COUNT_AT]
                numbers[number + QUEUE_AT + np.uint64(count)] = promise + WAITED
                numbers[number + COUNT_AT] = count + 1
                continue
            busy[place_of(mark)] = mark
        return lane
    return NO_LANE


# The first frame, and what a larger table means for the stack.


@inlined
def begin(
    own: Word,
    mask: Word,
    frames: Words,
    numbers: Words,
    busy: Words,
    game: Game,
    control: Words,
) -> None:
    """Set the search to a position that is not over: what is seen at once, and the first frame."""
    cells = np.int64(game.cells)
    board, up = game.board, game.up
    top, ply = top_of(cells), np.int64(popcount(mask))
    playable = (mask + game.bottom) & board
    four = game.four != U0
    wins = threats_of_four(own, up) if four else threats_of(own, game)
    theirs = mask ^ own
    threats = threats_of_four(theirs, up) if four else threats_of(theirs, game)
    moves = safe_moves(threats & board & ~mask, playable)
    low, high = -worth(top, ply + 4), worth(top, ply + 3)
    if wins & playable != U0:
        low = high = worth(top, ply + 1)
    elif ply + 1 >= cells:
        low = high = 0
    elif moves == U0:
        low = high = -worth(top, ply + 2)
    elif ply + 2 >= cells:
        low = high = 0
    open_range(control, low, high)
    frames[NODE], frames[NODE_MASK], frames[NODE_MOVES] = own, mask, moves
    key = theirs ^ mask
    key = key + mask
    if ply < control[SYMMETRIC_UNTIL]:
        key = min(key, mirrored(key, up, game.columns))
    index, bits = hashed(key, game.key_bits), np.uint64(control[TABLE_BITS])
    frames[NODE_BUCKET] = (index & ((U1 << bits) - U1)) << U1
    frames[NODE_TAG] = index >> bits
    numbers[PLY_AT] = ply


@called
def grow_with_stack(frames: Words, table: Words, spare: Words, game: Game, control: Words) -> None:
    """Make the table larger, and work out anew where each position on the stack belongs in it."""
    depth, before, lanes = control[DEPTH], np.uint64(control[TABLE_BITS]), game.lanes
    after = before + np.uint64(GROWTH_BITS)
    for level in range(depth + 1):
        frame = FRAME * np.uint64(level)
        for lane in range(lanes + U1):
            bucket = frame + (NODE_BUCKET if lane == lanes else BUCKET + lane)
            tag = frame + (NODE_TAG if lane == lanes else TAG + lane)
            index = (frames[tag] << before) | (frames[bucket] >> U1)
            frames[bucket] = (index & ((U1 << after) - U1)) << U1
            frames[tag] = index >> after
    grow(table, spare, control)


#: The plies from the root in which workers on one table keep out of each other's way, by marks in
#: ``busy``.
SHARED_PLIES = 12


@inlined
def enter(
    frames: Words,
    numbers: Words,
    frame: Word,
    number: Word,
    table: Words,
    table_bits: Word,
    symmetric_until: Word,
    nodes: Word,
    game: Game,
) -> tuple[Word, Word]:
    """Look at a new node: return whether its score is seen at once, and the score."""
    mask, moves = frames[frame + NODE_MASK], frames[frame + NODE_MOVES]
    own, cells = frames[frame + NODE], np.int64(game.cells)
    ply, alpha, top = numbers[number + PLY_AT], numbers[number + ALPHA_AT], top_of(cells)
    if worth(top, ply + 3) <= alpha:
        return True, worth(top, ply + 3)
    if -worth(top, ply + 4) > alpha:
        return True, -worth(top, ply + 4)
    symmetric = ply < symmetric_until
    make_children(frames, table, frame, own, mask, moves, ply, table_bits, symmetric, game)
    if has_win(frames, frame, moves, game):
        return True, worth(top, ply + 3)
    if ply + 3 >= cells:
        return True, np.int64(0)
    if worth(top, ply + 5) <= alpha:
        return True, worth(top, ply + 5)
    bound_children(frames, frame, mask ^ own, ply, game)
    best = best_bound(frames, frame, moves, -top, game)
    if best > alpha:
        return True, best
    known, best, count = queue_moves(
        frames, numbers, frame, number, table, moves, alpha, best, game
    )
    if known:
        return True, best
    numbers[number + BEST_AT] = best
    numbers[number + TRIED_AT] = 0
    numbers[number + COUNT_AT] = count
    numbers[number + SINCE_AT] = nodes
    return False, best


@inlined
def descend(frames: Words, numbers: Words, frame: Word, number: Word, lane: Word) -> None:
    """Fill the next frame with the node after a move."""
    child, below = frame + FRAME, number + np.uint64(NUMBERS)
    frames[child + NODE] = frames[frame + NODE_MASK] ^ frames[frame + NODE]
    frames[child + NODE_MASK] = frames[frame + MASK + lane]
    frames[child + NODE_MOVES] = frames[frame + MOVES + lane]
    frames[child + NODE_BUCKET] = frames[frame + BUCKET + lane]
    frames[child + NODE_TAG] = frames[frame + TAG + lane]
    numbers[below + ALPHA_AT] = -numbers[number + ALPHA_AT] - 1
    numbers[below + PLY_AT] = numbers[number + PLY_AT] + 1


@inlined
def take_answer(
    frames: Words,
    numbers: Words,
    frame: Word,
    number: Word,
    busy: Words,
    value: Word,
    is_shared: Word,
    table_bits: Word,
) -> None:
    """Take the score of the child that was searched."""
    numbers[number + BEST_AT] = max(numbers[number + BEST_AT], -value)
    if is_shared:
        child = frame + FRAME
        bucket, tag = frames[child + NODE_BUCKET], frames[child + NODE_TAG]
        mark = mark_of(bucket, tag, numbers[number + ALPHA_AT], table_bits)
        if busy[place_of(mark)] == mark:
            busy[place_of(mark)] = U0


@inlined
def keep(
    frames: Words, numbers: Words, frame: Word, number: Word, table: Words, nodes: Word, game: Game
) -> Word:
    """Put what is known of a node into the table; return its score."""
    value, ply = numbers[number + BEST_AT], numbers[number + PLY_AT]
    is_more, top = value > numbers[number + ALPHA_AT], top_of(np.int64(game.cells))
    store(
        table,
        frames[frame + NODE_BUCKET],
        frames[frame + NODE_TAG],
        value if is_more else -worth(top, ply + 4),
        worth(top, ply + 3) if is_more else value,
        nodes - numbers[number + SINCE_AT],
    )
    return value


@inlined
def search(
    frames: Words,
    numbers: Words,
    busy: Words,
    table: Words,
    game: Game,
    control: Words,
    until: Word,
) -> Word:
    """Answer the question that is being asked, or pause when ``until`` nodes have been looked at.

    This is alpha-beta with a null window, fail-soft (Knuth and Moore, 1975; Pearl, 1980), as a loop
    over frames instead of a recursion. Only `control` and the arrays hold its state, so a paused
    search goes on where it was.

    Workers that share a table share the work by what Kerrigan calls simplified ABDADA (Weill, "The
    ABDADA distributed minimax search algorithm", 1996): near the root each marks the positions that
    it is asking about, tries moves to marked ones last, and looks into the table again before.
    """
    table_bits = np.uint64(control[TABLE_BITS])
    symmetric_until = control[SYMMETRIC_UNTIL]
    depth, nodes = control[DEPTH], control[NODES]
    shared_plies = SHARED_PLIES if control[SHARING] != 0 else 0
    frame, number = FRAME * np.uint64(depth), np.uint64(NUMBERS * depth)
    value = np.int64(0)
    while depth >= 0:
        if nodes >= until:
            control[DEPTH], control[NODES] = depth, nodes
            return PAUSED
        nodes += 1
        known, value = enter(
            frames, numbers, frame, number, table, table_bits, symmetric_until, nodes, game
        )
        # Scores go up to the parent until one does not decide there; then its next move is made.
        while True:
            if known:
                depth -= 1
                if depth < 0:
                    break
                frame -= FRAME
                number -= np.uint64(NUMBERS)
                is_shared = depth < shared_plies
                take_answer(frames, numbers, frame, number, busy, value, is_shared, table_bits)
            is_shared = depth < shared_plies
            lane = next_lane(frames, numbers, frame, number, table, busy, is_shared, table_bits)
            if lane != NO_LANE:
                descend(frames, numbers, frame, number, lane)
                depth += 1
                frame += FRAME
                number += np.uint64(NUMBERS)
                break
            value, known = keep(frames, numbers, frame, number, table, nodes, game), True
    control[DEPTH], control[NODES], control[VALUE] = 0, nodes, value
    return FINISHED


PARTS = Parts(
    "gravity",
    begin,
    search,
    grow_with_stack,
    grows_at,
    pose_alpha,
    answer_alpha,
    bucket_words=2,
    numbers=NUMBERS,
    clears_table=True,
)
