"""The picture of a pruned tree in docs/solver.md: a null-window search, drawn as it happened.

The search here is plain Python and keeps every node; `tools.pictures` writes what `draw` returns.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from html import escape

from tic_tac_toe.logic.notation import parse_state
from tic_tac_toe.logic.positions import Position
from tic_tac_toe.logic.rules import Rules
from tic_tac_toe.solver.questions import worth

TITLE = "A pruned tree: a small search with a null window"
#: Naught is to move, must stop a line, and makes two threats by that.
START = "OXX/..O/X.."

MINUS = "\N{MINUS SIGN}"
SLOT, CELL, GAP = 78, 17, 150
LEFT, TOP = 168, 42
BOARD = 3 * CELL

STYLE = """\
text { font: 14px system-ui, -apple-system, "Segoe UI", "DejaVu Sans", sans-serif; fill: #d0d3d1 }
.small { font-size: 13px }
.faint { fill: #a3a6a4 }
.yes { fill: #9bd08a; font-weight: bold }
.no { fill: #f2a09a; font-weight: bold }
.x, .o, .frame, .edge { fill: none; stroke-linecap: round }
.x { stroke: #8ec5ff; stroke-width: 2 }
.o { stroke: #ffc46b; stroke-width: 2 }
.new { stroke-width: 3.4 }
.frame { stroke: #a3a6a4 }
.edge { stroke: #d0d3d1; stroke-width: 1.6 }
.cut { stroke-dasharray: 2 6 }
.unseen { opacity: 0.42 }"""


@dataclass
class Node:
    """A position that the search came to, or cut off.

    Attributes:
        value: what was answered, for the side to move; ``None`` if it was never asked.
    """

    position: Position
    alpha: int
    value: int | None = None
    is_over: bool = False
    children: list[Node] = field(default_factory=list)

    def walk(self) -> Iterator[Node]:
        """Yield the node and all below it."""
        yield self
        for child in self.children:
            yield from child.walk()

    @property
    def slots(self) -> int:
        """How many columns of the picture it takes."""
        return sum(child.slots for child in self.children) or 1


def search(rules: Rules, node: Node) -> int:
    """Answer whether a position is worth more than alpha, and draw the tree below its node.

    A value above alpha is a lower bound, any other an upper one (fail-soft).
    """
    position, outcome = node.position, rules.outcome(node.position)
    if outcome is not None:
        node.is_over, node.value = True, 0
        if outcome.winner is not None:
            score = worth((rules.shape.cells + 1) // 2 + 1, position.ply)
            node.value = score if outcome.winner == position.turn else -score
        return node.value
    best: int | None = None
    for move in ordered(rules, position):
        child = Node(rules.play(position, move), -node.alpha - 1)
        node.children.append(child)
        if best is None or best <= node.alpha:
            value = -search(rules, child)
            best = value if best is None else max(best, value)
    assert best is not None, "a game that is not over has a move"
    node.value = best
    return best


def ordered(rules: Rules, position: Position) -> Sequence[int]:
    """Return the moves, those first that end the game."""
    return sorted(
        rules.moves(position), key=lambda move: not rules.outcome(rules.play(position, move))
    )


def count(rules: Rules, position: Position) -> int:
    """Return how many nodes the tree below a position has when nothing is cut off."""
    moves = rules.moves(position)
    return 1 + sum(count(rules, rules.play(position, move)) for move in moves)


def draw() -> str:
    """Return the picture as SVG."""
    state = parse_state(START)
    root = Node(state.position, 0)
    search(state.rules, root)
    drawn: list[str] = []
    depth = _draw(root, 0, 0.0, drawn)
    seen = sum(node.value is not None for node in root.walk())
    cut = sum(node.value is None for node in root.walk())
    whole = count(state.rules, root.position)
    width, height = LEFT + SLOT * root.slots + 12, TOP + GAP * depth + BOARD + 108
    said = (
        f"{seen} of {whole} nodes are looked at.",
        f"Dim and dashed: {cut} moves that are cut off, because one before them is good enough.",
    )
    questions = [_question(ply, "XO"[(state.position.turn + ply) % 2]) for ply in range(depth + 1)]
    return "\n".join(
        [
            f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" role="img" '
            'aria-labelledby="title desc">',
            f'<title id="title">{escape(TITLE)}</title>',
            f'<desc id="desc">{escape(_describe(root, state.rules, " ".join(said)))}</desc>',
            f"<style>\n{STYLE}\n</style>",
            f'<rect width="{width}" height="{height}" rx="8" fill="#292929" />',
            *questions,
            *drawn,
            _text(24, height - 42, said[0], "small"),
            _text(24, height - 22, said[1], "small"),
            "</svg>\n",
        ]
    )


def _question(ply: int, mover: str) -> str:
    """Return what is asked in a row of the tree, at its left."""
    y = TOP + GAP * ply + 16
    asked = (
        ("More than 0?", "Does it win?")
        if ply % 2 == 0
        else (f"More than {MINUS}1?", "Is it no loss?")
    )
    return "\n".join(
        _text(24, y + 19 * line, text, style)
        for line, (text, style) in enumerate(
            [(f"{mover} to move", ""), (asked[0], "small"), (asked[1], "small faint")]
        )
    )


def _draw(node: Node, ply: int, slot: float, drawn: list[str], parent: Node | None = None) -> int:
    """Add a node and all below it to the picture; return how deep they go."""
    depth, y = ply, TOP + GAP * ply
    x = _centre(node, slot)
    first = slot
    for child in node.children:
        style = "edge" if child.value is not None else "edge cut unseen"
        below = _centre(child, first)
        drawn.append(
            f'<path class="{style}" d="M{x:g} {y + BOARD + 42} L{below:g} {y + GAP - 6}" />'
        )
        depth = max(depth, _draw(child, ply + 1, first, drawn, node))
        first += child.slots
    style = "" if node.value is not None else ' class="unseen"'
    before = parent.position.occupied if parent else node.position.occupied
    drawn.append(f"<g{style}>")
    drawn += _board(node.position, x - BOARD / 2, y, before)
    drawn.append("</g>")
    drawn += _answer(node, x, y + BOARD + 19)
    return depth


def _centre(node: Node, slot: float) -> float:
    return LEFT + SLOT * (slot + node.slots / 2)


def _board(position: Position, left: float, top: float, before: int) -> list[str]:
    """Return a board; the last mark stands out."""
    far, edges = BOARD, range(CELL, BOARD, CELL)
    lines = "".join(f"M{left + at:g} {top:g}v{far}M{left:g} {top + at:g}h{far}" for at in edges)
    shapes = [f'<path class="frame" d="{lines}" />']
    for cell in range(9):
        row, column = divmod(cell, 3)
        x, y = left + CELL * (column + 0.5), top + CELL * (row + 0.5)
        new = "" if before >> cell & 1 else " new"
        if position.stones[0] >> cell & 1:
            path = f"M{x - 4.5:g} {y - 4.5:g}l9 9m0 -9l-9 9"
            shapes.append(f'<path class="x{new}" d="{path}" />')
        elif position.stones[1] >> cell & 1:
            shapes.append(f'<circle class="o{new}" cx="{x:g}" cy="{y:g}" r="5" />')
    return shapes


def _answer(node: Node, x: float, y: float) -> list[str]:
    if node.value is None:
        return [_text(x, y, "cut off", "small faint", centred=True)]
    score = f"{node.value}".replace("-", MINUS)
    yes = node.value > node.alpha
    bound = f"is {score}" if node.is_over else f"{'≥' if yes else '≤'} {score}"
    return [
        _text(x, y, "yes" if yes else "no", "yes" if yes else "no", centred=True),
        _text(x, y + 17, bound, "small", centred=True),
    ]


def _text(x: float, y: float, text: str, style: str = "", *, centred: bool = False) -> str:
    kind = f' class="{style}"' if style else ""
    anchor = ' text-anchor="middle"' if centred else ""
    return f'<text x="{x:g}" y="{y:g}"{kind}{anchor}>{escape(text)}</text>'


def _describe(root: Node, rules: Rules, said: str) -> str:
    """Return the tree in words."""
    parts = [
        f"A tree of tic-tac-toe boards. From {START}, {'XO'[root.position.turn]} to move, it is "
        f"asked whether the score is more than 0. {said}"
    ]
    names = {node.position: _grid(node.position, rules) for node in root.walk()}
    for node in root.walk():
        if node.value is None:
            continue
        yes = node.value > node.alpha
        bound = "is" if node.is_over else "at least" if yes else "at most"
        cut = [names[child.position] for child in node.children if child.value is None]
        tail = f"; cut off: {', '.join(cut)}" if cut else ""
        answer = "yes" if yes else "no"
        parts.append(
            f"{names[node.position]}: more than {node.alpha}? {answer}, {bound} {node.value}{tail}."
        )
    return " ".join(parts)


def _grid(position: Position, rules: Rules) -> str:
    rows, columns = rules.shape
    marks = "".join(
        "X" if position.stones[0] >> cell & 1 else "O" if position.stones[1] >> cell & 1 else "."
        for cell in range(rows * columns)
    )
    return "/".join(marks[at : at + columns] for at in range(0, len(marks), columns))
