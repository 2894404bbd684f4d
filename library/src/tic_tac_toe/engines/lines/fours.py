"""Victory by continuous fours: every move makes a four, so that each has a single answer."""

from __future__ import annotations

from tic_tac_toe.engines.lines.board import place_stone, take_stone
from tic_tac_toe.engines.lines.forbidden import is_barred
from tic_tac_toe.engines.lines.frame import (
    AREA,
    COUNTS,
    DIRECTIONS,
    EMPTY,
    FOURS,
    FOURS_DEPTH,
    FOURS_FRAME,
    KINDS,
    NODES,
    PLACES,
    REACH,
    SIZE,
    STEP,
    STONES,
    WALL,
    Game,
)
from tic_tac_toe.engines.lines.kinds import FOUR_THREE, MAKES_FIVE, MAKES_FOUR, WINNING_FOUR
from tic_tac_toe.solver.kernels.inlining import Word, Words, called, inlined

# A level of the stack: the moves to try, the answer to the current one, and then the moves.
COUNT, TRIED, ANSWER, FIRST = range(4)
_MOST = FOURS_FRAME - FIRST
#: What a level comes to: it fails, there are moves to try, or it wins in so many plies.
_FAILS, _TRIES = -1, 0


@inlined
def answer_to(state: Words, cell: Word, side: Word) -> Word:
    """Return the place where the four that was just made becomes a five; 0 if there is none."""
    for direction in range(2 * DIRECTIONS):
        step = state[STEP + direction // 2] * (1 - 2 * (direction & 1))
        place = cell
        for _ in range(state[REACH]):
            place += step
            stone = state[STONES + place]
            if stone == WALL or stone == 2 - side:
                break
            if stone == EMPTY and state[KINDS + side * AREA + place] & 15 == MAKES_FIVE:
                return place
    return 0


@inlined
def open_level(game: Game, level: Word, side: Word) -> Word:
    """List the fours of a level, and return what it comes to."""
    state = game.state
    own, theirs = COUNTS + side * 16, COUNTS + (1 - side) * 16
    if state[own + MAKES_FIVE] > 0:
        return 1
    fives = state[theirs + MAKES_FIVE]
    if fives > 1:
        return _FAILS
    if fives == 0 and state[own + WINNING_FOUR] > 0:
        return 3
    count = 0
    for index in range(state[SIZE]):
        cell = state[PLACES + index]
        kind = state[KINDS + side * AREA + cell] & 15
        if state[STONES + cell] != EMPTY or kind < MAKES_FOUR or kind > WINNING_FOUR:
            continue
        if fives == 1 and state[KINDS + (1 - side) * AREA + cell] & 15 != MAKES_FIVE:
            continue
        if count < _MOST and not is_barred(game, int(cell), side):
            at = FOURS + level * FOURS_FRAME + FIRST + count
            state[at] = cell
            if kind >= FOUR_THREE:  # these come first
                first = FOURS + level * FOURS_FRAME + FIRST
                state[at], state[first] = state[first], cell
            count += 1
    state[FOURS + level * FOURS_FRAME + COUNT] = count
    state[FOURS + level * FOURS_FRAME + TRIED] = 0
    return _TRIES if count > 0 else _FAILS


@called
def win_by_fours(game: Game, side: Word, limit: Word) -> Word:
    """Return in how many plies the side to move wins by fours alone; 0 if no win was found.

    The moves are left in the stack, at each level ``FIRST + TRIED - 1`` and `ANSWER`.

    Args:
        limit: how many fours may be tried.
    """
    state = game.state
    level, tried, plies = 0, 0, 0
    value = open_level(game, 0, side)
    while True:
        at = FOURS + level * FOURS_FRAME
        if value > 0 or (value == _FAILS and level == 0):
            plies = 2 * level + value if value > 0 else 0
            break
        if value == _FAILS:
            level -= 1
            at -= FOURS_FRAME
            take_stone(game, state[at + ANSWER], 1 - side)
            take_stone(game, state[at + FIRST + state[at + TRIED] - 1], side)
        over = tried == limit or game.stop[0] != 0 or level == FOURS_DEPTH - 1
        if over or state[at + TRIED] == state[at + COUNT]:
            value = _FAILS
            if level == 0:
                break
            continue
        cell = int(state[at + FIRST + state[at + TRIED]])
        state[at + TRIED] += 1
        tried += 1
        place_stone(game, cell, side)
        answer = int(answer_to(state, cell, side))
        state[at + ANSWER] = answer
        place_stone(game, answer, 1 - side)
        level += 1
        value = open_level(game, level, side)
    while level > 0:
        level -= 1
        at = FOURS + level * FOURS_FRAME
        take_stone(game, int(state[at + ANSWER]), 1 - side)
        take_stone(game, int(state[at + FIRST + state[at + TRIED] - 1]), side)
    game.words[NODES] += 2 * tried
    return plies
