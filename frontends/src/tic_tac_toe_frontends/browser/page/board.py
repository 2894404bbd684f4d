"""The board in the page: a picture from the library, and over it a button for each cell."""

from __future__ import annotations

import math
from collections.abc import Callable, Collection, Iterable
from dataclasses import replace
from functools import partial
from gettext import NullTranslations
from typing import Any

from tic_tac_toe.logic.exceptions import InvalidMove, InvalidNotation
from tic_tac_toe.logic.models import GameState
from tic_tac_toe.logic.notation import clickable_cells, parse_place
from tic_tac_toe.logic.rules import Rules
from tic_tac_toe.logic.rules.alternation import NAMES
from tic_tac_toe.logic.rules.traits import placement as place_of
from tic_tac_toe.logic.search.evaluation import MoveEvaluation
from tic_tac_toe.pictures.board import Box, Look, geometry, look_of
from tic_tac_toe.pictures.svg import CELL, svg

from ...words.game_text import cell_label, letter_title
from ...words.translation import N_
from .dom import by_id, is_chord, make, on, on_resize, set_text, window
from .views import (
    Lens,
    Overlay,
    Plan,
    cells_markup,
    draw_overlay,
    picture_markup,
    ratio,
    signs_by_cell,
)

#: Sign and name of each button; an empty sign shows the name.
BUTTONS = {
    "smaller": ("\N{MINUS SIGN}", N_("Zoom out")),
    "larger": ("+", N_("Zoom in")),
    "whole": ("1\N{MULTIPLICATION SIGN}", N_("Whole board")),
    "confirm": ("", N_("Place here")),
}


class BoardTools:
    """The buttons after a board.

    Args:
        board: the element before them.
        actions: the function of each button, by its name in `BUTTONS`.
    """

    def __init__(self, board: Any, actions: dict[str, Callable[[], object]]) -> None:
        self._bar = make("div", class_="actions board-tools")
        self._bar.hidden = True
        self._buttons: dict[str, Any] = {}
        for name, action in actions.items():
            button = make("button", type="button", data_tool=name)
            on(button, "click", partial(_run_action, action))
            self._buttons[name] = button
            self._bar.append(button)
        self._buttons["confirm"].classList.add("primary")
        board.after(self._bar)

    def show(self, language: NullTranslations) -> None:
        """Name the buttons."""
        for name, button in self._buttons.items():
            sign, title = BUTTONS[name]
            set_text(button, sign or language.gettext(title))
            if sign:
                button.setAttribute("aria-label", language.gettext(title))

    def offer(self, *, zoom: bool, is_enlarged: bool, can_confirm: bool) -> None:
        """Show the buttons that have an effect now."""
        self._bar.hidden = not zoom
        self._buttons["smaller"].disabled = self._buttons["whole"].disabled = not is_enlarged
        self._buttons["confirm"].hidden = not can_confirm


def _run_action(action: Callable[[], object], _event: object) -> None:
    action()


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


#: The keys that may name a move.
DIGITS = tuple("123456789")
#: Media queries: no room around the board; few boards fit side by side.
SMALL_SCREEN = "(max-width: 34rem), (orientation: landscape) and (max-height: 35rem)"
NARROW_SCREEN = "(max-width: 34rem) and (orientation: portrait)"
#: With smaller cells, in CSS pixels, the board can be zoomed and the first tap only selects.
SMALL_CELL = 24
#: The zoom factor of one press of a button.
ZOOM = 1.5
#: Seconds that a mark takes to fall by one cell; four cells take twice as long.
FALL = 0.17


class Board:
    """Shows a state and reports the chosen cell.

    A board of small cells can be zoomed, and the first tap on a cell only selects it.

    Args:
        pick: called with the chosen cell, which need not be legal.
        prefix: the prefix of its elements' ids.
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
        self._cells = CellGrid(cells, self._handle_click, self._point_at)
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
                "confirm": self._pick_selected,
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
        """Draw a state; animate the last mark if its cell was empty before.

        Args:
            last, best, values, look, names: see `svg`.
            open_now: whether a person may move now.
            pending: a move that the server has not confirmed yet.
            letter: the person's next letter, in games with a choice of letters.
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
        value_signs = signs_by_cell(state.rules, values)
        self._label(language, value_signs, letter, pending, open_now=open_now)
        if has_changed or not open_now:
            self._select(None)
        self._overlay = replace(
            self._overlay, letter=letter, pending=pending, valued=frozenset(value_signs)
        )
        self._show_overlay()
        self._tools.show(language)
        self._offer_tools()

    def press_digit(self, event: Any) -> None:
        """Pick the place of a digit key; ignore all other keys."""
        if is_chord(event) or event.key not in DIGITS:
            return
        try:
            cell = parse_place(self._state, event.key)
        except InvalidNotation:
            return
        except InvalidMove:  # a full column: picking its top cell shows why not
            cell = int(event.key) - 1
        event.preventDefault()
        self._pick(cell)

    def _is_new(self, state: GameState, last: int | None) -> bool:
        """Return whether the last mark is new on the screen."""
        if last is None or state.rules != self._rules:
            return False
        return self._state.grid.cells[last] == " " != state.grid.cells[last]

    def _label(
        self,
        language: NullTranslations,
        value_signs: dict[int, str],
        letter: str,
        pending: int | None,
        *,
        open_now: bool,
    ) -> None:
        """Label the button of each cell."""
        state, placed = self._state, None
        if pending is not None:
            placed = place_of(state.rules, state.current_mark.side, pending)
        playable = set(clickable_cells(state)) if open_now else set()
        self._cells.name_mover(letter or NAMES[state.current_mark.side])
        for cell in range(state.rules.shape.cells):
            label, sent = cell_label(state, cell, language), ""
            if cell in value_signs:
                label += f" ({value_signs[cell]})"
            if letter and cell in playable and state.grid.cells[cell] == " ":
                label += f", {letter_title(letter, language)}"
            if placed is not None and cell == placed.cell:
                sent = NAMES[placed.mark]
                message = language.gettext("{cell}, your move is on its way")
                label = message.format(cell=label)
            self._cells.show(cell, label, playable=cell in playable, sent=sent)

    def _lay_out(self) -> None:
        """Fit the board to the screen, and lay a button over each cell."""
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
        """Show the picture, cut to the board and the names around it.

        Args:
            fresh: the cell of a new mark.
        """
        plan, style = self._plan, self._picture.style
        self._picture.removeAttribute("data-fresh")
        if fresh is not None:
            falls = geometry(self._state.rules).is_numbered
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

    def _pick_selected(self) -> None:
        cell = self._overlay.selected
        if cell is not None:
            self._cells.go_to(cell)
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

    def _zoom(self, factor: float) -> None:
        """Zoom around the cell in use; factor 0 shows the whole board."""
        if factor:
            cell = self._overlay.selected
            self._magnifier.zoom(
                factor, self._extent_of(self._cells.focus if cell is None else cell)
            )
        else:
            self._magnifier.reset()
        self._offer_tools()

    def _offer_tools(self) -> None:
        is_small = 0 < self._side < SMALL_CELL
        self._magnifier.enable(is_small)
        self._tools.offer(
            zoom=is_small,
            is_enlarged=self._magnifier.lens.scale > 1,
            can_confirm=self._overlay.selected is not None,
        )

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
        shown, pointed = self._overlay, self._overlay.pointed
        if pointed is not None and not self._cells.is_playable(pointed):
            shown = replace(shown, pointed=None)
        drawn = draw_overlay(self._state, self._plan, self._look, shown)
        if drawn != self._overlaid:
            self._overlaid = drawn
            self._layer.innerHTML = drawn  # the page made this markup: it is safe
