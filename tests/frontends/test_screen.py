"""The real command on a real terminal: drawings, keys, and what is left when it has ended."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from tests.frontends.desk import seen
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


@pytest.mark.medium
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
    games = ["A1 B1 B2 C1 C3 perhaps", "A1 B1 C1 B2 A2 B3 y", "A1 B1 C1 B2 A2 A3 B3 C2 C3 no"]
    first, *others = (game.split() for game in games)

    shown = seen(*TWO_PEOPLE, typed=[*first, "", *others[0], *others[1]])

    won = next(page for page in shown.written.split(CLEAR) if "X wins" in page)
    assert len(re.findall(r"\x1b\[1;5;7m X \x1b\[0m", won)) == 3
    shown.tells(
        *("X wins 🎉", "Score: X 1, O 0, draws 0.", "Another game? (yes or no)"),
        *("Type yes or no, or help.", "O wins 🎉", "Score: X 1, O 1, draws 0."),
        *("No one wins this time 😐", "Score: X 1, O 1, draws 1."),
    )
    assert shown.status == 0


def test_after_a_game_moves_are_listed_and_taken_back_and_the_game_goes_on(tmp_path: Path) -> None:
    file = tmp_path / "games.txt"
    told = {
        "help": "  undo    take back, to your previous turn",
        "moves": "X A1, O B1, X B2, O C1, X C3",
        "board": "3 ┆    │   │\x1b[1;5;7m X ",
        "A3": "The game is over. Type undo to take back a move",
        "hint": "The game is over. Type undo to take back a move",
        "redo": "There is no move to play again.",
        "reviw": '"reviw": did you mean review? Type yes or no, or help.',
        "undo": "Taken back: X C3.",
    }
    won, after = ["A1", "B1", "B2", "C1", "C3"], ["A2", "resign", "undo", "quit"]

    shown = seen(*TWO_PEOPLE, "--record", str(file), typed=[*won, *told, *after])

    prompt = "Another game? (yes or no)"
    shown.tells(*(text for answer in told.values() for text in (prompt, answer)))
    shown.tells(
        *("Taken back: X C3.", "X plays A2.", "Score: X 1, O 0, draws 0.", prompt),
        "The moves of a game that was resigned cannot be taken back.",
    )
    assert shown.pages[-1].endswith("\nThe game ends here. Goodbye!\n")
    assert shown.status == 0
    (record,) = parse_records(file.read_text(encoding="utf-8"))
    assert record.moves == (0, 1, 4, 2, 3)


def test_words_stay_below_the_board_until_moves_are_taken_back_and_played_again() -> None:
    typed = ["B2", "nonsense", "hint", "help", "board", "undo", "redo"]

    *_, asked, taken_back, again = seen("--seed", "1", "--delay", "0", typed=typed).pages

    assert "O plays A1." in asked
    assert asked.count("X's move:") == 5
    assert "nonsense" in asked
    assert "Best for X: " in asked
    assert "Taken back: X B2, O A1." in taken_back
    assert "1 ┆    │   │\n" in taken_back
    assert "Played again: X B2, O A1." in again
    assert DRAWN in again


@pytest.mark.medium
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


@pytest.mark.medium
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
    shown = seen(*TWO_PEOPLE, "--plain", typed=["A1", "B1", "B2", "C1", "C3", "no"])

    shown.tells(
        *("X plays C3.", "1 X O O\n2 . X .\n3 . . X\n", "Decided by A1, B2, C3."),
        *("X wins 🎉", "Another game? (yes or no)"),
    )
    assert "\x1b" not in shown.written
    assert "┆" not in shown.written
    assert shown.status == 0


@pytest.mark.parametrize(
    ("variant", "size", "drawn"),
    [("gomoku", (80, 24), "15 ┆ · · · "), ("mnk:26,26,5", (40, 50), "26 ····")],
)
def test_the_drawing_fits_the_terminal(variant: str, size: tuple[int, int], drawn: str) -> None:
    (page,) = seen(*TWO_PEOPLE, "--variant", variant, size=size).pages

    page, _, _ = page.partition("The game ends here")
    assert drawn in page
    assert max(map(len, page.partition("\n\n")[0].split("\n"))) <= size[0]
    assert page.count("\n") <= size[1]


def test_ultimate_fits_the_terminal_and_points_out_where_to_play() -> None:
    shown = seen(*TWO_PEOPLE, "--variant", "ultimate", typed=["E5", "D4"])

    page, _, _ = shown.pages[-1].partition("The game ends here")
    assert "Play in small board A1, from A1 to C3." in page
    assert "1 ┆  · │ · │ · ┃   │   │   ┃" in page
    assert "  ┆ ━━━┿━━━┿━━━╋━━━" in page
    assert page.count("·") == 9
    assert page.count("\n") <= 24


@pytest.mark.medium
def test_a_drawing_keeps_its_shape_however_long_the_words_of_the_beginning_are() -> None:
    options = ("-O", "minimax", "--lang", "ru", "--variant", "ultimate", "--delay", "0")

    first, *_, last = seen(*options, typed=["E5"]).pages

    begun, _, _ = first.partition("Ходит X:")
    assert re.findall("[┿╂╋┆┃]", first) == re.findall("[┿╂╋┆┃]", last)
    assert begun.split("\n")[-24:].count("  ┆ ━━━┿━━━┿━━━╋━━━┿━━━┿━━━╋━━━┿━━━┿━━━") == 2


@pytest.mark.parametrize("code", list(LANGUAGES)[1:])
def test_a_game_is_played_in_the_language(code: str) -> None:
    language = load(code, {})
    _ = language.gettext
    resign = translated_words(language, COMMANDS)["resign"]
    no = translated_words(language, AFTERWARDS)["no"]

    shown = seen("--lang", code, typed=[resign, no])

    shown.tells(
        _("{mark}'s move: ").format(mark="X").strip(),
        _("You resigned: you lose."),
        _("Another game? (yes or no) ").strip(),
    )
    assert shown.status == 0


@pytest.mark.medium
def test_a_terminal_without_the_letters_is_drawn_on_in_ascii() -> None:
    env = environment(PYTHONIOENCODING="ascii", PYTHONUTF8="0")
    with Screen(*TWO_PEOPLE, "--lang", "zh", env=env) as screen:
        play(screen, "A1 B1 B2 C1 C3")
        screen.expect("X wins!")

        assert screen.written.isascii()
        assert "1 | " in screen.page
        assert "  | ---+---+---\n" in screen.page


@pytest.mark.medium
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
    typed = ["C1", "save", f"save {file}", "review", "next", "quit"]

    seen("-O", "easy", "--from", "XX./OO./...", "--delay", "0", typed=typed).tells(
        "You win!",
        "To play the next level, Medium, type next.",
        "Name a file: save FILE",
        "Saved to ",
        "No move threw away a win or a draw.",
        "O: Medium.",
        "X's move:",
    )
    (record,) = parse_records(file.read_text("utf-8"))
    assert dict(record.tags)["O"] == "easy"
