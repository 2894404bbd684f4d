"""What is fitted to games is what the search computes, and games can be played again."""

from __future__ import annotations

import json
from importlib.resources import files
from itertools import permutations
from pathlib import Path
from random import Random
from typing import Any

import numpy as np
import pytest

from tic_tac_toe.engines.lines import PLAIN, CompiledLines
from tic_tac_toe.engines.lines.position import Arrays, Game, new_table
from tic_tac_toe.engines.lines.search import evaluate
from tic_tac_toe.engines.lines.values import (
    FIRST_OTHER,
    FIRST_OWN,
    MASK_KINDS,
    MASK_SIZE,
    ODDS_UNIT,
    combinations,
    packed,
)
from tic_tac_toe.logic.positions import Position
from tic_tac_toe.logic.rules.line import LineRules
from tic_tac_toe.logic.rules.renju import Renju
from tic_tac_toe.logic.shapes import Shape
from tools import fit_lines, selfplay
from tools.compare_values import points_of
from tools.fit_lines import (
    Model,
    Values,
    digest_of,
    features,
    loss_of,
    opening_number,
    part,
    positions_of,
    samples_of,
    sides_of,
)

FREE = LineRules(Shape(15, 15), 5)
BOTH = pytest.mark.parametrize("rules", [FREE, Renju(Shape(15, 15))], ids=repr)


def games_of(rules: LineRules, count: int) -> list[dict[str, Any]]:
    """Return games of stones at random near the middle; who has more in a row wins them."""
    rng, games = Random(7), list[dict[str, Any]]()
    near = [row * 15 + column for row in range(4, 11) for column in range(4, 11)]
    for number in range(count):
        position, cells = Position(), list[int]()
        for cell in rng.sample(near, rng.randint(8, 20)):
            if rules.outcome(position) is None and cell in rules.moves(position):
                position = rules.play(position, cell)
                cells.append(cell)
        games.append({"game": number, "cells": cells, "opening": 3, "winner": number % 2})
    return games


@BOTH
def test_what_is_fitted_is_what_the_search_computes(rules: LineRules) -> None:
    rng, sides = Random(3), sides_of(rules)
    _, one_of_each = combinations()
    sizes = {"mover": one_of_each.size, "waiter": one_of_each.size, "masks": MASK_SIZE}
    fitted = {
        name: [[rng.randint(-300, 300) for _ in range(size)] for _ in range(sides)]
        for name, size in sizes.items()
    }
    of_codes = np.concatenate([np.ravel(fitted["mover"]), -np.ravel(fitted["waiter"])])
    of_masks = np.ravel(fitted["masks"])
    arrays, seen = Arrays(rules, new_table(0), packed(fitted)), 0
    stop = np.zeros(1, np.int64)
    game = Game(
        arrays.state, arrays.words, arrays.shapes, arrays.kinds, arrays.values, arrays.table, stop
    )

    for position in (one for played in games_of(rules, 6) for one in positions_of(rules, played)):
        if (counted := features(rules, arrays, position)) is not None:
            codes, mask = counted
            bits = [
                (arrays.count(side, first + kind) > 0) << MASK_KINDS * role + kind
                for role, (side, first) in enumerate(
                    [(position.turn, FIRST_OWN), (1 - position.turn, FIRST_OTHER)]
                )
                for kind in range(MASK_KINDS)
            ]
            assert mask % MASK_SIZE == sum(bits)
            assert evaluate(game, position.turn) == of_codes[codes].sum() + of_masks[mask]
            seen += 1
    assert seen > 30


def test_what_four_directions_make_does_not_depend_on_their_order() -> None:
    number, one_of_each = combinations()
    assert one_of_each.size == 1820
    classes = 3, 0, 7, 12
    numbers = {
        int(number[sum(each << 4 * at for at, each in enumerate(order))])
        for order in permutations(classes)
    }
    assert len(numbers) == 1


def test_an_opening_that_is_turned_or_mirrored_is_the_same_opening() -> None:
    opening = [(2, 3), (7, 7), (4, 9), (5, 5)]
    images = [
        [(row, column) for row, column in opening],
        [(14 - row, column) for row, column in opening],
        [(column, 14 - row) for row, column in opening],
        [opening[2], opening[1], opening[0], opening[3]],
    ]
    numbers = [opening_number(FREE, [15 * row + column for row, column in one]) for one in images]
    others = [opening_number(FREE, [15 * row + column for row, column in opening[1:]])]
    assert len({*numbers}) == 1
    assert {*numbers}.isdisjoint(others)


@pytest.mark.medium
@BOTH
def test_a_fit_tells_games_better_than_the_share_of_wins_does(
    rules: LineRules, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(fit_lines, "ITERATIONS", 8)
    samples, model, sides = samples_of(rules, games_of(rules, 24)), Model(rules), sides_of(rules)
    assert samples.results.size > 100
    nothing = model.values(np.zeros(sum(model.sizes)))

    found = model.fit(samples)

    assert loss_of(found, samples) < loss_of(nothing, samples) - 0.05
    assert loss_of(model.fit(samples, found), samples) <= loss_of(found, samples)
    read = Values.read(found.told(sides), sides)
    assert np.abs(read.codes - found.codes).max() <= 0.5 / ODDS_UNIT
    assert Values.read(found.told(sides), 2).masks.size == 2 * MASK_SIZE
    one = samples.groups == samples.groups[0]
    assert 0 < part(samples, one).results.size < samples.results.size


def test_each_game_depends_on_its_number_alone_and_none_is_played_twice(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(selfplay, "NODES", (60, 90))
    rules, journal = LineRules(Shape(7, 7), 5), tmp_path / "games.jsonl"
    games = [
        selfplay.game(rules, CompiledLines(rules, 1 << 14, code=PLAIN), number)
        for number in (1, 2, 1)
    ]
    assert games[0] == games[2] != games[1]
    assert digest_of(games[:2]) != digest_of(games[1::-1])

    lines = [json.dumps(game) + "\n" for game in games[:2]]
    journal.write_text("".join(lines)[:-5])  # the last was cut off
    assert [*selfplay.games_in(journal)] == games[:1]
    assert [*selfplay.games_in(tmp_path / "none")] == []


@pytest.mark.medium
def test_an_evaluation_has_one_point_of_two_against_itself() -> None:
    file = str(files("tic_tac_toe.engines.lines") / "values" / "free.json")
    assert [points_of(("gomoku", (file, file), number, 500)) for number in range(2)] == [1.0, 1.0]


@pytest.mark.parametrize("name", ["free", "exact", "caro", "barred"])
def test_the_numbers_of_the_library_say_where_they_come_from(name: str) -> None:
    folder = files("tic_tac_toe.engines.lines").joinpath("values")
    told = json.loads(folder.joinpath(f"{name}.json").read_text())
    assert [command.split()[2] for command in told["commands"]] == [
        "tools.selfplay",
        "tools.fit_lines",
    ]
    assert told["positions"] > 10 * told["games"] > 10_000
    assert len(told["digest"]) == 64
    assert 0.5 < told["loss"] < 0.68
    packed(told)
