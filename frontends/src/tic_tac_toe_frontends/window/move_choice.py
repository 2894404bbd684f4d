"""What a move is besides its cell: the letter to place, and moves that place nothing."""

from __future__ import annotations

import tkinter as tk
from collections.abc import Callable, Sequence
from functools import partial
from gettext import NullTranslations
from tkinter import ttk

from ..words.game_text import letter_title, special_title

#: Space between two things beside each other, in pixels.
GAP = 8


class MoveChoice(ttk.Frame):
    """A switch between letters and a button for each move that places nothing.

    It keeps its size throughout a game, so that the board beside it stays where it is: where a
    button cannot be used now there is a gap.

    Args:
        choose: is told which letter a person chooses.
        play: is told the name of a move that places nothing.
        chosen: holds the letter that people place next; it outlives the switch.
    """

    def __init__(
        self,
        parent: tk.Misc,
        language: NullTranslations,
        choose: Callable[[str], object],
        play: Callable[[str], object],
        chosen: tk.StringVar,
    ) -> None:
        super().__init__(parent)
        self._language = language
        self._choose = choose
        self._play = play
        self._offered: tuple[Sequence[str], Sequence[str]] = ((), ())
        self._stands = True
        self._chosen = chosen
        self.letters: dict[str, ttk.Radiobutton] = {}
        self.specials: dict[str, ttk.Button] = {}
        self._parts: list[ttk.Widget] = []

    def show(
        self, letters: Sequence[str], letter: str, specials: Sequence[str], possible: Sequence[str]
    ) -> None:
        """Show what can be chosen.

        Args:
            letters: those that people choose among.
            letter: the one that they place next.
            specials: the moves of the game that place nothing.
            possible: those of them that a person may make now.
        """
        if (letters, specials) != self._offered:
            self._offered = letters, specials
            self._make(letters, specials)
        self._chosen.set(letter)
        for name, button in self.specials.items():
            if name in possible:
                button.place(x=0, y=0, relwidth=1, relheight=1)
            else:
                button.place_forget()

    @property
    def is_empty(self) -> bool:
        """Whether moves of this game are cells and nothing else."""
        return not any(self._offered)

    def extent(self, *, standing: bool) -> tuple[int, int]:
        """Return the width and height in pixels if things stand above or beside each other."""
        sizes = [(one.winfo_reqwidth(), one.winfo_reqheight()) for one in self._parts]
        if not sizes:
            return 0, 0
        (widths, heights), gaps = zip(*sizes), GAP * (len(sizes) - 1)
        if standing:
            return max(widths), sum(heights) + gaps
        return sum(widths) + gaps, max(heights)

    def arrange(self, *, standing: bool) -> None:
        """Put things above each other or beside each other."""
        if standing is self._stands:
            return
        self._stands = standing
        self._arrange()

    def _arrange(self) -> None:
        standing = self._stands
        for index, part in enumerate(self._parts):
            gap = (GAP if index else 0, 0)
            if standing:
                part.grid_configure(row=index, column=0, sticky="w", pady=gap, padx=0)
            else:
                part.grid_configure(row=0, column=index, sticky="w", padx=gap, pady=0)

    def _make(self, letters: Sequence[str], specials: Sequence[str]) -> None:
        for part in self._parts:
            part.destroy()
        self.letters = {
            letter: ttk.Radiobutton(
                self,
                text=letter_title(letter, self._language),
                value=letter,
                variable=self._chosen,
                style="Letter.TRadiobutton",
                command=partial(self._choose, letter),
            )
            for letter in letters
        }
        self._parts = [*self.letters.values()]
        self.specials = {}
        for name in specials:
            frame = ttk.Frame(self)  # stays where the button goes
            title = special_title(name, self._language)
            button = ttk.Button(frame, text=title, command=partial(self._play, name))
            frame.configure(width=button.winfo_reqwidth(), height=button.winfo_reqheight())
            self.specials[name] = button
            self._parts.append(frame)
        self._arrange()
