"""The board in the page: a picture from the library, and over it a button for each cell."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import replace
from typing import Any

from tic_tac_toe.logic.models import GameState
from tic_tac_toe.logic.notation import clickable_cells
from tic_tac_toe.logic.rules import Rules
from tic_tac_toe.logic.rules.alternation import NAMES
from tic_tac_toe.logic.rules.traits import letters
from tic_tac_toe.logic.rules.traits import placement as place_of
from tic_tac_toe.pictures.board import Box, geometry, sign_of
from tic_tac_toe.pictures.svg import CELL, svg

from ....table.commands import cell_of_digit
from ....words.game_text import cell_label, letter_title, rows_from_bottom, special_title
from ..dom import by_id, document, is_chord, make, on, on_resize, set_text, window
from .plan import (
    FALL,
    SMALL_SCREEN,
    BoardView,
    Lens,
    Overlay,
    Plan,
    cells_markup,
    draw_overlay,
    picture_markup,
    ratio,
    signs_by_cell,
)

#: Moves of the focus by key: rows down, columns to the right.
ARROWS = {"ArrowUp": (-1, 0), "ArrowDown": (1, 0), "ArrowLeft": (0, -1), "ArrowRight": (0, 1)}


class CellGrid:
    """A labelled button for each cell.

    Args:
        element: the parent of the buttons.
        press: called with a cell and the event of a click on it.
        point: called with the cell under the mouse or the keyboard focus, or ``None``, and with
            whether it is the keyboard.
    """

    def __init__(
        self,
        element: Any,
        press: Callable[[int, Any], None],
        point: Callable[[int | None, bool], None],
    ) -> None:
        self._element, self._to_press, self._to_point = element, press, point
        self._columns = self._rows = 0
        self._buttons: list[Any] = []
        self._shown: list[tuple[str, bool, str]] = []
        #: The cell that the tab key reaches.
        self.focus = 0
        on(element, "click", self._click)
        on(element, "keydown", self._handle_key)
        on(element, "focusin", self._follow_focus)
        on(element, "pointerover", self._hover)
        for event in ("pointerout", "focusout"):
            on(element, event, lambda _event: self._to_point(None, False))

    def build(self, rules: Rules, plan: Plan) -> None:
        """Lay a button over each cell of a new board."""
        shape = rules.shape
        focused = self._element.querySelector(":focus")  # on the board of `first_view`
        cell = focused and focused.getAttribute("data-cell")
        self._rows, self._columns = shape.rows, shape.columns
        self._element.innerHTML = cells_markup(shape, plan)
        self._buttons = list(self._element.querySelectorAll("button"))
        self._shown = [("", False, "")] * shape.cells
        self.focus = shape.middle
        if cell and int(cell) < shape.cells:
            self.go_to(int(cell))

    def name_mover(self, letter: str) -> None:
        """Save the next letter to place, for the board of `first_view`."""
        self._element.setAttribute("data-mover", letter)

    def lay_out(self, plan: Plan) -> None:
        """Lay the buttons anew over the cells of the same board."""
        for button, box in zip(self._buttons, plan.boxes):
            button.setAttribute("style", plan.place(box))

    def show(self, cell: int, label: str, *, playable: bool, sent: str = "") -> None:
        """Set the label and the state of a cell.

        Args:
            playable: whether a person may move there now.
            sent: the mark of a move on its way to the server, if any.
        """
        wanted = label, playable, sent
        if wanted == self._shown[cell]:
            return
        button = self._buttons[cell]
        button.setAttribute("aria-label", label)
        button.setAttribute("aria-disabled", "false" if playable else "true")
        if sent:
            button.setAttribute("data-pending", sent)
        else:
            button.removeAttribute("data-pending")
        self._shown[cell] = wanted

    def is_playable(self, cell: int) -> bool:
        """Return whether a person may move in a cell now."""
        return self._shown[cell][1]

    def select(self, cell: int, selected: bool) -> None:
        """Set whether a cell is selected: the next tap on it places a mark."""
        if selected:
            self._buttons[cell].setAttribute("aria-selected", "true")
        else:
            self._buttons[cell].removeAttribute("aria-selected")

    def go_to(self, cell: int) -> None:
        """Move the focus to a cell."""
        self._buttons[cell].focus()

    def _make_reachable(self, cell: int) -> None:
        """Make one cell reachable by the tab key."""
        self._buttons[self.focus].tabIndex = -1
        self.focus = cell
        self._buttons[cell].tabIndex = 0

    def _click(self, event: Any) -> None:
        if cell := event.target.getAttribute("data-cell"):
            self._to_press(int(cell), event)

    def _handle_key(self, event: Any) -> None:
        if is_chord(event):
            return
        row, column = divmod(self.focus, self._columns)
        if event.key in ARROWS:
            down, right = ARROWS[event.key]
            row, column = row + down, column + right
        elif event.key == "Home":
            column = 0
        elif event.key == "End":
            column = self._columns - 1
        else:
            return
        event.preventDefault()
        if 0 <= row < self._rows and 0 <= column < self._columns:
            self.go_to(row * self._columns + column)

    def _follow_focus(self, event: Any) -> None:
        if cell := event.target.getAttribute("data-cell"):
            self._make_reachable(int(cell))
            if event.target.matches(":focus-visible"):
                self._to_point(int(cell), True)

    def _hover(self, event: Any) -> None:
        cell = event.target.getAttribute("data-cell")
        if cell and event.pointerType != "touch":
            self._to_point(int(cell), False)


#: A pointer that has moved this far, in CSS pixels, shifts the board and chooses no cell.
SLOP = 8.0


class Magnifier:
    """Zooms and shifts a board by pointers over its frame.

    While it is disabled, the whole board is shown and pointer events are ignored.

    Args:
        frame: the element around the board; its layers use its ``--zoom``, ``--pan-x`` and
            ``--pan-y``.
    """

    def __init__(self, frame: Any) -> None:
        self._frame = frame
        self._lens = Lens()
        self._enabled = False
        self._pointers: dict[int, tuple[float, float]] = {}
        self._start = (0.0, 0.0)
        self._apply()  # the frame may still have an earlier lens
        #: Whether the present or last press of a pointer has zoomed or shifted the board.
        self.dragged = False
        on(frame, "pointerdown", self._pointer_down)
        on(frame, "pointermove", self._pointer_move)
        for event in ("pointerup", "pointercancel"):
            on(window, event, lambda event: self._pointers.pop(event.pointerId, None))
        # Two fingers zoom the board only, never the page.
        on(frame, "touchmove", self._keep_page, passive=False)

    @property
    def lens(self) -> Lens:
        """How the board is seen."""
        return self._lens

    def enable(self, enabled: bool) -> None:
        """Start to follow pointers, or show the whole board and ignore them."""
        if enabled != self._enabled:
            self._enabled = enabled
            self._pointers.clear()
            self._frame.toggleAttribute("data-zoomable", enabled)
            self._set_lens(Lens())

    def zoom(self, factor: float, around: Box | None = None) -> None:
        """Scale the board; if `around` is given, the middle of that part stays in place."""
        x, y = self._lens.seen(around).centre if around else (0.5, 0.5)
        self._set_lens(self._lens.zoomed(factor, x, y))

    def reset(self) -> None:
        """Show the whole board."""
        self._set_lens(Lens())

    def show(self, part: Box) -> None:
        """Shift the board until a part of it is visible."""
        self._set_lens(self._lens.showing(part))

    def _set_lens(self, lens: Lens) -> None:
        if lens == self._lens:
            return
        self._lens = lens
        self._apply()

    def _apply(self) -> None:
        lens = self._lens
        style = self._frame.style
        style.setProperty("--zoom", f"{lens.scale:.4f}")
        style.setProperty("--pan-x", f"{lens.x:.4%}")
        style.setProperty("--pan-y", f"{lens.y:.4%}")
        self._frame.toggleAttribute("data-zoomed", lens.scale > 1)

    def _pointer_down(self, event: Any) -> None:
        if not self._pointers:
            self.dragged = False
            self._start = (event.clientX, event.clientY)
        if self._enabled:
            self._pointers[event.pointerId] = self._position_in_frame(event)

    def _pointer_move(self, event: Any) -> None:
        old = self._pointers.get(event.pointerId)
        if old is None:
            return
        others = [place for key, place in self._pointers.items() if key != event.pointerId]
        new = self._position_in_frame(event)
        if others:
            self._pinch(others[0], old, new)
        elif self._lens.scale > 1:
            away = math.dist(self._start, (event.clientX, event.clientY))
            if not self.dragged and away < SLOP:
                return
            self._set_lens(self._lens.moved(new[0] - old[0], new[1] - old[1]))
        else:
            return
        self.dragged = True
        self._pointers[event.pointerId] = new

    def _pinch(
        self, other: tuple[float, float], old: tuple[float, float], new: tuple[float, float]
    ) -> None:
        """Scale and shift the board so that it stays under both fingers."""
        before, after = math.dist(other, old), math.dist(other, new)
        middle = (other[0] + new[0]) / 2, (other[1] + new[1]) / 2
        moved = self._lens.moved((new[0] - old[0]) / 2, (new[1] - old[1]) / 2)
        self._set_lens(moved.zoomed(after / before if before else 1.0, *middle))

    def _position_in_frame(self, event: Any) -> tuple[float, float]:
        box = self._frame.getBoundingClientRect()
        return (event.clientX - box.left) / box.width, (event.clientY - box.top) / box.height

    def _keep_page(self, event: Any) -> None:
        if self._enabled and event.touches.length > 1:
            event.preventDefault()


#: A media query: few boards fit side by side.
NARROW_SCREEN = "(max-width: 34rem) and (orientation: portrait)"
#: With smaller cells, in CSS pixels, the board can be zoomed and the first tap only selects.
SMALL_CELL = 24
#: The zoom factors of the buttons.
ZOOMS = {"smaller": 1 / 1.5, "larger": 1.5}


class Board:
    """Shows a `BoardView`, and reports what the person chooses on it and beside it.

    Beside it are a switch for games in which the mover chooses the letter, and a button for each
    legal move that places nothing. A board of small cells can be zoomed, and the first tap on a
    cell only selects it.

    Args:
        pick: called with the chosen cell, which need not be legal.
        play: called with the number of a move that places nothing.
        choose: called with the chosen letter.
        prefix: the prefix of its elements' ids.
    """

    def __init__(
        self,
        pick: Callable[[int], object],
        play: Callable[[int], object],
        choose: Callable[[str], object],
        prefix: str = "",
    ) -> None:
        self._pick, self._play, self._choose = pick, play, choose
        self._frame, self._picture, cells, self._tools, self._switch, self._said, self._specials = (
            by_id(f"{prefix}{name}")
            for name in (
                *("board", "picture", "cells", "tools"),
                *("letters", "letter-said", "specials"),
            )
        )
        self._view: BoardView | None = None
        self._rules: Rules | None = None
        self._small = window.matchMedia(SMALL_SCREEN)
        self._narrow = window.matchMedia(NARROW_SCREEN)
        self._plan = Plan(GameState.new().rules, is_small=False)
        self._cells = CellGrid(cells, self._handle_click, self._point_at)
        self._drawing = self._overlaid = ""
        self._overlay = Overlay()
        self._layer = make("div", class_="overlay", aria_hidden="true")
        cells.before(self._layer)
        self._magnifier = Magnifier(self._frame)
        for screen in (self._small, self._narrow):
            on(screen, "change", lambda _event: self._lay_out())
        on_resize(self._frame, self._offer_tools)
        on(self._tools, "click", lambda event: self._use_tool(event.target.dataset.tool))
        on(self._switch, "change", lambda event: self._choose(event.target.value))
        on(self._specials, "click", self._click_special)

    def show(self, view: BoardView) -> None:
        """Draw a view; animate the last mark if its cell was empty before."""
        before, state = self._view, view.state
        if view == before:
            return
        is_same_game = before is not None and before.state.rules == state.rules
        fresh = None
        if before is not None and is_same_game and view.last is not None:
            old, new = before.state.grid.cells, state.grid.cells
            fresh = view.last if old[view.last] == " " != new[view.last] else None
        self._view = view
        if before is None or not is_same_game or _differ(before, view, "look", "names"):
            self._frame.setAttribute("data-look", view.look.value)
            self._lay_out()
        drawing = svg(
            state,
            last=view.last,
            best=view.best,
            values=view.values,
            written=dict(view.written),
            look=view.look,
            names=view.names,
            numbers=view.numbers,
            from_bottom=view.from_bottom,
            styled=False,
        )
        if drawing != self._drawing:
            self._drawing = drawing
            self._draw(fresh)
        signs = signs_by_cell(state.rules, view.values) | dict(view.written)
        self._label(view, signs)
        if before is None or before.state != state or not view.is_open:
            self._select(None)
        self._overlay = replace(
            self._overlay, letter=view.letter, pending=view.pending, valued=frozenset(signs)
        )
        self._show_overlay()
        self._offer_tools()
        if before is None or _differ(before, view, "state", "values", "is_open", "language"):
            self._show_specials(view)
        if before is None or not is_same_game or _differ(before, view, "letter", "language"):
            self._show_letters(view)

    def handle_key(self, event: Any) -> None:
        """Pick the place of a digit key, or choose the letter of a letter key; ignore others."""
        if is_chord(event) or self._view is None:
            return
        state, letter = self._view.state, event.key.upper()
        if letter in letters(state.rules):
            event.preventDefault()
            set_text(self._said, letter_title(letter, self._view.language))
            self._choose(letter)
        elif (cell := cell_of_digit(state, event.key)) is not None:
            event.preventDefault()
            self._pick(cell)

    def _show_letters(self, view: BoardView) -> None:
        self._switch.hidden = not view.letter
        if not view.letter:
            set_text(self._said, "")
            return
        for radio in self._switch.querySelectorAll("input"):
            radio.checked = radio.value == view.letter
            set_text(radio.nextElementSibling, letter_title(radio.value, view.language))

    def _show_specials(self, view: BoardView) -> None:
        signs = {move.move: f" ({sign_of(move)})" for move in view.values}
        moves = view.state.special_moves if view.is_open else {}
        held = self._specials.contains(document.activeElement)
        self._specials.replaceChildren(
            *(
                make(
                    "button",
                    special_title(name, view.language) + signs.get(number, ""),
                    type="button",
                    data_move=str(number),
                )
                for name, number in moves.items()
            )
        )
        self._specials.hidden = not moves
        if held:  # removing a focused button loses the focus
            self._cells.go_to(self._cells.focus)

    def _click_special(self, event: Any) -> None:
        if number := event.target.getAttribute("data-move"):
            self._play(int(number))

    def _label(self, view: BoardView, signs: dict[int, str]) -> None:
        """Label the button of each cell."""
        state, language, placed = view.state, view.language, None
        if view.pending is not None:
            placed = place_of(state.rules, state.current_mark.side, view.pending)
        playable = set(clickable_cells(state)) if view.is_open else set()
        self._cells.name_mover(view.letter or NAMES[state.current_mark.side])
        for cell in range(state.rules.shape.cells):
            label, sent = cell_label(state, cell, language), ""
            if view.from_bottom:
                label = rows_from_bottom(label, state.rules)
            if cell in signs:
                label += f" ({signs[cell]})"
            if view.letter and cell in playable and state.grid.cells[cell] == " ":
                label += f", {letter_title(view.letter, language)}"
            if placed is not None and cell == placed.cell:
                sent = NAMES[placed.mark]
                message = language.gettext("{cell}, your move is on its way")
                label = message.format(cell=label)
            self._cells.show(cell, label, playable=cell in playable, sent=sent)

    def _lay_out(self) -> None:
        """Fit the board to the screen, and lay a button over each cell."""
        if self._view is None:
            return
        rules = self._view.state.rules
        is_small, is_narrow = bool(self._small.matches), bool(self._narrow.matches)
        plan = Plan(rules, is_small=is_small, names=self._view.names, is_narrow=is_narrow)
        self._plan = plan
        self._frame.style.setProperty("--ratio", ratio(plan))
        if rules == self._rules:
            self._draw()
            self._cells.lay_out(plan)
        else:
            self._drawing = ""
            self._cells.build(rules, plan)
            self._rules, self._overlay = rules, Overlay()
            self._magnifier.reset()
        self._show_overlay()

    def _draw(self, fresh: int | None = None) -> None:
        """Show the picture, cut to the board and the names around it.

        Args:
            fresh: the cell of a new mark.
        """
        plan, style = self._plan, self._picture.style
        self._picture.removeAttribute("data-fresh")
        if fresh is not None and self._rules is not None:
            falls = geometry(self._rules).is_numbered
            height = plan.boxes[fresh].y - plan.boxes[0].y + 1
            self._picture.setAttribute("data-fresh", "falls" if falls else "appears")
            style.setProperty("--fall", f"{-height * CELL:g}px")
            style.setProperty("--fall-time", f"{FALL * math.sqrt(height):.3f}s")
        # The library made this SVG: it is safe.
        self._picture.innerHTML = picture_markup(self._drawing, plan)

    def _handle_click(self, cell: int, event: Any) -> None:
        """Pick a clicked cell; the first tap on a small cell only selects it."""
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

    def _select(self, cell: int | None) -> None:
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
        """The side of a cell of the unzoomed board, in CSS pixels."""
        return float(self._frame.clientWidth) / self._plan.width

    def _use_tool(self, name: str | None) -> None:
        """Zoom around the cell in use, show the whole board, or pick the selected cell."""
        cell = self._overlay.selected
        if name == "confirm" and cell is not None:
            self._cells.go_to(cell)
            self._select(None)
            self._pick(cell)
        elif name == "whole":
            self._magnifier.reset()
        elif name in ZOOMS:
            at = self._cells.focus if cell is None else cell
            self._magnifier.zoom(ZOOMS[name], self._extent_of(at))
        self._offer_tools()

    def _offer_tools(self) -> None:
        """Show the buttons that have an effect now."""
        is_small = 0 < self._side < SMALL_CELL
        self._magnifier.enable(is_small)
        self._tools.hidden = not is_small
        if not is_small:
            return
        for button in self._tools.children:
            tool = button.dataset.tool
            if tool == "confirm":
                button.hidden = self._overlay.selected is None
            elif tool != "larger":
                button.disabled = self._magnifier.lens.scale <= 1

    def _extent_of(self, cell: int) -> Box:
        """Return the extent of a cell in fractions of the frame, unzoomed."""
        x, y, width, height = self._plan.boxes[cell]
        wide, high = self._plan.width, self._plan.height
        return Box(x / wide, y / high, width / wide, height / high)

    def _point_at(self, cell: int | None, by_keyboard: bool) -> None:
        if cell is not None and by_keyboard:
            self._magnifier.show(self._extent_of(cell))
        self._overlay = replace(self._overlay, pointed=cell)
        self._show_overlay()

    def _show_overlay(self) -> None:
        if self._view is None:
            return
        shown, pointed = self._overlay, self._overlay.pointed
        if pointed is not None and not self._cells.is_playable(pointed):
            shown = replace(shown, pointed=None)
        drawn = draw_overlay(self._view.state, self._plan, self._view.look, shown)
        if drawn != self._overlaid:
            self._overlaid = drawn
            self._layer.innerHTML = drawn  # the page made this markup: it is safe


def _differ(one: BoardView, other: BoardView, *names: str) -> bool:
    return any(getattr(one, name) != getattr(other, name) for name in names)
