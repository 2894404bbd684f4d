"""What a stone makes, against the definitions and against the rules."""

from __future__ import annotations

from functools import cache
from random import Random

import numpy as np
import pytest

from tic_tac_toe.engines.lines import shapes
from tic_tac_toe.engines.lines.position import (
    AREA,
    EMPTY,
    KINDS,
    PLACES,
    Arrays,
    Game,
    begin_position,
    makes_two_threes,
    new_table,
    read_stones,
)
from tic_tac_toe.engines.lines.shapes import (
    DOUBLE_THREE,
    FORBIDDEN,
    MAKES_FIVE,
    Ending,
    reach_of,
    shape_table,
)
from tic_tac_toe.logic.positions import Position
from tic_tac_toe.logic.rules.caro import Caro
from tic_tac_toe.logic.rules.forbidden import DOUBLE_THREE as TWO_THREES
from tic_tac_toe.logic.rules.forbidden import forbidden_cells
from tic_tac_toe.logic.rules.line import LineRules
from tic_tac_toe.logic.rules.renju import Renju
from tic_tac_toe.logic.shapes import Shape

SHAPE = Shape(15, 15)
GAMES = [LineRules(SHAPE, 5), LineRules(SHAPE, 5, exact=True), Caro(SHAPE), Renju(SHAPE)]
GAMES += [LineRules(Shape(5, 9), 4), LineRules(Shape(12, 7), 6)]
SIGNS = ".XO#"


def key_of(window: str) -> int:
    """Return the key of a window, whose middle is the place."""
    reach = len(window) // 2
    cells = [*reversed(window[:reach]), *window[reach + 1 :]]
    return sum(SIGNS.index(sign) << 2 * at for at, sign in enumerate(cells))


def with_sign(window: str, at: int, sign: str) -> str:
    return f"{window[:at]}{sign}{window[at + 1 :]}"


def run_of(window: str) -> str:
    """Return the row of X through the middle, with the sign before and the sign after it."""
    middle = len(window) // 2 + 1
    text = f"#{window}#"
    first = len(text[:middle].rstrip("X"))
    last = middle + 1 + len(text[middle + 1 :]) - len(text[middle + 1 :].lstrip("X"))
    return text[first - 1] + "X" * (last - first) + text[last]


def empty_cells(window: str) -> list[int]:
    middle = len(window) // 2
    low = window.rfind("#", 0, middle) + 1
    high = window.find("#", middle)
    return [at for at in range(low, len(window) if high < 0 else high) if window[at] == "."]


@cache
def class_of(window: str, length: int, ending: Ending) -> int:
    """Return the class of X in the middle by the definitions, one possible stone after another."""
    run = run_of(window)
    size = len(run) - 2
    if ending is Ending.BARRED and size > length:
        return shapes.BARRED
    closed = run[0] == run[-1] == "O" and ending is Ending.CARO
    if size >= length if ending is Ending.FREE else size == length and not closed:
        return shapes.FIVE

    def ways(*classes: int) -> int:
        after = (with_sign(window, at, "X") for at in empty_cells(window))
        return sum(class_of(one, length, ending) in classes for one in after)

    if fives := ways(shapes.FIVE):
        if ending is Ending.BARRED:
            straight = size == length - 1
            return shapes.FOUR if fives == 1 else shapes.OPEN_FOUR if straight else shapes.BARRED
        stopped = (with_sign(window, at, "O") for at in empty_cells(window))
        fours = (shapes.FOUR, shapes.OPEN_FOUR)
        stays = all(class_of(one, length, ending) in fours for one in stopped)
        return shapes.OPEN_FOUR if stays else shapes.FOUR
    if opens := ways(shapes.OPEN_FOUR):
        return shapes.RICH_THREE if opens > 1 else shapes.OPEN_THREE
    if ways(shapes.FOUR, shapes.BARRED) and ways(shapes.FOUR):
        return shapes.THREE
    if opens := ways(shapes.OPEN_THREE, shapes.RICH_THREE):
        return shapes.RICH_TWO if opens > 2 else shapes.OPEN_TWO
    return shapes.TWO if ways(shapes.THREE) else shapes.DEAD


@pytest.mark.parametrize("ending", Ending)
@pytest.mark.parametrize("length", [4, 5])
def test_classes_are_those_of_the_definitions(ending: Ending, length: int) -> None:
    endings = (ending, ending)
    reach, table, rng = reach_of(length, endings), shape_table(length, endings), Random(5)
    exchange = str.maketrans("XO", "OX")
    for _ in range(90):
        window = "".join(rng.choices(SIGNS, (5, 3, 1, 0.3), k=2 * reach + 1))
        expected = class_of(with_sign(window, reach, "X"), length, ending)
        found = int(table[key_of(window)]) & 15
        if expected == shapes.DEAD:
            assert found <= shapes.OPEN_ONE, window
        else:
            assert found == expected, window
        assert int(table[key_of(window.translate(exchange))]) >> 4 == found


def random_position(rules: LineRules, rng: Random, stones: int) -> Position:
    cells = rng.sample(range(rules.shape.cells), stones)
    half = stones // 2
    crosses, naughts = (sum(1 << cell for cell in part) for part in (cells[:half], cells[half:]))
    return Position((crosses, naughts), stones % 2)


def loaded(rules: LineRules, position: Position) -> Arrays:
    arrays = Arrays(rules, new_table(1 << 10))
    legal = range(rules.shape.cells)
    begin_position(*arrays.load(position, legal, np.zeros(1, np.int64)))
    return arrays


@pytest.mark.parametrize("rules", GAMES, ids=repr)
def test_a_cell_makes_five_exactly_where_the_rules_see_a_line_afterwards(rules: LineRules) -> None:
    rng, cells = Random(9), rules.shape.cells
    for _ in range(4):
        position = random_position(rules, rng, cells * rng.randint(4, 8) // 10)
        if any(rules.winning_line(position.stones, side) for side in (0, 1)):
            continue
        arrays = loaded(rules, position)
        for side in (0, 1):
            expected = []
            for cell in range(cells):
                stones = [*position.stones]
                stones[side] |= 1 << cell
                empty = not position.occupied >> cell & 1
                if empty and rules.winning_line((stones[0], stones[1]), side):
                    expected.append(cell)
            assert arrays.cells_of(side, MAKES_FIVE) == expected


def test_cells_that_renju_forbids_have_a_kind_of_their_own() -> None:
    rules, rng, seen = Renju(SHAPE), Random(3), set[str]()
    for _ in range(12):
        position = random_position(rules, rng, rng.randint(50, 110))
        arrays = loaded(rules, position)
        game = Game(*arrays.load(position, (), np.zeros(1, np.int64)))
        read_stones(game)
        barred = forbidden_cells(SHAPE, *position.stones)
        seen |= set(barred.values())
        certain = {cell for cell, reason in barred.items() if reason != TWO_THREES}
        assert set(arrays.cells_of(0, FORBIDDEN)) == certain
        doubtful = arrays.cells_of(0, DOUBLE_THREE)
        places = {cell: int(arrays.state[PLACES + cell]) for cell in doubtful}
        found = {cell for cell in doubtful if makes_two_threes(game, places[cell])}
        assert found == barred.keys() - certain
    assert len(seen) == 3


def test_a_stone_alone_ranks_the_cells_around_it_and_no_others() -> None:
    rules = LineRules(SHAPE, 5)
    arrays = loaded(rules, Position((1 << 112, 0), 1))
    ranked = [
        cell
        for cell, place in enumerate(np.flatnonzero(arrays.state[:AREA] != 3))
        if arrays.state[place] == EMPTY and arrays.state[KINDS + place] >= 16
    ]
    middle = 7
    assert ranked == [
        row * 15 + column
        for row in range(15)
        for column in range(15)
        if (down := abs(row - middle)) + (across := abs(column - middle)) > 0
        and max(down, across) <= 4
        and (down in (0, across) or across == 0)
    ]
