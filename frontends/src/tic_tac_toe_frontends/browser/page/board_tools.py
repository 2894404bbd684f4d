"""Buttons below a board whose cells are small: they enlarge it, and place the chosen mark."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from gettext import NullTranslations
from typing import Any

from ...words.translation import N_
from .dom import make, on, write

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
