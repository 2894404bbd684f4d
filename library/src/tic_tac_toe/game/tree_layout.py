"""Where the nodes of a drawn tree go: in layers, each parent above the middle of its children."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from math import ceil, sqrt
from typing import NamedTuple

from tic_tac_toe.game.geometry import Box
from tic_tac_toe.game.tree_nodes import TreeNode

#: Space between neighbours in a layer, and between one layer and the next.
GAP, DROP = 14.0, 34.0
#: So many moves stand side by side; more, if nothing follows any of them, in a block of rows.
ROW = 12
#: How wide a block is at most, if only more than one node has place in it.
BLOCK_WIDTH = 1060.0
#: Space between a block's frame and what is in it.
INSET = 8.0


class Size(NamedTuple):
    """The extent of something that is drawn."""

    width: float
    height: float


class Layout(NamedTuple):
    """Where everything is.

    Attributes:
        places: the box of each node; no two of them meet.
        layers: the upper and lower edge of each layer, from the root down.
        blocks: the frames around children that stand in rows, by their parent.
        extent: the size of the whole.
    """

    places: Mapping[TreeNode, Box]
    layers: Sequence[tuple[float, float]]
    blocks: Mapping[TreeNode, Box]
    extent: Size


class _Part(NamedTuple):
    """A subtree before it has a place: how far it reaches on each layer from its middle.

    Attributes:
        reach: left and right ends, layer by layer, the layer of its root first.
        offsets: where the middles of the children are.
    """

    reach: list[tuple[float, float]]
    offsets: list[float]


def lay_out(root: TreeNode, size_of: Callable[[TreeNode], Size]) -> Layout:
    """Return a layout of the tree below a node.

    Subtrees are pushed together until they touch on some layer, as Reingold and Tilford do (1981),
    but for boxes of any width.
    """
    sizes = {node: size_of(node) for node in root.walk()}
    parts: dict[TreeNode, _Part] = {}
    heights: list[float] = []
    _measure(root, 0, sizes, parts, heights)
    tops = [0.0]
    for height in heights:
        tops.append(tops[-1] + height + DROP)
    left = min(left for left, _ in parts[root].reach)
    right = max(right for _, right in parts[root].reach)
    places: dict[TreeNode, Box] = {}
    blocks: dict[TreeNode, Box] = {}
    _place(root, -left, 0, _Tables(sizes, parts, tops, places, blocks))
    layers = [(top, top + height) for top, height in zip(tops, heights)]
    return Layout(places, layers, blocks, Size(right - left, tops[-1] - DROP))


class _Tables(NamedTuple):
    sizes: Mapping[TreeNode, Size]
    parts: Mapping[TreeNode, _Part]
    tops: Sequence[float]
    places: dict[TreeNode, Box]
    blocks: dict[TreeNode, Box]


def _is_block(node: TreeNode) -> bool:
    return len(node.children) > ROW and not any(child.children for child in node.children)


def _cells(node: TreeNode, sizes: Mapping[TreeNode, Size]) -> tuple[int, Size]:
    """Return how many columns a block has, and the size of the cells in it."""
    width = max(sizes[child].width for child in node.children) + GAP
    height = max(sizes[child].height for child in node.children) + GAP
    fitting = max(1, int(BLOCK_WIDTH / width))
    square = ceil(sqrt(len(node.children) * height / width))
    return min(max(square, ROW // 2), fitting), Size(width, height)


def _block_size(node: TreeNode, sizes: Mapping[TreeNode, Size]) -> Size:
    columns, cell = _cells(node, sizes)
    rows = ceil(len(node.children) / columns)
    return Size(columns * cell.width + 2 * INSET, rows * cell.height + 2 * INSET)


def _measure(
    node: TreeNode,
    layer: int,
    sizes: Mapping[TreeNode, Size],
    parts: dict[TreeNode, _Part],
    heights: list[float],
) -> None:
    """Find the reach of a subtree and of all subtrees in it, and how high each layer has to be."""
    if layer == len(heights):
        heights.append(0.0)
    heights[layer] = max(heights[layer], sizes[node].height)
    half = sizes[node].width / 2
    if _is_block(node):
        width, height = _block_size(node, sizes)
        if layer + 1 == len(heights):
            heights.append(0.0)
        heights[layer + 1] = max(heights[layer + 1], height)
        parts[node] = _Part([(-half, half), (-width / 2, width / 2)], [])
        return
    for child in node.children:
        _measure(child, layer + 1, sizes, parts, heights)
    offsets, reach = _push_together([parts[child].reach for child in node.children])
    parts[node] = _Part([(-half, half), *reach], offsets)


def _push_together(
    reaches: Sequence[list[tuple[float, float]]],
) -> tuple[list[float], list[tuple[float, float]]]:
    """Return where the middles of neighbours are, and how far they reach together.

    Both are told from the middle between the first and the last of them.
    """
    offsets: list[float] = []
    whole: list[tuple[float, float]] = []
    for reach in reaches:
        offset = max((right + GAP - left for (_, right), (left, _) in zip(whole, reach)), default=0)
        offsets.append(offset)
        for layer, (left, right) in enumerate(reach):
            if layer < len(whole):
                whole[layer] = (min(whole[layer][0], left + offset), right + offset)
            else:
                whole.append((left + offset, right + offset))
    middle = (offsets[0] + offsets[-1]) / 2 if offsets else 0.0
    return [at - middle for at in offsets], [(l - middle, r - middle) for l, r in whole]


def _place(node: TreeNode, middle: float, layer: int, tables: _Tables) -> None:
    width, height = tables.sizes[node]
    tables.places[node] = Box(middle - width / 2, tables.tops[layer], width, height)
    if _is_block(node):
        _place_block(node, middle, tables.tops[layer + 1], tables)
        return
    for child, offset in zip(node.children, tables.parts[node].offsets):
        _place(child, middle + offset, layer + 1, tables)


def _place_block(node: TreeNode, middle: float, top: float, tables: _Tables) -> None:
    columns, cell = _cells(node, tables.sizes)
    frame = _block_size(node, tables.sizes)
    left = middle - frame.width / 2
    tables.blocks[node] = Box(left, top, *frame)
    for index, child in enumerate(node.children):
        row, column = divmod(index, columns)
        size = tables.sizes[child]
        x = left + INSET + column * cell.width + (cell.width - size.width) / 2
        tables.places[child] = Box(x, top + INSET + row * cell.height + GAP / 2, *size)
