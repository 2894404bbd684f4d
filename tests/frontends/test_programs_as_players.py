"""Programs play at every table of this machine, and none is run that nobody here has typed."""

from __future__ import annotations

import random
from pathlib import Path

import pytest

from tests.frontends.desk import Later, played
from tests.frontends.programs import command, finish
from tests.opponents import brains
from tests.opponents.brains import text_of
from tic_tac_toe.logic.exceptions import BrainError
from tic_tac_toe.logic.models import GameState
from tic_tac_toe.logic.record_text import format_records, parse_records
from tic_tac_toe.logic.records import Record
from tic_tac_toe.logic.rules.catalogue import find_rules
from tic_tac_toe.opponents.registry import Opponents
from tic_tac_toe_frontends.browser.page.links import read_link
from tic_tac_toe_frontends.console.cli import parse_args
from tic_tac_toe_frontends.notebook.widget import chosen_setup
from tic_tac_toe_frontends.program.process import Refused
from tic_tac_toe_frontends.table.driver import Driver
from tic_tac_toe_frontends.table.queries import ChooseMove, ask_here
from tic_tac_toe_frontends.table.setup import Setup, opponents_for, setup_of_record
from tic_tac_toe_frontends.table.table import Table
from tic_tac_toe_frontends.table.telling import tell_status
from tic_tac_toe_frontends.words.game_text import player_title, setup_menus
from tic_tac_toe_frontends.words.rules_text import HUMAN
from tic_tac_toe_frontends.words.translation import load

ENGLISH = load("en", {})
GOMOKU = find_rules("gomoku")


def table_against(text: str) -> Table:
    """Return a table at which a person plays X against a program."""
    return Table(Setup(GOMOKU, HUMAN, text), opponents=opponents_for([text], 0.5))


def test_a_program_answers_at_a_table_and_the_record_has_no_folders() -> None:
    table = table_against(text_of("honest"))
    driver = Driver(table, lambda: None, ask_here)
    driver.start()
    table.place(112)
    assert [move.number for move in table.match.history] == [112, 0]
    table.take_back()
    table.place(0)
    assert [move.number for move in table.match.history] == [0, 1]
    assert "/" not in dict(table.record.tags)["O"]
    table.opponents.close()


def test_a_program_is_refused_at_the_start_of_a_game_that_it_cannot_play(
    capsys: pytest.CaptureFixture[str],
) -> None:
    with pytest.raises(SystemExit):
        parse_args(["-O", text_of("honest"), "--variant", "connect-four"])
    assert "plays gomoku, standard gomoku, Caro and renju only" in capsys.readouterr().err


def test_what_is_wrong_with_a_program_is_told_until_the_game_changes() -> None:
    table = table_against(text_of("outside"))
    driver = Driver(table, lambda: None, ask_here)
    driver.start()
    table.place(112)
    assert (
        tell_status(table, ENGLISH)
        == 'brains.py outside played "15,3", which is outside the board.'
    )
    assert table.thinker is not None
    table.seat(table.setup._replace(o="random"))
    assert tell_status(table, ENGLISH) == "Your turn."
    assert table.match.ply == 2
    table.opponents.close()


def test_a_failure_that_comes_after_an_undo_is_dropped() -> None:
    table, later = table_against(text_of("outside")), Later()
    driver = Driver(table, lambda: None, later.ask)
    driver.start()
    table.place(112)
    table.take_back()
    later.answer()
    assert table.problem is None
    table.opponents.close()


def test_a_program_ends_when_it_is_not_seated_any_more(monkeypatch: pytest.MonkeyPatch) -> None:
    table = table_against(text_of("honest"))
    (brain,) = table.opponents.brains.values()
    left: list[bool] = []
    monkeypatch.setattr(brain, "leave", lambda: left.append(True))
    table.begin()
    assert not left
    table.seat(table.setup._replace(o="easy"))
    assert left == [True]


def test_the_console_tells_what_is_wrong_and_goes_on_after_undo() -> None:
    said = played(
        *("-O", text_of("occupied"), "--variant", "gomoku", "--plain"),
        typed="H8\nI9\nundo\nquit\n",
    )
    assert 'brains.py occupied played "7,7", which is not empty.' in said
    assert "Type undo to take back a move and go on from there, or quit." in said
    assert "It's the other player's turn" in said
    assert "Taken back: X H8." in said


def test_two_programs_of_which_one_fails_end_the_console_with_its_sentence() -> None:
    with pytest.raises(Refused, match="is outside the board"):
        played("-X", text_of("honest"), "-O", text_of("outside"), "--variant", "gomoku", "--plain")


def test_two_programs_play_a_game_at_the_console() -> None:
    said = played(
        *("-X", text_of("honest"), "-O", text_of("honest", "again")),
        *("--variant", "gomoku", "--plain", "--think", "5"),
    )
    assert "X wins" in said


@pytest.mark.parametrize(
    ("player", "reason"),
    [
        ("gomocup:/no/such/program", 'argument -O: there is no file "/no/such/program"'),
        (f"gomocup:{brains.__file__}", "may not be executed"),
        ("gomocup:", "argument -O: the path of a program is missing after gomocup:"),
    ],
)
def test_a_program_that_is_not_there_is_refused_by_the_command_line(
    player: str, reason: str, capsys: pytest.CaptureFixture[str]
) -> None:
    with pytest.raises(SystemExit):
        parse_args(["-O", player])
    assert reason in capsys.readouterr().err


@pytest.mark.parametrize("seconds", ["0", "-1", "3601", "soon", "nan"])
def test_a_thought_has_between_nothing_and_an_hour(
    seconds: str, capsys: pytest.CaptureFixture[str]
) -> None:
    with pytest.raises(SystemExit):
        parse_args(["--think", seconds])
    assert "a number of seconds above 0, and 3600 at most, is needed" in capsys.readouterr().err


def test_menus_list_a_program_by_its_file() -> None:
    menu = dict(setup_menus(ENGLISH, ["gomocup:/opt/games/pbrain-x"])["o"])
    assert menu["gomocup:/opt/games/pbrain-x"] == "pbrain-x"
    assert player_title("gomocup:/opt/games/pbrain-x", ENGLISH) == "pbrain-x"


# -- a path that nobody here has typed is not run ------------------------------------------------


@pytest.fixture
def trap(tmp_path: Path) -> str:
    """Return the text of a program that leaves a file where it has run."""
    path = tmp_path / "trap"
    path.write_text(f"#!/bin/sh\ntouch {tmp_path}/run\n", encoding="utf-8")
    path.chmod(0o755)
    return f"gomocup:{path}"


def test_a_record_seats_no_program(trap: str) -> None:
    text = format_records([Record(GOMOKU, moves=(112,), tags=(("X", trap), ("O", trap)))])
    (record,) = parse_records(text)
    assert dict(record.tags)["O"] == trap
    setup = setup_of_record(record, Setup(GOMOKU, HUMAN, "easy"))
    assert (setup.x, setup.o) == (HUMAN, "easy")


def test_a_link_to_the_page_names_no_program(trap: str) -> None:
    for part in (f"o={trap}", f"x={trap}"):
        with pytest.raises(Refused, match="This link asks for"):
            read_link(f"game=gomoku&{part}", Setup(), ENGLISH)


def test_the_page_in_a_notebook_seats_only_programs_that_python_has_named(trap: str) -> None:
    chosen: dict[str, object] = {"variant": "", "x": trap, "o": HUMAN, "starting": "X"}
    assert chosen_setup(chosen, GOMOKU, Opponents()) is None
    known = opponents_for([trap], None)
    setup = chosen_setup(chosen, GOMOKU, known)
    assert setup is not None
    assert setup.x == trap


def test_a_query_about_a_name_runs_only_what_its_opponents_have(trap: str, tmp_path: Path) -> None:
    state = GameState.new(GOMOKU)
    with pytest.raises(KeyError):
        ChooseMove(state, trap, random.Random(1))()
    assert not (tmp_path / "run").exists()
    opponents = opponents_for([trap], 0.1)
    assert isinstance(ChooseMove(state, trap, random.Random(1), opponents)(), BrainError)
    assert (tmp_path / "run").exists()


def test_the_page_has_no_programs_on_its_command_line(trap: str) -> None:
    ended = finish(command("browser", "-O", trap, "--no-open"))
    assert ended.returncode == 2
    assert "invalid choice" in ended.stderr
