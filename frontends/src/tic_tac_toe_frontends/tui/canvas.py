"""Lines of letters with styles, on which the board is drawn."""

from __future__ import annotations

from collections.abc import Iterable

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

    @property
    def lines(self) -> list[str]:
        """The letters."""
        return ["".join(line) for line in self._letters]

    def strip(self, y: int) -> Strip:
        """Return a line as Textual wants it; an empty one beyond the drawing."""
        if not 0 <= y < len(self._letters):
            return Strip.blank(len(self._letters[0]), self._base)
        segments: list[Segment] = []
        text, style = "", self._base
        for letter, its_style in zip(self._letters[y], self._styles[y]):
            if its_style is not style and text:
                segments.append(Segment(text, style))
                text = ""
            text, style = text + letter, its_style
        return Strip([*segments, Segment(text, style)], len(self._letters[y]))

    def write(self, x: int, y: int, text: str, style: Style) -> None:
        """Write letters, of which blanks leave what is there."""
        for column, letter in enumerate(text, start=x):
            if letter != " ":
                self._letters[y][column] = letter
                self._styles[y][column] = style

    def fill(self, place: Place, style: Style) -> None:
        """Give a rectangle a style."""
        for x, y in letters_of(place):
            self._styles[y][x] = style

    def centre(self, place: Place, lines: tuple[str, ...], style: Style) -> None:
        """Write lines of one length in the middle of a rectangle."""
        x = place.x + (place.width - len(lines[0])) // 2
        y = place.y + (place.height - len(lines)) // 2
        for number, line in enumerate(lines):
            self.write(x, y + number, line, style)

    def surround(self, place: Place, signs: str, style: Style) -> None:
        """Put signs in the corners of a rectangle, row by row, where the canvas is empty."""
        right, bottom = place.x + place.width - 1, place.y + place.height - 1
        spots = [(place.x, place.y), (right, place.y), (place.x, bottom), (right, bottom)]
        for (x, y), sign in zip(spots, signs):
            if self._letters[y][x] == " ":
                self.write(x, y, sign, style)


def letters_of(place: Place) -> Iterable[tuple[int, int]]:
    """Return where the letters of a rectangle are."""
    return (
        (x, y)
        for y in range(place.y, place.y + place.height)
        for x in range(place.x, place.x + place.width)
    )
