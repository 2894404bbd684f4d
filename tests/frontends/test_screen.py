"""The real command on a real terminal: drawings, keys, and what is left when it has ended."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from tests.frontends.programs import CLEAR, PATIENCE, Screen, environment
from tic_tac_toe.logic.record_text import parse_records
from tic_tac_toe_frontends.console.commands import (
    AFTERWARDS,
    COMMANDS,
    translated_words,
)
from tic_tac_toe_frontends.words.translation import LANGUAGES, load

DRAWN = """\
     A   B   C
   ------------
1 ┆  O │   │
  ┆ ───┼───┼───
2 ┆    │ X │
  ┆ ───┼───┼───
3 ┆    │   │
"""

#: Against itself, so that a test knows every move.
TWO_PEOPLE = ("-O", "human")


def play(screen: Screen, moves: str) -> None:
    """Type moves of both sides, each when it is asked for."""
    for number, cell in enumerate(moves.split()):
        screen.expect(f"{'XO'[number % 2]}'s move: ")
        screen.type(f"{cell}\n")


def test_a_game_is_drawn_on_a_cleared_screen_after_every_move_and_the_last_is_underlined() -> None:
    with Screen("-O", "minimax", "--seed", "1", "--delay", "0") as screen:
        screen.expect("X's move: ")
        assert screen.page.startswith("     A   B   C\n   ------------\n1 ┆    │   │\n")
        assert "X: Person, O: Perfect." in screen.page
        screen.type("B2\n")
        screen.expect("The computer is thinking")
        screen.expect("X's move: ")

        assert screen.written.count(CLEAR) == 3
        assert screen.page == f"{DRAWN}\nO plays A1.\nX's move: "
        page = screen.written.rpartition(CLEAR)[2]
        assert page.count("\x1b[1;4mO\x1b[0m") == 1
        assert "\x1b[1;4mX" not in page


def test_a_won_game_stands_out_and_another_one_is_offered_with_the_score() -> None:
    with Screen(*TWO_PEOPLE) as screen:
        play(screen, "A1 B1 B2 C1 C3")
        screen.expect("X wins 🎉")
        won = re.findall(r"\x1b\[1;5;7m X \x1b\[0m", screen.written.rpartition(CLEAR)[2])
        assert len(won) == 3
        screen.expect("Score: X 1, O 0, draws 0.")
        screen.expect("Another game? (yes or no) ")
        screen.type("perhaps\n")
        screen.expect("Type yes or no, or help.")
        screen.type("\n")
        play(screen, "A1 B1 C1 B2 A2 B3")
        screen.expect("O wins 🎉")
        screen.expect("Score: X 1, O 1, draws 0.")
        screen.type("y\n")
        play(screen, "A1 B1 C1 B2 A2 A3 B3 C2 C3")
        screen.expect("No one wins this time 😐")
        screen.expect("Score: X 1, O 1, draws 1.")
        screen.type("no\n")

        assert screen.end() == 0


def test_after_a_game_moves_are_listed_and_taken_back_and_the_game_goes_on(tmp_path: Path) -> None:
    file = tmp_path / "games.txt"
    with Screen(*TWO_PEOPLE, "--record", str(file)) as screen:
        play(screen, "A1 B1 B2 C1 C3")
        for typed, told in (
            ("help", "  undo    take back, to your previous turn"),
            ("moves", "X A1, O B1, X B2, O C1, X C3"),
            ("board", "3 ┆    │   │\x1b[1;5;7m X "),
            ("A3", "The game is over. Type undo to take back a move"),
            ("hint", "The game is over. Type undo to take back a move"),
            ("redo", "There is no move to play again."),
            ("reviw", '"reviw": did you mean review? Type yes or no, or help.'),
        ):
            screen.expect("Another game? (yes or no) ")
            screen.type(f"{typed}\n")
            screen.expect(told)
        screen.expect("Another game? (yes or no) ")
        screen.type("undo\n")
        screen.expect("Taken back: X C3.")
        play(screen, "A2")
        screen.expect("O's move: ")
        screen.type("resign\n")
        screen.expect("Score: X 1, O 0, draws 0.")
        screen.type("undo\n")
        screen.expect("The moves of a game that was resigned cannot be taken back.")
        screen.type("quit\n")

        assert screen.end() == 0
        assert screen.page.endswith("\nThe game ends here. Goodbye!\n")
    (record,) = parse_records(file.read_text(encoding="utf-8"))
    assert record.moves == (0, 1, 4, 2, 3)


def test_words_stay_below_the_board_until_moves_are_taken_back_and_played_again() -> None:
    with Screen("--seed", "1", "--delay", "0") as screen:
        play(screen, "B2")
        screen.expect("O plays A1.")
        for line in ("nonsense", "hint", "help", "board"):
            screen.expect("X's move: ")
            screen.type(f"{line}\n")
        screen.expect("X's move: ")
        assert screen.written.count(CLEAR) == 3
        assert "nonsense" in screen.page
        assert "Best for X: " in screen.page
        screen.type("undo\n")
        screen.expect("Taken back: X B2, O A1.")
        screen.expect("X's move: ")
        assert "1 ┆    │   │\n" in screen.page
        screen.type("redo\n")
        screen.expect("Played again: X B2, O A1.")
        screen.expect("X's move: ")

        assert DRAWN in screen.page


@pytest.mark.parametrize(
    ("after_the_game", "keys", "status"),
    [
        (False, "\x04", 0),
        (False, "resi\x15quit\n", 0),
        (False, "\x03", 130),
        (True, "\x03", 130),
        (True, "q\n", 0),
    ],
)
def test_a_person_can_leave_politely_at_each_prompt(
    after_the_game: bool, keys: str, status: int
) -> None:
    with Screen(*TWO_PEOPLE) as screen:
        screen.expect("X's move: ")
        if after_the_game:
            screen.type("resign\n")
            screen.expect("Another game? (yes or no) ")
        if keys == "\x03":
            screen.interrupt()
        else:
            screen.type(keys)

        assert screen.end() == status
        assert screen.page.endswith("\nThe game ends here. Goodbye!\n")
        assert "Traceback" not in screen.written
        assert ("Another game" in screen.written) == after_the_game


@pytest.mark.slow
def test_ctrl_c_ends_politely_while_the_computer_thinks(tmp_path: Path) -> None:
    path = tmp_path / "games.txt"
    options = ("--variant", "ultimate", "--delay", "30", "--record", str(path))
    with Screen(*options) as screen:
        play(screen, "E5")
        screen.expect("The computer is thinking")

        assert screen.interrupt() == 130
        assert screen.page.endswith("\nThe game ends here. Goodbye!\n")
        assert "Traceback" not in screen.written
    (record,) = parse_records(path.read_text(encoding="utf-8"))
    assert record.moves == (40,)


def test_a_terminal_that_is_closed_leaves_a_record(tmp_path: Path) -> None:
    path = tmp_path / "games.txt"
    with Screen(*TWO_PEOPLE, "--record", str(path)) as screen:
        play(screen, "A1")
        screen.expect("O's move: ")
        screen.hang_up()

        # By the signal that the terminal is gone, or because nothing can be written to it.
        assert screen.process.wait(PATIENCE) in (129, 1)
    (record,) = parse_records(path.read_text(encoding="utf-8"))
    assert record.moves == (0,)


def test_a_plain_terminal_is_told_in_words_and_offered_another_game() -> None:
    with Screen(*TWO_PEOPLE, "--plain") as screen:
        play(screen, "A1 B1 B2 C1 C3")
        screen.expect("X plays C3.")
        screen.expect("Decided by A1, B2, C3.")
        screen.expect("X wins 🎉")
        screen.expect("Another game? (yes or no) ")
        screen.type("no\n")

        assert screen.end() == 0
        assert "\x1b" not in screen.written
        assert "┆" not in screen.written
        assert "1 X O O\r\n2 . X .\r\n3 . . X\r\n" in screen.written


@pytest.mark.parametrize(
    ("variant", "size", "drawn"),
    [("gomoku", (80, 24), "15 ┆ · · · "), ("mnk:26,26,5", (40, 50), "26 ····")],
)
def test_the_drawing_fits_the_terminal(variant: str, size: tuple[int, int], drawn: str) -> None:
    with Screen(*TWO_PEOPLE, "--variant", variant, size=size) as screen:
        screen.expect("X's move: ")
        board = screen.page.partition("\n\n")[0]

        assert drawn in screen.page
        assert max(map(len, board.split("\n"))) <= size[0]
        assert screen.page.count("\n") < size[1]


def test_ultimate_fits_the_terminal_and_points_out_where_to_play() -> None:
    with Screen(*TWO_PEOPLE, "--variant", "ultimate") as screen:
        play(screen, "E5 D4")
        screen.expect("Play in small board A1, from A1 to C3.")

        assert "1 ┆  · │ · │ · ┃   │   │   ┃" in screen.page
        assert "  ┆ ━━━┿━━━┿━━━╋━━━" in screen.page
        assert screen.page.count("·") == 9
        assert screen.page.count("\n") < 24


def test_a_drawing_keeps_its_shape_however_long_the_words_of_the_beginning_are() -> None:
    players = ("-X", "human", "-O", "minimax", "--lang", "ru")
    with Screen(*players, "--variant", "ultimate", "--delay", "0") as screen:
        screen.expect("Ходит X: ")
        first = screen.page
        screen.type("E5\n")
        screen.expect("Ходит X: ")

        shapes = [re.findall("[┿╂╋┆┃]", page) for page in (first, screen.page)]
        assert shapes[0] == shapes[1]
        assert first.split("\n")[-24:].count("  ┆ ━━━┿━━━┿━━━╋━━━┿━━━┿━━━╋━━━┿━━━┿━━━") == 2


@pytest.mark.parametrize("code", list(LANGUAGES)[1:])
def test_a_game_is_played_in_the_language(code: str) -> None:
    language = load(code, {})
    _ = language.gettext
    with Screen("--lang", code) as screen:
        screen.expect(_("{mark}'s move: ").format(mark="X"))
        screen.type(f"{translated_words(language, COMMANDS)['resign']}\n")
        screen.expect(_("You resigned: you lose."))
        screen.expect(_("Another game? (yes or no) ").strip())
        screen.type(f"{translated_words(language, AFTERWARDS)['no']}\n")

        assert screen.end() == 0


def test_a_terminal_without_the_letters_is_drawn_on_in_ascii() -> None:
    env = environment(PYTHONIOENCODING="ascii", PYTHONUTF8="0")
    with Screen(*TWO_PEOPLE, "--lang", "zh", env=env) as screen:
        play(screen, "A1 B1 B2 C1 C3")
        screen.expect("X wins!")

        assert screen.written.isascii()
        assert "1 | " in screen.page
        assert "  | ---+---+---\n" in screen.page


def test_replay_waits_for_enter_and_can_be_left(tmp_path: Path) -> None:
    path = tmp_path / "games.txt"
    path.write_text("1. B2 A1 2. C3 *", encoding="utf-8")
    with Screen("replay", str(path)) as screen:
        for words in ("Game 1 of 1", "X plays B2.", "O plays A1."):
            screen.expect(words)
            screen.expect("Enter for more, q to leave: ")
            screen.type("q\n" if words.startswith("O") else "\n")

        assert screen.end() == 0
        assert "C3" not in screen.page


def test_whoever_wins_can_keep_the_game_and_play_the_next_level(tmp_path: Path) -> None:
    file = tmp_path / "won.txt"
    with Screen("-O", "easy", "--from", "XX./OO./...", "--delay", "0") as screen:
        screen.expect("X's move: ")
        screen.type("C1\n")
        screen.expect("You win!")
        screen.expect("To play the next level, Medium, type next.")
        screen.expect("Another game? (yes or no) ")
        screen.type("save\n")
        screen.expect("Name a file: save FILE")
        screen.type(f"save {file}\n")
        screen.expect("Saved to ")
        screen.expect("Another game? (yes or no) ")
        screen.type("review\n")
        screen.expect("No move threw away a win or a draw.")
        screen.expect("Another game? (yes or no) ")
        screen.type("next\n")
        screen.expect("O: Medium.")
        screen.expect("X's move: ")
        screen.type("quit\n")

        assert screen.end() == 0
    (record,) = parse_records(file.read_text("utf-8"))
    assert dict(record.tags)["O"] == "easy"
