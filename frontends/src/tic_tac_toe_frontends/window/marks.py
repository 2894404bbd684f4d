"""Antialiased pictures of marks, discs and stones: strokes on a canvas have jagged edges."""

from __future__ import annotations

import math
import struct
import tkinter as tk
import zlib
from collections import OrderedDict
from collections.abc import Iterator, Sequence
from typing import NamedTuple

from tic_tac_toe.pictures.shapes import UNITS, Circle, Cross, Ink

from .palettes import Palette

#: The minimum thickness of a stroke in pixels.
THINNEST = 1.4
#: The number of cached pictures: enough for a board of boards with faint marks.
KEPT = 40


class Layer(NamedTuple):
    """A part of a picture around its middle, in one colour; lengths are in pixels.

    Attributes:
        kind: ``disc``, ``ring``, ``cross``, or ``hole``, all around a disc.
        reach: its radius, or how far the arms of a cross reach to the right.
        width: of the stroke of a ring or a cross.
    """

    kind: str
    colour: str
    reach: float
    width: float = 0.0

    def covered(self, x: float, y: float) -> float:
        """Return the share of a pixel that is covered, by the place of the pixel's centre."""
        half = max(self.width, THINNEST) / 2
        if self.kind == "cross":
            along = min((x + y) / 2, self.reach)
            outside = math.hypot(x - along, y - along) - half
        else:
            outside = math.hypot(x, y) - self.reach
            if self.kind == "ring":
                outside = abs(outside) - half
            elif self.kind == "hole":
                outside = -outside
        return min(max(0.5 - outside, 0.0), 1.0)


def layers_of(shape: Circle | Cross, ink: Ink, palette: Palette, cell: float) -> Iterator[Layer]:
    """Yield the layers of a shape in an ink.

    Args:
        cell: the side of a cell in pixels.
    """
    reach = (shape.radius if isinstance(shape, Circle) else shape.arm) * cell
    width = (ink.width or 1) * cell / UNITS
    if isinstance(shape, Cross):
        yield Layer("cross", palette.colours[ink.stroke], reach, width)
        return
    if ink.fill not in ("", "none"):
        yield Layer("disc", palette.colours[ink.fill], reach)
    if ink.stroke:
        yield Layer("ring", palette.colours[ink.stroke], reach, width)


class Marks:
    """A cache of pictures of marks in all sizes and colours."""

    def __init__(self, master: tk.Misc) -> None:
        self._master = master
        self._kept: OrderedDict[tuple[tuple[Layer, ...], int, float], tk.PhotoImage] = OrderedDict()

    def picture(self, layers: tuple[Layer, ...], size: int, strength: float = 1.0) -> tk.PhotoImage:
        """Return a picture of a mark for a square.

        Args:
            size: the side of the square in pixels.
            strength: the opacity: 1, or less for a faint mark.
        """
        key = (layers, size, strength)
        if key not in self._kept:
            data = png(size, layers, strength)
            self._kept[key] = tk.PhotoImage(master=self._master, data=data, format="png")
        self._kept.move_to_end(key)
        return self._kept[key]

    def forget_old(self) -> None:
        """Drop the least recently used pictures; none of them may be on the screen."""
        while len(self._kept) > KEPT:
            self._kept.popitem(last=False)

    def forget_all(self) -> None:
        """Drop all pictures in this thread, before another thread's garbage collection does."""
        self._kept.clear()


def png(size: int, layers: Sequence[Layer], strength: float = 1.0) -> bytes:
    """Return a square PNG with four symmetric quarters.

    Args:
        size: its side in pixels.
        strength: the maximum opacity.
    """
    middle, half = size / 2, (size + 1) // 2
    shapes = [(bytes.fromhex(layer.colour[1:]), layer) for layer in layers]
    pixels = [
        [
            _pixel(shapes, middle - column - 0.5, middle - row - 0.5, strength)
            for column in range(half)
        ]
        for row in range(half)
    ]
    left = size // 2 - 1  # mirror the other half; an odd size has its middle once
    rows = [b"".join(row + row[left::-1] if size > 1 else row) for row in pixels]
    if size > 1:
        rows += rows[left::-1]
    header = struct.pack(">IIBBBBB", size, size, 8, 6, 0, 0, 0)
    data = zlib.compress(b"".join(b"\0" + row for row in rows), level=1)  # the fastest level
    chunks = _chunk(b"IHDR", header) + _chunk(b"IDAT", data) + _chunk(b"IEND", b"")
    return b"\x89PNG\r\n\x1a\n" + chunks


def _pixel(shapes: list[tuple[bytes, Layer]], x: float, y: float, strength: float) -> bytes:
    """Return the colour and the opacity of a pixel, with each shape over those below it."""
    ink, opacity = bytes(3), 0.0
    for colour, layer in shapes:
        if part := layer.covered(x, y):
            whole = part + opacity * (1 - part)
            share = part / whole
            if share == 1.0:
                ink = colour
            else:
                pairs = zip(colour, ink)
                ink = bytes(round(new * share + old * (1 - share)) for new, old in pairs)
            opacity = whole
    return ink + bytes([round(255 * strength * opacity)])


def _chunk(name: bytes, content: bytes) -> bytes:
    length, checksum = len(content), zlib.crc32(name + content)
    return struct.pack(">I", length) + name + content + struct.pack(">I", checksum)


def icon(master: tk.Misc, colour: str) -> tk.PhotoImage:
    """Return the icon of the window."""
    return tk.PhotoImage(master=master, data=png(64, [Layer("cross", colour, 17, 7)]), format="png")
