"""The buttons over the cells of a board: a grid in which arrows move and one cell takes the tab."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from tic_tac_toe.logic.rules import Rules

from .dom import is_chord, on
from .views import Plan, cells_markup

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
