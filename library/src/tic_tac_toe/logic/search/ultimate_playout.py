"""Random games of ultimate tic-tac-toe, several times as fast as move by move through the rules."""

from __future__ import annotations

from functools import lru_cache
from random import Random
from typing import NamedTuple

from tic_tac_toe.logic.positions import Position
from tic_tac_toe.logic.rules.line import TABLED_CELLS, LineRules
from tic_tac_toe.logic.rules.ultimate import Ultimate
from tic_tac_toe.logic.shapes import blocks


class _Tables(NamedTuple):
    """What a game on boards of one kind looks up; bit boards are those of a small board.

    Attributes:
        empty: the empty cells by the taken ones.
        lined: whether stones have a line.
        completing: the cells that would complete a line of the stones, taken or not.
        cells: of each small board, the cells of the whole board.
        places: of each cell of the whole board, its small board and its cell there.
    """

    empty: tuple[tuple[int, ...], ...]
    lined: tuple[bool, ...]
    completing: tuple[int, ...]
    cells: tuple[tuple[int, ...], ...]
    places: tuple[tuple[int, int], ...]


def is_tabled(rules: Ultimate) -> bool:
    """Return whether small boards are small enough for tables, and stay won once they are."""
    return rules.local.shape.cells <= TABLED_CELLS and not can_be_lost_again(rules)


def can_be_lost_again(rules: Ultimate) -> bool:
    """Return whether a small board that is won can be played in until its row is too long."""
    return rules.stays_open and rules.local.exact


def play_ultimate(
    rules: Ultimate, position: Position, rng: Random, *, decisive: bool = False
) -> int | None:
    """Return who wins a random game from a position that is not over: 0, 1, or ``None``.

    Every legal move is equally likely, and the same generator plays the same game as
    `playout.walk_randomly`.

    Args:
        rules: with boards that are `is_tabled`.
        decisive: a side that can win the game with one move does so.
    """
    empty, lined, completing, cells, places = _tables(rules.local)
    stays_open, random = rules.stays_open, rng.random
    boards = range(len(empty[0]))
    everything = (1 << len(boards)) - 1
    turn = position.turn
    owned = list(rules.won(position))
    own, other = (list(rules.side(position.stones[side]).boards) for side in (turn, 1 - turn))
    own_won, other_won = owned[turn], owned[1 - turn]
    closed = 0 if stays_open else own_won | other_won
    closed |= sum(1 << board for board in boards if own[board] | other[board] == everything)
    forced = position.memory % (len(boards) + 1)
    while closed != everything:
        if decisive and (goal := completing[own_won] & ~own_won & ~other_won):
            goal &= 1 << forced - 1 if forced else ~closed
            if any(
                goal >> board & 1 and completing[own[board]] & ~(own[board] | other[board])
                for board in boards
            ):
                return turn
        if forced:
            board = forced - 1
            choices = empty[own[board] | other[board]]
            cell = choices[int(random() * len(choices))]
        else:
            anywhere = sorted(
                cells[board][cell]
                for board in boards
                if not closed >> board & 1
                for cell in empty[own[board] | other[board]]
            )
            board, cell = places[anywhere[int(random() * len(anywhere))]]
        stones = own[board] | 1 << cell
        own[board] = stones
        here = 1 << board
        if lined[stones] and not (own_won | other_won) & here:
            own_won |= here
            if lined[own_won]:
                return turn
            if not stays_open:
                closed |= here
        if stones | other[board] == everything:
            closed |= here
        forced = 0 if closed >> cell & 1 else cell + 1
        own, other, own_won, other_won, turn = other, own, other_won, own_won, 1 - turn
    return None


@lru_cache(maxsize=16)
def _tables(local: LineRules) -> _Tables:
    count = local.shape.cells
    lined = tuple(map(bool, local.line_table))
    completing = tuple(
        sum(1 << cell for cell in range(count) if lined[stones | 1 << cell])
        for stones in range(1 << count)
    )
    whole = blocks(Ultimate(local).shape, local.shape)
    cells = tuple(tuple(whole.cell(board, cell) for cell in range(count)) for board in range(count))
    return _Tables(local.open_table, lined, completing, cells, tuple(whole.places))
