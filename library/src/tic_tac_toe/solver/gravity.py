"""The kernel for games with gravity: Connect Four and its relatives, in normal play.

The boards are drawn in `gravity_board`. A node holds the marks of the side to move (``own``) and of
both (``mask``). ``own + mask`` is different for every position and is the key. Three things hold
wherever the search looks: nobody owns a line, the side to move cannot win with its next move, and
its ``moves`` are those after which the opponent cannot either.

All children of a node are made side by side in fixed lanes, so that the compiler turns the loops
into vector instructions, and what can be said of them without a search is said there: a win in two
plies, bounds by zugzwang, a bound in the table.
"""

from __future__ import annotations

import numpy as np

from tic_tac_toe.solver.bits import U0, U1, U7, popcount, prefetch
from tic_tac_toe.solver.gravity_board import (
    Game,
    four_in_row,
    hashed,
    line_in,
    mirrored,
    safe_moves,
    threats_of,
    threats_of_four,
)
from tic_tac_toe.solver.gravity_table import (
    BIAS,
    find_entry,
    grow,
    grows_at,
    high_of,
    low_of,
    store,
)
from tic_tac_toe.solver.kernel_code import Word, Words, called, inlined
from tic_tac_toe.solver.questions import (
    ALPHA,
    ASKING,
    DEPTH,
    FINISHED,
    GROW_AT,
    GROWTH_BITS,
    HIGH,
    LOW,
    NEXT,
    NODES,
    PAUSED,
    SHARING,
    SYMMETRIC_UNTIL,
    TABLE_BITS,
    TABLE_START,
    VALUE,
    choose_question,
    may_grow,
    open_range,
    settle,
    worth,
)

# A frame, in words: eight fields of a word a column about the children, then five about the node.
# That the fields are so far apart, always, tells the compiler that they do not overlap.
MAXIMUM_COLUMNS = 32
OWN, MASK, THREATS, MOVES, BUCKET, TAG, ORDER, BOUND, NODE = (
    np.uint64(MAXIMUM_COLUMNS * field) for field in range(9)
)
NODE_MASK, NODE_MOVES, NODE_BUCKET, NODE_TAG = (NODE + np.uint64(field) for field in range(1, 5))
FRAME = NODE + np.uint64(8)
# A frame of signed numbers: five about the node, then the lanes in the order of their promise.
# (alpha is the first.)
BEST_AT, TRIED_AT, COUNT_AT, PLY_AT, SINCE_AT, QUEUE_AT = map(np.uint64, (1, 2, 3, 4, 5, 8))
NUMBERS = 8 + 2 * MAXIMUM_COLUMNS

#: The promise of a move is its order by threats, and below that how near to the centre it is, and
#: its lane.
ORDER_SHIFT = np.uint64(12)
#: Workers on one table keep out of each other's way in so many plies, by marks in `busy`.
SHARED_PLIES = 12
MARKS = 1 << 12
#: Added to the promise of a move that has waited for another worker once.
WAITED = 1 << 40
NO_BOUND, NO_LOSS, WIN = U0, U1, np.uint64(2)


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
    # Who makes the last mark on the board gets the cells at even distance from the top.
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
    """Say of each child what zugzwang proves for who made the move: nothing, no loss, or a win.

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
def place_in_table(frames: Words, depth: Word, before: Word, game: Game) -> None:
    """Work out anew where each position on the stack belongs, after the table has grown."""
    lanes = game.lanes
    after = before + np.uint64(GROWTH_BITS)
    for level in range(depth + 1):
        frame = FRAME * np.uint64(level)
        for lane in range(lanes + U1):
            bucket = frame + (NODE_BUCKET if lane == lanes else BUCKET + lane)
            tag = frame + (NODE_TAG if lane == lanes else TAG + lane)
            index = (frames[tag] << before) | (frames[bucket] >> U1)
            frames[bucket] = (index & ((U1 << after) - U1)) << U1
            frames[tag] = index >> after


@inlined
def mark_of(bucket: Word, tag: Word, alpha: Word, table_bits: Word) -> Word:
    """Return a word for "somebody asks about this position", never 0; it may be another's too."""
    index = (tag << table_bits) | (bucket >> U1)
    return ((index << U7) ^ np.uint64(alpha + BIAS)) | U1


@inlined
def place_of(mark: Word) -> Word:
    """Return where a mark is put in `busy`."""
    return (mark >> U7) & np.uint64(MARKS - 1)


@inlined
def search(
    frames: Words,
    numbers: Words,
    table: Words,
    busy: Words,
    game: Game,
    control: Words,
    until: Word,
) -> Word:
    """Answer the question that is being asked, or pause when ``until`` nodes have been looked at.

    This is alpha-beta with a null window, fail-soft (Knuth and Moore, 1975; Pearl, 1980), as a loop
    over frames instead of a recursion. Only `control` and the arrays hold its state, so a paused
    search goes on as if nothing had been.

    Workers that share a table share the work by what Kerrigan calls simplified ABDADA (Weill, "The
    ABDADA distributed minimax search algorithm", 1996): near the root each marks the positions that
    it is asking about, tries moves to marked ones last, and looks into the table again before.
    """
    columns = game.columns
    masks, cells = game.masks, np.int64(game.cells)
    table_bits = np.uint64(control[TABLE_BITS])
    symmetric_until = control[SYMMETRIC_UNTIL]
    top = ((cells + 1) >> 1) + 1
    depth, nodes = control[DEPTH], control[NODES]
    shared_plies = SHARED_PLIES if control[SHARING] != 0 else 0
    frame, number = FRAME * np.uint64(depth), np.uint64(NUMBERS * depth)
    entering, value = True, np.int64(0)
    while True:
        known = False
        if entering:
            if nodes >= until:
                control[DEPTH], control[NODES] = depth, nodes
                return PAUSED
            nodes += 1
            mask, moves = frames[frame + NODE_MASK], frames[frame + NODE_MOVES]
            own = frames[frame + NODE]
            ply, alpha = numbers[number + PLY_AT], numbers[number]
            known = True
            if worth(top, ply + 3) <= alpha:
                value = worth(top, ply + 3)
            elif -worth(top, ply + 4) > alpha:
                value = -worth(top, ply + 4)
            else:
                symmetric = ply < symmetric_until
                make_children(
                    frames, table, frame, own, mask, moves, ply, table_bits, symmetric, game
                )
                won = False
                for lane in range(columns):
                    if moves & frames[masks + lane] != U0:
                        won |= frames[frame + MOVES + lane] == U0
                if won:
                    value = worth(top, ply + 3)
                elif ply + 3 >= cells:
                    value = np.int64(0)
                elif worth(top, ply + 5) <= alpha:
                    value = worth(top, ply + 5)
                else:
                    bound_children(frames, frame, mask ^ own, ply, game)
                    best = -top
                    for lane in range(columns):
                        if moves & frames[masks + lane] != U0:
                            bound = np.int64(frames[frame + BOUND + lane])
                            if bound > 0:
                                best = max(best, bound - 1)
                    value, known = best, best > alpha
                    if not known:
                        legal = 0
                        for lane in range(columns):
                            numbers[number + QUEUE_AT + np.uint64(legal)] = lane
                            legal += 1 if moves & frames[masks + lane] != U0 else 0
                        count = 0
                        for one in range(legal):
                            lane = np.uint64(numbers[number + QUEUE_AT + np.uint64(one)])
                            entry = find_entry(
                                table,
                                frames[frame + BUCKET + lane],
                                frames[frame + TAG + lane],
                            )
                            if entry != U0:
                                if -high_of(entry) > alpha:
                                    value, known = -high_of(entry), True
                                    break
                                if -low_of(entry) <= alpha:
                                    best = max(best, -low_of(entry))
                                    continue
                            promise = np.int64(frames[frame + ORDER + lane])
                            at = number + QUEUE_AT + np.uint64(count)
                            while at > number + QUEUE_AT and numbers[at - U1] < promise:
                                numbers[at] = numbers[at - U1]
                                at -= U1
                            numbers[at] = promise
                            count += 1
                        numbers[number + BEST_AT] = best
                        numbers[number + TRIED_AT] = 0
                        numbers[number + COUNT_AT] = count
                        numbers[number + SINCE_AT] = nodes
            entering = False
            if known:
                # The answer goes to the parent.
                depth -= 1
                if depth < 0:
                    break
                frame -= FRAME
                number -= np.uint64(NUMBERS)
        back = known
        while True:
            if back:
                numbers[number + BEST_AT] = max(numbers[number + BEST_AT], -value)
                if depth < shared_plies:
                    child = frame + FRAME
                    bucket, tag = frames[child + NODE_BUCKET], frames[child + NODE_TAG]
                    mark = mark_of(bucket, tag, numbers[number], table_bits)
                    if busy[place_of(mark)] == mark:
                        busy[place_of(mark)] = U0
                back = False
            alpha, best = numbers[number], numbers[number + BEST_AT]
            tried = numbers[number + TRIED_AT]
            ply = numbers[number + PLY_AT]
            if best <= alpha and tried < numbers[number + COUNT_AT]:
                promise = numbers[number + QUEUE_AT + np.uint64(tried)]
                lane = np.uint64(promise & 63)
                numbers[number + TRIED_AT] = tried + 1
                if depth < shared_plies:
                    bucket, tag = frames[frame + BUCKET + lane], frames[frame + TAG + lane]
                    entry = find_entry(table, bucket, tag)
                    if entry != U0 and (-high_of(entry) > alpha or -low_of(entry) <= alpha):
                        found = -high_of(entry) if -high_of(entry) > alpha else -low_of(entry)
                        numbers[number + BEST_AT] = max(best, found)
                        continue
                    mark = mark_of(bucket, tag, alpha, table_bits)
                    if busy[place_of(mark)] == mark and promise < WAITED:
                        count = numbers[number + COUNT_AT]
                        numbers[number + QUEUE_AT + np.uint64(count)] = promise + WAITED
                        numbers[number + COUNT_AT] = count + 1
                        continue
                    busy[place_of(mark)] = mark
                child = frame + FRAME
                mask = frames[frame + NODE_MASK]
                frames[child + NODE] = mask ^ frames[frame + NODE]
                frames[child + NODE_MASK] = frames[frame + MASK + lane]
                frames[child + NODE_MOVES] = frames[frame + MOVES + lane]
                frames[child + NODE_BUCKET] = frames[frame + BUCKET + lane]
                frames[child + NODE_TAG] = frames[frame + TAG + lane]
                depth += 1
                frame = child
                number += np.uint64(NUMBERS)
                numbers[number] = -alpha - 1
                numbers[number + PLY_AT] = ply + 1
                entering = True
                break
            value = best
            low = value if value > alpha else -worth(top, ply + 4)
            high = worth(top, ply + 3) if value > alpha else value
            store(
                table,
                frames[frame + NODE_BUCKET],
                frames[frame + NODE_TAG],
                low,
                high,
                nodes - numbers[number + SINCE_AT],
            )
            depth -= 1
            if depth < 0:
                break
            frame -= FRAME
            number -= np.uint64(NUMBERS)
            back = True
        if depth < 0:
            break
    control[DEPTH], control[NODES], control[VALUE] = 0, nodes, value
    return FINISHED


@inlined
def begin(own: Word, mask: Word, frames: Words, numbers: Words, game: Game, control: Words) -> None:
    """Set the search to a position that is not over: what is seen at once, and the first frame."""
    cells = np.int64(game.cells)
    board, up = game.board, game.up
    top, ply = ((cells + 1) >> 1) + 1, np.int64(popcount(mask))
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
def fill_table(frames: Words, table: Words, spare: Words, game: Game, control: Words) -> None:
    """Let the table be as large as it may be, for good."""
    while may_grow(control):
        place_in_table(frames, control[DEPTH], np.uint64(control[TABLE_BITS]), game)
        grow(table, spare, control)


@inlined
def narrow(
    frames: Words,
    numbers: Words,
    table: Words,
    spare: Words,
    busy: Words,
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
        if search(frames, numbers, table, busy, game, control, stop) == FINISHED:
            settle(control)
        elif control[NODES] >= control[GROW_AT]:
            if may_grow(control):
                place_in_table(frames, control[DEPTH], np.uint64(control[TABLE_BITS]), game)
                grow(table, spare, control)
        else:
            return PAUSED
    return FINISHED


@inlined
def solve_batch(
    owns: Words,
    masks: Words,
    lows: Words,
    highs: Words,
    frames: Words,
    numbers: Words,
    table: Words,
    spare: Words,
    busy: Words,
    game: Game,
    control: Words,
    until: Word,
) -> Word:
    """Solve positions one after the other, each with an empty table; or pause, to be called again.

    Args:
        lows: what is asked of each score, and then what is known of it, together with `highs`.
    """
    while control[NEXT] < owns.size:
        index = control[NEXT]
        if control[ASKING] == 0:
            control[TABLE_BITS] = bits = control[TABLE_START]
            for word in range(np.int64(2) << bits):
                table[word] = U0
            control[GROW_AT] = control[NODES] + grows_at(bits)
            control[LOW], control[HIGH] = lows[index], highs[index]
            begin(owns[index], masks[index], frames, numbers, game, control)
        status = narrow(frames, numbers, table, spare, busy, game, control, until)
        lows[index], highs[index] = control[LOW], control[HIGH]
        if status == PAUSED:
            return PAUSED
        control[NEXT] += 1
    return FINISHED
