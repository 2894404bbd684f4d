"""Lines of letters with styles, on which the board is drawn."""

from __future__ import annotations

from itertools import groupby, islice

from rich.segment import Segment
from rich.style import Style
from textual.strip import Strip

from .palette import Palette
from .plan import Place, Plan


class Canvas:
    """Lines of letters, each with a style."""

    def __init__(self, plan: Plan, palette: Palette) -> None:
        self._base = palette.style("text")
        self._letters = [[" "] * plan.width for _ in range(plan.height)]
        self._styles = [[self._base] * plan.width for _ in range(plan.height)]

    def strip(self, y: int) -> Strip:
        """Return a line as Textual wants it; an empty one beyond the drawing."""
        if not 0 <= y < len(self._letters):
            return Strip.blank(len(self._letters[0]), self._base)
        letters = iter(self._letters[y])
        runs = ((style, len([*run])) for style, run in groupby(self._styles[y]))
        segments = [Segment("".join(islice(letters, length)), style) for style, length in runs]
        return Strip(segments, len(self._letters[y]))

    def write(self, x: int, y: int, text: str, style: Style) -> None:
        """Write letters, of which blanks leave what is there."""
        for column, letter in enumerate(text, start=x):
            if letter != " ":
                self._letters[y][column] = letter
                self._styles[y][column] = style

    def fill(self, place: Place, style: Style) -> None:
        """Give a rectangle a style."""
        for x, y in place.letters():
            self._styles[y][x] = style

    def centre(self, place: Place, lines: tuple[str, ...], style: Style) -> None:
        """Write lines of one length in the middle of a rectangle."""
        x = place.x + (place.width - len(lines[0])) // 2
        y = place.y + (place.height - len(lines)) // 2
        for number, line in enumerate(lines):
            self.write(x, y + number, line, style)

    def surround(self, place: Place, signs: str, style: Style, over: str = " ") -> None:
        """Put signs in the corners of a rectangle, row by row.

        Args:
            over: the letters that they may replace.
        """
        right, bottom = place.x + place.width - 1, place.y + place.height - 1
        spots = [(place.x, place.y), (right, place.y), (place.x, bottom), (right, bottom)]
        for (x, y), sign in zip(spots, signs):
            if 0 <= x < len(self._letters[y]) and self._letters[y][x] in over:
                self.write(x, y, sign, style)
