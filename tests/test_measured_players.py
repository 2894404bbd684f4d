"""The commands that measure the computer players print tables that the pages can hold."""

from __future__ import annotations

from collections import Counter
from pathlib import Path
from random import Random

import pytest

from benchmarks import answer_times, ratings
from benchmarks.against_openspiel import Result, pairing_of
from tic_tac_toe.logic.positions import Position

PAGE = f"# Players\n\n{ratings.MARKS.begin}\n\n{ratings.MARKS.end}\n\nThe end.\n"
SMALL = ["--players", "random", "easy", "--pairs", "2", "--write"]


def test_ratings_of_other_variants_stay_on_the_page(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    page = tmp_path / "page.md"
    page.write_text(PAGE)
    for name in ("wild", "tic-tac-toe", "wild"):
        ratings.main(["--variant", name, *SMALL, "--journals", str(tmp_path)], page)
    rows = [line for line in page.read_text().splitlines() if line.startswith("|")]
    assert rows[:2] == ratings.head(("random", "easy"))
    assert [row.split("|")[1].strip() for row in rows[2:]] == ["`tic-tac-toe`", "`wild`"]
    assert rows[2].split("|")[2].strip().startswith("+0 ± ")
    assert rows[2].endswith("| 2 | 0 |")
    assert page.read_text().endswith("\n\nThe end.\n")
    assert rows[3] in capsys.readouterr().out


def test_other_players_make_a_new_table(tmp_path: Path) -> None:
    page = ratings.merged(PAGE, ("a", "b"), ["| `wild` | 1 | 2 | 3 | 0 |"])
    again = ratings.merged(page, ("a", "c"), ["| `4x4` | 1 | 2 | 3 | 0 |"])
    assert "`wild`" in page
    assert "`wild`" not in again


@pytest.mark.parametrize("path", ["console", "screen"])
def test_answers_are_timed_on_the_way_that_a_front_end_asks(
    path: str, capsys: pytest.CaptureFixture[str]
) -> None:
    answer_times.main(
        ["--variant", "tic-tac-toe", "--levels", "easy", "--positions", "3", "--path", path]
    )
    head, _, row = capsys.readouterr().out.splitlines()
    assert head == "| variant | `easy` p50 / max / first |"
    assert row.startswith("| `tic-tac-toe` | 0.0")


def test_sampling_ends_when_it_has_taken_long_enough(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(answer_times, "ENOUGH_SECONDS", 0.0)
    asked: list[str] = []
    times = answer_times.measure(
        lambda *question: asked.append(question[0]), "wild", "easy", [()] * 9
    )
    assert asked == ["wild"]
    assert times.answers == 1


@pytest.mark.parametrize("variant", ["ultimate", "8x8x4,gravity"])
def test_each_move_has_actions_of_its_own_and_comes_back_from_them(variant: str) -> None:
    pairing, rng, position = pairing_of(variant), Random(1), Position()
    while moves := pairing.rules.moves(position):
        actions = {tuple(pairing.to_actions(position, move)): move for move in moves}
        assert len(actions) == len(moves)
        for parts, move in actions.items():
            assert pairing.to_move(position, parts) == move
        position = pairing.rules.play(position, rng.choice(moves))


def test_a_column_and_a_board_are_numbered_as_there() -> None:
    connect_four, ultimate = pairing_of("8x8x4,gravity"), pairing_of("ultimate")
    assert connect_four.to_actions(Position(), 59) == (3,)
    assert connect_four.to_move(Position((1 << 59, 0), 1), (3,)) == 51
    assert ultimate.to_actions(Position(), 40) == (4, 4)
    assert ultimate.to_actions(Position((1 << 40, 0), 1, 5), 30) == (0,)


def test_a_draw_is_half_a_point() -> None:
    result = Result(Counter(won=2, drawn=1, lost=1), 1.0, 1.0)
    assert result.points == 0.625
    assert result.error == pytest.approx(0.2073, abs=1e-4)
