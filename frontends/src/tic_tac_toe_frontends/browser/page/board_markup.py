"""The HTML of a board: made in the page, and by the build for the board that is there at once."""

from __future__ import annotations

import re
from collections.abc import Sequence
from html import escape

from tic_tac_toe.game.svg_board import CELL
from tic_tac_toe.logic.shapes import Shape

from .views import Plan, View

#: What drawings have for files; in HTML they need it not.
_NAMESPACE = ' xmlns="http://www.w3.org/2000/svg"'
_VIEW_BOX = re.compile(r'viewBox="[^"]*"')


def ratio(plan: Plan) -> str:
    """Return the width of a board in heights, as CSS."""
    return f"{plan.width / plan.height:.5f}"


def picture_markup(drawing: str, plan: Plan) -> str:
    """Return the parts of a drawing that a plan shows, with no more than the names around them.

    Args:
        drawing: as `svg` returns it.
    """
    return "".join(_part_markup(drawing, plan, view) for view in plan.views)


def cells_markup(shape: Shape, plan: Plan, labels: Sequence[str] = ()) -> str:
    """Return a button over each cell.

    Args:
        labels: what the cells say of themselves, where a move may be made on each of them.
    """
    rows = []
    for row in range(shape.rows):
        buttons = []
        for cell in range(row * shape.columns, (row + 1) * shape.columns):
            told = f' aria-label="{escape(labels[cell])}" aria-disabled="false"' if labels else ""
            buttons.append(
                f'<button type="button" role="gridcell" data-cell="{cell}"{told} '
                f'tabindex="{0 if cell == shape.middle else -1}" '
                f'style="{escape(plan.place(plan.boxes[cell]))}"></button>'
            )
        rows.append(f'<div role="row">{"".join(buttons)}</div>')
    return "".join(rows)


def _part_markup(drawing: str, plan: Plan, view: View) -> str:
    style = f"--width:{plan.width * CELL:g}"
    if len(plan.views) > 1:
        style += f";{plan.place(view.shown(view.part))}"
    drawing = drawing.replace(_NAMESPACE, "", 1)
    return _VIEW_BOX.sub(f'viewBox="{plan.view_box(view)}" style="{style}"', drawing, count=1)
