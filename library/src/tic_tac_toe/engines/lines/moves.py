"""Which moves a position of the search has, the most promising first."""

from __future__ import annotations

from tic_tac_toe.engines.lines.forbidden import is_barred
from tic_tac_toe.engines.lines.frame import (
    ALLOWED,
    ALPHA,
    AREA,
    ATTACKER,
    BETA,
    CLOSING,
    COUNT,
    COUNTS,
    DEPTH,
    DIRECTIONS,
    EMPTY,
    HISTORY,
    INDEX,
    KILLER,
    KINDS,
    LIST,
    LIST_SIZE,
    MARKED,
    PLACES,
    PLY,
    PRESSURE,
    RANKS,
    REACH,
    SIDE,
    SIZE,
    STEP,
    STONES,
    WALL,
    WIDTH,
    Game,
)
from tic_tac_toe.engines.lines.kinds import (
    MAKES_FIVE,
    MAKES_FOUR,
    MAKES_THREE,
    WINNING_FOUR,
)
from tic_tac_toe.solver.kernels.inlining import Word, Words, called, inlined

#: What the side to move must answer.
NOTHING, OPEN_FOUR_THREAT, FIVE_THREAT = range(3)
_TABLE_RANK, _KILLER_RANK = 1 << 20, 40
#: History counts this much at most.
_HISTORY_RANK = 60


@inlined
def pressure_on(state: Words, side: Word) -> Word:
    """Return what the other side threatens to make with its next stone."""
    theirs = COUNTS + (1 - side) * 16
    if state[theirs + MAKES_FIVE] > 0:
        return FIVE_THREAT
    if state[theirs + WINNING_FOUR] > 0:
        return OPEN_FOUR_THREAT
    return NOTHING


@inlined
def add_move(state: Words, frame: Word, cell: Word, rank: Word, width: Word) -> None:
    """Put a move into the list, which is sorted by rank and holds at most ``width`` moves."""
    count = state[frame + COUNT]
    if count == width:
        if rank <= state[frame + RANKS + count - 1]:
            return
        count -= 1
    state[frame + COUNT] = count + 1
    while count > 0 and state[frame + RANKS + count - 1] < rank:
        state[frame + RANKS + count] = state[frame + RANKS + count - 1]
        state[frame + LIST + count] = state[frame + LIST + count - 1]
        count -= 1
    state[frame + RANKS + count] = rank
    state[frame + LIST + count] = cell


@inlined
def mark_defences(state: Words, side: Word) -> None:
    """Mark what may stop a five or an open four in Caro: all on the lines through their places."""
    for index in range(state[SIZE]):
        state[MARKED + state[PLACES + index]] = 0
    for index in range(state[SIZE]):
        cell = state[PLACES + index]
        kind = state[KINDS + (1 - side) * AREA + cell] & 15
        if state[STONES + cell] != EMPTY or kind < WINNING_FOUR:
            continue
        state[MARKED + cell] = 1
        for direction in range(2 * DIRECTIONS):
            step = state[STEP + direction // 2] * (1 - 2 * (direction & 1))
            place = cell
            for _ in range(state[REACH]):
                place += step
                if state[STONES + place] == WALL:
                    break
                state[MARKED + place] = 1


@inlined
def is_wanted(state: Words, cell: Word, pressure: Word, own: Word, other: Word) -> Word:
    """Return whether a move of these kinds and ranks is to be tried under pressure."""
    if pressure == NOTHING:
        return own >= 16 or other >= 16
    if state[CLOSING] == 1:
        return state[MARKED + cell] == 1 or own & 15 >= MAKES_FOUR
    if pressure == FIVE_THREAT:
        return other & 15 == MAKES_FIVE
    return own & 15 >= MAKES_FOUR or other & 15 >= MAKES_FOUR


@inlined
def width_at(state: Words, frame: Word, ply: Word) -> Word:
    """Return how many quiet moves are tried: fewer close to the leaves, more at first."""
    if ply == 0:
        return min(LIST_SIZE, 3 * state[WIDTH])
    if state[frame + BETA] - state[frame + ALPHA] > 1:
        return state[WIDTH]
    return min(state[WIDTH], 4 + 4 * max(1, state[frame + DEPTH] // PLY))


@called
def list_moves(game: Game, frame: Word, ply: Word, table_move: Word) -> None:
    """Fill the frame's list of moves.

    What stops an open four is the place where the opponent would make it, or one of those that
    would complete its five, where it therefore can make a four now; or a four of one's own. So
    the list is complete under pressure, and else limited to `WIDTH` moves. An attacker whose
    threats are searched only makes threes and fours.
    """
    state = game.state
    side, pressure = state[frame + SIDE], state[frame + PRESSURE]
    attacks = state[ATTACKER] == side
    width = LIST_SIZE
    if pressure == NOTHING and not attacks:
        width = width_at(state, frame, ply)
    if pressure != NOTHING and state[CLOSING] == 1:
        mark_defences(state, side)
    state[frame + COUNT] = 0
    state[frame + INDEX] = 0
    for index in range(state[SIZE]):
        cell = state[PLACES + index]
        if state[STONES + cell] != EMPTY:
            continue
        own = state[KINDS + side * AREA + cell]
        other = state[KINDS + (1 - side) * AREA + cell]
        if not is_wanted(state, cell, pressure, own, other):
            continue
        if attacks and own & 15 < MAKES_THREE and pressure != FIVE_THREAT:
            continue
        if (ply == 0 and state[ALLOWED + cell] == 0) or is_barred(game, int(cell), side):
            continue
        rank = (3 * (own >> 4) + 2 * (other >> 4)) // 2
        rank += min(state[HISTORY + side * AREA + cell], _HISTORY_RANK)
        if cell == state[frame + KILLER] or cell == state[frame + KILLER + 1]:
            rank += _KILLER_RANK
        if cell == table_move:
            rank += _TABLE_RANK
        add_move(state, frame, cell, rank, width)
