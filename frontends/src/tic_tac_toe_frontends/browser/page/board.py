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
from .dom import by_id, is_chord, make, on, on_resize, window, write
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

#: What the buttons show, if not their names, and what they are called.
BUTTONS = {
    "smaller": ("\N{MINUS SIGN}", N_("Zoom out")),
    "larger": ("+", N_("Zoom in")),
    "whole": ("1\N{MULTIPLICATION SIGN}", N_("Whole board")),
    "confirm": ("", N_("Place here")),
}


class BoardTools:
    """The buttons of a board, behind it in the page.

    Args:
        board: the element that they follow.
        actions: what each button does, by its name in `BUTTONS`.
    """

    def __init__(self, board: Any, actions: dict[str, Callable[[], object]]) -> None:
        self._bar = make("div", class_="actions board-tools")
        self._bar.hidden = True
        self._buttons: dict[str, Any] = {}
        for name, action in actions.items():
            button = make("button", type="button", data_tool=name)
            on(button, "click", partial(_do, action))
            self._buttons[name] = button
            self._bar.append(button)
        self._buttons["confirm"].classList.add("primary")
        board.after(self._bar)

    def show(self, language: NullTranslations) -> None:
        """Name the buttons."""
        for name, button in self._buttons.items():
            sign, title = BUTTONS[name]
            write(button, sign or language.gettext(title))
            if sign:
                button.setAttribute("aria-label", language.gettext(title))

    def offer(self, *, zoom: bool, is_enlarged: bool, can_confirm: bool) -> None:
        """Offer what makes sense now."""
        self._bar.hidden = not zoom
        self._buttons["smaller"].disabled = self._buttons["whole"].disabled = not is_enlarged
        self._buttons["confirm"].hidden = not can_confirm


def _do(action: Callable[[], object], _event: object) -> None:
    action()


#: How far a key moves the focus: rows down, columns to the right.
ARROWS = {"ArrowUp": (-1, 0), "ArrowDown": (1, 0), "ArrowLeft": (0, -1), "ArrowRight": (0, 1)}


class CellGrid:
    """A button for each cell, which says what is in it.

    Args:
        element: what holds the buttons.
        press: called with a cell and the event of a click on it.
        point: called with the cell that a mouse or the keyboard is at, or ``None``; and with
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
        #: The cell that the tab key comes to.
        self.focus = 0
        on(element, "click", self._click)
        on(element, "keydown", self._press)
        on(element, "focusin", self._follow_focus)
        on(element, "pointerover", self._hover)
        for event in ("pointerout", "focusout"):
            on(element, event, lambda _event: self._to_point(None, False))

    def build(self, rules: Rules, plan: Plan) -> None:
        """Lay a button over each cell of a new board."""
        shape = rules.shape
        focused = self._element.querySelector(":focus")  # on the board that was there at once
        cell = focused and focused.getAttribute("data-cell")
        self._rows, self._columns = shape.rows, shape.columns
        self._element.innerHTML = cells_markup(shape, plan)
        self._buttons = list(self._element.querySelectorAll("button"))
        self._shown = [("", False, "")] * shape.cells
        self.focus = shape.middle
        if cell and int(cell) < shape.cells:
            self.go_to(int(cell))

    def name_mover(self, letter: str) -> None:
        """Note the letter that is placed next, for the board that is there at once next time."""
        self._element.setAttribute("data-mover", letter)

    def lay_out(self, plan: Plan) -> None:
        """Lay the buttons anew over the cells of the same board."""
        for button, box in zip(self._buttons, plan.boxes):
            button.setAttribute("style", plan.place(box))

    def show(self, cell: int, label: str, *, playable: bool, sent: str = "") -> None:
        """Say what is in a cell.

        Args:
            playable: whether a person may move there now.
            sent: the mark that is on its way there, if any.
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
        """Say that the next tap on a cell places a mark, or that it does not."""
        if selected:
            self._buttons[cell].setAttribute("aria-selected", "true")
        else:
            self._buttons[cell].removeAttribute("aria-selected")

    def go_to(self, cell: int) -> None:
        """Move the focus to a cell."""
        self._buttons[cell].focus()

    def _make_reachable(self, cell: int) -> None:
        """Let the tab key come to one cell of the board."""
        self._buttons[self.focus].tabIndex = -1
        self.focus = cell
        self._buttons[cell].tabIndex = 0

    def _click(self, event: Any) -> None:
        if cell := event.target.getAttribute("data-cell"):
            self._to_press(int(cell), event)

    def _press(self, event: Any) -> None:
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


#: How far a pointer moves before it shifts the board and no longer chooses a cell, in CSS pixels.
SLOP = 8.0


class Magnifier:
    """Turns the movements of pointers over the frame of a board into a lens.

    While it is not `enabled`, the board is seen as a whole and pointers are left alone.

    Args:
        frame: the element that the board is seen in; its layers follow its ``--zoom``, ``--pan-x``
            and ``--pan-y``.
    """

    def __init__(self, frame: Any) -> None:
        self._frame = frame
        self._lens = Lens()
        self._enabled = False
        self._pointers: dict[int, tuple[float, float]] = {}
        self._start = (0.0, 0.0)
        self._apply()  # the frame may have kept the lens of an earlier visit
        #: Whether the pointer that is pressed, or was last, has enlarged or shifted the board.
        self.dragged = False
        on(frame, "pointerdown", self._press)
        on(frame, "pointermove", self._move)
        for event in ("pointerup", "pointercancel"):
            on(window, event, lambda event: self._pointers.pop(event.pointerId, None))
        # Two fingers enlarge the board, and neither the page nor what is around the board moves.
        on(frame, "touchmove", self._keep_page, passive=False)

    @property
    def lens(self) -> Lens:
        """How the board is seen."""
        return self._lens

    def enable(self, enabled: bool) -> None:
        """Follow pointers from now on, or show the whole board and leave pointers alone."""
        if enabled != self._enabled:
            self._enabled = enabled
            self._pointers.clear()
            self._frame.toggleAttribute("data-zoomable", enabled)
            self._see(Lens())

    def zoom(self, factor: float, around: Box | None = None) -> None:
        """Show the board larger or smaller; a part of it stays where it is seen, if given."""
        x, y = self._lens.seen(around).centre if around else (0.5, 0.5)
        self._see(self._lens.zoomed(factor, x, y))

    def reset(self) -> None:
        """Show the whole board."""
        self._see(Lens())

    def show(self, part: Box) -> None:
        """Shift the board as far as needed to see a part of it."""
        self._see(self._lens.showing(part))

    def _see(self, lens: Lens) -> None:
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

    def _press(self, event: Any) -> None:
        if not self._pointers:
            self.dragged = False
            self._start = (event.clientX, event.clientY)
        if self._enabled:
            self._pointers[event.pointerId] = self._place(event)

    def _move(self, event: Any) -> None:
        old = self._pointers.get(event.pointerId)
        if old is None:
            return
        others = [place for key, place in self._pointers.items() if key != event.pointerId]
        new = self._place(event)
        if others:
            self._pinch(others[0], old, new)
        elif self._lens.scale > 1:
            away = math.dist(self._start, (event.clientX, event.clientY))
            if not self.dragged and away < SLOP:
                return
            self._see(self._lens.moved(new[0] - old[0], new[1] - old[1]))
        else:
            return
        self.dragged = True
        self._pointers[event.pointerId] = new

    def _pinch(
        self, other: tuple[float, float], old: tuple[float, float], new: tuple[float, float]
    ) -> None:
        """Keep what is under two fingers under them, while one of them moves."""
        before, after = math.dist(other, old), math.dist(other, new)
        middle = (other[0] + new[0]) / 2, (other[1] + new[1]) / 2
        moved = self._lens.moved((new[0] - old[0]) / 2, (new[1] - old[1]) / 2)
        self._see(moved.zoomed(after / before if before else 1.0, *middle))

    def _place(self, event: Any) -> tuple[float, float]:
        """Return where an event is, as fractions of the frame."""
        box = self._frame.getBoundingClientRect()
        return (event.clientX - box.left) / box.width, (event.clientY - box.top) / box.height

    def _keep_page(self, event: Any) -> None:
        if self._enabled and event.touches.length > 1:
            event.preventDefault()


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
