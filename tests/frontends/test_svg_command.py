"""``tic-tac-toe svg`` draws a position into a file, or says in one line why not."""

from __future__ import annotations

import sys
import xml.etree.ElementTree as ET

import pytest

from tic_tac_toe.game.svg import svg
from tic_tac_toe.logic.models import GameState
from tic_tac_toe.logic.notation import parse_moves
from tic_tac_toe.logic.rules.catalogue import VARIANTS
from tic_tac_toe_frontends.command.svg import main

PROG = "tic-tac-toe svg"


class Drawn:
    """What came of the command."""

    def __init__(self, capsys: pytest.CaptureFixture[str], *arguments: str) -> None:
        self.status = main([*arguments, "--lang", "en"], PROG)
        self.out, self.err = capsys.readouterr()

    def count(self, name: str) -> int:
        """Return how many elements have a class."""
        root = ET.fromstring(self.out)
        return sum(name in element.get("class", "").split() for element in root.iter())


def test_a_position_becomes_a_picture(capsys: pytest.CaptureFixture[str]) -> None:
    drawn = Drawn(capsys, "XXO/O.X/.O.")

    assert drawn.status == 0
    assert (drawn.count("ttt-x"), drawn.count("ttt-o"), drawn.count("ttt-last")) == (3, 3, 0)


@pytest.mark.parametrize("variant", VARIANTS)
def test_the_picture_is_that_of_the_library(
    variant: str, capsys: pytest.CaptureFixture[str]
) -> None:
    drawn = Drawn(capsys, "--variant", variant)

    assert drawn.out == svg(GameState.new(VARIANTS[variant]))


def test_the_last_of_the_moves_is_shaded(capsys: pytest.CaptureFixture[str]) -> None:
    drawn = Drawn(capsys, "--variant", "connect-four", "--moves", "4453")

    state = parse_moves(GameState.new(VARIANTS["connect-four"]), "4453")
    assert drawn.out == svg(state, last=37)


def test_values_and_the_best_moves_are_drawn_where_they_are_wanted(
    capsys: pytest.CaptureFixture[str],
) -> None:
    drawn = Drawn(capsys, "--moves", "A1", "--values", "--best", "--bare")

    assert drawn.count("ttt-value") == 8
    assert drawn.count("ttt-best") == 1
    assert drawn.out.isascii()
    assert ">A<" not in drawn.out


def test_a_game_that_is_over_has_no_best_move(capsys: pytest.CaptureFixture[str]) -> None:
    drawn = Drawn(capsys, "XXX/OO./...", "--best", "--values")

    assert (drawn.count("ttt-best"), drawn.count("ttt-value")) == (0, 0)
    assert drawn.count("ttt-strike") == 1


def test_a_caption_stays_text_in_any_encoding(capsys: pytest.CaptureFixture[str]) -> None:
    caption = "</svg><script>«Ничья»</script>\x1b[2J"

    drawn = Drawn(capsys, "--caption", caption)

    assert drawn.out.isascii()
    assert "\x1b" not in drawn.out
    texts = ["".join(element.itertext()) for element in ET.fromstring(drawn.out).iter()]
    assert caption.replace("\x1b", "\N{REPLACEMENT CHARACTER}") in texts


@pytest.mark.parametrize(
    ("arguments", "reason"),
    [
        (["XXX/XXX/XXX"], "Wrong number of Xs and Os"),
        (["--moves", "A1 A1"], 'move 2 "A1": Cell is not empty'),
        (
            ["--variant", "ultimate", "--values"],
            "The game is too large from here to be solved in a moment.",
        ),
    ],
)
def test_what_cannot_be_drawn_is_refused_in_one_line(
    arguments: list[str], reason: str, capsys: pytest.CaptureFixture[str]
) -> None:
    drawn = Drawn(capsys, *arguments)

    assert drawn.status == 1
    assert drawn.out == ""
    assert drawn.err == f"tic-tac-toe: {reason}\n"


def test_a_terminal_is_told_to_take_a_file_instead(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sys.stdout, "isatty", lambda: True)

    drawn = Drawn(capsys)

    assert drawn.status == 1
    assert drawn.err == (
        "tic-tac-toe: this is a picture: write it to a file, as in tic-tac-toe svg … > board.svg\n"
    )
