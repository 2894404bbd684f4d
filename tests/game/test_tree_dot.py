"""The text for Graphviz has a node for each node, an edge for each move, and Graphviz reads it."""

from __future__ import annotations

import re
import subprocess
from collections import Counter

import pytest

from tests.machine import needs
from tic_tac_toe.game.tree import GameTree, tree
from tic_tac_toe.game.tree_words import TreeWords
from tic_tac_toe.logic.models import GameState
from tic_tac_toe.logic.notation import parse_state
from tic_tac_toe.logic.rules.catalogue import find_rules

THREATS = parse_state("OXX/..O/X..")
TREES = {
    "minimax": tree(THREATS),
    "alphabeta": tree(THREATS, search="alphabeta"),
    "a depth limit": tree(GameState.new(), 2),
    "gravity": tree(GameState.new(find_rules("connect-four")), 1),
    "ultimate": tree(GameState.new(find_rules("ultimate")), 1),
    "one node": tree(parse_state("XXX/OO./...")),
}
_TEXT = r'"(?:[^"\\\n]|\\["\\n])*"'
_LIST = rf"\[\w+={_TEXT}(?:, \w+={_TEXT})*\]"
#: The part of the language of Graphviz that is written, a statement a line.
STATEMENTS = {
    "default": re.compile(rf"  (?:graph|node|edge) {_LIST};"),
    "node": re.compile(rf"  n\d+ {_LIST};"),
    "edge": re.compile(rf"  n\d+ -> n\d+ {_LIST};"),
}


def statements(text: str) -> Counter[str]:
    """Return how many statements of each kind a text has.

    Raises:
        AssertionError: a line is no statement.
    """
    first, *lines, last = text.rstrip("\n").split("\n")
    assert (first, last) == ("digraph tree {", "}")
    found: Counter[str] = Counter()
    for line in lines:
        kinds = [kind for kind, pattern in STATEMENTS.items() if pattern.fullmatch(line)]
        assert len(kinds) == 1, line
        found[kinds[0]] += 1
    return found


def arrows(grown: GameTree) -> int:
    return sum(node.like is not None for node in grown.nodes)


@pytest.mark.parametrize("name", TREES)
def test_the_text_follows_the_grammar_and_holds_all_nodes_and_moves(name: str) -> None:
    grown = TREES[name]

    found = statements(grown.dot())

    assert found["default"] == 3
    assert found["node"] == len(grown.nodes)
    assert found["edge"] == len(grown.nodes) - 1 + arrows(grown)


@needs("dot")
@pytest.mark.parametrize("name", TREES)
def test_graphviz_reads_as_many_nodes_and_edges(name: str) -> None:
    grown = TREES[name]

    read = subprocess.run(
        ["dot", "-Tplain"],
        input=grown.dot(),
        capture_output=True,
        check=True,
        encoding="utf-8",
        timeout=60,
    )

    kinds = Counter(line.split(" ", 1)[0] for line in read.stdout.splitlines())
    assert kinds["node"] == len(grown.nodes)
    assert kinds["edge"] == len(grown.nodes) - 1 + arrows(grown)
    assert read.stderr == ""


def test_boards_are_rows_of_letters_with_the_value_below() -> None:
    assert (
        'n0 [label="O X X\\n. . O\\nX . .\\nO wins in 3", penwidth="3"];' in TREES["minimax"].dot()
    )
    assert "\\n\\n. . .  . . .  . . .\\n" in TREES["ultimate"].dot()


def test_what_is_cut_off_is_dashed() -> None:
    grown = TREES["alphabeta"]
    cut = sum(node.cut for node in grown.nodes)

    assert grown.dot().count('style="rounded,dashed"') == grown.dot().count('style="dashed"') == cut
    assert cut == 9


def test_a_dotted_arrow_leads_to_where_the_tree_goes_on() -> None:
    text = TREES["minimax"].dot()

    assert text.count('style="dotted"') == arrows(TREES["minimax"]) == 5
    assert TreeWords().about_arrows in text
    assert TreeWords().about_like not in text


def test_no_word_breaks_out_of_its_quotes() -> None:
    hostile = TreeWords(title='"];\\\n{position}')

    found = statements(TREES["minimax"].dot(words=hostile))

    assert found == statements(TREES["minimax"].dot())
