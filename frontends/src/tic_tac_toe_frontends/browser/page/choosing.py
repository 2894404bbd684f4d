"""The choices beside the cells: the letter to place, and moves that place nothing."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from gettext import NullTranslations
from typing import Any

from tic_tac_toe.logic.models import GameState
from tic_tac_toe.logic.rules.traits import letters
from tic_tac_toe.logic.search.evaluation import MoveEvaluation
from tic_tac_toe.pictures.board import sign_of

from ...words.game_text import letter_title, special_title
from .dom import by_id, document, is_chord, make, on, set_text


class Choosing:
    """A switch between letters, and a button for each move that places nothing.

    The switch is shown in games in which the mover chooses the letter; a button, while its move is
    legal.

    Args:
        choose: called with the chosen letter.
        play: called with the number of a move that places nothing.
        prefix: the prefix of its elements' ids.
    """

    def __init__(
        self, choose: Callable[[str], object], play: Callable[[int], object], prefix: str = ""
    ) -> None:
        self._choose, self._play = choose, play
        self._switch, self._said, self._specials, self._cells = (
            by_id(f"{prefix}{name}") for name in ("letters", "letter-said", "specials", "cells")
        )
        self._radios = list(self._switch.querySelectorAll("input"))
        self._letters: tuple[str, ...] = ()
        self._language = NullTranslations()
        self._shown: object = None
        on(self._switch, "change", lambda event: self._choose(event.target.value))
        on(self._specials, "click", self._click)

    def show(
        self,
        state: GameState,
        letter: str,
        language: NullTranslations,
        *,
        values: Iterable[MoveEvaluation] = (),
        open_now: bool = True,
    ) -> None:
        """Show the choices in a state.

        Args:
            open_now: whether a person may move now.
        """
        self._letters, self._language = letters(state.rules), language
        self._switch.hidden = not self._letters
        for radio in self._radios:
            radio.checked = radio.value == letter
            set_text(radio.nextElementSibling, letter_title(radio.value, language))
        if not self._letters:
            set_text(self._said, "")
        self._show_specials(state, values, language, open_now)

    def handle_key(self, event: Any) -> None:
        """Choose the letter of a pressed key, and return whether it was one."""
        letter = event.key.upper()
        if letter in self._letters and not is_chord(event):
            event.preventDefault()
            set_text(self._said, letter_title(letter, self._language))
            self._choose(letter)

    def _show_specials(
        self,
        state: GameState,
        values: Iterable[MoveEvaluation],
        language: NullTranslations,
        open_now: bool,
    ) -> None:
        signs = {move.move: f" ({sign_of(move)})" for move in values}
        wanted = [
            (str(number), special_title(name, language) + signs.get(number, ""))
            for name, number in (state.special_moves if open_now else {}).items()
        ]
        if wanted == self._shown:
            return
        self._shown = wanted
        held = self._specials.contains(document.activeElement)
        self._specials.replaceChildren()
        self._specials.hidden = not wanted
        for number, title in wanted:
            button = make("button", title, type="button")
            button.dataset.move = number
            self._specials.append(button)
        if held:  # removing a focused button loses the focus
            self._cells.querySelector("[tabindex='0']").focus()

    def _click(self, event: Any) -> None:
        if number := event.target.getAttribute("data-move"):
            self._play(int(number))
