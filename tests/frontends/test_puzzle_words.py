"""Puzzles and lessons by typed words, and the command that sets one."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tests.frontends.desk import played
from tic_tac_toe.insight.collection import GAMES, game_of_day, number_of_day, shipped
from tic_tac_toe.insight.puzzles import check
from tic_tac_toe.logic.notation import parse_state
from tic_tac_toe.logic.rules.catalogue import VARIANTS
from tic_tac_toe_frontends.command.puzzle import main
from tic_tac_toe_frontends.table.results import MOST_CHARACTERS, on_this_device, read_results
from tic_tac_toe_frontends.words.translation import load


@pytest.fixture(autouse=True)
def _kept_here(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path))
    monkeypatch.setenv("LC_ALL", "C.UTF-8")


LESSON = """\
Make two threats at once.
The other side can stop one line with a move, but not two. Find the cell where
two of your lines meet.
Two threats at once, 1 of 4.
  A B C
1 X . O
2 . . X
3 . . O
X's move:
Two threats at once.
X's move:
Not this move.
X turns a win into a loss.
With A3, O can complete a line at B2 or B3; X can stop only one.
O plays A3.
Two threats at once, 1 of 4.
To try again, type undo; to see the solution, type solution.
  A B C
1 X X O
2 . . X
3 O . O
undo or solution:
"""


def test_a_lesson_is_told_move_by_move() -> None:
    said = played(typed="lesson 2\nhint\nB1\nundo\nA2\nnext\nleave\nquit\n")
    assert LESSON in said
    assert "Solved!" in said
    assert read_results(on_this_device().load()).lessons == {"fork": (0,)}
    assert "1/4" in played(typed="lesson\nquit\n")


@pytest.mark.parametrize(
    ("typed", "answer"),
    [
        ("next", "No puzzle is being solved; type puzzle."),
        ("solution", "No puzzle is being solved; type puzzle."),
        ("puzzle draughts", "There is no draughts: type a game"),
        (
            "puzzle tic-tac-toe endgame",
            "There is no such puzzle. The themes of this game: A threat first, Stop two threats,",
        ),
        ("puzzle notakto fork", "There is no such puzzle: those of this game have no themes."),
        ("puzzle gomoku easy four and a three\nsolution", "This is the solution."),
        ("puzzle wild\nanalysis", "This has no effect now."),
        ("puzzle wild\nresign", "This has no effect now."),
        ("puzzle wild\nundo", "This has no effect now."),
        ("puzzle wild easy\nsolution", "This is the solution."),
    ],
)
def test_a_word_is_done_or_refused_in_words(typed: str, answer: str) -> None:
    assert answer in played(typed=f"{typed}\nquit\n")


def test_after_a_puzzle_the_game_begins_again_against_the_computer() -> None:
    said = played(typed="puzzle notakto\nsolution\nnext\nsolution\nleave\nB2\nquit\n")
    assert said.count("This is the solution.") == 2
    assert "O plays " in said.rpartition("This is the solution.")[2]


def test_the_command_prints_a_puzzle_with_its_solution(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["--game", "wild", "--difficulty", "hard", "--json"], "puzzle") == 0
    told = json.loads(capsys.readouterr().out)
    state = parse_state(told["position"], VARIANTS["wild"])
    puzzle = next(each for each in shipped("wild") if list(each.moves) == told["moves"])
    assert puzzle.state.position == state.position
    assert check(puzzle, told["solution"]).verdict == "solved"
    assert (told["variant"], told["level"], told["outcome"]) == ("wild", "hard", puzzle.outcome)


def test_every_game_of_the_puzzles_of_days_can_be_played() -> None:
    assert {*GAMES} <= VARIANTS.keys()
    assert {game_of_day(day) for day in range(len(GAMES))} == {*GAMES}
    assert number_of_day(739_000, 1) == 0


@pytest.mark.parametrize("game", GAMES)
def test_the_command_sets_a_puzzle_of_each_game_with_a_theme_and_without_one(
    game: str, capsys: pytest.CaptureFixture[str]
) -> None:
    themes = sorted({puzzle.theme for puzzle in shipped(game)})
    for theme in (themes[0], themes[-1]):
        assert main(["--game", game, "--theme", theme, "--json"], "puzzle") == 0
        told = json.loads(capsys.readouterr().out)
        assert (told["variant"], theme in told["theme"]) == (game, True)


def test_a_theme_is_asked_for_in_the_words_of_the_language(
    capsys: pytest.CaptureFixture[str],
) -> None:
    spanish = load("es", {})
    theme = next(puzzle.theme for puzzle in shipped("gomoku") if puzzle.theme)
    said = spanish.gettext(theme)
    assert said != theme
    assert main(["--game", "gomoku", "--theme", said, "--lang", "es", "--json"], "puzzle") == 0
    assert json.loads(capsys.readouterr().out)["theme"] == theme


@pytest.mark.parametrize("arguments", [["--theme", "fork"], ["--game", "wild", "--today"]])
def test_options_that_do_not_go_together_are_refused(
    arguments: list[str], capsys: pytest.CaptureFixture[str]
) -> None:
    with pytest.raises(SystemExit) as ended:
        main(arguments, "puzzle")
    assert ended.value.code == 2
    assert " --game" in capsys.readouterr().err


@pytest.mark.parametrize("content", [b"\xff\xfe", b"[1]", b" " * (MOST_CHARACTERS + 1)])
def test_a_file_of_results_that_is_none_is_passed_over(tmp_path: Path, content: bytes) -> None:
    folder = tmp_path / "tic-tac-toe"
    folder.mkdir()
    (folder / "puzzles.json").write_bytes(content)
    assert not read_results(on_this_device().load()).puzzles
    on_this_device().save("{}")
    assert on_this_device().load() == "{}"


def test_results_that_cannot_be_kept_stop_nothing(tmp_path: Path) -> None:
    (tmp_path / "tic-tac-toe").write_text("no folder", encoding="utf-8")
    store = on_this_device()
    store.save("{}")
    assert store.load() == ""
