"""The nodes of a drawn tree stand apart, in layers, parents above the middle of their children."""

from __future__ import annotations

from itertools import combinations, pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tic_tac_toe.game.geometry import Box
from tic_tac_toe.game.tree import tree
from tic_tac_toe.game.tree_pictures import GAP, ROW, Layout, Size, lay_out
from tic_tac_toe.game.tree_words import TreeNode
from tic_tac_toe.logic.models import GameState
from tic_tac_toe.logic.rules.catalogue import find_rules

START = GameState.new()


def node_of(children: list[TreeNode]) -> TreeNode:
    return TreeNode(START, children=tuple(children))


TREES = st.recursive(
    st.builds(lambda: node_of([])),
    lambda children: st.builds(node_of, st.lists(children, max_size=ROW + 4)),
    max_leaves=40,
)
SIZES = st.builds(Size, st.floats(10, 200), st.floats(10, 100))


def meet(one: Box, other: Box) -> bool:
    """Return whether two boxes have more than an edge in common, but for rounding."""
    return (
        one.x + one.width > other.x + 1e-6
        and other.x + other.width > one.x + 1e-6
        and one.y + one.height > other.y + 1e-6
        and other.y + other.height > one.y + 1e-6
    )


def check(layout: Layout, root: TreeNode) -> None:
    boxes = list(layout.places.values())
    assert set(layout.places) == set(root.walk())
    assert not any(meet(one, other) for one, other in combinations(boxes, 2))
    assert min(box.x for box in boxes) == pytest.approx(0, abs=1e-6) or layout.blocks
    for box in [*boxes, *layout.blocks.values()]:
        assert box.x >= -1e-6
        assert box.y >= 0
        assert box.x + box.width <= layout.extent.width + 1e-6
        assert box.y + box.height <= layout.extent.height + 1e-6
    for parent in root.walk():
        middle = layout.places[parent].centre.x
        if parent in layout.blocks:
            assert layout.blocks[parent].centre.x == pytest.approx(middle)
            continue
        centres = [layout.places[child].centre.x for child in parent.children]
        assert all(one < other for one, other in pairwise(centres))
        if centres:
            assert (centres[0] + centres[-1]) / 2 == pytest.approx(middle)


@given(root=TREES, data=st.data())
def test_whatever_the_tree_no_two_nodes_meet_and_parents_are_centred(
    root: TreeNode, data: st.DataObject
) -> None:
    sizes = {node: data.draw(SIZES) for node in root.walk()}

    layout = lay_out(root, sizes.__getitem__)

    check(layout, root)


def test_each_ply_is_a_layer_below_the_one_before() -> None:
    root = tree(START, 2).root

    layout = lay_out(root, lambda _: Size(60, 80))

    assert [len(layer.nodes) for layer in layout.layers] == [1, 3, 12]
    assert {layout.places[node].y for node in layout.layers[2].nodes} == {layout.layers[2].top}
    assert layout.layers[2].top > layout.layers[1].top + 80


def test_many_moves_that_nothing_follows_stand_in_a_block_of_rows() -> None:
    root = tree(GameState.new(find_rules("ultimate")), 1).root

    layout = lay_out(root, lambda _: Size(100, 120))

    check(layout, root)
    assert list(layout.blocks) == [root]
    assert layout.extent.width < 1200
    for child in root.children:
        assert not meet(layout.places[child], layout.places[root])
        assert layout.blocks[root].holds(layout.places[child].centre)


def test_a_subtree_with_room_on_both_sides_stands_in_the_middle() -> None:
    wide = [node_of([node_of([]) for _ in range(5)]) for _ in range(2)]
    small = node_of([])
    root = node_of([wide[0], small, wide[1]])

    layout = lay_out(root, lambda _: Size(50, 50))

    assert layout.places[small].centre.x == pytest.approx(layout.places[root].centre.x)
    assert layout.extent.width == pytest.approx(10 * 50 + 9 * GAP)
