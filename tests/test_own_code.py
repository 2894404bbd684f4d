"""Games and players of one's own by name: registered, as an entry point, as module:NAME."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from pathlib import Path
from random import Random

import pytest

from tests.own_games import ThreeInARow
from tic_tac_toe import (
    GameState,
    InvalidMove,
    InvalidStrategy,
    InvalidVariant,
    LineRules,
    Match,
    Misere,
    Record,
    Shape,
    evaluate,
    find_rules,
    find_strategy,
    match,
    parse_records,
    play,
    records_from_json,
    records_to_json,
    register,
    svg,
    variant_name,
    verdict,
)
from tic_tac_toe.loading import as_strategy, find_game

CODE = """
from tic_tac_toe import LineRules, Shape

class Narrow:
    def __new__(cls):
        return LineRules(Shape(2, {columns}), 2)

class Own(LineRules):
    pass

RULES = LineRules(Shape(2, {columns}), 2, exact=True)

def first(state):
    return state.legal_moves[0]

def chosen(state, rng):
    return rng.choice(state.legal_moves)

def failing(state):
    return 1 / 0

number = 4
"""


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """A current folder with a module ``narrow``."""
    (tmp_path / "narrow.py").write_text(CODE.format(columns=5))
    monkeypatch.chdir(tmp_path)
    before = {*sys.modules}
    yield tmp_path
    for name in {*sys.modules} - before:
        if name == "narrow" or str(tmp_path) in name:
            del sys.modules[name]


def test_a_registered_game_is_found_saved_and_read() -> None:
    rules = register("own-three", ThreeInARow())
    assert find_rules("own-three") == rules
    assert variant_name(ThreeInARow()) == "own-three"
    record = Record.from_moves("own-three", "B2 A1 C3")
    assert parse_records(str(record)) == (record,) == records_from_json(records_to_json([record]))
    assert "own-three" in repr(Match("own-three"))
    assert verdict("own-three").outcome == "draw"
    assert evaluate("own-three").outcome == "draw"
    assert svg("own-three").startswith("<svg")
    assert register("own-three", ThreeInARow()) == rules  # the same again is no fault


def test_a_registered_game_takes_the_flags_that_go_with_it() -> None:
    line = register("own-line", LineRules(Shape(2, 9), 2))
    assert find_rules("own-line,misere") == Misere(line)
    assert variant_name(line) == "mnk:9,2,2"  # which every program knows
    assert find_rules("own-line, torus").topology != line.topology  # type: ignore[attr-defined]


@pytest.mark.parametrize(
    ("name", "code"),
    [
        ("tic-tac-toe", "variant_taken"),
        ("3x3x3", "variant_form"),
        ("own three", "variant_form"),
        ("-own", "variant_form"),
        ("a" * 81, "variant_form"),
        ("own\n", "variant_form"),
    ],
)
def test_a_name_that_is_taken_or_none_is_refused(name: str, code: str) -> None:
    with pytest.raises(InvalidVariant) as error:
        register(name, ThreeInARow())
    assert error.value.code == code


@pytest.mark.usefixtures("folder")
def test_a_module_and_a_file_name_a_game_that_has_this_name_from_then_on() -> None:
    assert variant_name(find_game("narrow:Own")) == "narrow:Own"
    for text, exact in (("narrow:Narrow", False), ("narrow.py:RULES", True)):
        with pytest.raises(InvalidVariant) as error:
            find_rules(text)
        assert error.value.code == "own_variant"
        assert find_game(text) == LineRules(Shape(2, 5), 2, exact=exact) == find_rules(text)


def test_an_entry_point_of_an_installed_package_names_a_game(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    info = folder / "wide-1.0.dist-info"
    info.mkdir()
    (info / "METADATA").write_text("Metadata-Version: 2.1\nName: wide\nVersion: 1.0\n")
    (info / "entry_points.txt").write_text("[tic_tac_toe.games]\nown-wide = wide:Narrow\n")
    (folder / "wide.py").write_text(CODE.format(columns=8))
    monkeypatch.syspath_prepend(str(folder))
    with pytest.raises(InvalidVariant):
        find_rules("own-wide")
    assert find_game("own-wide") == LineRules(Shape(2, 8), 2)
    assert find_rules("own-wide") == find_game("own-wide")


@pytest.mark.usefixtures("folder")
@pytest.mark.parametrize(
    ("text", "code"),
    [
        ("nowhere:Game", "not_loaded"),
        ("narrow:Nothing", "not_loaded"),
        ("missing.py:Game", "not_loaded"),
        ("narrow:number", "no_game"),
        ("nothing-of-the-kind", "unknown_variant"),
        ("narrow:Narrow,sideways", "unknown_flag"),
    ],
)
def test_what_is_no_game_is_refused_with_a_reason(text: str, code: str) -> None:
    with pytest.raises(InvalidVariant) as error:
        find_game(text)
    assert error.value.code == code


@pytest.mark.usefixtures("folder")
def test_a_function_of_a_module_or_file_is_a_player() -> None:
    state = GameState.new()
    for text in ("narrow:first", "narrow.py:first"):
        move = find_strategy(text)(state)
        assert move is not None
        assert move.name == "A1"
    chosen = find_strategy("narrow:chosen")
    assert chosen(state, Random(1)) == chosen(state, Random(1))
    for text, code in (("narrow:number", "no_player"), ("nowhere:bot", "not_loaded")):
        with pytest.raises(InvalidStrategy) as error:
            find_strategy(text)
        assert error.value.code == code


def test_a_player_returns_a_move_a_number_or_a_name() -> None:
    state = GameState.new("connect-four")
    for answer in (state.move("4"), 38, "4"):
        move = as_strategy(lambda _state, answer=answer: answer)(state)
        assert move is not None
        assert move.name == "4"
    with pytest.raises(TypeError, match="a function from a GameState"):
        as_strategy("minimax")
    with pytest.raises(TypeError, match="a player must take a GameState"):
        as_strategy(lambda: 0)


def test_a_game_between_functions_and_names_is_a_record_and_the_seed_repeats_it() -> None:
    def lowest(state: GameState) -> int:
        return state.legal_moves[0]

    one, other = (play("random", lowest, "connect-four", seed=7) for _ in range(2))
    assert one == other
    assert one.result != "*"
    assert play(lowest, "random", "connect-four", seed=7) != one
    assert play("minimax", "minimax", "XX./OO./...").result == "X"
    assert play(lowest, lowest, Record.from_moves("wild", "XB2")).moves[0] == 4
    assert play("random", "random", ThreeInARow(), seed=3).result in ("X", "O", "draw")


def test_play_says_whose_player_made_no_legal_move_and_lets_its_exceptions_through() -> None:
    for answer in (None, 99, "Z9", True):
        with pytest.raises(InvalidMove, match="the player of O made an illegal move") as error:
            play("easy", lambda _state, answer=answer: answer, seed=1)
        assert error.value.code == "illegal_answer"
    with pytest.raises(ZeroDivisionError):
        play(lambda _state: 1 // 0, "easy")
    with pytest.raises(InvalidStrategy):
        play("eazy", "easy")


def test_a_match_plays_each_opening_twice_and_counts_faults_as_losses() -> None:
    def bad(_state: GameState) -> str:
        return "Z9"

    result = match(bad, "easy", "tic-tac-toe", games=6, openings=[["B2"], ["A1", "B2"]])
    assert result.tally == (0, 0, 6)
    assert result.elo.value == float("-inf")
    assert result.standings.faults == ((0, 6, 0), (0, 0, 0))
    assert str(result).endswith("no Elo; 6 of 6 games were decided by faults")
    starts = [record.moves[:1] for record in result.records]
    assert sorted(starts) == [(0,)] * starts.count((0,)) + [(4,)] * starts.count((4,))
    names = [dict(record.tags)["X"] for record in result.records]
    assert names == ["bad", "easy"] * 3
    assert match(bad, bad, games=2).plan.players == ("bad 1", "bad 2")
    assert match("easy", "random", ThreeInARow(), games=2).rules == ThreeInARow()


@pytest.mark.parametrize("games", [0, 3, -2])
def test_a_match_has_an_even_number_of_games(games: int) -> None:
    with pytest.raises(ValueError, match="in pairs"):
        match("easy", "random", games=games)
