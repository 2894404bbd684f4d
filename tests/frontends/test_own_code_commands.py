"""Games and players of one's own on the command line, and their code for the page."""

from __future__ import annotations

import json
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.frontends.solving import Command
from tic_tac_toe.loading import find_game
from tic_tac_toe.logic.rules.catalogue import TIC_TAC_TOE, find_rules
from tic_tac_toe_frontends.browser.own_game import code_of
from tic_tac_toe_frontends.browser.page.own_rules import load_own_game

CODE = """
from dataclasses import dataclass
from tic_tac_toe.rules import LineRules, Shape

@dataclass(frozen=True, repr=False)
class Low(LineRules):
    shape: Shape = Shape(2, 4)
    length: int = 2

def last(state):
    return state.legal_moves[-1]

def failing(state):
    raise RuntimeError("no idea")

def silent(state):
    return None
"""


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """A current folder with a module ``low``, and a package ``own`` that has the same."""
    (tmp_path / "low.py").write_text(CODE)
    (tmp_path / "own").mkdir()
    (tmp_path / "own" / "__init__.py").touch()
    (tmp_path / "own" / "game.py").write_text("from .rules import Low as Inner\n")
    (tmp_path / "own" / "rules.py").write_text(CODE)
    monkeypatch.chdir(tmp_path)
    yield tmp_path
    for name in {"low", "own", "own.game", "own.rules"} & {*sys.modules}:
        del sys.modules[name]


def test_a_match_of_ones_own_player_in_ones_own_game_is_saved_and_replayed(
    in_process: Command, folder: Path
) -> None:
    match = ("match", "low:last", "random", "--variant", "low:Low", "--pairs", "2", "--json")
    (told,) = in_process(*match, "--records", "games.txt").answers
    assert (told["variant"], told["players"][0]["name"]) == ("low:Low", "low:last")
    assert sum(told["results"].values()) == 4
    assert '[Variant "low:Low"]' in (folder / "games.txt").read_text()
    replayed = in_process("replay", "games.txt", "--variant", "low:Low", "--delay", "0")
    assert replayed.status == 0
    assert "Game 4 of 4" in replayed.out


@pytest.mark.parametrize(
    ("arguments", "told"),
    [
        (("svg",), "<svg"),
        (("tree", "--depth", "1"), "<svg"),
        (("analyse",), "win"),
    ],
    ids=lambda value: value[0] if isinstance(value, tuple) else "",
)
def test_the_commands_know_ones_own_game(
    arguments: tuple[str, ...], told: str, in_process: Command
) -> None:
    ended = in_process(*arguments, "--variant", "low.py:Low")
    assert ended.status == 0
    assert told in ended.out


def test_ones_own_player_answers_at_the_console(in_process: Command) -> None:
    typed = b"A1\nquit\n"
    ended = in_process("-O", "low:last", "--variant", "mnk:4,4,4", typed=typed)
    assert "O plays D4." in ended.out


@pytest.mark.parametrize(
    ("player", "reason"), [("failing", "RuntimeError: no idea"), ("silent", "no legal move")]
)
def test_a_player_that_fails_at_the_console_is_told_and_the_game_goes_on(
    player: str, reason: str, in_process: Command
) -> None:
    ended = in_process("-O", f"low:{player}", typed=b"A1\nundo\nquit\n")
    assert f"low:{player} failed: " in ended.out
    assert reason in ended.out
    assert ended.status == 0


@pytest.mark.parametrize(
    ("arguments", "reason"),
    [
        (("--variant", "nowhere:Game"), "No module named 'nowhere'"),
        (("--variant", "low:last"), "is no game"),
        (("-O", "low:Low"), "is no player"),
        (("-O", "low:nobody"), "has no attribute 'nobody'"),
    ],
)
def test_what_cannot_be_loaded_is_refused_with_the_reason(
    arguments: tuple[str, ...], reason: str, in_process: Command
) -> None:
    ended = in_process(*arguments)
    assert ended.status == 2
    assert reason in " ".join(ended.err.split())


def test_the_code_for_the_page_is_the_module_or_the_whole_package(folder: Path) -> None:
    assert code_of(TIC_TAC_TOE) == code_of(find_rules("mnk:4,4,4")) == ""
    (folder / "flat.py").write_text(CODE)
    module = json.loads(code_of(find_game("flat:Low")))
    assert module == {"name": "flat:Low", "place": "flat:Low", "files": {"flat.py": CODE}}
    package = json.loads(code_of(find_game("own.game:Inner")))
    assert {*package["files"]} == {"own/__init__.py", "own/game.py", "own/rules.py"}
    assert package["place"] == "own.game:Inner"
    load_own_game(code_of(find_game("own.game:Inner")).encode(), folder / "in-the-page")
    sys.path.remove(str(folder / "in-the-page"))
    assert (folder / "in-the-page" / "own" / "rules.py").read_text() == CODE


def test_a_small_game_that_the_fast_solver_does_not_know_is_solved_in_plain_python(
    in_process: Command,
) -> None:
    (told,) = in_process("solve", "--variant", "low:Low", "--json").answers
    assert (told["outcome"], told["plies"], told["nodes"]) == ("win", 3, None)
    assert "Player 1 wins in 4 moves" in in_process("solve", "--variant", "wild").out
    refused = in_process("solve", "--variant", "low:Low", "--certificate", "proof.txt")
    assert "does not know the rules Low" in refused.err
