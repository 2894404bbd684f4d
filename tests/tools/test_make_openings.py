"""How openings are drawn, judged and written down."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tic_tac_toe.contest.openings import position_after
from tic_tac_toe.contest.plan import PlayedPair
from tic_tac_toe.contest.referee import Fault, PlayedGame
from tic_tac_toe.logic.models import Mark
from tic_tac_toe.logic.rules.catalogue import VARIANTS
from tools import make_openings
from tools.make_openings import (
    REACH,
    Settings,
    draw_openings,
    in_line,
    is_balanced,
    is_open,
    is_quiet,
    main,
)

SETTINGS = Settings("easy,easy", None, 2, 5, None, None, 1, 1, 60.0)
X, O, DRAW = (PlayedGame((), winner) for winner in (Mark.CROSS, Mark.NAUGHT, None))  # noqa: E741
CRASH = PlayedGame((), Mark.CROSS, Fault(Mark.NAUGHT, "crash", ""))


@pytest.mark.parametrize(
    ("games", "balanced"),
    [
        ((X, O, X, O), True),
        ((X, X, X, O), True),
        ((DRAW, DRAW, DRAW, DRAW), True),
        ((X, O, DRAW, DRAW), True),
        ((X, X, X, X), False),
        ((X, DRAW, DRAW, DRAW), True),
        ((X, X, DRAW, X), False),
        ((X, X, O, CRASH), False),
        ((X, O), False),  # not all of them are played
    ],
)
def test_an_opening_is_balanced_if_each_side_has_a_fifth_of_the_points(
    games: tuple[PlayedGame, ...], balanced: bool
) -> None:
    assert is_balanced(in_pairs(games), 2) is balanced


def in_pairs(games: tuple[PlayedGame, ...]) -> list[PlayedPair]:
    """Return games as they are played, two by two."""
    return [PlayedPair(0, (0, 1), (), (one, two)) for one, two in zip(games[::2], games[1::2])]


@pytest.mark.parametrize(
    ("games", "is_worth_it"),
    [((), True), ((O, O, O, O), True), ((O,) * 6, False), ((O, O, O, DRAW, O, O), True)],
)
def test_no_more_games_are_played_when_one_side_has_won_the_first_six(
    games: tuple[PlayedGame, ...], is_worth_it: bool
) -> None:
    assert is_open(in_pairs(games)) is is_worth_it


def test_openings_on_a_large_board_are_near_the_middle_and_quiet() -> None:
    rules = VARIANTS["gomoku"]
    openings = [*draw_openings(rules, SETTINGS, 20)]

    assert len({*openings}) == 20
    assert openings == [*draw_openings(rules, SETTINGS, 20)]
    for opening in openings:
        assert 4 <= len(opening) <= 6
        assert all(abs(part - 7) <= REACH for cell in opening for part in divmod(cell, 15))


def test_three_marks_of_a_long_line_and_a_win_in_one_are_not_quiet() -> None:
    gomoku, small = VARIANTS["gomoku"], VARIANTS["tic-tac-toe"]

    assert is_quiet(gomoku, position_after(gomoku, (112, 50, 114, 65, 160, 127)))
    assert not is_quiet(gomoku, position_after(gomoku, (112, 50, 113, 65, 115, 127)))
    assert is_quiet(small, position_after(small, (0, 4)))
    assert not is_quiet(small, position_after(small, (0, 4, 1)))


@pytest.mark.parametrize(
    ("cells", "found"),
    [
        (((0, 0), (0, 2), (0, 4)), True),
        (((0, 0), (0, 2), (0, 5)), False),
        (((1, 3), (2, 2), (4, 0)), True),
        (((0, 0), (1, 2), (2, 4)), False),
    ],
)
def test_a_line_is_straight_and_no_longer_than_its_length(
    cells: tuple[tuple[int, int], ...], found: bool
) -> None:
    assert in_line(cells, 5) is found


@pytest.mark.slow
def test_the_command_writes_what_it_was_asked_for(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(make_openings, "JOURNALS", tmp_path)
    options = ["--players", "easy,easy", "--count", "2", "--games", "2", "--to", str(tmp_path)]
    main(["tic-tac-toe", "ultimate", *options])

    told = capsys.readouterr().out.splitlines()
    assert told == ["tic-tac-toe: 2 openings (exact)", "ultimate: 2 openings (results)"]
    for name in ("tic-tac-toe", "ultimate"):
        text = (tmp_path / f"{name}.json").read_text()
        assert f'"command": "python -m tools.make_openings {name} --players easy,easy' in text
    before = (tmp_path / "ultimate.json").read_text()
    main(["ultimate", *options])  # from the journal
    assert (tmp_path / "ultimate.json").read_text() == before

    found, first = json.loads(before)["openings"], tmp_path / "first.json"
    first.write_text(json.dumps({"command": "the first command", "openings": found[:1]}))
    main(["ultimate", *options, "--among", str(first), "--seed", "2"])
    after = json.loads((tmp_path / "ultimate.json").read_text())
    first_command, second_command = after["command"].split(" && ")
    assert first_command == "the first command"
    assert second_command.endswith("--among first.json --seed 2")
    assert after["openings"] == found[:1]
