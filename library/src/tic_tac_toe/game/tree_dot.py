"""Game trees as text for Graphviz, which lays them out by itself: ``dot -Tsvg tree.dot``."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from tic_tac_toe.game.tree_nodes import TreeNode
from tic_tac_toe.game.tree_words import TreeWords
from tic_tac_toe.logic.models import GameState
from tic_tac_toe.logic.rules.traits import traits_of

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
        label = "\n".join([_grid(node.state), words.value(node), *words.window(node)])
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
