"""Where the nodes of a drawn tree go: in layers, each parent above the middle of its children."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from math import ceil, sqrt
from typing import NamedTuple

from tic_tac_toe.game.geometry import Box
from tic_tac_toe.game.tree_nodes import TreeNode

#: Space between neighbours in a layer, and between one layer and the next.
GAP, DROP = 10.0, 34.0
#: So many moves stand side by side; more, if nothing follows any of them, in a block of rows.
ROW = 12
#: How wide a block is at most, unless a single node is wider.
BLOCK_WIDTH = 1100.0
#: Space between a block's frame and what is in it.
INSET = 8.0


class Size(NamedTuple):
    """The extent of something that is drawn."""

    width: float
    height: float


class Layer(NamedTuple):
    """All nodes of one ply, from the left, and the upper edge of the room they have."""

    nodes: Sequence[TreeNode]
    top: float


class Layout(NamedTuple):
    """Where everything is.

    Attributes:
        places: the box of each node; no two of them meet.
        layers: from the root down.
        blocks: the frames around children that stand in rows, by their parent.
        extent: the size of the whole, whose upper left corner is 0, 0.
    """

    places: Mapping[TreeNode, Box]
    layers: Sequence[Layer]
    blocks: Mapping[TreeNode, Box]
    extent: Size


def lay_out(root: TreeNode, size_of: Callable[[TreeNode], Size]) -> Layout:
    """Return a layout of the tree below a node.

    Subtrees are pushed together until they touch on some layer, in the manner of Reingold and
    Tilford (1981), but for boxes of any width.
    """
    return _Planner(root, size_of).layout()


#: How far a subtree reaches to the left and right of its middle, layer by layer.
_Reach = list[tuple[float, float]]


class _Block(NamedTuple):
    """Children in rows: how many stand in one, the room of each, and the size of the frame."""

    columns: int
    cell: Size
    frame: Size


class _Planner:
    """Measures a tree from its leaves up, then gives every node its place from the root down."""

    def __init__(self, root: TreeNode, size_of: Callable[[TreeNode], Size]) -> None:
        self._root = root
        self._sizes = {node: size_of(node) for node in root.walk()}
        self._offsets: dict[TreeNode, list[float]] = {}
        self._blocks: dict[TreeNode, _Block] = {}
        self._layers: list[list[TreeNode]] = []
        self._heights: list[float] = []
        self._tops: list[float] = [0.0]
        self._places: dict[TreeNode, Box] = {}
        self._frames: dict[TreeNode, Box] = {}

    def layout(self) -> Layout:
        reach = self._measure(self._root, 0)
        for height in self._heights:
            self._tops.append(self._tops[-1] + height + DROP)
        left, right = min(left for left, _ in reach), max(right for _, right in reach)
        self._place(self._root, -left, 0)
        layers = [Layer(nodes, top) for nodes, top in zip(self._layers, self._tops)]
        extent = Size(right - left, self._tops[-1] - DROP)
        return Layout(self._places, layers, self._frames, extent)

    def _measure(self, node: TreeNode, layer: int) -> _Reach:
        """Return the reach of a subtree, its root's layer first."""
        self._make_room(layer, [node], self._sizes[node].height)
        if len(node.children) > ROW and not any(child.children for child in node.children):
            block = self._blocks[node] = self._measure_block(node)
            self._make_room(layer + 1, node.children, block.frame.height)
            below: _Reach = [(-block.frame.width / 2, block.frame.width / 2)]
        else:
            reaches = [self._measure(child, layer + 1) for child in node.children]
            self._offsets[node], below = _push_together(reaches)
        half = self._sizes[node].width / 2
        return [(-half, half), *below]

    def _measure_block(self, node: TreeNode) -> _Block:
        count = len(node.children)
        width = max(self._sizes[child].width for child in node.children) + GAP
        height = max(self._sizes[child].height for child in node.children) + GAP
        fitting = max(1, int(BLOCK_WIDTH / width))
        columns = min(max(ceil(sqrt(count * height / width)), ROW // 2), fitting)
        rows = ceil(count / columns)
        columns = ceil(count / rows)  # so that the last row is as full as can be
        frame = Size(columns * width + 2 * INSET, rows * height + 2 * INSET)
        return _Block(columns, Size(width, height), frame)

    def _make_room(self, layer: int, nodes: Sequence[TreeNode], height: float) -> None:
        if layer == len(self._layers):
            self._layers.append([])
            self._heights.append(0.0)
        self._layers[layer] += nodes
        self._heights[layer] = max(self._heights[layer], height)

    def _place(self, node: TreeNode, middle: float, layer: int) -> None:
        size, top = self._sizes[node], self._tops[layer]
        self._places[node] = Box(middle - size.width / 2, top, *size)
        if node in self._blocks:
            self._place_block(node, middle, self._tops[layer + 1])
            return
        for child, offset in zip(node.children, self._offsets[node]):
            self._place(child, middle + offset, layer + 1)

    def _place_block(self, node: TreeNode, middle: float, top: float) -> None:
        columns, cell, frame = self._blocks[node]
        left = middle - frame.width / 2
        self._frames[node] = Box(left, top, *frame)
        for number, child in enumerate(node.children):
            row, column = divmod(number, columns)
            size = self._sizes[child]
            x = left + INSET + column * cell.width + (cell.width - size.width) / 2
            self._places[child] = Box(x, top + INSET + row * cell.height + GAP / 2, *size)


def _push_together(reaches: Sequence[_Reach]) -> tuple[list[float], _Reach]:
    """Return where the middles of neighbours are, and how far they reach together.

    Both are told from the middle between the first and the last of them. What has room is put
    halfway between where pushing to the left and pushing to the right would bring it: neighbours
    keep their distances in both, and so in the mean.
    """
    if not reaches:
        return [], []
    numbers = range(len(reaches))
    apart = {
        (one, other): max(
            right + GAP - left for (_, right), (left, _) in zip(reaches[one], reaches[other])
        )
        for other in numbers
        for one in range(other)
    }
    leftmost = [0.0] * len(reaches)
    for other in numbers[1:]:
        leftmost[other] = max(leftmost[one] + apart[one, other] for one in range(other))
    rightmost = leftmost.copy()
    for one in reversed(numbers[:-1]):
        rightmost[one] = min(rightmost[other] - apart[one, other] for other in numbers[one + 1 :])
    middle = leftmost[-1] / 2
    offsets = [(one + other) / 2 - middle for one, other in zip(leftmost, rightmost)]
    together: _Reach = []
    for offset, reach in zip(offsets, reaches):
        for layer, (left, right) in enumerate(reach):
            if layer == len(together):
                together.append((left + offset, right + offset))
            else:
                together[layer] = (together[layer][0], right + offset)
    return offsets, together
