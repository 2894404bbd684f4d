"""A drawn tree shows every node, tells what needs to be told in words, and explains its signs."""

from __future__ import annotations

from typing import get_args
from xml.etree import ElementTree

import pytest

from tic_tac_toe.game.svg_style import STYLE
from tic_tac_toe.game.tree import GameTree, Search, tree
from tic_tac_toe.game.tree_pictures import TREE_STYLE, broken, width_of
from tic_tac_toe.game.tree_words import OPEN, TreeNode, TreeWords
from tic_tac_toe.logic.models import GameState
from tic_tac_toe.logic.notation import parse_state
from tic_tac_toe.logic.rules.catalogue import find_rules
from tic_tac_toe.logic.search.scores import MATE

SVG = "{http://www.w3.org/2000/svg}"
THREATS = parse_state("OXX/..O/X..")


def texts(picture: str) -> list[str]:
    """Return what is written in a picture."""
    return [element.text or "" for element in ElementTree.fromstring(picture).iter(f"{SVG}text")]


def drawn(search: Search) -> GameTree:
    return tree(THREATS, search=search)


@pytest.mark.parametrize("search", get_args(Search))
def test_each_node_has_its_board_its_move_and_its_value(search: Search) -> None:
    grown = drawn(search)
    written = texts(grown.svg())

    assert grown.svg().count('<path class="ttt-grid"') == len(grown.nodes)
    words = TreeWords()
    for node in grown.nodes:
        assert words.value(node) in written
        for child in node.children:
            assert words.way(node.state, child) in written
    assert written.count("cut off") == sum(node.cut for node in grown.nodes)


def test_what_follows_by_best_play_is_framed() -> None:
    grown = drawn("minimax")

    assert grown.svg().count('class="ttt-ring"') == len(grown.line) == 4
    assert grown.svg().count("ttt-chosen") == 3 + TREE_STYLE.count("ttt-chosen")


def test_what_is_cut_off_is_dashed_and_says_so() -> None:
    picture = drawn("alphabeta").svg()

    assert picture.count('<rect class="ttt-edge ttt-cut"') == texts(picture).count("cut off") == 9
    assert "14 positions looked at, 9 moves cut off." in texts(picture)
    assert "ttt-cut" not in drawn("minimax").svg().replace(TREE_STYLE, "")


def test_alpha_and_beta_stand_at_the_nodes_that_were_searched() -> None:
    written = texts(drawn("alphabeta").svg())

    assert {"α −∞", "β O wins in 2", "α O wins in 1"} <= {*written}


def test_a_question_that_any_win_would_answer_is_asked_without_a_distance() -> None:
    written = texts(tree(THREATS, search="alphabeta", window=(-1, 0)).svg())

    assert {"≤ O wins in 3", "α O wins", "β draw"} <= {*written}


@pytest.mark.parametrize(
    ("low", "high", "told"),
    [
        (0, 0, "draw"),
        (MATE, MATE, "X wins"),
        (MATE - 3, MATE - 3, "X wins in 3"),
        (4 - MATE, 4 - MATE, "O wins in 4"),
        (0, MATE - 1, "≥ draw"),
        (1 - MATE, 6 - MATE, "≤ O wins in 6"),
        (0, MATE - 9, "≥ draw"),
        (2 - MATE, MATE - 2, "…"),
    ],
)
def test_a_value_tells_who_wins_and_how_soon_as_far_as_is_known(
    low: int, high: int, told: str
) -> None:
    assert TreeWords().value(TreeNode(THREATS, low=low, high=high)) == told


def test_a_bound_that_made_alpha_beta_turn_back_is_told_though_it_does_not_say_who_wins() -> None:
    late, soon = 8 - MATE, 4 - MATE

    turned_back = TreeNode(THREATS, low=late, high=MATE - 1, window=(-OPEN, late))
    went_on = TreeNode(THREATS, low=soon, high=MATE - 1, window=(-OPEN, late))

    assert TreeWords().value(turned_back) == "≥ O wins in 8"
    assert TreeWords().value(went_on) == "…"


def test_a_node_says_in_python_where_it_stands_and_what_it_is_worth() -> None:
    assert repr(TreeNode(THREATS, low=0, high=997)) == "<TreeNode 'OXX  OX  ', 0 to 997>"


def test_where_a_tree_goes_on_elsewhere_a_number_tells_where() -> None:
    grown = drawn("minimax")
    written = texts(grown.svg())
    targets = {node.like for node in grown.nodes} - {None}

    assert len(targets) == grown.svg().count('<circle class="ttt-badge"') == 5
    assert sum(text.startswith("like ") for text in written) == 5
    assert {text for n in range(1, 6) for text in (str(n), f"like {n}")} <= {*written}


def test_only_signs_that_occur_are_explained() -> None:
    words = TreeWords()
    plain = texts(tree(parse_state("XXO/O.X/.O.")).svg())
    started = texts(tree(GameState.new(), 1).svg())
    unknown = texts(tree(GameState.new(find_rules("ultimate")), 1).svg())

    assert words.about_line in plain
    assert words.about_twins not in plain
    assert words.about_twins in started
    assert words.about_plies not in started
    assert words.about_unknown in unknown
    assert words.about_line not in unknown


def test_those_who_do_not_see_the_picture_are_told_the_moves_and_the_best_play() -> None:
    root = ElementTree.fromstring(drawn("minimax").svg())

    assert root.get("role") == "img"
    assert root.get("aria-label") == root.findtext(f"{SVG}title") == "Game tree from OXX/..O/X.. o"
    assert (root.findtext(f"{SVG}desc") or "").startswith(
        "O to move: O wins in 3. The moves: A2: X wins in 1; B2: O wins in 2; B3: X wins in 1; "
        "C3: X wins in 1. Best play: B2 A2 C3. Framed: "
    )


def test_each_layer_tells_whose_turn_it_is_and_the_last_that_the_game_is_over() -> None:
    written = texts(drawn("alphabeta").svg())

    movers = [text[0] for text in written if text.endswith(" to move")]
    assert movers == ["O", "X", "O"]
    assert written.count("the end") == 1


def test_everything_written_is_within_the_picture() -> None:
    root = ElementTree.fromstring(drawn("minimax").svg())
    _, _, width, height = map(float, (root.get("viewBox") or "").split())

    for element in root.iter(f"{SVG}text"):
        assert 0 < float(element.get("x") or -1) < width
        assert 0 < float(element.get("y") or -1) < height


def test_a_notebook_shows_the_picture_and_a_page_that_has_the_style_gets_it_without() -> None:
    grown = drawn("minimax")

    assert STYLE in grown.svg()
    assert grown._repr_svg_() == grown.svg()
    assert "<style>" not in grown.svg(styled=False)


def test_other_words_are_written_as_they_are_whatever_signs_they_hold() -> None:
    picture = drawn("minimax").svg(words=TreeWords(draw="<b>&", title='"{position}"'))

    assert "<b>&" in texts(picture)
    assert ElementTree.fromstring(picture).get("aria-label") == '"OXX/..O/X.. o"'


def test_long_texts_are_broken_into_lines_that_fit() -> None:
    lines = broken("one two three four five six seven", 100)

    assert " ".join(lines) == "one two three four five six seven"
    assert len(lines) > 1
    assert all(width_of(line, 13) <= 100 for line in lines)
    assert broken("unbreakable" * 9, 100) == ["unbreakable" * 9]


def test_letters_of_east_asia_take_more_room() -> None:
    assert width_of("平局", 10) > width_of("ab", 10)
