"""Puzzles are what they claim, by searches that have not found them."""

from __future__ import annotations

import json
from collections.abc import Iterator
from itertools import count, pairwise
from pathlib import Path
from random import Random
from typing import Any

import pytest

from tests.forced_wins import is_won, stops_in_one, wins_in_one
from tests.insight.exact_games import Game, by_rules, game_of
from tic_tac_toe.engines.choice import CODE_VARIABLE, prepare
from tic_tac_toe.engines.lines import CompiledLines
from tic_tac_toe.insight import collection
from tic_tac_toe.insight.collection import (
    GAMES,
    format_collection,
    line_of,
    parse_collection,
    shipped,
)
from tic_tac_toe.insight.facts import KINDS
from tic_tac_toe.insight.puzzles import (
    Difficulty,
    Puzzle,
    Turn,
    check,
    puzzle_of,
    puzzles,
    theme_of,
)
from tic_tac_toe.limits import Limits
from tic_tac_toe.logic.exceptions import InvalidMove
from tic_tac_toe.logic.models import GameState
from tic_tac_toe.logic.positions import Position
from tic_tac_toe.logic.rules import Rules, symmetry_of
from tic_tac_toe.logic.rules.catalogue import find_rules
from tic_tac_toe.logic.search.threats import win_by_threats
from tic_tac_toe.solver import is_installed

SMALL = (
    "tic-tac-toe",
    "misere-tic-tac-toe",
    "wild",
    "misere-wild",
    "notakto",
    "vanishing",
    "vanishing-late",
)
LARGER = ("4x4x3", "connect-four")
FORCED = ("gomoku", "renju")
#: Vanishing takes more than two seconds.
MARKED = [
    *SMALL[:5],
    *(pytest.param(name, marks=pytest.mark.slow) for name in SMALL[5:]),
]
OUTCOMES = {"win": 1, "draw": 0, "loss": -1}


@pytest.mark.medium
@pytest.mark.parametrize("name", MARKED)
def test_every_puzzle_of_a_small_game_has_one_right_move_at_each_turn(name: str) -> None:
    game = game_of(name)

    assert shipped(name)
    for puzzle in shipped(name):
        check_by_values(puzzle, game)


@pytest.mark.medium
@pytest.mark.parametrize("name", MARKED)
def test_the_puzzles_of_a_small_game_are_all_that_there_are(name: str) -> None:
    found = sorted(puzzles(name), key=lambda puzzle: puzzle.difficulty)

    assert [*shipped(name)] == found


@pytest.mark.medium
@pytest.mark.parametrize(("name", "marks"), [("4x4x3", 6), ("connect-four", 27)])
def test_puzzles_of_larger_games_have_one_right_move_at_each_turn(name: str, marks: int) -> None:
    late = [each for each in shipped(name) if each.state.position.marks >= marks]
    game = by_rules(find_rules(name))

    assert len(late) >= 5
    for puzzle in Random(7).sample(late, min(len(late), 12)):
        check_by_values(puzzle, game)


@pytest.mark.skipif(not is_installed(), reason="Numba is not installed")
@pytest.mark.medium
@pytest.mark.parametrize("name", [*LARGER, *FORCED])
def test_the_theme_of_a_puzzle_is_that_of_its_first_move(
    name: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    if name in LARGER:  # compiled code finds more of their plans
        prepare(find_rules(name))
        monkeypatch.setenv(CODE_VARIABLE, "")
    themes = {kind.theme for kind in KINDS.values()}

    assert {puzzle.theme for puzzle in shipped(name)} <= themes
    for puzzle in Random(9).sample(shipped(name), 12):
        assert puzzle.theme == theme_of(puzzle)


def test_each_game_of_the_puzzles_of_days_has_puzzles() -> None:
    assert all(shipped(game) for game in GAMES)


def check_by_values(puzzle: Puzzle, game: Game) -> None:
    """Check every claim of a puzzle by exact values."""
    node = game.start
    for move in puzzle.moves:
        node = game.after(node)[move]
    assert game.value(node)[0] == OUTCOMES[puzzle.outcome]
    *earlier, last = puzzle.turns
    assert last.reply is None
    for turn in earlier:
        check_turn(puzzle, turn, node, game)
        child = game.after(node)[turn.move]
        assert turn.reply is not None
        node = game.after(child)[turn.reply]
        assert game.value(node)[0] == OUTCOMES[puzzle.outcome]
        if game.has_plies and puzzle.outcome == "win":
            assert game.value(node)[1] == game.value(child)[1] - 1, "no defence takes longer"
    check_turn(puzzle, last, node, game)


def check_turn(puzzle: Puzzle, turn: Turn, node: Any, game: Game) -> None:
    """Check that one move, up to symmetry, is right, and what is told of the others."""
    children, keeps = game.after(node), OUTCOMES[puzzle.outcome]
    right = {move for move, child in children.items() if -game.value(child)[0] == keeps}
    thrown = {wrong.move: wrong for wrong in turn.wrong}
    assert thrown
    assert right == {*children} - {*thrown}
    assert turn.choices == len(children)
    images = game.images(children[turn.move])
    assert all(children[move] in images for move in right), "only one move is right"
    for move, wrong in thrown.items():
        assert -game.value(children[move])[0] == OUTCOMES[wrong.left] < keeps
        replies = game.after(children[move])
        assert (wrong.reply is None) == (not replies)
        if wrong.reply is not None:
            assert game.value(replies[wrong.reply])[0] == OUTCOMES[wrong.left]
    if game.has_plies:
        assert turn.depth == sure_depth(children, right, game)
    if game.has_plies and turn is puzzle.turns[0]:
        assert not keeps or game.value(node)[1] > 2, "it is not won at once"
        assert any(not _loses_at_once(children[move], game) for move in thrown)


def _loses_at_once(child: Any, game: Game) -> bool:
    outcome, plies = game.value(child)
    return outcome == 1 and plies <= 1


def sure_depth(children: dict[int, Any], right: set[int], game: Game) -> int:
    """Return the least look-ahead after which every move that looks best is right."""
    values = {move: game.value(child) for move, child in children.items()}
    for depth in count(1):
        seen = {move: value for move, (value, plies) in values.items() if value and plies < depth}
        wins = {move for move, value in seen.items() if value < 0}
        losses = {move for move, value in seen.items() if value > 0}
        if (wins or {*children} - losses or {*children}) <= right:
            return depth
    raise AssertionError("a depth beyond the end of the game is sure")


def test_stopping_a_line_is_no_puzzle() -> None:
    assert puzzle_of("XX./.O./...") is None


def test_completing_a_line_is_no_puzzle() -> None:
    assert puzzle_of("XX./OO./...") is None


def test_a_game_that_is_over_is_no_puzzle() -> None:
    assert puzzle_of("XXX/OO./...") is None


def test_a_position_in_which_two_moves_win_is_no_puzzle() -> None:
    assert puzzle_of("X../.O./..X") is not None
    assert puzzle_of("X../..O/...") is None


def puzzle_of_the_corners() -> Puzzle:
    puzzle = puzzle_of("X../.../..O")
    assert puzzle is not None
    return puzzle


def test_equivalent_moves_are_one_right_move() -> None:
    puzzle = puzzle_of_the_corners()

    assert puzzle.turns[0].move == 2
    assert [check(puzzle, [move]).verdict for move in (2, 6, 4)] == ["right", "right", "wrong"]


def test_the_other_of_two_equivalent_moves_is_answered_in_its_place() -> None:
    puzzle = puzzle_of_the_corners()
    line, answer = list[int](), None
    turned = [3 * (cell % 3) + cell // 3 for cell in range(9)]  # reflected in the diagonal

    for move in puzzle.solution[::2]:
        line.append(turned[move])
        answer = check(puzzle, line)
        if answer.reply is not None:
            line.append(answer.reply)

    assert answer is not None
    assert answer.verdict == "solved"
    assert line == [turned[move] for move in puzzle.solution]


@pytest.mark.parametrize("name", [*SMALL, *LARGER, *FORCED])
def test_a_solution_is_right_move_by_move(name: str) -> None:
    every = shipped(name)
    for puzzle in Random(3).sample(every, min(len(every), 20)):
        line = puzzle.solution
        for length in range(1, len(line), 2):
            answer = check(puzzle, line[:length])
            assert answer == ("right", line[length], puzzle.outcome)
        assert check(puzzle, line) == ("solved", None, puzzle.outcome)


@pytest.mark.parametrize("name", [*SMALL, *LARGER])
def test_each_wrong_move_is_refuted_by_its_reply(name: str) -> None:
    every = shipped(name)
    for puzzle in Random(4).sample(every, min(len(every), 20)):
        for number, turn in enumerate(puzzle.turns):
            for wrong in turn.wrong:
                answer = check(puzzle, [*puzzle.solution[: 2 * number], wrong.move])
                assert answer == ("wrong", wrong.reply, wrong.left)


def test_a_move_that_is_not_legal_is_refused() -> None:
    puzzle = shipped("tic-tac-toe")[0]

    with pytest.raises(InvalidMove, match="not empty"):
        check(puzzle, [puzzle.moves[0]])
    with pytest.raises(InvalidMove, match="over"):
        check(puzzle_of_the_corners(), [2, 1, 6, 3, 4, 5, 7])


@pytest.mark.parametrize("moves", [[], [2, 1], [4, 1, 6], [2, 3, 6]])
def test_a_line_that_does_not_follow_the_answers_is_refused(moves: list[int]) -> None:
    with pytest.raises(ValueError, match="move"):
        check(puzzle_of_the_corners(), moves)


def test_difficulty_is_depth_then_choices_then_length() -> None:
    turns = Turn(0, 3, 7, (), 1), Turn(2, 5, 4)
    puzzle = Puzzle(GameState.new("tic-tac-toe"), "value", "win", turns)

    assert puzzle.difficulty == Difficulty(5, 7, 2)
    assert puzzle.difficulty < Difficulty(6, 1, 1)


@pytest.mark.parametrize("name", [*SMALL, *LARGER, *FORCED])
def test_a_collection_is_sorted_and_no_two_puzzles_are_equivalent(name: str) -> None:
    found = shipped(name)
    canonical = symmetry_of(find_rules(name)).canonical
    images = {canonical(puzzle.state.position) for puzzle in found}

    assert len(images) == len(found)
    assert all(one.difficulty <= other.difficulty for one, other in pairwise(found))


def test_the_collection_has_three_thousand_puzzles_of_each_large_game() -> None:
    assert len(shipped("connect-four")) >= 3_000
    assert len(shipped("gomoku")) >= 3_000


def test_the_collection_is_small() -> None:
    folder = Path(collection.__file__).parent / collection.FOLDER
    assert sum(file.stat().st_size for file in folder.iterdir()) <= 1_500_000


def test_a_collection_comes_back_from_its_bytes() -> None:
    rules, found = find_rules("wild"), shipped("wild")
    data = format_collection(rules, found, "here", "a command")

    assert parse_collection(rules, data) == found
    assert data == format_collection(rules, found, "here", "a command")


def test_a_line_tells_moves_turns_and_difficulty() -> None:
    told = json.loads(line_of(shipped("tic-tac-toe")[-1]))

    assert told["moves"] == [*shipped("tic-tac-toe")[-1].moves]
    assert told["difficulty"] == [*shipped("tic-tac-toe")[-1].difficulty]


def test_a_game_without_a_collection_ships_no_puzzles() -> None:
    assert shipped("qubic") == ()


# -- by fours and threats --------------------------------------------------------------------------


def _first_threat(rules: Rules, position: Position) -> int | None:
    win = win_by_threats(rules, position, node_limit=3_000, depth_limit=4)
    return win.line[0] if win else None


def check_by_defences(puzzle: Puzzle) -> None:
    """Check that the side to move wins against every defence, in no more plies than are told."""
    rules, position = puzzle.state.rules, puzzle.state.position
    assert 3 <= puzzle.difficulty.depth <= 17
    assert not wins_in_one(rules, position)
    assert is_won(rules, position, rules.shape.cells, _first_threat)
    for move in puzzle.solution[:-1]:
        position = rules.play(position, move)
    assert puzzle.solution[-1] in wins_in_one(rules, position)


@pytest.mark.medium
@pytest.mark.parametrize("name", FORCED)
def test_a_win_by_fours_is_won_against_every_defence(name: str) -> None:
    every = [puzzle for puzzle in shipped(name) if puzzle.kind == "fours"]
    for puzzle in Random(5).sample(every, 4):
        check_by_defences(puzzle)


@pytest.mark.slow
@pytest.mark.parametrize("name", FORCED)
def test_a_win_by_threats_is_won_against_every_defence(name: str) -> None:
    every = [puzzle for puzzle in shipped(name) if puzzle.kind == "threats"]
    for puzzle in Random(6).sample(every, 2):
        check_by_defences(puzzle)


@pytest.mark.slow
def test_another_four_throws_the_win_by_fours_away() -> None:
    every = [puzzle for puzzle in shipped("gomoku") if puzzle.kind == "fours"]
    for puzzle in Random(8).sample(every, 2):
        rules, position = puzzle.state.rules, puzzle.state.position
        wins = {move for move, _ in _winning_fours(rules, position)}
        made = {move for move, _ in _fours(rules, position)}

        assert puzzle.solution[0] in wins
        assert made - wins
        for move in made:
            answer = check(puzzle, [move])
            assert (answer.verdict == "right") >= (move in wins)


def _fours(rules: Rules, position: Position) -> Iterator[tuple[int, list[int]]]:
    """Yield the moves after which the side to move could complete a line, and where."""
    stops = wins_in_one(rules, position._replace(turn=1 - position.turn))
    for move in stops_in_one(rules, position) if stops else rules.moves(position):
        after = rules.play(position, move)
        if hopes := wins_in_one(rules, after._replace(turn=position.turn)):
            yield move, hopes


def _winning_fours(rules: Rules, position: Position) -> Iterator[tuple[int, list[int]]]:
    """Yield the fours that win by fours alone, found by trying them all."""
    for move, hopes in _fours(rules, position):
        after = rules.play(position, move)
        if wins_in_one(rules, after):
            continue
        if len(hopes) > 1 or any(_winning_fours(rules, rules.play(after, hopes[0]))):
            yield move, hopes


# -- all of them, at night -------------------------------------------------------------------------


@pytest.mark.nightly
@pytest.mark.parametrize("name", FORCED)
def test_every_win_by_fours_is_won_against_every_defence(name: str) -> None:
    for puzzle in shipped(name):
        if puzzle.kind == "fours":
            check_by_defences(puzzle)


@pytest.mark.nightly
@pytest.mark.parametrize("name", FORCED)
def test_every_win_by_threats_is_proved_by_the_compiled_engine_or_by_every_defence(
    name: str,
) -> None:
    engine = CompiledLines(find_rules(name), 1 << 24)
    for puzzle in shipped(name):
        if puzzle.kind == "threats":
            thought = engine.think(puzzle.state.position, Limits(work=1.0), Random(0))
            if thought.outcome != "win":  # it looks less far ahead
                check_by_defences(puzzle)


@pytest.mark.nightly
def test_every_puzzle_of_4x4x3_has_one_right_move_at_each_turn() -> None:
    game = by_rules(find_rules("4x4x3"))
    for puzzle in shipped("4x4x3"):
        check_by_values(puzzle, game)


@pytest.mark.nightly
def test_every_puzzle_of_connect_four_has_one_right_move_at_each_turn() -> None:
    from tests.insight.four_oracle import connect_four  # which takes a compiler

    game = connect_four()
    for puzzle in sorted(shipped("connect-four"), key=lambda puzzle: -len(puzzle.moves)):
        check_by_values(puzzle, game)
