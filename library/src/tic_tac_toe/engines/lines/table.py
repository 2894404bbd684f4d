"""The transposition table: two words an entry, the hash and what is known."""

from __future__ import annotations

from tic_tac_toe.engines.lines.frame import ATTACKER, DECIDED, HASH, Game
from tic_tac_toe.solver.kernels.inlining import Word, inlined

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
