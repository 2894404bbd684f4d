"""Principal variation search with a stack of its own, for compiled code that must end at once.

The same search answers two questions. With `ATTACKER` -1 all promising moves are tried, and the
value is an evaluation. Else that side only makes threes and fours and all answers to them are
tried: a win that is found is proved (victory by continuous threats; Allis, van den Herik and
Huntjens, "Go-Moku and threat-space search", 1993).
"""

from __future__ import annotations

from tic_tac_toe.engines.lines.board import place_stone, take_stone
from tic_tac_toe.engines.lines.frame import (
    ALPHA,
    AREA,
    ATTACKER,
    BEST,
    BEST_MOVE,
    BETA,
    COUNT,
    DEPTH,
    FLOOR,
    FRAME,
    FRAMES,
    HISTORY,
    INDEX,
    KILLER,
    KINDS,
    LENGTH,
    LIST,
    MOVE,
    PLY,
    PRESSURE,
    SIDE,
    STAGE,
    STOPPED,
    UNDECIDED,
    VARIATION,
    VARIATION_SIZE,
    Game,
)
from tic_tac_toe.engines.lines.kinds import MAKES_FOUR, MAKES_THREE
from tic_tac_toe.engines.lines.moves import FIVE_THREAT, NOTHING
from tic_tac_toe.engines.lines.node import open_position
from tic_tac_toe.engines.lines.table import AT_LEAST, AT_MOST, EXACT, store
from tic_tac_toe.solver.kernels.inlining import Word, Words, called, inlined

#: How a move is searched: to less depth, with a window of 1, or with the whole window.
REDUCED, NARROW, WHOLE = 1, 2, 3
_LARGEST_HISTORY = 240


@inlined
def cost_of(state: Words, frame: Word) -> Word:
    """Return the depth that a move takes: answers to threats cost less or nothing."""
    pressure = state[frame + PRESSURE]
    attacker = state[ATTACKER]
    if attacker >= 0:
        return PLY if state[frame + SIDE] == attacker and pressure != FIVE_THREAT else 0
    if pressure == FIVE_THREAT:
        return 0
    return PLY // 2 if pressure != NOTHING else PLY


@inlined
def reduction_of(state: Words, frame: Word, cell: Word) -> Word:
    """Return by how much less a move late in the list is searched at first."""
    index, depth, side = state[frame + INDEX] - 1, state[frame + DEPTH], state[frame + SIDE]
    if index < 3 or depth < 3 * PLY or state[ATTACKER] >= 0:
        return 0
    if state[frame + PRESSURE] != NOTHING:
        return 0
    own = state[KINDS + side * AREA + cell] & 15
    other = state[KINDS + (1 - side) * AREA + cell] & 15
    if own >= MAKES_THREE or other >= MAKES_FOUR:
        return 0
    reduction = PLY
    if index >= 6:
        reduction += PLY // 2
    if index >= 12:
        reduction += PLY // 2
    if depth >= 6 * PLY:
        reduction += PLY // 2 + (PLY // 2 if index >= 6 else 0)
    return reduction


@called
def try_move(game: Game, frame: Word) -> None:
    """Make the current move, or the next one, and set up the position after it."""
    state = game.state
    if state[frame + STAGE] != 0:  # the same move once more
        cell = int(state[frame + MOVE])
    else:
        cell = int(state[frame + LIST + state[frame + INDEX]])
        state[frame + INDEX] += 1
        state[frame + MOVE] = cell
    side = int(state[frame + SIDE])
    alpha, beta = int(state[frame + ALPHA]), int(state[frame + BETA])
    depth = int(state[frame + DEPTH] - cost_of(state, frame))
    stage = int(state[frame + STAGE])
    if stage == 0:
        stage = WHOLE if state[frame + INDEX] == 1 else NARROW
        if stage == NARROW and reduction_of(state, frame, cell) > 0:
            stage = REDUCED
    if stage == REDUCED:
        depth -= reduction_of(state, frame, cell)
    child = frame + FRAME
    state[frame + STAGE] = stage
    state[child + STAGE] = 0
    state[child + SIDE] = 1 - side
    state[child + DEPTH] = depth
    state[child + BETA] = -alpha
    state[child + ALPHA] = -beta if stage == WHOLE else -alpha - 1
    place_stone(game, cell, side)


@inlined
def keep_variation(state: Words, frame: Word) -> None:
    """Set the frame's variation to the current move and the variation after it."""
    child = frame + FRAME
    length = min(state[child + LENGTH], VARIATION_SIZE - 1)
    state[frame + VARIATION] = state[frame + MOVE]
    for index in range(length):
        state[frame + VARIATION + 1 + index] = state[child + VARIATION + index]
    state[frame + LENGTH] = length + 1


@inlined
def reward(state: Words, frame: Word) -> None:
    """Remember a quiet move that refuted its position."""
    cell, side = state[frame + MOVE], state[frame + SIDE]
    if state[frame + PRESSURE] != NOTHING:
        return
    if state[frame + KILLER] != cell:
        state[frame + KILLER + 1] = state[frame + KILLER]
        state[frame + KILLER] = cell
    depth = max(state[frame + DEPTH] // PLY, 1)
    at = HISTORY + side * AREA + cell
    state[at] += depth * depth
    if state[at] > _LARGEST_HISTORY:
        for place in range(HISTORY, HISTORY + 2 * AREA):
            state[place] //= 2


@called
def take_value(game: Game, frame: Word, ply: Word, value: Word) -> Word:
    """Take the value of the current move; return that of the position once it is known."""
    state = game.state
    side, stage = int(state[frame + SIDE]), state[frame + STAGE]
    beta = int(state[frame + BETA])
    if value > state[frame + ALPHA] and (stage == REDUCED or (stage == NARROW and value < beta)):
        state[frame + STAGE] = stage + 1
        return UNDECIDED
    state[frame + STAGE] = 0
    if value > state[frame + BEST]:
        state[frame + BEST] = value
        state[frame + BEST_MOVE] = state[frame + MOVE]
        keep_variation(state, frame)
        if value > state[frame + ALPHA]:
            state[frame + ALPHA] = value
            if value >= beta:
                reward(state, frame)
    if value < beta and state[frame + INDEX] < state[frame + COUNT]:
        return UNDECIDED
    best, depth = int(state[frame + BEST]), int(state[frame + DEPTH])
    bound = EXACT
    if best >= beta:
        bound = AT_LEAST
    elif best <= state[frame + FLOOR]:
        bound = AT_MOST
    store(game, side, ply, best, bound, depth, int(state[frame + BEST_MOVE]))
    return best


@called
def search(game: Game) -> int:
    """Search the position in the first frame to its depth, within its window.

    Returns:
        the value for the side to move; the variation is left in the frame. When the search was
        stopped, the frame holds the best of the moves that were searched before, if any.
    """
    state, words = game.state, game.words
    ply, frame = 0, FRAMES
    value = int(open_position(game, frame, ply))
    while True:
        if words[STOPPED] != 0:
            break
        if value == UNDECIDED:
            try_move(game, frame)
            ply, frame = ply + 1, frame + FRAME
            value = open_position(game, frame, ply)
            continue
        if ply == 0:
            return int(value)
        ply, frame = ply - 1, frame - FRAME
        take_stone(game, int(state[frame + MOVE]), int(state[frame + SIDE]))
        value = take_value(game, frame, ply, -value)
    while ply > 0:
        ply, frame = ply - 1, frame - FRAME
        take_stone(game, int(state[frame + MOVE]), int(state[frame + SIDE]))
    return int(state[FRAMES + BEST])
