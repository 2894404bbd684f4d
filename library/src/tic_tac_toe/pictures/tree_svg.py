"""Pictures of game trees: their layout, SVG, and text for Graphviz.

Nodes stand in layers, each parent above the middle of its children; the boards come from the one
renderer of boards.
"""

from __future__ import annotations

import unicodedata
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from math import ceil, sqrt
from typing import NamedTuple

from tic_tac_toe.logic.models import GameState
from tic_tac_toe.logic.rules.traits import cell_of, traits_of
from tic_tac_toe.pictures.board import Box, geometry
from tic_tac_toe.pictures.shapes import Picture
from tic_tac_toe.pictures.svg import CELL, STYLE, board, escape
from tic_tac_toe.pictures.tree import TreeNode, TreeWords

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


#: Sizes of letters, and the height of a line of each.
LARGE, SMALL = 13, 11.5
LINE, SMALL_LINE = 18.0, 15.0
#: How wide a letter is, as a part of its size: no less than in the usual fonts.
LETTER = 0.52
#: Around everything; and between a board and the frame that says it is on the chosen line.
MARGIN, PAD = 20.0, 5.0
#: How much room the number of a node takes.
BADGE = 20.0
#: A legend is broken into lines of this width, or of that of the picture if it is wider.
LEGEND = 560.0

TREE_STYLE = """\
.ttt .ttt-edge { fill: none; stroke: var(--ttt-line); stroke-width: 1 }
.ttt .ttt-good { stroke-width: 2.6 }
.ttt .ttt-chosen { stroke: var(--ttt-ink); stroke-width: 4.5; stroke-linecap: round }
.ttt .ttt-cut { stroke-dasharray: 4 4 }
.ttt .ttt-unseen { opacity: 0.45 }
.ttt .ttt-ring { fill: none; stroke: var(--ttt-ink); stroke-width: 2.5 }
.ttt .ttt-block { fill: none; stroke: var(--ttt-line); stroke-width: 1.2 }
.ttt .ttt-badge { fill: var(--ttt-ink) }
.ttt-tree .ttt-grid { stroke-width: 2 }
.ttt-tree text { font-size: 13px }
.ttt-tree .ttt-small { font-size: 11.5px }
.ttt-tree .ttt-left { text-anchor: start }
.ttt-tree .ttt-bold { font-weight: 700 }
.ttt-tree .ttt-number { fill: var(--ttt-paper); font-size: 11px; font-weight: 700 }
.ttt-tree .ttt-for-x { fill: var(--ttt-x) }
.ttt-tree .ttt-for-o { fill: var(--ttt-o) }"""


def draw(root: TreeNode, words: TreeWords, *, styled: bool = True) -> str:
    """Return the picture of a tree; see `GameTree.svg`."""
    return "\n".join(_Picture(root, words).elements(styled)) + "\n"


@dataclass(frozen=True)
class _Picture:
    """A tree on its way to the paper."""

    root: TreeNode
    words: TreeWords

    @cached_property
    def _layout(self) -> Layout:
        return lay_out(self.root, self._size)

    @cached_property
    def _chosen(self) -> set[TreeNode]:
        return set(self.root.line()) if self.root.best else set()

    @cached_property
    def _numbers(self) -> dict[TreeNode, int]:
        """The nodes from which the tree goes on for others as well, numbered as they are drawn."""
        targets = {node.like for node in self.root.walk()}
        return {
            node: number
            for number, node in enumerate(filter(targets.__contains__, self.root.walk()), start=1)
        }

    @cached_property
    def _board(self) -> tuple[Size, float]:
        """The size of each board, and by how much the renderer's are made smaller for that."""
        extent = geometry(self.root.state.rules).extent
        side = max(extent.width, extent.height)
        scale = (34 + 7 * side) / side / CELL
        return Size(extent.width * CELL * scale, extent.height * CELL * scale), scale

    # -- sizes -------------------------------------------------------------------------------------

    def _lines(self, node: TreeNode) -> list[tuple[str, str]]:
        """Return what stands below a board: lines of text, each with its class."""
        kinds = "ttt-bold" if node in self._chosen else ""
        if node.low > 0 or node.high < 0:
            kinds += " ttt-for-x" if node.low > 0 else " ttt-for-o"
        lines = [(self.words.value(node), f"{'ttt-small ' if node.cut else ''}{kinds}".strip())]
        lines += [(text, "ttt-small") for text in self.words.details(node)]
        if node.like is not None:
            lines.append((self.words.like.format(number=self._numbers[node.like]), "ttt-small"))
        return lines

    def _size(self, node: TreeNode) -> Size:
        (width, height), _ = self._board
        lines = self._lines(node)
        texts = max(width_of(text, SMALL if "small" in kind else LARGE) for text, kind in lines)
        header = width_of(self._way.get(node, ""), LARGE) + BADGE * (node in self._numbers)
        below = LINE + SMALL_LINE * (len(lines) - 1)
        return Size(max(width + 2 * PAD, texts, header), LINE + height + 2 * PAD + below)

    # -- elements ----------------------------------------------------------------------------------

    def elements(self, styled: bool) -> Iterator[str]:
        """Yield the lines of the picture."""
        layout, gutter = self._layout, self._gutter()
        legend_width = max(LEGEND, gutter + layout.extent.width)
        legend = [
            line for text in self.words.legend(self.root) for line in broken(text, legend_width)
        ]
        used = max(gutter + layout.extent.width, *(width_of(line, LARGE) for line in [*legend, ""]))
        width = used + 2 * MARGIN
        left = MARGIN + gutter + (used - gutter - layout.extent.width) / 2
        height = layout.extent.height + 3 * MARGIN + LINE * len(legend)
        title = self.words.heading(self.root)
        yield (
            f'<svg xmlns="http://www.w3.org/2000/svg" class="ttt ttt-tree" '
            f'viewBox="0 0 {width:.0f} {height:.0f}" width="{width:.0f}" '
            f'role="img" aria-label="{escape(title)}">'
        )
        yield f"<title>{escape(title)}</title>"
        yield f"<desc>{escape(self.words.describe(self.root))}</desc>"
        if styled:
            yield f"<style>\n{STYLE}\n{TREE_STYLE}\n</style>"
        yield f'<rect class="ttt-paper" width="{width:.0f}" height="{height:.0f}" rx="8" />'
        yield from self._sides()
        yield f'<g transform="translate({left:.1f} {MARGIN:g})">'
        yield from self._edges()
        for node in self.root.walk():
            yield from self._node(node)
        yield "</g>"
        for index, line in enumerate(legend):
            y = layout.extent.height + 2 * MARGIN + LINE * (index + 0.5)
            yield _text(MARGIN, y, line, "ttt-left")
        yield "</svg>"

    def _movers(self) -> list[tuple[str, ...]]:
        """Return what is told at the left of each layer: whose turn it is, and what is wanted."""
        return [
            self.words.side([node.state for node in layer.nodes if not node.cut])
            for layer in self._layout.layers
        ]

    def _gutter(self) -> float:
        texts = [text for texts in self._movers() for text in texts]
        return max(width_of(text, LARGE) for text in texts) + MARGIN

    def _sides(self) -> Iterator[str]:
        (_, height), _ = self._board
        for texts, layer in zip(self._movers(), self._layout.layers):
            y = MARGIN + layer.top + LINE + PAD + height / 2 - LINE * (len(texts) - 1) / 2
            for index, text in enumerate(texts):
                kind = "ttt-left ttt-bold" if index == 0 else "ttt-left ttt-small"
                yield _text(MARGIN, y + index * LINE, text, kind)

    def _edges(self) -> Iterator[str]:
        """Yield the moves, those on the chosen line last and so on top."""
        edges: list[tuple[bool, str]] = []
        for parent in self.root.walk():
            box = self._layout.places[parent]
            start = box.y + LINE + self._board[0].height + 2 * PAD
            start += LINE + SMALL_LINE * (len(self._lines(parent)) - 1) + 2
            block = self._layout.blocks.get(parent)
            if block is not None:
                yield _frame("ttt-block", block, 6)
                edges.append((False, _edge(box, start, block, "ttt-edge")))
                continue
            for child in parent.children:
                chosen = child in self._chosen and parent in self._chosen
                kinds = "ttt-edge ttt-cut" if child.cut else "ttt-edge"
                kinds += " ttt-good" if child is parent.best else ""
                kinds += " ttt-chosen" if chosen else ""
                edges.append((chosen, _edge(box, start, self._layout.places[child], kinds)))
        yield from (edge for _, edge in sorted(edges, key=lambda edge: edge[0]))

    def _node(self, node: TreeNode) -> Iterator[str]:
        box, (size, scale) = self._layout.places[node], self._board
        middle, top = box.x + box.width / 2, box.y + LINE + PAD
        left = middle - size.width / 2
        way, header = self._way.get(node, ""), box.y + LINE / 2
        if node in self._numbers:
            start = middle - (width_of(way, LARGE) + BADGE) / 2
            yield from _badge(start + BADGE / 2, header, self._numbers[node])
            yield _text(middle + BADGE / 2, header, way)
        elif way:
            yield _text(middle, header, way)
        unseen = ' class="ttt-unseen"' if node.cut else ""
        yield f'<g{unseen} transform="translate({left:.1f} {top:.1f}) scale({scale:.4g})">'
        last = None if node.move is None else cell_of(node.state.rules, node.move)
        yield board(Picture(node.state, last))
        yield "</g>"
        ring = Box(left - PAD, top - PAD, size.width + 2 * PAD, size.height + 2 * PAD)
        if node in self._chosen:
            yield _frame("ttt-ring", ring, 5)
        if node.cut:
            yield _frame("ttt-edge ttt-cut", ring, 5)
        y = top + size.height + PAD + LINE / 2
        for text, kind in self._lines(node):
            yield _text(middle, y, text, kind)
            y += SMALL_LINE

    @cached_property
    def _way(self) -> dict[TreeNode, str]:
        """The move to each node, as it is written above it."""
        return {
            child: self.words.way(parent.state, child)
            for parent in self.root.walk()
            for child in parent.children
        }


def width_of(text: str, size: float) -> float:
    """Return about how wide a text is; letters of East Asia are twice as wide as others."""
    wide = sum(unicodedata.east_asian_width(letter) in "WF" for letter in text)
    return (len(text) * LETTER + wide * (1 - LETTER)) * size


def broken(text: str, width: float) -> Sequence[str]:
    """Return a text in lines of a width, broken at blanks; a word that is too long stays whole."""
    lines = [""]
    for word in text.split(" "):
        longer = f"{lines[-1]} {word}".strip()
        if width_of(longer, LARGE) > width and lines[-1]:
            lines.append(word)
        else:
            lines[-1] = longer
    return lines


def _edge(parent: Box, start: float, child: Box, kinds: str) -> str:
    """Return a move: a curve from below one node to above another."""
    x, other = parent.x + parent.width / 2, child.x + child.width / 2
    middle = (start + child.y) / 2
    path = f"M{x:.1f} {start:.1f}C{x:.1f} {middle:.1f} {other:.1f} {middle:.1f} "
    return f'<path class="{kinds}" d="{path}{other:.1f} {child.y:.1f}" />'


def _frame(kind: str, box: Box, radius: float) -> str:
    return (
        f'<rect class="{kind}" x="{box.x:.1f}" y="{box.y:.1f}" width="{box.width:.1f}" '
        f'height="{box.height:.1f}" rx="{radius:g}" />'
    )


def _badge(x: float, y: float, number: int) -> Iterable[str]:
    """Return the number of a node that others go on like."""
    yield f'<circle class="ttt-badge" cx="{x:.1f}" cy="{y:.1f}" r="8" />'
    yield _text(x, y, str(number), "ttt-number")


def _text(x: float, y: float, text: str, kind: str = "") -> str:
    kinds = f' class="{kind}"' if kind else ""
    return f'<text{kinds} x="{x:.1f}" y="{y:.1f}">{escape(text)}</text>'


# Graphviz lays a tree out by itself: ``dot -Tsvg tree.dot``.

EMPTY = "."
MONOSPACE = "DejaVu Sans Mono, Menlo, Consolas, monospace"
THICK, USUAL = "3", "1"


def write_dot(root: TreeNode, words: TreeWords) -> str:
    """Return a tree in the language of Graphviz; see `GameTree.dot`.

    The chosen line is thick, what was cut off dashed and grey; a dotted arrow leads to the node
    where the tree goes on.
    """
    return "\n".join(_lines(root, words)) + "\n"


def _lines(root: TreeNode, words: TreeWords) -> Iterator[str]:
    names = {node: f"n{number}" for number, node in enumerate(root.walk())}
    chosen = set(root.line()) if root.best else set()
    legend = "\n".join([words.heading(root), *words.legend(root, arrows=True)])
    yield "digraph tree {"
    yield f"  graph [{_listed({'label': legend, 'labelloc': 'b', 'ordering': 'out'})}];"
    yield f"  node [{_listed({'shape': 'box', 'style': 'rounded', 'fontname': MONOSPACE})}];"
    yield f"  edge [{_listed({'arrowhead': 'none', 'fontname': MONOSPACE})}];"
    for node, name in names.items():
        label = "\n".join([_grid(node.state), words.value(node), *words.details(node)])
        looks = {"label": label, "penwidth": THICK if node in chosen else USUAL}
        if node.cut:
            looks |= {"style": "rounded,dashed", "color": "gray50", "fontcolor": "gray35"}
        yield f"  {name} [{_listed(looks)}];"
    for node, name in names.items():
        for child in node.children:
            on_line = node in chosen and child in chosen
            looks = {
                "label": words.way(node.state, child),
                "penwidth": THICK if on_line else USUAL,
                "style": "dashed" if child.cut else "solid",
            }
            yield f"  {name} -> {names[child]} [{_listed(looks)}];"
        if node.like is not None:
            looks = {"style": "dotted", "arrowhead": "vee", "constraint": "false"}
            yield f"  {name} -> {names[node.like]} [{_listed(looks)}];"
    yield "}"


def _grid(state: GameState) -> str:
    """Return the board in rows of letters, with space between blocks."""
    rows, columns = state.rules.shape
    height, width = traits_of(state.rules).blocks or state.rules.shape
    cells = state.grid.cells.replace(" ", EMPTY)
    lines = []
    for row in range(rows):
        line = cells[row * columns : (row + 1) * columns]
        groups = [" ".join(line[at : at + width]) for at in range(0, columns, width)]
        lines += ([""] if row and row % height == 0 else []) + ["  ".join(groups)]
    return "\n".join(lines)


def _listed(attributes: Mapping[str, str]) -> str:
    return ", ".join(f"{name}={_quoted(value)}" for name, value in attributes.items())


def _quoted(text: str) -> str:
    r"""Return a text as a quoted string: backslashes and quotes escaped, ``\n`` for a new line."""
    escaped = text.replace("\\", "\\\\").replace('"', '\\"')
    return '"' + escaped.replace("\n", "\\n") + '"'
