"""``tic-tac-toe svg`` and ``tree`` print the pictures that the library draws."""

from __future__ import annotations

import html
from xml.etree import ElementTree

import pytest

from tests.frontends.solving import Command
from tic_tac_toe.game.looks import Look
from tic_tac_toe.game.svg import svg
from tic_tac_toe.game.tree import tree
from tic_tac_toe.game.tree_words import TreeWords
from tic_tac_toe.logic.models import GameState
from tic_tac_toe.logic.notation import parse_moves, parse_state
from tic_tac_toe.logic.rules.catalogue import VARIANTS
from tic_tac_toe_frontends.words.translation import LANGUAGES, load
from tic_tac_toe_frontends.words.tree_text import tree_words

PLACE = "OXX/..O/X.."
STATE = parse_state(PLACE)
FOUR = parse_moves(GameState.new(VARIANTS["connect-four"]), "4453")
ULTIMATE = parse_moves(GameState.new(VARIANTS["ultimate"]), "A1")


@pytest.mark.parametrize(
    ("arguments", "picture"),
    [
        (f"svg {PLACE}", svg(STATE)),
        ("svg --variant connect-four --moves 4453", svg(FOUR, last=37)),
        (
            "svg --variant connect-four --moves 4453 --look marks",
            svg(FOUR, last=37, look=Look.MARKS),
        ),
        (f"svg {PLACE} --look stones", svg(STATE, look=Look.STONES)),
        (f"tree {PLACE}", tree(STATE).svg()),
        (f"tree {PLACE} --search alphabeta", tree(STATE, search="alphabeta").svg()),
        (f"tree {PLACE} --every", tree(STATE, fold=False).svg()),
        (f"tree {PLACE} --depth 1", tree(STATE, 1).svg()),
        (f"tree {PLACE} --format dot", tree(STATE).dot()),
        ("tree --variant ultimate --moves A1 --depth 1", tree(ULTIMATE, 1).svg()),
    ],
)
def test_the_picture_is_that_of_the_library_in_ascii(
    arguments: str, picture: str, in_process: Command
) -> None:
    ended = in_process(*arguments.split())

    assert (ended.status, ended.err) == (0, "")
    assert ended.out.isascii()
    assert html.unescape(ended.out) == html.unescape(picture)


def test_a_look_that_the_game_does_not_have_is_refused(in_process: Command) -> None:
    ended = in_process("svg", "--variant", "ultimate", "--look", "discs")

    assert (ended.status, ended.out) == (1, "")
    assert "This game cannot be drawn with discs." in ended.err


def count(picture: str, name: str) -> int:
    """Return how many elements have a class."""
    elements = ElementTree.fromstring(picture).iter()
    return sum(name in element.get("class", "").split() for element in elements)


def test_values_and_the_best_moves_are_drawn_where_they_are_wanted(in_process: Command) -> None:
    drawn = in_process("svg", "--moves", "A1", "--values", "--best", "--bare").out
    over = in_process("svg", "XXX/OO./...", "--best", "--values").out
    estimated = in_process("svg", "--variant", "ultimate", "--values").out

    assert (count(drawn, "ttt-value"), count(drawn, "ttt-best")) == (8, 1)
    assert ">A<" not in drawn
    assert "%</text>" in estimated
    assert [count(over, f"ttt-{name}") for name in ("best", "value", "strike")] == [0, 0, 1]


def test_a_caption_stays_text_in_any_encoding(in_process: Command) -> None:
    caption = "</svg><script>«Ничья»</script>\x1b[2J"

    drawn = in_process("svg", "--caption", caption).out

    assert drawn.isascii()
    assert "\x1b" not in drawn
    texts = ["".join(element.itertext()) for element in ElementTree.fromstring(drawn).iter()]
    assert caption.replace("\x1b", "\N{REPLACEMENT CHARACTER}") in texts


def test_a_terminal_is_told_to_take_a_file_and_shows_text_for_graphviz(in_process: Command) -> None:
    for name, file in (("svg", "board.svg"), ("tree", "tree.svg")):
        assert in_process(name, PLACE, on_screen=True) == (
            1,
            "",
            "tic-tac-toe: this is a picture: write it to a file, as in\n"
            f"  tic-tac-toe {name} … > {file}\n",
        )
    text = in_process("tree", PLACE, "--format", "dot", "--depth", "1", on_screen=True)
    assert (text.status, text.out.splitlines()[0]) == (0, "digraph tree {")


def test_the_librarys_own_words_are_the_english_ones() -> None:
    assert tree_words(load("en", {})) == TreeWords()


@pytest.mark.parametrize("code", LANGUAGES)
def test_a_tree_can_be_drawn_in_every_language(code: str) -> None:
    words = tree_words(load(code, {}))

    for grown in (tree(STATE), tree(STATE, search="alphabeta")):
        assert ElementTree.fromstring(grown.svg(words=words)).get("role") == "img"
        assert grown.dot(words=words).endswith("}\n")
