"""Principal variation search with a stack of its own, for compiled code that must end at once.

The same search answers two questions. With `ATTACKER` -1 all promising moves are tried, and the
value is an evaluation. Else that side only makes threes and fours and all answers to them are
tried: a win that is found is proved (victory by continuous threats; Allis, van den Herik and
Huntjens, "Go-Moku and threat-space search", 1993). Victory by continuous fours is looked for by a
search of its own: every move makes a four, so that each has a single answer.
"""

from __future__ import annotations

from tic_tac_toe.engines.lines.position import (
    ALLOWED,
    ALPHA,
    AREA,
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
    EMPTY,
    FLOOR,
    FOURS,
    FOURS_DEPTH,
    FOURS_FRAME,
    FRAME,
    FRAMES,
    HASH,
    HIDDEN,
    HISTORY,
    INDEX,
    INFINITE,
    KILLER,
    KINDS,
    LENGTH,
    LIMIT,
    LIST,
    LIST_SIZE,
    MARKED,
    MAXIMUM_PLY,
    MOVE,
    NODES,
    PLACES,
    PLY,
    PRESSURE,
    RANKS,
    REACH,
    SIDE,
    SIZE,
    STAGE,
    STEP,
    STONES,
    STOPPED,
    UNDECIDED,
    VARIATION,
    VARIATION_SIZE,
    WALL,
    WIDTH,
    WIN,
    Game,
    is_barred,
    place_stone,
    sums_of,
    take_stone,
)
from tic_tac_toe.engines.lines.shapes import (
    DIRECTIONS,
    FOUR_THREE,
    MAKES_FIVE,
    MAKES_FOUR,
    MAKES_THREE,
    WINNING_FOUR,
)
from tic_tac_toe.engines.lines.values import (
    HIDDEN_BIAS,
    HIDDEN_SIZE,
    HIDDEN_WEIGHTS,
    INPUT_SHIFT,
    INPUTS,
    MOST_INPUT,
    OUTPUT_SHIFT,
    OUTPUT_WEIGHTS,
)
from tic_tac_toe.solver.kernels.bits import Word, Words, called, inlined

# A level of the stack of fours: how many moves there are, how many are tried, the answer to the
# current one, and then the moves.
LISTED, TRIED, ANSWER, FIRST = range(4)
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
    state[FOURS + level * FOURS_FRAME + LISTED] = count
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
        if over or state[at + TRIED] == state[at + LISTED]:
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


# The transposition table: two words an entry, the hash and what is known.

#: What a value in the table is: a bound on the true one, or that.
AT_MOST, AT_LEAST, EXACT = 1, 2, 3
# A word holds the value, the kind of bound, the depth and the best move.
_VALUE, _BOUND, _DEPTH, _MOVE = 0, 16, 18, 28
_VALUE_OFFSET, _DEPTH_OFFSET = 1 << 15, 1 << 9
_SIDE_HASH, _ATTACK_HASH = 0x1B873593CC9E2D51, 0x3C6EF372FE94F82B


@inlined
def table_hash(game: Game, side: Word) -> Word:
    """Return the hash of the position and of what is asked about it; never 0."""
    key = game.words[HASH] ^ (_SIDE_HASH if side == 1 else 0)
    attacker = game.state[ATTACKER]
    if attacker >= 0:
        key ^= _ATTACK_HASH if attacker == 1 else _ATTACK_HASH >> 1
    return key | 1 << 40


@inlined
def table_index(game: Game, key: Word) -> Word:
    """Return where the entry of a hash is."""
    return (key & (game.table.size // 2 - 1)) * 2


@inlined
def entry_value(entry: Word, ply: Word) -> Word:
    """Return the value in an entry; the table counts plies from the position of the entry."""
    value = int((entry >> _VALUE & 0xFFFF) - _VALUE_OFFSET)
    if value >= DECIDED:
        return value - ply
    return value + ply if value <= -DECIDED else value


@inlined
def entry_bound(entry: Word) -> Word:
    """Return what the value in an entry is."""
    return entry >> _BOUND & 3


@inlined
def entry_depth(entry: Word) -> Word:
    """Return to which depth the position was searched."""
    return (entry >> _DEPTH & 0x3FF) - _DEPTH_OFFSET


@inlined
def entry_move(entry: Word) -> Word:
    """Return the best move of an entry, 0 if none is known."""
    return int(entry >> _MOVE)


@inlined
def store(
    game: Game, side: Word, ply: Word, value: Word, bound: Word, depth: Word, move: Word
) -> None:
    """Keep what is known of a position."""
    key = table_hash(game, side)
    at = table_index(game, key)
    if value >= DECIDED:
        value += ply
    elif value <= -DECIDED:
        value -= ply
    if move == 0 and game.table[at] == key:
        move = entry_move(game.table[at + 1])
    game.table[at] = key
    entry = (depth + _DEPTH_OFFSET) << _DEPTH | bound << _BOUND | (value + _VALUE_OFFSET)
    game.table[at + 1] = entry | move << _MOVE


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


#: How many fours may be tried at a leaf.
_FOURS_AT_LEAF = 60
#: By how much an evaluation must be above the window, for each quarter of a ply.
_MARGIN = 15


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


@called
def evaluate(game: Game, side: Word) -> Word:
    """Return the evaluation: the output of a small network whose inputs are the sums.

    The last sum counts as it is; see `values.packed` for the units.
    """
    state, rows = game.state, game.rows
    at = sums_of(game) + side * INPUTS
    for unit in range(HIDDEN_SIZE):
        state[HIDDEN + unit] = int(rows[HIDDEN_BIAS + unit]) << INPUT_SHIFT
    for place in range(INPUTS - 1):
        value = min(max(int(state[at + place]), 0), MOST_INPUT)
        if value > 0:
            weights = HIDDEN_WEIGHTS + place * HIDDEN_SIZE
            for unit in range(HIDDEN_SIZE):
                state[HIDDEN + unit] += value * int(rows[weights + unit])
    total = int(state[at + INPUTS - 1]) * int(rows[OUTPUT_WEIGHTS + HIDDEN_SIZE])
    for unit in range(HIDDEN_SIZE):
        hidden = int(max(state[HIDDEN + unit] >> INPUT_SHIFT, 0))
        total += hidden * int(rows[OUTPUT_WEIGHTS + unit])
    return max(1 - DECIDED, min(int(total >> OUTPUT_SHIFT), DECIDED - 1))


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
        value = int(evaluate(game, side))
        store(game, side, ply, value, EXACT, 0, 0)
        return value
    return int(evaluate(game, side))


@inlined
def value_above(game: Game, frame: Word, ply: Word) -> Word:
    """Return the evaluation close to the leaves where it is far above what the opponent allows."""
    state = game.state
    depth, beta = state[frame + DEPTH], state[frame + BETA]
    if depth <= 2 * PLY and ply > 0 and beta - state[frame + ALPHA] == 1 and beta < DECIDED:
        value = evaluate(game, int(state[frame + SIDE]))
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
    if ply == MAXIMUM_PLY or (pressure == OPEN_FOUR_THREAT and depth <= 0):
        return evaluate(game, int(side))
    if pressure != NOTHING:
        return UNDECIDED
    if depth <= 0:
        return value_leaf(game, frame, ply)
    return value_above(game, frame, ply)


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


#: How a move is searched: to less depth, with a window of 1, or with the whole window.
REDUCED, NARROW, WHOLE = 1, 2, 3
_LARGEST_HISTORY = 240


@inlined
def cost_of(state: Words, frame: Word) -> Word:
    """Return the depth that a move takes: the answer to a five costs nothing."""
    pressure = state[frame + PRESSURE]
    attacker = state[ATTACKER]
    if attacker >= 0:
        return PLY if state[frame + SIDE] == attacker and pressure != FIVE_THREAT else 0
    return 0 if pressure == FIVE_THREAT else PLY


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


def search_position(
    state: Words,
    words: Words,
    shapes: Words,
    kinds: Words,
    rows: Words,
    table: Words,
    stop: Words,
) -> int:
    """Call `search`."""
    return search(Game(state, words, shapes, kinds, rows, table, stop))


def search_fours(
    state: Words,
    words: Words,
    shapes: Words,
    kinds: Words,
    rows: Words,
    table: Words,
    stop: Words,
    limit: Word,
) -> int:
    """Call `win_by_fours` for the side to move in the first frame."""
    game = Game(state, words, shapes, kinds, rows, table, stop)
    return int(win_by_fours(game, int(state[FRAMES + SIDE]), limit))
