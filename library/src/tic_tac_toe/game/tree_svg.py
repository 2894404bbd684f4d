"""Game trees as SVG text: boards from the one renderer of boards, and what is between them."""

from __future__ import annotations

import unicodedata
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property

from tic_tac_toe.game.geometry import Box, geometry
from tic_tac_toe.game.svg import board, escape
from tic_tac_toe.game.svg_board import CELL
from tic_tac_toe.game.svg_style import STYLE
from tic_tac_toe.game.tree_layout import Layout, Size, lay_out
from tic_tac_toe.game.tree_nodes import TreeNode
from tic_tac_toe.game.tree_words import TreeWords
from tic_tac_toe.logic.rules.placements import cell_of

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
        lines += [(text, "ttt-small") for text in self.words.window(node)]
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
        yield board(node.state, last=last)
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
