"""``tic-tac-toe svg`` draws a position into a file, or says in one line why not."""

from __future__ import annotations

import html
from xml.etree import ElementTree

import pytest

from tests.frontends.solving import Command
from tic_tac_toe.game.svg import svg
from tic_tac_toe.logic.models import GameState
from tic_tac_toe.logic.notation import parse_moves, parse_state
from tic_tac_toe.logic.rules.catalogue import VARIANTS


def count(picture: str, name: str) -> int:
    """Return how many elements have a class."""
    elements = ElementTree.fromstring(picture).iter()
    return sum(name in element.get("class", "").split() for element in elements)


@pytest.mark.parametrize(
    ("arguments", "picture"),
    [
        (["XXO/O.X/.O."], svg(parse_state("XXO/O.X/.O."))),
        (["--variant", "ultimate"], svg(GameState.new(VARIANTS["ultimate"]))),
        (
            ["--variant", "connect-four", "--moves", "4453"],
            svg(parse_moves(GameState.new(VARIANTS["connect-four"]), "4453"), last=37),
        ),
    ],
)
def test_the_picture_is_that_of_the_library_with_the_last_move_shaded(
    arguments: list[str], picture: str, in_process: Command
) -> None:
    assert html.unescape(in_process("svg", *arguments).out) == html.unescape(picture)


def test_values_and_the_best_moves_are_drawn_where_they_are_wanted(in_process: Command) -> None:
    drawn = in_process("svg", "--moves", "A1", "--values", "--best", "--bare").out
    over = in_process("svg", "XXX/OO./...", "--best", "--values").out

    assert (count(drawn, "ttt-value"), count(drawn, "ttt-best")) == (8, 1)
    assert drawn.isascii()
    assert ">A<" not in drawn
    assert [count(over, f"ttt-{name}") for name in ("best", "value", "strike")] == [0, 0, 1]


def test_a_caption_stays_text_in_any_encoding(in_process: Command) -> None:
    caption = "</svg><script>«Ничья»</script>\x1b[2J"

    drawn = in_process("svg", "--caption", caption).out

    assert drawn.isascii()
    assert "\x1b" not in drawn
    texts = ["".join(element.itertext()) for element in ElementTree.fromstring(drawn).iter()]
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
    arguments: list[str], reason: str, in_process: Command
) -> None:
    assert in_process("svg", *arguments) == (1, "", f"tic-tac-toe: {reason}\n")


def test_a_terminal_is_told_to_take_a_file_instead(in_process: Command) -> None:
    assert in_process("svg", on_screen=True) == (
        1,
        "",
        "tic-tac-toe: this is a picture: write it to a file, as in tic-tac-toe svg … > board.svg\n",
    )
