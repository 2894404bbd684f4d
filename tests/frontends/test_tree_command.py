"""``tic-tac-toe tree`` prints the picture that the library draws, and refuses in one line."""

from __future__ import annotations

import html
from collections.abc import Sequence
from xml.etree import ElementTree

import pytest

from tests.frontends.solving import Command
from tic_tac_toe.game.tree import tree
from tic_tac_toe.game.tree_words import TreeWords
from tic_tac_toe.logic.models import GameState
from tic_tac_toe.logic.notation import parse_moves, parse_state
from tic_tac_toe.logic.rules.catalogue import find_rules
from tic_tac_toe_frontends.program.process import DONE, REFUSED
from tic_tac_toe_frontends.words.translation import LANGUAGES, load
from tic_tac_toe_frontends.words.tree_text import tree_words

WRONG_USAGE = 2
POSITION = "OXX/..O/X.."


@pytest.mark.parametrize(
    ("arguments", "expected"),
    [
        ([], tree(parse_state(POSITION)).svg()),
        (["--search", "alphabeta"], tree(parse_state(POSITION), search="alphabeta").svg()),
        (["--every"], tree(parse_state(POSITION), fold=False).svg()),
        (["--depth", "1"], tree(parse_state(POSITION), 1).svg()),
        (["--format", "dot"], tree(parse_state(POSITION)).dot()),
    ],
)
def test_options_choose_the_search_the_folding_the_depth_and_the_format(
    arguments: Sequence[str], expected: str, in_process: Command
) -> None:
    ended = in_process("tree", POSITION, *arguments)

    assert (ended.status, ended.err) == (DONE, "")
    assert html.unescape(ended.out) == html.unescape(expected)


def test_the_picture_is_plain_ascii_and_so_the_same_in_every_encoding(in_process: Command) -> None:
    ended = in_process("tree", POSITION, "--search", "alphabeta")

    assert ended.out.isascii()
    texts = [element.text for element in ElementTree.fromstring(ended.out).iter()]
    assert "β O wins in 2" in texts


def test_moves_are_made_before_the_tree_begins(in_process: Command) -> None:
    ended = in_process("tree", "--variant", "ultimate", "--moves", "A1", "--depth", "1")

    grown = tree(parse_moves(GameState.new(find_rules("ultimate")), "A1"), 1)
    assert html.unescape(ended.out) == html.unescape(grown.svg())


@pytest.mark.parametrize(
    ("arguments", "reason"),
    [
        ([], "too large to draw: the tree has more than 400 nodes (see --depth)"),
        (["XXX/XXX/XXX"], "Wrong number of Xs and Os"),
        (["--moves", "B2 B2"], 'move 2 "B2": Cell is not empty'),
    ],
)
def test_what_cannot_be_drawn_is_refused(
    arguments: Sequence[str], reason: str, in_process: Command
) -> None:
    assert in_process("tree", *arguments) == (REFUSED, "", f"tic-tac-toe: {reason}\n")


@pytest.mark.parametrize(
    "arguments", [["--depth", "0"], ["--depth", "deep"], ["--search", "guess"], ["--format", "png"]]
)
def test_wrong_options_are_wrong_usage(arguments: Sequence[str], in_process: Command) -> None:
    ended = in_process("tree", POSITION, *arguments)

    assert (ended.status, ended.out) == (WRONG_USAGE, "")
    assert f"argument {arguments[0]}" in ended.err


def test_a_terminal_takes_text_for_graphviz_and_no_picture(in_process: Command) -> None:
    picture = in_process("tree", POSITION, on_screen=True)
    text = in_process("tree", POSITION, "--format", "dot", "--depth", "1", on_screen=True)

    assert (picture.status, picture.out) == (REFUSED, "")
    assert picture.err.startswith("tic-tac-toe: this is a picture: write it to a file, as in ")
    assert (text.status, text.out.splitlines()[0]) == (DONE, "digraph tree {")


def test_the_librarys_own_words_are_the_english_ones() -> None:
    assert tree_words(load("en", {})) == TreeWords()


@pytest.mark.parametrize("code", LANGUAGES)
def test_a_tree_can_be_drawn_in_every_language(code: str) -> None:
    words = tree_words(load(code, {}))

    for grown in (tree(parse_state(POSITION)), tree(parse_state(POSITION), search="alphabeta")):
        assert ElementTree.fromstring(grown.svg(words=words)).get("role") == "img"
        assert grown.dot(words=words).endswith("}\n")
