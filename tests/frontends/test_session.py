"""A person may take moves back, play them again, save the game and give up."""

from __future__ import annotations

import contextlib
import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from tests.frontends.desk import PEOPLE, Desk, played
from tic_tac_toe.logic.models import GameState, Grid, Mark
from tic_tac_toe.logic.notation import parse_moves
from tic_tac_toe.logic.record_json import records_from_json
from tic_tac_toe.logic.record_text import parse_records
from tic_tac_toe.logic.rules.catalogue import VARIANTS, find_rules
from tic_tac_toe.logic.search.evaluation import Evaluation, MoveEvaluation
from tic_tac_toe_frontends.console.players import Left
from tic_tac_toe_frontends.console.session import Session
from tic_tac_toe_frontends.table.queries import AnalyseMoves, MoveValues
from tic_tac_toe_frontends.table.table import Table
from tic_tac_toe_frontends.words.translation import load

TOLD = ("X plays A1.\n", "O plays B2.\n", "Decided by A1, B1, C1.\nX wins 🎉\n")
TIE = ("No one wins this time 😐\n",)
BACK_TWICE = ("Taken back: X C1, O C3.", "Taken back: X A1, O B2.")
FORTH = ("Played again: X A1, O B2.", "There is no move to play again")
COLUMNS = ("X plays column 4.\n", "O plays column 4.\n")
BOARDS = (
    "Small boards won: O A1.\nPlay in small board B3, from D7 to F9.\n",
    "Small boards won: O A1.\nPlay in any open small board.\n",
)
ULTIMATE = parse_moves(GameState.new(VARIANTS["ultimate"]), "A1 B2 D4 B1 D1 A2 A4 B3")
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

    with contextlib.suppress(Left):
        session.play()

    assert [move.cell_index for move in session.table.match.history] == moves
    assert [text for text in said if text not in desk.said] == []
    assert desk.said.endswith(said[-1]) or not session.table.match.over


def test_resigning_ends_the_game_for_the_other() -> None:
    desk = Desk("A1", "resign")
    session = desk.session(cells=[4])

    session.play()

    assert session.table.match.winner is Mark.NAUGHT
    assert desk.answers[-1] == "X resigns. O wins 🎉"
    assert session.table.record.result == "O"


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
    with pytest.raises(Left):
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
    with pytest.raises(Left):
        Session(table, desk.renderer, ask).play()

    assert [(query.state.position.marks, query.step) for query in asked] == [(1, 0), (1, 1), (2, 0)]
    assert re.findall(r"about \d+ %", desk.said) == ["about 25 %", "about 50 %", "about 25 %"]
    assert desk.said.count("To look further, type analysis again.") == 3
