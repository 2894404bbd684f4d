"""What is known of a position before any of its moves is tried."""

from __future__ import annotations

from tic_tac_toe.engines.lines.fours import win_by_fours
from tic_tac_toe.engines.lines.frame import (
    ALPHA,
    ATTACKER,
    BEST,
    BEST_MOVE,
    BETA,
    CLOSING,
    COUNT,
    COUNTS,
    CUT,
    DECIDED,
    DEPTH,
    FLOOR,
    INFINITE,
    LENGTH,
    LIMIT,
    LIST_SIZE,
    MAXIMUM_PLY,
    NODES,
    PLY,
    PRESSURE,
    SIDE,
    STAGE,
    STOPPED,
    SUMS,
    UNDECIDED,
    WIN,
    Game,
)
from tic_tac_toe.engines.lines.kinds import FOUR_THREE, MAKES_FIVE, WINNING_FOUR
from tic_tac_toe.engines.lines.moves import NOTHING, OPEN_FOUR_THREAT, list_moves, pressure_on
from tic_tac_toe.engines.lines.table import (
    AT_LEAST,
    AT_MOST,
    EXACT,
    entry_bound,
    entry_depth,
    entry_move,
    entry_value,
    store,
    table_hash,
    table_index,
)
from tic_tac_toe.solver.kernels.inlining import Word, Words, called, inlined

#: How many fours may be tried at a leaf.
_FOURS_AT_LEAF = 60
#: By how much an evaluation must be above the window, for each quarter of a ply.
_MARGIN = 15
#: How far below depth 0 the answers to open threes are searched.
_DEEPEST = -2 * PLY


@inlined
def judge(state: Words, side: Word, ply: Word) -> Word:
    """Return the score of a position that the next stones decide."""
    own, theirs = COUNTS + side * 16, COUNTS + (1 - side) * 16
    if state[own + MAKES_FIVE] > 0:
        return WIN - ply - 1
    fives = state[theirs + MAKES_FIVE]
    if fives > 1 and state[CLOSING] == 0:
        return ply + 2 - WIN
    if fives == 0 and state[own + WINNING_FOUR] > 0:
        return WIN - ply - 3
    return UNDECIDED


@inlined
def evaluate(state: Words, side: Word) -> Word:
    """Return what the empty places count for the side to move, less what they count against it."""
    return int(state[SUMS + side * 2] - state[SUMS + (1 - side) * 2 + 1])


@inlined
def look_up_position(game: Game, frame: Word, ply: Word) -> Word:
    """Return the value of a position that the table decides, and keep its move in `BEST_MOVE`."""
    state = game.state
    key = table_hash(game, state[frame + SIDE])
    at = table_index(game, key)
    if game.table[at] != key:
        return UNDECIDED
    entry = game.table[at + 1]
    state[frame + BEST_MOVE] = entry_move(entry)
    value, bound = entry_value(entry, ply), entry_bound(entry)
    # A win that was found stays one, however far was searched.
    if ply == 0 or (entry_depth(entry) < state[frame + DEPTH] and value < DECIDED):
        return UNDECIDED
    if bound == EXACT:
        return value
    if bound == AT_LEAST and value >= state[frame + BETA]:
        return value
    if bound == AT_MOST and value <= state[frame + ALPHA]:
        return value
    return UNDECIDED


@inlined
def value_leaf(game: Game, frame: Word, ply: Word) -> Word:
    """Return the value of a position where the search of all moves ends, looking for fours."""
    state = game.state
    side = int(state[frame + SIDE])
    if state[COUNTS + side * 16 + FOUR_THREE] > 0 and state[CLOSING] == 0:
        plies = win_by_fours(game, side, _FOURS_AT_LEAF)
        if plies > 0:
            value = WIN - ply - plies
            store(game, side, ply, value, AT_LEAST, 0, 0)
            return value
        store(game, side, ply, evaluate(state, side), EXACT, 0, 0)
    return evaluate(state, side)


@inlined
def value_above(state: Words, frame: Word, ply: Word) -> Word:
    """Return the evaluation close to the leaves where it is far above what the opponent allows."""
    depth, beta = state[frame + DEPTH], state[frame + BETA]
    if depth <= 2 * PLY and ply > 0 and beta - state[frame + ALPHA] == 1 and beta < DECIDED:
        value = evaluate(state, state[frame + SIDE])
        if value - _MARGIN * depth >= beta:
            return value
    return UNDECIDED


@inlined
def value_at_end(game: Game, frame: Word, ply: Word) -> Word:
    """Return the value of a position in which no more moves are to be tried."""
    state = game.state
    side, pressure, depth = state[frame + SIDE], state[frame + PRESSURE], state[frame + DEPTH]
    attacker = state[ATTACKER]
    if attacker >= 0:
        if side != attacker and pressure == NOTHING:
            return 0
        if ply == MAXIMUM_PLY or (side == attacker and depth <= 0):
            state[CUT] = 1
            return 0
        return UNDECIDED
    if ply == MAXIMUM_PLY or (pressure == OPEN_FOUR_THREAT and depth <= _DEEPEST):
        return evaluate(state, side)
    if pressure != NOTHING:
        return UNDECIDED
    if depth <= 0:
        return value_leaf(game, frame, ply)
    return value_above(state, frame, ply)


@inlined
def value_of_list(state: Words, frame: Word, ply: Word) -> Word:
    """Return the value of a position whose list of moves is empty or too long."""
    count, attacker = state[frame + COUNT], state[ATTACKER]
    if count == LIST_SIZE and attacker == 1 - state[frame + SIDE]:
        state[CUT] = 1
        return 0  # some defence may not be in the list
    if count > 0:
        return UNDECIDED
    if state[frame + PRESSURE] != NOTHING:
        return ply + 2 - WIN  # all answers are forbidden
    return 0


@called
def open_position(game: Game, frame: Word, ply: Word) -> Word:
    """Return the value of a position, or list its moves and return `UNDECIDED`."""
    state, words = game.state, game.words
    words[NODES] += 1
    if words[NODES] >= words[LIMIT] or game.stop[0] != 0:
        words[STOPPED] = 1
        return 0
    side = state[frame + SIDE]
    state[frame + LENGTH] = 0
    state[frame + BEST_MOVE] = 0
    value = judge(state, side, ply)
    if value != UNDECIDED:
        return value
    state[frame + PRESSURE] = pressure_on(state, side)
    value = look_up_position(game, frame, ply)
    if value == UNDECIDED:
        value = value_at_end(game, frame, ply)
    if value != UNDECIDED:
        return value
    list_moves(game, frame, ply, state[frame + BEST_MOVE])
    state[frame + BEST], state[frame + BEST_MOVE] = -INFINITE, 0
    state[frame + FLOOR] = state[frame + ALPHA]
    state[frame + STAGE] = 0
    return value_of_list(state, frame, ply)
