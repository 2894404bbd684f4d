"""The board in the page: a picture from the library, and over it a button for each cell."""

from __future__ import annotations

import math
from collections.abc import Callable, Collection, Iterable
from dataclasses import replace
from gettext import NullTranslations
from typing import Any

from tic_tac_toe.game.geometry import Box, geometry
from tic_tac_toe.game.looks import Look, look_of
from tic_tac_toe.game.svg import svg
from tic_tac_toe.game.svg_board import CELL
from tic_tac_toe.logic.exceptions import InvalidMove, InvalidNotation
from tic_tac_toe.logic.models import GameState
from tic_tac_toe.logic.notation import clickable_cells, parse_place
from tic_tac_toe.logic.rules import Rules
from tic_tac_toe.logic.rules.alternation import NAMES
from tic_tac_toe.logic.rules.placements import placement as place_of
from tic_tac_toe.logic.search.evaluation import MoveEvaluation

from ...words.game_text import cell_label, letter_title
from .board_tools import BoardTools
from .cell_grid import CellGrid
from .dom import by_id, is_chord, make, on, on_resize, window
from .magnifier import Magnifier
from .views import Overlay, Plan, draw_overlay, picture_markup, ratio, signs_by_cell

#: The keys that may name a move.
DIGITS = tuple("123456789")
#: The screens without room around the board, and those on which few boards fit side by side.
SMALL_SCREEN = "(max-width: 34rem), (orientation: landscape) and (max-height: 35rem)"
NARROW_SCREEN = "(max-width: 34rem) and (orientation: portrait)"
#: The side of a cell, in CSS pixels, below which a board can be enlarged and a tap only selects.
SMALL_CELL = 24
#: How much larger or smaller a press of a button makes the board.
ZOOM = 1.5
#: How long a mark falls by one cell, in seconds; by four cells, twice as long.
FALL = 0.17


class Board:
    """Shows a state and tells which cell is chosen.

    Where a cell is small, the board can be enlarged, and a first tap on a cell only selects it.

    Args:
        pick: called with the cell that a person points at; nothing need be legal there.
        prefix: what the ids of its elements begin with.
    """

    def __init__(self, pick: Callable[[int], None], prefix: str = "") -> None:
        self._pick = pick
        self._frame, self._picture, cells = (
            by_id(f"{prefix}{name}") for name in ("board", "picture", "cells")
        )
        self._state = GameState.new()
        self._rules: Rules | None = None
        self._look, self._names = Look.MARKS, True
        self._small = window.matchMedia(SMALL_SCREEN)
        self._narrow = window.matchMedia(NARROW_SCREEN)
        self._plan = Plan(self._state.rules, is_small=False)
        self._cells = CellGrid(cells, self._press, self._point_at)
        self._drawing, self._overlaid = "", ""
        self._overlay = Overlay()
        self._layer = make("div", class_="overlay", aria_hidden="true")
        cells.before(self._layer)
        self._magnifier = Magnifier(self._frame)
        self._tools = BoardTools(
            self._frame,
            {
                "smaller": lambda: self._zoom(1 / ZOOM),
                "larger": lambda: self._zoom(ZOOM),
                "whole": lambda: self._zoom(0),
                "confirm": self._confirm,
            },
        )
        for screen in (self._small, self._narrow):
            on(screen, "change", lambda _event: self._lay_out())
        on_resize(self._frame, self._offer_tools)

    def show(
        self,
        state: GameState,
        language: NullTranslations,
        *,
        last: int | None = None,
        best: Collection[int] = (),
        values: Iterable[MoveEvaluation] = (),
        open_now: bool = True,
        pending: int | None = None,
        letter: str = "",
        look: Look | None = None,
        names: bool = True,
    ) -> None:
        """Draw a state; the last mark falls or appears if its cell was empty in what was shown.

        Args:
            last, best, values, look, names: see `svg`.
            open_now: whether a person may move now.
            pending: a move that has been made, and is not yet part of the game.
            letter: the one that a person places next, in games in which people choose.
        """
        look = look or look_of(state.rules)
        is_new, has_changed = self._is_new(state, last), state != self._state
        self._state = state
        if (state.rules, look, names) != (self._rules, self._look, self._names):
            self._drawing, self._look, self._names = "", look, names
            self._frame.setAttribute("data-look", look.value)
            self._lay_out()
        drawing = svg(
            state, last=last, best=best, values=values, look=look, names=names, styled=False
        )
        if drawing != self._drawing:
            self._drawing = drawing
            self._draw(last if is_new else None)
        worth = signs_by_cell(state.rules, values)
        self._label(language, worth, letter, pending, open_now=open_now)
        if has_changed or not open_now:
            self._select(None)
        self._overlay = replace(
            self._overlay, letter=letter, pending=pending, valued=frozenset(worth)
        )
        self._show_overlay()
        self._tools.show(language)
        self._offer_tools()

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

    def _is_new(self, state: GameState, last: int | None) -> bool:
        """Return whether the last mark was not there in what was shown before."""
        if last is None or state.rules != self._rules:
            return False
        return self._state.grid.cells[last] == " " != state.grid.cells[last]

    def _label(
        self,
        language: NullTranslations,
        worth: dict[int, str],
        letter: str,
        pending: int | None,
        *,
        open_now: bool,
    ) -> None:
        """Let the button of each cell say what is in it."""
        state, placed = self._state, None
        if pending is not None:
            placed = place_of(state.rules, state.current_mark.side, pending)
        playable = set(clickable_cells(state)) if open_now else set()
        self._cells.name_mover(letter or NAMES[state.current_mark.side])
        for cell in range(state.rules.shape.cells):
            label, sent = cell_label(state, cell, language), ""
            if cell in worth:
                label += f" ({worth[cell]})"
            if letter and cell in playable and state.grid.cells[cell] == " ":
                label += f", {letter_title(letter, language)}"
            if placed is not None and cell == placed.cell:
                sent = NAMES[placed.mark]
                message = language.gettext("{cell}, your move is on its way")
                label = message.format(cell=label)
            self._cells.show(cell, label, playable=cell in playable, sent=sent)

    def _lay_out(self) -> None:
        """Plan the board for the screen as it is, and lay a button over each cell."""
        rules = self._state.rules
        is_small, is_narrow = bool(self._small.matches), bool(self._narrow.matches)
        plan = Plan(rules, is_small=is_small, names=self._names, is_narrow=is_narrow)
        self._plan = plan
        self._frame.style.setProperty("--ratio", ratio(plan))
        self._draw()
        if rules == self._rules:
            self._cells.lay_out(plan)
        else:
            self._cells.build(rules, plan)
            self._rules, self._overlay = rules, Overlay()
            self._magnifier.reset()
        self._show_overlay()

    def _draw(self, fresh: int | None = None) -> None:
        """Show the parts of the picture with no more than the board and the names around it.

        Args:
            fresh: the cell of a mark that arrives just now.
        """
        plan, style = self._plan, self._picture.style
        self._picture.removeAttribute("data-fresh")
        if fresh is not None:
            falls = geometry(self._state.rules).is_numbered
            height = plan.boxes[fresh].y - plan.boxes[0].y + 1
            self._picture.setAttribute("data-fresh", "falls" if falls else "appears")
            style.setProperty("--fall", f"{-height * CELL:g}px")
            style.setProperty("--fall-time", f"{FALL * math.sqrt(height):.3f}s")
        # Of the library's own making.
        self._picture.innerHTML = picture_markup(self._drawing, plan)

    def _press(self, cell: int, event: Any) -> None:
        """Pick a cell that is clicked; a tap on a small one selects it before."""
        is_from_pointer = event.detail > 0
        if is_from_pointer and self._magnifier.dragged:
            return
        is_small = self._side * self._magnifier.lens.scale < SMALL_CELL
        is_tap = is_from_pointer and event.pointerType == "touch"
        to_select = is_tap and is_small and cell != self._overlay.selected
        if to_select and self._cells.is_playable(cell):
            self._select(cell)
        else:
            self._select(None)
            self._pick(cell)

    def _confirm(self) -> None:
        """Pick the selected cell."""
        cell = self._overlay.selected
        if cell is not None:
            self._cells.go_to(cell)
            self._select(None)
            self._pick(cell)

    def _select(self, cell: int | None) -> None:
        """Mark a cell as the one that the next tap places a mark in."""
        if cell == self._overlay.selected:
            return
        for changed, selected in ((self._overlay.selected, False), (cell, True)):
            if changed is not None:
                self._cells.select(changed, selected)
        self._overlay = replace(self._overlay, selected=cell)
        self._show_overlay()
        self._offer_tools()

    @property
    def _side(self) -> float:
        """The side of a cell while the whole board is seen, in CSS pixels."""
        return float(self._frame.clientWidth) / self._plan.width

    def _zoom(self, factor: float) -> None:
        """Show the board larger or smaller around the cell in use; 0 shows the whole board."""
        if factor:
            cell = self._overlay.selected
            self._magnifier.zoom(factor, self._part(self._cells.focus if cell is None else cell))
        else:
            self._magnifier.reset()
        self._offer_tools()

    def _offer_tools(self) -> None:
        """Let a board be enlarged whose cells are small."""
        is_small = 0 < self._side < SMALL_CELL
        self._magnifier.enable(is_small)
        self._tools.offer(
            zoom=is_small,
            is_enlarged=self._magnifier.lens.scale > 1,
            can_confirm=self._overlay.selected is not None,
        )

    def _part(self, cell: int) -> Box:
        """Return where a cell lies, as fractions of the frame while the whole board is seen."""
        x, y, width, height = self._plan.boxes[cell]
        wide, high = self._plan.width, self._plan.height
        return Box(x / wide, y / high, width / wide, height / high)

    def _point_at(self, cell: int | None, by_keyboard: bool) -> None:
        """Show what a move would place from a cell that a person points at."""
        if cell is not None and by_keyboard:
            self._magnifier.show(self._part(cell))
        self._overlay = replace(self._overlay, pointed=cell)
        self._show_overlay()

    def _show_overlay(self) -> None:
        """Show what lies over the picture; a cell where nobody may move now has no ghost."""
        shown, pointed = self._overlay, self._overlay.pointed
        if pointed is not None and not self._cells.is_playable(pointed):
            shown = replace(shown, pointed=None)
        drawn = draw_overlay(self._state, self._plan, self._look, shown)
        if drawn != self._overlaid:
            self._overlaid = drawn
            self._layer.innerHTML = drawn  # of the page's own making
