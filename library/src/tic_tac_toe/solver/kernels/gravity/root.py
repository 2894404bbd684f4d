"""The first frame of the gravity kernel, and what a larger table means for its stack."""

from __future__ import annotations

import numpy as np

from tic_tac_toe.solver.kernels.bits import U0, U1, popcount
from tic_tac_toe.solver.kernels.control import (
    DEPTH,
    GROWTH_BITS,
    SYMMETRIC_UNTIL,
    TABLE_BITS,
    open_range,
    top_of,
    worth,
)
from tic_tac_toe.solver.kernels.gravity.board import (
    Game,
    hashed,
    mirrored,
    safe_moves,
    threats_of,
    threats_of_four,
)
from tic_tac_toe.solver.kernels.gravity.frame import (
    BUCKET,
    FRAME,
    NODE,
    NODE_BUCKET,
    NODE_MASK,
    NODE_MOVES,
    NODE_TAG,
    TAG,
)
from tic_tac_toe.solver.kernels.gravity.table import grow
from tic_tac_toe.solver.kernels.inlining import Word, Words, called, inlined
from tic_tac_toe.solver.kernels.stack import PLY_AT


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
