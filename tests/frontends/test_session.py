"""A person may take moves back, play them again, save the game and give up."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.frontends.desk import Desk
from tic_tac_toe.game.match import Match
from tic_tac_toe.logic.models import GameState, Grid, Mark
from tic_tac_toe.logic.notation import parse_moves
from tic_tac_toe.logic.record_json import records_from_json
from tic_tac_toe.logic.record_text import parse_records
from tic_tac_toe.logic.rules.catalogue import VARIANTS
from tic_tac_toe_frontends.console.players import Left


def cells(match: Match) -> list[int]:
    return [move.cell_index for move in match.history]


def test_a_game_is_played_to_its_end() -> None:
    desk = Desk("A1", "B1", "C1")
    session = desk.session(cells=[4, 8])

    session.play()

    assert session.table.match.winner is Mark.CROSS
    assert cells(session.table.match) == [0, 4, 1, 8, 2]
    assert desk.said.endswith("Decided by A1, B1, C1.\nX wins 🎉\n")


def test_a_tie_is_told() -> None:
    desk = Desk("5", "A2", "B1", "C3", "A3")
    desk.session(cells=[0, 5, 7, 2]).play()

    assert desk.said.endswith("No one wins this time 😐\n")


def test_every_move_is_told_in_words() -> None:
    desk = Desk("A1", "B1", "C1")
    desk.session(cells=[4, 8]).play()

    told = [line for line in desk.said.splitlines() if " plays " in line]
    assert told == [
        "X plays A1.", "O plays B2.", "X plays B1.", "O plays C3.", "X plays C1.",
    ]  # fmt: skip


def test_columns_are_told_where_marks_fall() -> None:
    desk = Desk("4", "quit")
    session = desk.session(GameState.new(VARIANTS["connect-four"]), cells=[31])

    with pytest.raises(Left):
        session.play()

    assert "X plays column 4.\n" in desk.said
    assert "O plays column 4.\n" in desk.said


def test_undo_goes_back_to_the_persons_previous_turn_against_a_computer() -> None:
    desk = Desk("A1", "C1", "undo", "undo", "B2", "quit")
    session = desk.session(cells=[4, 8, 0])

    with pytest.raises(Left):
        session.play()

    assert cells(session.table.match) == [4, 0]
    assert "Taken back: X C1, O C3." in desk.said
    assert "Taken back: X A1, O B2." in desk.said


def test_undo_goes_back_one_move_between_two_people() -> None:
    desk = Desk("A1", "B2", "undo", "C3", "quit")
    session = desk.session()

    with pytest.raises(Left):
        session.play()

    assert cells(session.table.match) == [0, 8]
    assert "Taken back: O B2." in desk.said


def test_what_the_computer_began_with_is_not_taken_back() -> None:
    desk = Desk("undo", "quit")
    session = desk.session(GameState.new(starting_mark=Mark.NAUGHT), cells=[4])

    with pytest.raises(Left):
        session.play()

    assert desk.answers[0] == "There is no move to take back"
    assert cells(session.table.match) == [4]


def test_redo_plays_again_until_it_is_the_persons_turn() -> None:
    desk = Desk("A1", "C1", "undo", "undo", "redo", "redo", "redo", "quit")
    session = desk.session(cells=[4, 8])

    with pytest.raises(Left):
        session.play()

    assert cells(session.table.match) == [0, 4, 2, 8]
    assert "Played again: X A1, O B2." in desk.said
    assert "There is no move to play again" in desk.said


def test_a_move_after_undo_forgets_what_was_taken_back() -> None:
    desk = Desk("A1", "undo", "B1", "redo", "quit")
    session = desk.session(cells=[4, 8])

    with pytest.raises(Left):
        session.play()

    assert "There is no move to play again" in desk.said
    assert cells(session.table.match) == [1, 8]


def test_moves_are_listed() -> None:
    desk = Desk("moves", "A1", "moves", "quit")
    with pytest.raises(Left):
        desk.session(cells=[4]).play()

    assert "No moves yet." in desk.said
    assert "X A1, O B2\n" in desk.said


def test_resigning_ends_the_game_for_the_other() -> None:
    desk = Desk("A1", "resign")
    session = desk.session(cells=[4])

    session.play()

    assert session.table.match.winner is Mark.NAUGHT
    assert desk.answers[-1] == "X resigns. O wins 🎉"
    assert session.table.record.result == "O"


def test_a_game_that_is_over_from_the_start_is_shown_and_ends() -> None:
    desk = Desk()
    desk.session(GameState(Grid("XXXOO    "))).play()

    assert desk.said.endswith("X wins 🎉\n")


def test_ultimate_tells_where_to_play_and_who_owns_small_boards() -> None:
    start = parse_moves(GameState.new(VARIANTS["ultimate"]), "A1 B2 D4 B1 D1 A2 A4 B3")
    desk = Desk("D7", "quit", "quit")
    with pytest.raises(Left):
        desk.session(start).play()

    assert "Small boards won: O A1.\nPlay in small board B3, from D7 to F9.\n" in desk.said
    assert "Small boards won: O A1.\nPlay in any open small board.\n" in desk.said


def test_a_game_is_saved_as_text_and_as_json(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    desk = Desk("A1", "save my game.txt", "save game.json", "save game.json", "resign")
    session = desk.session(cells=[4])
    session.play()

    (as_text,) = parse_records((tmp_path / "my game.txt").read_text(encoding="utf-8"))
    (as_json,) = records_from_json((tmp_path / "game.json").read_text(encoding="utf-8"))
    assert as_text == as_json
    assert as_text.moves == (0, 4)
    assert as_text.result == "*"
    assert desk.said.count("Saved to game.json.") == 2


@pytest.mark.parametrize(
    ("line", "answer"),
    [
        ("save", "Name a file: save FILE"),
        ("save taken", "cannot write taken: File exists"),
        ("save nowhere/at/all", "cannot write nowhere/at/all: No such file or directory"),
        ("save \x1b[31m/x", "cannot write \\x1b[31m/x: No such file or directory"),
        ("save a\0b", "cannot write a\\x00b: "),
        ("save ~nobody-of-that-name/x", "cannot write ~nobody-of-that-name/x: "),
        ("save " + "x" * 300, "cannot write " + "x" * 199 + "…: File name too long"),
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
