"""The children of a node, made side by side, and what is seen of them without a search."""

from __future__ import annotations

import numpy as np

from tic_tac_toe.solver.kernels.bits import U0, U1, popcount, prefetch
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
from tic_tac_toe.solver.kernels.gravity.frame import (
    BOUND,
    BUCKET,
    MASK,
    MOVES,
    NO_BOUND,
    NO_LOSS,
    ORDER,
    OWN,
    TAG,
    THREATS,
    WIN,
)
from tic_tac_toe.solver.kernels.inlining import Word, Words, inlined

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
