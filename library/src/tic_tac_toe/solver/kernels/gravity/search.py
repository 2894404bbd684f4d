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

from tic_tac_toe.solver.kernels.bits import U0
from tic_tac_toe.solver.kernels.control import (
    DEPTH,
    FINISHED,
    NODES,
    PAUSED,
    SHARING,
    SYMMETRIC_UNTIL,
    TABLE_BITS,
    VALUE,
    top_of,
    worth,
)
from tic_tac_toe.solver.kernels.driver import Parts, answer_alpha, pose_alpha
from tic_tac_toe.solver.kernels.gravity.board import Game
from tic_tac_toe.solver.kernels.gravity.children import (
    best_bound,
    bound_children,
    has_win,
    make_children,
)
from tic_tac_toe.solver.kernels.gravity.frame import (
    BUCKET,
    FRAME,
    MASK,
    MOVES,
    NODE,
    NODE_BUCKET,
    NODE_MASK,
    NODE_MOVES,
    NODE_TAG,
    NUMBERS,
    TAG,
)
from tic_tac_toe.solver.kernels.gravity.moves import (
    NO_LANE,
    mark_of,
    next_lane,
    place_of,
    queue_moves,
)
from tic_tac_toe.solver.kernels.gravity.root import begin, grow_with_stack
from tic_tac_toe.solver.kernels.gravity.table import grows_at, store
from tic_tac_toe.solver.kernels.inlining import Word, Words, inlined
from tic_tac_toe.solver.kernels.stack import ALPHA_AT, BEST_AT, COUNT_AT, PLY_AT, SINCE_AT, TRIED_AT

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
    clears_table=True,
)
