"""The board in the page: a picture from the library, and over it a button for each cell."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable
from gettext import NullTranslations
from typing import Any

from tic_tac_toe.game.svg import svg
from tic_tac_toe.logic.exceptions import InvalidMove, InvalidNotation
from tic_tac_toe.logic.models import GameState
from tic_tac_toe.logic.notation import cell_below, clickable_cells, parse_place
from tic_tac_toe.logic.rules import Rules
from tic_tac_toe.logic.rules.alternation import NAMES
from tic_tac_toe.logic.rules.placements import placement as place_of
from tic_tac_toe.logic.search.verdict import MoveVerdict

from ...words.game_text import cell_label, letter_title
from .board_markup import cells_markup, picture_markup, ratio
from .dom import by_id, is_chord, on, window
from .signs import signs_by_cell
from .views import Plan

#: How far a key moves the focus: rows down, columns to the right.
ARROWS = {"ArrowUp": (-1, 0), "ArrowDown": (1, 0), "ArrowLeft": (0, -1), "ArrowRight": (0, 1)}
#: The keys that may name a move.
DIGITS = tuple("123456789")
#: The screens on which wide boards wrap.
SMALL_SCREEN = "(max-width: 34rem), (orientation: landscape) and (max-height: 35rem)"


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
        self._small = window.matchMedia(SMALL_SCREEN)
        self._plan = Plan(self._state.rules, is_small=False)
        self._buttons: list[Any] = []
        self._shown: list[tuple[str, bool, str]] = []
        self._focus = 0
        self._drawing, self._letter = "", ""
        self._pointed: int | None = None
        self._ghost: Any = None
        on(self._cells, "click", self._click)
        on(self._cells, "keydown", self._press)
        on(self._cells, "focusin", self._follow_focus)
        on(self._small, "change", lambda _event: self._lay_out())
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
        if state.rules != self._rules:
            self._drawing = ""
            self._lay_out()
        drawing = svg(state, last=last, best=best, values=values, styled=False)
        if drawing != self._drawing:
            self._drawing = drawing
            self._draw()
        worth = signs_by_cell(state.rules, values)
        placed = None
        if pending is not None:
            placed = place_of(state.rules, state.current_mark.side, pending)
        playable = set(clickable_cells(state)) if open_now else set()
        self._cells.setAttribute("data-mover", letter or NAMES[state.current_mark.side])
        for cell, button in enumerate(self._buttons):
            label, sent = cell_label(state, cell, language), ""
            if cell in worth:
                label += f" ({worth[cell]})"
            if letter and cell in playable and state.grid.cells[cell] == " ":
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

    def _lay_out(self) -> None:
        """Plan the board for the screen as it is, and lay a button over each cell."""
        plan = Plan(self._state.rules, is_small=bool(self._small.matches))
        self._plan = plan
        self._frame.style.setProperty("--ratio", ratio(plan))
        self._draw()
        if self._state.rules == self._rules:
            for button, box in zip(self._buttons, plan.boxes):
                button.setAttribute("style", plan.place(box))
        else:
            self._build(self._state.rules)

    def _draw(self) -> None:
        """Show the parts of the picture with no more than the board and the names around it."""
        # Of the library's own making.
        self._picture.innerHTML = picture_markup(self._drawing, self._plan)

    def _build(self, rules: Rules) -> None:
        """Lay a button over each cell of a new board."""
        shape = rules.shape
        focused = self._cells.querySelector(":focus")  # on the board that was there at once
        cell = focused and focused.getAttribute("data-cell")
        self._cells.innerHTML = cells_markup(shape, self._plan)
        self._buttons = list(self._cells.querySelectorAll("button"))
        self._shown = [("", False, "")] * shape.cells
        self._rules = rules
        self._pointed = self._ghost = None
        self._focus = shape.middle
        if cell and int(cell) < shape.cells:
            self._buttons[int(cell)].focus()

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
