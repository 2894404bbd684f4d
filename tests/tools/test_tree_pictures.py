"""The game trees in the documentation are those that the library draws."""

from __future__ import annotations

from pathlib import Path

import pytest

from tic_tac_toe.game.tree import tree
from tic_tac_toe.logic.notation import parse_state
from tools.tree_pictures import THREATS, TREES, draw, pruned_tree

PICTURES = Path(__file__).resolve().parents[2] / "docs" / "pictures"

pytestmark = pytest.mark.tooling


@pytest.mark.parametrize("name", TREES)
def test_the_picture_in_the_documentation_is_what_is_drawn(name: str) -> None:
    kept = (PICTURES / f"{name}.svg").read_text(encoding="utf-8")

    assert kept == draw(name), f"python -m tools.pictures {name} draws it anew"


def test_the_pruned_tree_has_as_many_nodes_as_the_page_says() -> None:
    nodes = pruned_tree().nodes

    assert len(tree(parse_state(THREATS), fold=False).nodes) == 45
    assert sum(not node.cut for node in nodes) == 10
    assert sum(node.cut for node in nodes) == 7
