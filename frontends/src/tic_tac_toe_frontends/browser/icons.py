"""The icons of the page, drawn from one list of shapes: as SVG, and as PNG in plain Python."""

from __future__ import annotations

import math
from collections.abc import Iterator
from typing import NamedTuple

from ..program.png import write_png

Colour = tuple[int, int, int]

PAPER: Colour = (16, 42, 74)
GRID: Colour = (86, 112, 146)
CROSS: Colour = (130, 196, 255)
NAUGHT: Colour = (255, 183, 128)


class Line(NamedTuple):
    """A stroke with round ends; all lengths are parts of the icon's side."""

    x1: float
    y1: float
    x2: float
    y2: float
    width: float
    colour: Colour

    def distance(self, x: float, y: float) -> float:
        """Return how far a point lies outside of the stroke, negative inside."""
        right, down = self.x2 - self.x1, self.y2 - self.y1
        along = ((x - self.x1) * right + (y - self.y1) * down) / (right * right + down * down)
        along = min(1.0, max(0.0, along))
        return math.hypot(x - self.x1 - along * right, y - self.y1 - along * down) - self.width / 2

    def svg(self) -> str:
        """Return the stroke as SVG, in units of a hundredth of the side."""
        return (
            f'<path d="M{self.x1 * 100:g} {self.y1 * 100:g}L{self.x2 * 100:g} {self.y2 * 100:g}" '
            f'stroke="{_hex(self.colour)}" stroke-width="{self.width * 100:g}" '
            'stroke-linecap="round"/>'
        )

    def box(self) -> tuple[float, float, float, float]:
        """Return left, top, right and bottom of what it covers."""
        half = self.width / 2
        left, right = sorted((self.x1, self.x2))
        top, bottom = sorted((self.y1, self.y2))
        return left - half, top - half, right + half, bottom + half


class Ring(NamedTuple):
    """A circle that is drawn as a stroke."""

    x: float
    y: float
    radius: float
    width: float
    colour: Colour

    def distance(self, x: float, y: float) -> float:
        """Return how far a point lies outside of the stroke, negative inside."""
        return abs(math.hypot(x - self.x, y - self.y) - self.radius) - self.width / 2

    def svg(self) -> str:
        """Return the ring as SVG, in units of a hundredth of the side."""
        return (
            f'<circle cx="{self.x * 100:g}" cy="{self.y * 100:g}" r="{self.radius * 100:g}" '
            f'fill="none" stroke="{_hex(self.colour)}" stroke-width="{self.width * 100:g}"/>'
        )

    def box(self) -> tuple[float, float, float, float]:
        """Return left, top, right and bottom of what it covers."""
        reach = self.radius + self.width / 2
        return self.x - reach, self.y - reach, self.x + reach, self.y + reach


def shapes(scale: float = 1.0) -> Iterator[Line | Ring]:
    """Yield what is drawn, from the back to the front.

    Args:
        scale: the part of the side that the drawing fills; less where edges may be cut off.
    """

    def at(part: float) -> float:
        return 0.5 + (part - 0.5) * scale

    third = (0.39, 0.61)
    for place in third:
        yield Line(at(place), at(0.17), at(place), at(0.83), 0.035 * scale, GRID)
        yield Line(at(0.17), at(place), at(0.83), at(place), 0.035 * scale, GRID)
    arm, width = 0.065, 0.055
    for x, y in ((0.27, 0.27), (0.5, 0.5), (0.73, 0.73)):
        for sign in (1, -1):
            yield Line(
                at(x - arm),
                at(y - sign * arm),
                at(x + arm),
                at(y + sign * arm),
                width * scale,
                CROSS,
            )
    for x, y in ((0.73, 0.27), (0.27, 0.73)):
        yield Ring(at(x), at(y), 0.07 * scale, width * scale, NAUGHT)


def make_svg() -> str:
    """Return the icon as SVG."""
    drawn = "".join(shape.svg() for shape in shapes(1.1))
    return (
        '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 100 100">'
        f'<rect width="100" height="100" rx="22" fill="{_hex(PAPER)}"/>{drawn}</svg>\n'
    )


def make_png(size: int, *, maskable: bool = False) -> bytes:
    """Return the icon as PNG.

    Args:
        size: pixels a side.
        maskable: fill the square to its edges, and keep the drawing away from them, for systems
            that cut icons into a shape of their own.
    """
    rows = [bytearray(bytes((*PAPER, 255)) * size) for _ in range(size)]
    for shape in shapes(0.85 if maskable else 1.1):
        _draw(rows, shape)
    if not maskable:
        _round_corners(rows, 0.22 * size)
    return write_png(size, rows)


def _draw(rows: list[bytearray], shape: Line | Ring) -> None:
    size = len(rows)
    left, top, right, bottom = (part * size for part in shape.box())
    for y in range(max(0, int(top) - 1), min(size, int(bottom) + 2)):
        row = rows[y]
        for x in range(max(0, int(left) - 1), min(size, int(right) + 2)):
            outside = shape.distance((x + 0.5) / size, (y + 0.5) / size) * size
            if outside < 0.5:
                cover = min(1.0, 0.5 - outside)
                for channel, wanted in enumerate(shape.colour):
                    place = 4 * x + channel
                    row[place] = round(row[place] + (wanted - row[place]) * cover)


def _round_corners(rows: list[bytearray], radius: float) -> None:
    size = len(rows)
    for y in range(math.ceil(radius)):
        for x in range(math.ceil(radius)):
            outside = math.hypot(radius - x - 0.5, radius - y - 0.5) - radius
            alpha = round(255 * min(1.0, max(0.0, 0.5 - outside)))
            for column in (x, size - 1 - x):
                rows[y][4 * column + 3] = rows[size - 1 - y][4 * column + 3] = alpha


def _hex(colour: Colour) -> str:
    return "#{:02x}{:02x}{:02x}".format(*colour)
