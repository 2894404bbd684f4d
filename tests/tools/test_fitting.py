"""What is fitted to games is what the search computes, and games can be played again."""

from __future__ import annotations

import json
from importlib.resources import files
from pathlib import Path
from random import Random
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

from tic_tac_toe.engines.choice import Engine
from tic_tac_toe.engines.lines import PLAIN, CompiledLines
from tic_tac_toe.engines.lines.position import (
    PLACES,
    Arrays,
    Game,
    endings_of,
    new_table,
    place_stone,
    read_stones,
    take_stone,
)
from tic_tac_toe.engines.lines.search import evaluate
from tic_tac_toe.engines.lines.shapes import kind_table, reach_of, shape_table
from tic_tac_toe.engines.lines.values import (
    INPUT_SHIFT,
    MOST_INPUT,
    ODDS_UNIT,
    OUTPUT_SHIFT,
    PARTS,
    SIDED,
    START_SHIFT,
    WEIGHT_UNIT,
    packed,
    parts_of,
)
from tic_tac_toe.engines.plain import PlainPlayouts
from tic_tac_toe.logic.positions import Position
from tic_tac_toe.logic.rules.line import LineRules
from tic_tac_toe.logic.rules.renju import Renju
from tic_tac_toe.logic.shapes import Shape
from tools import fit_drops, fit_lines, selfplay
from tools.compare_values import points_of
from tools.fit_lines import (
    Network,
    digest_of,
    features,
    opening_number,
    part,
    positions_of,
    read,
    samples_of,
    sides_of,
    told,
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


def random_parts(sides: int) -> dict[str, NDArray[np.int16]]:
    """Return small numbers at random for a file."""
    rng = np.random.default_rng(3)
    parts = {}
    for name, shape in PARTS.items():
        whole = (sides, *shape) if name in SIDED else shape
        parts[name] = rng.integers(-250, 250, whole).astype(np.int16)
    for name in ("classes", "kinds"):
        parts[name][:, 15, 15] = 0
    return parts


def told_slowly(
    rules: LineRules, parts: dict[str, NDArray[np.int16]], position: Position, side: int
) -> int:
    """Return what the network says, place by place from the stones alone."""
    role = side % len(parts["start"])
    inputs = parts["start"][role].astype(int) << START_SHIFT
    kinds = kind_table(endings_of(rules)).reshape(2, -1) & 15
    for sign, board in ((-1, Position()), (1, position)):
        for cell in range(rules.shape.cells):
            if board.occupied >> cell & 1:
                continue
            codes = codes_at(rules, board, cell)
            own, other = codes[side], codes[1 - side]
            for shift in range(0, 16, 4):
                inputs += sign * parts["classes"][role, own >> shift & 15, other >> shift & 15]
            inputs += sign * parts["kinds"][role, kinds[side, own], kinds[1 - side, other]]
    hidden = np.clip(inputs[:-1], 0, MOST_INPUT) @ parts["hidden"].astype(int)
    units = np.maximum(hidden + WEIGHT_UNIT * parts["hidden_start"].astype(int) >> INPUT_SHIFT, 0)
    output = parts["output"].astype(int)
    return int(units @ output[:-1] + inputs[-1] * output[-1]) >> OUTPUT_SHIFT


def codes_at(rules: LineRules, position: Position, cell: int) -> tuple[int, int]:
    """Return the classes of a place in its four directions, four bits each, of X and of O."""
    endings = endings_of(rules)
    reach, shapes = reach_of(rules.length, endings), shape_table(rules.length, endings)
    crosses = naughts = 0
    for direction, (down, right) in enumerate([(0, 1), (1, 0), (1, 1), (1, -1)]):
        key = 0
        for half, sign in enumerate((-1, 1)):
            is_wall = False
            for distance in range(1, reach + 1):
                row = cell // 15 + sign * distance * down
                column = cell % 15 + sign * distance * right
                is_wall = is_wall or not (0 <= row < 15 and 0 <= column < 15)
                stone = 3 if is_wall else 0
                for side in range(2):
                    if not is_wall and position.stones[side] >> 15 * row + column & 1:
                        stone = side + 1
                key |= stone << 2 * (half * reach + distance - 1)
        classes = int(shapes[key])
        crosses |= (classes & 15) << 4 * direction
        naughts |= (classes >> 4) << 4 * direction
    return crosses, naughts


@BOTH
def test_the_search_computes_what_the_network_says_however_it_came_to_a_position(
    rules: LineRules,
) -> None:
    parts = random_parts(sides_of(rules))
    arrays = Arrays(rules, new_table(0), packed(parts))
    stop, rng, seen = np.zeros(1, np.int64), Random(3), set[int]()
    for played in games_of(rules, 3):
        position, cells = Position(), played["cells"]
        game = Game(*arrays.load(position, (), stop))
        read_stones(game)
        for cell in cells:
            place = int(arrays.state[PLACES + cell])
            place_stone(game, place, position.turn)
            if rng.random() < 0.3:  # the sums of some positions are never asked for
                evaluate(game, 0)
            if rng.random() < 0.3:
                take_stone(game, place, position.turn)
                evaluate(game, 1)
                place_stone(game, place, position.turn)
            position = rules.play(position, cell)
        for side in range(2):
            value = told_slowly(rules, parts, position, side)
            assert evaluate(game, side) == value
            seen.add(value)
        anew = Game(*arrays.load(position, (), stop))
        read_stones(anew)
        assert evaluate(anew, 0) == told_slowly(rules, parts, position, 0)
    assert len(seen) > 3


@BOTH
def test_what_is_fitted_is_what_the_search_computes(rules: LineRules) -> None:
    samples = samples_of(rules, games_of(rules, 6))
    network = Network(rules, samples)
    network.fit(samples, 2, 0.01)
    arrays = Arrays(rules, new_table(0), packed(parts_of(told(rules, network.parts()))))
    *_, logits = network.outputs(samples, np.arange(samples.results.size))
    found = list[int]()
    for position in (one for played in games_of(rules, 6) for one in positions_of(rules, played)):
        if features(arrays, position) is not None:
            loaded = Game(*arrays.load(position, (), np.zeros(1, np.int64)))
            read_stones(loaded)
            found.append(evaluate(loaded, position.turn))
    assert len(found) == logits.size > 30
    assert np.array(found) == pytest.approx(ODDS_UNIT * logits, abs=16)


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


@BOTH
def test_a_fit_tells_games_better_than_the_share_of_wins_does(
    rules: LineRules, tmp_path: Path
) -> None:
    samples = samples_of(rules, games_of(rules, 24))
    network = Network(rules, samples)
    assert samples.results.size > 100
    share = float(samples.results.mean())
    nothing = -share * np.log(share) - (1 - share) * np.log(1 - share)

    network.fit(samples, 40, 0.02)

    assert network.loss(samples) < nothing - 0.05
    file = tmp_path / "numbers.json"
    file.write_text(json.dumps(told(rules, network.parts())))
    again = Network(rules, samples, read(rules, file))
    assert again.loss(samples) == pytest.approx(network.loss(samples), abs=0.01)
    one = samples.groups == samples.groups[0]
    assert 0 < part(samples, one).results.size < samples.results.size


@BOTH
def test_the_gradient_is_how_the_loss_changes(
    rules: LineRules, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(fit_lines, "LEAK", np.float32(0))
    samples = samples_of(rules, games_of(rules, 3))
    network = Network(rules, samples)
    everything = np.arange(samples.results.size)
    network.fit(samples, 1, 0.01)
    found = network.gradient(samples, everything)
    for name, weight in network.weights.items():
        at = np.unravel_index(np.abs(found[name]).argmax(), weight.shape)
        steps = []
        for step in (0.002, -0.002):
            weight[at] += step
            steps.append(network.loss(samples))
            weight[at] -= step
        assert (steps[0] - steps[1]) / 0.004 == pytest.approx(found[name][at], rel=0.05, abs=1e-4)


@pytest.mark.parametrize("falls", [False, True])
def test_each_game_depends_on_its_number_alone_and_none_is_played_twice(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, falls: bool
) -> None:
    monkeypatch.setattr(selfplay, "NODES", (60, 90))
    rules, journal = LineRules(Shape(7, 7), 5, gravity=falls), tmp_path / "games.jsonl"
    engine: Engine = (
        CompiledLines(rules, 1 << 14, code=PLAIN) if not falls else PlainPlayouts(rules)
    )
    games = [selfplay.game(rules, engine, number) for number in (1, 2, 1)]
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


@pytest.mark.parametrize("name", ["free", "exact", "caro", "barred", "even", "odd"])
def test_the_numbers_of_the_library_say_where_they_come_from(name: str) -> None:
    falls = name in ("even", "odd")
    folder = files("tic_tac_toe.engines.playouts" if falls else "tic_tac_toe.engines.lines")
    file = json.loads(folder.joinpath(f"values/{name}.json").read_text())
    assert [command.split()[2] for command in file["commands"]] == [
        "tools.selfplay",
        "tools.fit_drops" if falls else "tools.fit_lines",
    ]
    assert file["positions"] > 10 * file["games"] > 10_000
    assert len(file["digest"]) == 64
    assert 0.5 < file["loss"] < 0.68
    if falls:
        assert len(file["worth"]) == fit_drops.NUMBERS
    else:
        packed(parts_of(file))


def test_no_other_worth_of_threats_fits_better() -> None:
    rules, rng = LineRules(Shape(6, 7), 4, gravity=True), Random(3)
    games = list[dict[str, Any]]()
    for number in range(20):
        position, cells = Position(), list[int]()
        while rules.outcome(position) is None:
            cells.append(rng.choice(rules.moves(position)))
            position = rules.play(position, cells[-1])
        winner = rng.choice([0, 1, None])
        games.append({"game": number, "cells": cells[:-1], "opening": 4, "winner": winner})
    counts, results, of = fit_drops.samples_of(rules, games)
    assert len(counts) == len(results) == len(of) == sum(len(g["cells"]) - 3 for g in games)
    assert (counts[:, 0] == 1).all()
    assert (counts[:, 1:] > 0).any(axis=0).all()
    found = fit_drops.fitted(counts, results)
    least = fit_drops.loss_of(found, counts, results)
    for number in range(fit_drops.NUMBERS):
        for step in (-0.05, 0.05):
            other = found.copy()
            other[number] += step
            assert fit_drops.loss_of(other, counts, results) > least
