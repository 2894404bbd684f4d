"""The board in the page: a picture from the library, and over it a button for each cell."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable
from gettext import NullTranslations
from html import escape
from typing import Any

from tic_tac_toe.game.geometry import Box, geometry
from tic_tac_toe.game.svg import CELL, LAYERS, placement, svg
from tic_tac_toe.logic.exceptions import InvalidMove, InvalidNotation
from tic_tac_toe.logic.models import GameState
from tic_tac_toe.logic.notation import cell_below, clickable_cells, parse_place
from tic_tac_toe.logic.rules import Rules
from tic_tac_toe.logic.rules.alternation import NAMES
from tic_tac_toe.logic.rules.placements import placement as place_of
from tic_tac_toe.logic.search.verdict import MoveVerdict

from ...words.game_text import cell_label, letter_title
from .dom import by_id, is_chord, on
from .signs import signs_by_cell

#: How far a key moves the focus: rows down, columns to the right.
ARROWS = {"ArrowUp": (-1, 0), "ArrowDown": (1, 0), "ArrowLeft": (0, -1), "ArrowRight": (0, 1)}
#: The keys that may name a move.
DIGITS = tuple("123456789")
#: What is shown around the board, in cells: where names stand, and where none do.
NAMED, BARE = 0.65, 0.1


class Board:
    """Shows a state and tells which cell is chosen.

    Args:
        pick: called with the cell that a person points at; nothing need be legal there.
        prefix: what the ids of its elements begin with.
    """

    def __init__(self, pick: Callable[[int], None], prefix: str = "") -> None:
        self._pick = pick
        self._frame, self._picture, self._cells = (
            by_id(f"{prefix}{name}") for name in ("board", "picture", "cells")
        )
        self._state = GameState.new()
        self._rules: Rules | None = None
        self._buttons: list[Any] = []
        self._shown: list[tuple[str, bool, str]] = []
        self._focus = 0
        self._drawing, self._letter = "", ""
        self._pointed: int | None = None
        self._ghost: Any = None
        on(self._cells, "click", self._click)
        on(self._cells, "keydown", self._press)
        on(self._cells, "focusin", self._follow_focus)
        for event in ("pointerover", "focusin"):
            on(self._cells, event, self._point)
        for event in ("pointerout", "focusout"):
            on(self._cells, event, lambda _event: self._point_at(None))

    def show(
        self,
        state: GameState,
        language: NullTranslations,
        *,
        last: int | None = None,
        best: Collection[int] = (),
        values: Iterable[MoveVerdict] = (),
        open_now: bool = True,
        pending: int | None = None,
        letter: str = "",
    ) -> None:
        """Draw a state.

        Args:
            last, best, values: see `svg`.
            open_now: whether a person may move now.
            pending: a move that has been made, and is not yet part of the game.
            letter: the one that a person places next, in games in which people choose.
        """
        self._state, self._letter = state, letter
        drawing = svg(state, last=last, best=best, values=values, styled=False)
        if drawing != self._drawing:
            self._drawing = drawing
            self._picture.innerHTML = drawing  # a text of the library's own making
            self._crop(_picture_box(state.rules))
        if state.rules != self._rules:
            self._build(state.rules)
        worth = signs_by_cell(state.rules, values)
        placed = None
        if pending is not None:
            placed = place_of(state.rules, state.current_mark.side, pending)
        playable = set(clickable_cells(state)) if open_now else set()
        for cell, button in enumerate(self._buttons):
            label, sent = cell_label(state, cell, language), ""
            if cell in worth:
                label += f" ({worth[cell]})"
            if letter and cell in playable:
                label += f", {letter_title(letter, language)}"
            if placed is not None and cell == placed.cell:
                sent = NAMES[placed.mark]
                message = language.gettext("{cell}, your move is on its way")
                label = message.format(cell=label)
            wanted = label, cell in playable, sent
            if wanted != self._shown[cell]:
                button.setAttribute("aria-label", label)
                button.setAttribute("aria-disabled", "false" if wanted[1] else "true")
                if sent:
                    button.setAttribute("data-pending", sent)
                else:
                    button.removeAttribute("data-pending")
                self._shown[cell] = wanted
        self._point_at(self._pointed)

    def press_digit(self, event: Any) -> None:
        """Pick the place that a digit stands for in this game; pass over all other keys."""
        if is_chord(event) or event.key not in DIGITS:
            return
        try:
            cell = parse_place(self._state, event.key)
        except InvalidNotation:
            return
        except InvalidMove:  # the column is full, which picking its top will tell
            cell = int(event.key) - 1
        event.preventDefault()
        self._pick(cell)

    def _crop(self, picture: Box) -> None:
        """Show of the picture no more than the board and the names around it."""
        board = placement(self._state.rules).board
        x, y = board.x + picture.x * CELL, board.y + picture.y * CELL
        view = (x, y, picture.width * CELL, picture.height * CELL)
        drawing = self._picture.firstElementChild
        drawing.setAttribute("viewBox", " ".join(f"{number:g}" for number in view))
        drawing.style.setProperty("--width", f"{picture.width * CELL:g}")

    def _build(self, rules: Rules) -> None:
        """Lay a button over each cell of a new board."""
        shape, plan, picture = rules.shape, geometry(rules), _picture_box(rules)
        self._frame.style.setProperty("--ratio", f"{picture.width / picture.height:.5f}")
        rows = []
        for row in range(shape.rows):
            buttons = []
            for cell in range(row * shape.columns, (row + 1) * shape.columns):
                box = plan.boxes[cell]
                place = (
                    f"left:{(box.x - picture.x) / picture.width:.4%};"
                    f"top:{(box.y - picture.y) / picture.height:.4%};"
                    f"width:{box.width / picture.width:.4%};"
                    f"height:{box.height / picture.height:.4%}"
                )
                buttons.append(
                    f'<button type="button" role="gridcell" data-cell="{cell}" tabindex="-1" '
                    f'style="{escape(place)}"></button>'
                )
            rows.append(f'<div role="row">{"".join(buttons)}</div>')
        self._cells.innerHTML = "".join(rows)
        self._buttons = list(self._cells.querySelectorAll("button"))
        self._shown = [("", False, "")] * shape.cells
        self._rules = rules
        self._pointed = self._ghost = None
        self._focus = 0
        self._make_reachable(shape.middle)

    def _make_reachable(self, cell: int) -> None:
        """Let the tab key come to one cell of the board."""
        self._buttons[self._focus].tabIndex = -1
        self._focus = cell
        self._buttons[cell].tabIndex = 0

    def _click(self, event: Any) -> None:
        if cell := event.target.getAttribute("data-cell"):
            self._pick(int(cell))

    def _press(self, event: Any) -> None:
        if is_chord(event):
            return
        shape = self._state.rules.shape
        row, column = divmod(self._focus, shape.columns)
        if event.key in ARROWS:
            down, right = ARROWS[event.key]
            row, column = row + down, column + right
        elif event.key == "Home":
            column = 0
        elif event.key == "End":
            column = shape.columns - 1
        else:
            return
        event.preventDefault()
        if 0 <= row < shape.rows and 0 <= column < shape.columns:
            self._buttons[row * shape.columns + column].focus()

    def _follow_focus(self, event: Any) -> None:
        if cell := event.target.getAttribute("data-cell"):
            self._make_reachable(int(cell))

    def _point(self, event: Any) -> None:
        if cell := event.target.getAttribute("data-cell"):
            self._point_at(int(cell))

    def _point_at(self, cell: int | None) -> None:
        """Show the chosen letter where it would land from a cell that a person points at."""
        self._pointed = cell
        shown = None
        if cell is not None and self._letter and self._shown[cell][1]:
            shown = self._buttons[cell_below(self._state, cell)]
        if self._ghost is not None and self._ghost is not shown:
            self._ghost.removeAttribute("data-ghost")
        if shown is not None:
            shown.setAttribute("data-ghost", self._letter)
        self._ghost = shown


def _picture_box(rules: Rules) -> Box:
    """Return what is shown of the picture, in cells from the board's upper left corner."""
    plan = geometry(rules)
    extent, above = plan.extent, NAMED + (LAYERS if plan.layers else 0)
    below = NAMED if plan.is_numbered else BARE
    return Box(-NAMED, -above, NAMED + extent.width + BARE, above + extent.height + below)
