"""The console: typed games, and the real command on a real terminal."""

from __future__ import annotations

import contextlib
import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from tests.frontends.desk import PEOPLE, Desk, played, seen
from tests.frontends.programs import CLEAR, PATIENCE, Screen, environment
from tests.frontends.solving import Command
from tests.screens.screen import REPEATING, WHOLE_GAMES
from tic_tac_toe.logic.models import GameState, Grid, Mark
from tic_tac_toe.logic.notation import play_moves
from tic_tac_toe.logic.record_json import records_from_json
from tic_tac_toe.logic.records import parse_records
from tic_tac_toe.logic.rules.catalogue import VARIANTS, find_rules
from tic_tac_toe.logic.search.evaluation import Evaluation, MoveEvaluation
from tic_tac_toe_frontends.console.commands import (
    AFTERWARDS,
    COMMANDS,
    translated_words,
)
from tic_tac_toe_frontends.console.players import PlayerLeft
from tic_tac_toe_frontends.console.session import Session
from tic_tac_toe_frontends.table.queries import AnalyseMoves, MoveValues
from tic_tac_toe_frontends.table.table import Table
from tic_tac_toe_frontends.words.translation import LANGUAGES, load

TOLD = ("X plays A1.\n", "O plays B2.\n", "Decided by A1, B1, C1.\nX wins 🎉\n")

TIE = ("No one wins this time 😐\n",)

BACK_TWICE = ("Taken back: X C1, O C3.", "Taken back: X A1, O B2.")

FORTH = ("Played again: X A1, O B2.", "There is no move to play again")

COLUMNS = ("X plays column 4.\n", "O plays column 4.\n")

BOARDS = (
    "Small boards won: O A1.\nPlay in small board B3, from D7 to F9.\n",
    "Small boards won: O A1.\nPlay in any open small board.\n",
)

ULTIMATE = play_moves(GameState.new(VARIANTS["ultimate"]), "A1 B2 D4 B1 D1 A2 A4 B3")

OPPONENT_BEGINS = GameState.new(starting_mark=Mark.NAUGHT)

NOTHING_BACK = "X's move:\nThere is no move to take back.\n"


@pytest.mark.parametrize(
    ("start", "typed", "answers", "moves", "said"),
    [
        (None, "A1 B1 C1", [4, 8], [0, 4, 1, 8, 2], TOLD),
        (None, "5 A2 B1 C3 A3", [0, 5, 7, 2], [4, 0, 3, 5, 1, 7, 8, 2, 6], TIE),
        (GameState.new(VARIANTS["connect-four"]), "4", [31], [38, 31], COLUMNS),
        # Undo goes to the previous turn against a computer, and one move back between people.
        (None, "A1 C1 undo undo B2", [4, 8, 0], [4, 0], BACK_TWICE),
        (None, "A1 B2 undo C3", None, [0, 8], ("Taken back: O B2.",)),
        (OPPONENT_BEGINS, "undo", [4], [4], (NOTHING_BACK,)),
        (None, "A1 C1 undo undo redo redo redo", [4, 8], [0, 4, 2, 8], FORTH),
        (None, "A1 undo B1 redo", [4, 8], [1, 8], FORTH[1:]),
        (None, "moves A1 moves", [4], [0, 4], ("No moves yet.", "X A1, O B2\n")),
        (GameState(Grid("XXXOO    ")), "", None, [], ("X wins 🎉\n",)),
        (ULTIMATE, "D7 quit", None, [57], BOARDS),
    ],
)
def test_a_game_goes_as_it_is_typed_and_is_told_in_words(
    start: GameState | None,
    typed: str,
    answers: list[int] | None,
    moves: list[int],
    said: tuple[str, ...],
) -> None:
    desk = Desk(*typed.split())
    session = desk.session(start, answers)

    with contextlib.suppress(PlayerLeft):
        session.play()

    assert [move.cell_index for move in session.table.match.history] == moves
    assert [text for text in said if text not in desk.said] == []
    assert desk.said.endswith(said[-1]) or not session.table.match.over


def test_a_game_is_saved_as_text_and_as_json(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    desk = Desk("A1", 'save "my game.txt"', "save «game.json»", "save game.json", "resign")
    session = desk.session(cells=[4])
    session.play()

    (as_text,) = parse_records((tmp_path / "my game.txt").read_text(encoding="utf-8"))
    (as_json,) = records_from_json((tmp_path / "game.json").read_text(encoding="utf-8"))
    assert as_text == as_json
    assert as_text.moves == (0, 4)
    assert as_text.result == "*"
    assert desk.said.count("Saved to game.json.") == 1
    assert desk.said.count("Saved again to game.json.") == 1


@pytest.mark.parametrize(
    ("line", "answer"),
    [
        ("save", "Name a file: save FILE."),
        ("save ''", "Name a file: save FILE."),
        ("save taken", "Cannot write taken: It exists already; choose another name."),
        ("save .", "Cannot write .: It is a folder."),
        ("save nowhere/at/all", "Cannot write nowhere/at/all: No such file or directory."),
        ("save \x1b[31m/x", "Cannot write \\x1b[31m/x: No such file or directory."),
        ("save a\0b", "Cannot write a\\x00b: "),
        ("save ~nobody-of-that-name/x", "Cannot write ~nobody-of-that-name/x: "),
        ("save " + "x" * 300, "Cannot write " + "x" * 199 + "…: File name too long."),
    ],
)
def test_a_file_that_cannot_be_written_is_told_in_one_line_and_the_game_goes_on(
    line: str, answer: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "taken").write_text("precious", encoding="utf-8")
    desk = Desk(line, "A1", "resign")
    desk.session(cells=[4]).play()

    assert desk.answers[0].startswith(answer)
    assert "\n" not in desk.answers[0]
    assert [path.name for path in tmp_path.iterdir()] == ["taken"]
    assert (tmp_path / "taken").read_text(encoding="utf-8") == "precious"


@pytest.mark.parametrize(
    ("code", "line", "said"),
    [
        ("es", "guardar taken", "No se puede escribir taken: Ya existe; elija otro nombre."),
        ("zh", "保存 taken", "无法写入 taken：它已经存在；请另选一个名称。"),
        ("ru", "сохранить .", "Не удаётся записать .: Это папка."),
    ],
)
def test_the_reasons_of_the_system_are_told_in_the_language(
    code: str, line: str, said: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "taken").touch()
    desk = Desk(line, language=load(code, {}))
    with pytest.raises(PlayerLeft):
        desk.session().play()

    assert f"{said}\n" in desk.said


@pytest.mark.parametrize(
    ("name", "lines"),
    [
        ("mnk:2,2,2", ["  A1  win 2", "  B1  win 2", "  A2  win 2", "  B2  win 2"]),
        ("mnk:3,2,2,gravity", ["  1  win 2", "  2  win 2", "  3  win 2"]),
        (
            "mnk:5,2,2",
            [
                "A1 win 2; B1 win 2; C1 win 2; D1 win 2; E1 win 2; A2 win 2; B2 win 2; C2 win 2;",
                "D2 win 2; E2 win 2",
            ],
        ),
    ],
)
def test_an_analysis_tells_what_each_move_leads_to(name: str, lines: list[str]) -> None:
    said = played("-O", "human", "--variant", name, typed="analyse\n").splitlines()
    told = said[said.index("X's move:") + 1 :]

    assert told[: len(lines)] == lines
    assert told[len(lines)] == "The number counts the winner's moves."


def test_an_analysis_that_is_asked_for_again_searches_longer() -> None:
    state = GameState.new(find_rules("gomoku"))
    desk, asked = Desk("A1", "analysis", "analysis", "A2", "analysis"), list[AnalyseMoves]()

    def ask(query: Any, done: Callable[[Any], object]) -> None:
        asked.append(query)
        chance = Evaluation(chance=0.25 * (query.step + 1))
        done(
            MoveValues(tuple(MoveEvaluation(move, chance) for move in query.state.legal_moves[:1]))
        )

    table = Table(PEOPLE._replace(rules=state.rules))
    with pytest.raises(PlayerLeft):
        Session(table, desk.renderer, ask).play()

    assert [(query.state.position.marks, query.step) for query in asked] == [(1, 0), (1, 1), (2, 0)]
    assert re.findall(r"about \d+ %", desk.said) == ["about 25 %", "about 50 %", "about 25 %"]
    assert desk.said.count("To look further, type analysis again.") == 3


# -- on a screen; a real terminal where it matters -------------------------------------------------

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
        *("X wins 🎉", "X 1 : 0 O", "Another game? (yes or no)"),
        *("Type yes or no, or help.", "O wins 🎉", "X 1 : 1 O"),
        *("No one wins this time 😐", "X 1 : 1 O, 1 draw"),
    )
    assert shown.status == 0


def test_after_a_game_moves_are_listed_and_taken_back_and_the_game_goes_on(tmp_path: Path) -> None:
    file = tmp_path / "games.txt"
    told = {
        "help": "  undo     take back, to your previous turn",
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
        *("Taken back: X C3.", "X plays A2.", "X 1 : 0 O", prompt),
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
    assert "To look further, type hint again." in asked
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


# -- the families of games -------------------------------------------------------------------------

GAME_OF_TWO = ("-O", "human", "--variant")


def lines(text: str) -> str:
    """Return words as lines to type."""
    return "".join(f"{word}\n" for word in text.split())


def test_letters_are_typed_before_the_cell_and_players_are_called_by_their_names() -> None:
    moves = ["ob2", "B2", "XB2", "XA1", "undo", "redo", "moves", "OA3", "OB1", *["hint"] * 3, "OB3"]

    seen(*TWO_PEOPLE, "--variant", "order-and-chaos:3,3,3", typed=moves, size=(260, 24)).tells(
        "Order: Person, Chaos: Person.",
        "Begin with what you place there, as in XB2 or OB2.",
        "Order's move:",
        "Order puts O on B2.",
        "Chaos's move:",
        '"B2": expected first X or O, and then a cell from A1 to C3',
        "Chaos's move:",
        "Cell is not empty: expected a move such as XA1 or OC3.",
        "OB2, XA1\n",
        "Order's move:",
        "Win at once.",
        "Look at the corners.",
        "Best for Order: OC1.",
        "Order wins with this move.",
        "Order wins 🎉",
        "Order 1 : 0 Chaos",
    )


def test_what_leaves_next_is_a_pale_small_letter_until_the_third_repetition_draws() -> None:
    typed = ["help", *REPEATING.split()]

    shown = seen(*TWO_PEOPLE, "--variant", "vanishing-reuse", typed=typed, size=(30, 10))

    shown.tells(
        "A small letter on the\nboard is the mark that leaves\nnext.",
        "O plays A3.\nA draw: this position has\ncome 3 times.\nNo one wins",
    )
    page = next(page for page in shown.pages if "X plays C3." in page)
    assert page.startswith("    A B C\n1 ┆ x O ·\n2 ┆ X O ·\n3 ┆ · · X\n")
    assert "X plays C3.\nWith the next X the X on A1\nleaves.\n" in page
    assert "\x1b[2mx\x1b[0m" in shown.written


def test_layers_lie_side_by_side_on_a_narrow_screen_and_cells_name_their_layer() -> None:
    typed = ["2B3", "2b3", "1A4", "4D3", "1B4", "1A1", "1C4", "1A2", "1D4"]

    shown = seen(*TWO_PEOPLE, "--variant", "qubic", typed=typed, size=(30, 20))

    shown.tells(
        "Type a cell, its layer, its\nletter and its number: 1A1 to\n4D4.",
        "Cell is not empty: expected\nan empty cell, such as 1A1.",
        "O wins 🎉",
    )
    assert shown.pages[1].startswith(
        "  1    2    3    4\n"
        "  ABCD ABCD ABCD ABCD\n"
        "1 ····┃····┃····┃····\n"
        "2 ····┃····┃····┃····\n"
        "3 ····┃·X··┃····┃····\n"
        "4 ····┃····┃····┃····\n"
        "\n"
        "X plays 2B3.\n"
    )
    assert shown.written.count("\x1b[1;5;7mO\x1b[0m") == 4


@pytest.mark.medium
def test_a_screen_that_the_board_does_not_fit_is_told_how_wide_it_must_be() -> None:
    with Screen(*TWO_PEOPLE, "--variant", "qubic", size=(20, 20)) as screen:
        screen.expect("The board takes 21")
        screen.expect("X's move: ")
        assert "1 ·" not in screen.page


def test_the_first_mark_is_taken_over_by_a_word_while_that_is_legal(in_process: Command) -> None:
    typed = b"4\nswap\nundo\nhelp\nswap\nswap\nmoves\n"

    said = in_process(*TWO_PEOPLE, "--variant", "connect-four,pie", "--plain", typed=typed).out

    offer = "O may take over the first mark instead of moving: swap.\n"
    after = "6 . . . O . . .\n  1 2 3 4 5 6 7\nX's move:\n"
    assert "The second player can type swap instead of making a first move.\n" in said
    assert said.count(offer) == 2
    assert "O takes over the first mark.\n  A B C D E F G\n" in said
    assert said.count(after) == 2
    assert "Only the second player's first move can take over a mark: expected 1, 2, 3, 4," in said
    assert said.endswith("X 4, O swap\nX's move:\nThe game ends here. Goodbye!\n")


def test_boards_on_which_nobody_plays_any_more_are_named_and_drawn_otherwise() -> None:
    shown = seen(*TWO_PEOPLE, "--variant", "notakto-2", typed=["A1", "B1", "C1", "A2"])

    shown.tells(
        "Player 1 plays C1.\nOpen boards: D1–F3.",
        "That board has a line, so nobody plays there: expected D1, E1, F1, D2, E2, F2,",
    )
    assert "2 ┆    │   │   ┃ · │ · │ ·\n" in shown.pages[-1]


def test_marks_fall_to_the_lowest_free_layer_and_without_a_drawing_all_is_said(
    in_process: Command,
) -> None:
    typed = b"help\nb3\nB3\n2B3\nb3\nb3\nb3\n"

    said = in_process(*TWO_PEOPLE, "--variant", "score-four", typed=typed).out

    assert "A1 to D4; the mark falls to the lowest free layer." in " ".join(said.split())
    for told in ("X plays 1B3.", "O plays 2B3.", "X plays 3B3.", "O plays 4B3."):
        assert told in said
    assert "3 . X . .   . O . .   . X . .   . O . .\n" in said
    assert "All layers are full at B3: expected an empty cell, such as 1A1." in said


@pytest.mark.parametrize(("variant", "moves", "end"), WHOLE_GAMES)
def test_a_recorded_game_is_replayed_to_its_end(
    variant: str, moves: str, end: str, tmp_path: Path, in_process: Command
) -> None:
    file = tmp_path / "games.txt"
    typed = lines(moves).encode()
    played = in_process(*GAME_OF_TWO, variant, "--record", str(file), typed=typed)

    replayed = in_process("replay", str(file))

    (record,) = parse_records(file.read_text("utf-8"))
    assert len(record.moves) == len(moves.split())
    for shown in (played.out, replayed.out):
        assert end in shown
    assert "not finished" not in replayed.out


@pytest.mark.parametrize("variant", VARIANTS)
def test_every_game_tells_a_move_that_can_be_typed(variant: str, in_process: Command) -> None:
    said = in_process(*GAME_OF_TWO, variant, typed=b"help\n").out
    written = "1B3" if variant in ("qubic", "3x3x3") else "B3"
    written = "X" + written if "Begin with what you place there" in said else written
    written = "2" if "Type the number of a column" in said else written

    after = in_process(*GAME_OF_TWO, variant, typed=f"{written}\nmoves\n".encode()).out

    *_, listed, _prompt, _goodbye = after.splitlines()
    assert listed.endswith(written)
