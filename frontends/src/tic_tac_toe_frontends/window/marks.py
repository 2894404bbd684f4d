"""Antialiased pictures of marks, discs and stones: strokes on a canvas have jagged edges."""

from __future__ import annotations

import math
import struct
import tkinter as tk
import zlib
from collections import OrderedDict
from collections.abc import Callable
from typing import TypeAlias

#: The reach of a cross and a naught, and their thickness, as fractions of the square's side, as in
#: the library's pictures.
ARM, RADIUS, THICKNESS = 0.26, 0.29, 0.1125
#: The radii of a round piece, of the hole in front of it and of a ring around both, and the
#: thickness of its edge, as fractions of its square; and the relative size of the mark on it.
DISC, HOLE, HALO, RIM, RELIEF = 0.42, 0.44, 0.45, 0.035, 0.62
#: The minimum thickness of a mark in pixels.
THINNEST = 1.4
#: The number of cached pictures: enough for a board of boards with faint marks.
KEPT = 24


#: A shape: the share of a pixel that it covers, from 0 to 1, by the distance of the pixel's centre
#: right of the middle and below it.
Cover: TypeAlias = Callable[[float, float], float]
#: Shapes in layers, the lowest first: each has a colour, and a function that makes it for a size.
Layers: TypeAlias = tuple[tuple[str, Callable[[int], Cover]], ...]


class Marks:
    """A cache of pictures of marks in all sizes and colours."""

    def __init__(self, master: tk.Misc) -> None:
        self._master = master
        self._kept: OrderedDict[tuple[Layers, int, float], tk.PhotoImage] = OrderedDict()

    def picture(self, layers: Layers, size: int, strength: float = 1.0) -> tk.PhotoImage:
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


def png(size: int, layers: Layers, strength: float = 1.0) -> bytes:
    """Return a square PNG with four symmetric quarters.

    Args:
        size: its side in pixels.
        strength: the maximum opacity.
    """
    middle, half = size / 2, (size + 1) // 2
    shapes = [(bytes.fromhex(colour[1:]), make(size)) for colour, make in layers]
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


def _pixel(shapes: list[tuple[bytes, Cover]], x: float, y: float, strength: float) -> bytes:
    """Return the colour and the opacity of a pixel, with each shape over those below it."""
    ink, opacity = bytes(3), 0.0
    for colour, cover in shapes:
        if part := cover(x, y):
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


def cross(size: int) -> Cover:
    """Return a cross."""
    return _cross(size, ARM, _half_width(size))


def naught(size: int) -> Cover:
    """Return a naught."""
    return _ring(size, RADIUS, _half_width(size))


def disc(size: int) -> Cover:
    """Return a round piece that nearly fills its square."""
    radius = DISC * size
    return lambda x, y: _coverage(math.hypot(x, y) - radius)


def rim(size: int) -> Cover:
    """Return the edge of a round piece."""
    half_width = max(RIM * size, 1.0) / 2
    return _ring(size, DISC - half_width / size, half_width)


def halo(size: int) -> Cover:
    """Return a ring around a round piece."""
    return _ring(size, HALO, max(2 * RIM * size, 2.0) / 2)


def small_cross(size: int) -> Cover:
    """Return the cross in the middle of a round piece."""
    return _cross(size, ARM * RELIEF, _half_width(size) * RELIEF)


def small_naught(size: int) -> Cover:
    """Return the naught in the middle of a round piece."""
    return _ring(size, RADIUS * RELIEF, _half_width(size) * RELIEF)


def holed(size: int) -> Cover:
    """Return a square with a round hole, the front of a well."""
    radius = HOLE * size
    return lambda x, y: _coverage(radius - math.hypot(x, y))


def _cross(size: int, reach: float, half_width: float) -> Cover:
    arm = reach * size

    def cover(x: float, y: float) -> float:
        along = min((x + y) / 2, arm)
        return _coverage(math.hypot(x - along, y - along) - half_width)

    return cover


def _ring(size: int, reach: float, half_width: float) -> Cover:
    radius = reach * size

    def cover(x: float, y: float) -> float:
        return _coverage(abs(math.hypot(x, y) - radius) - half_width)

    return cover


def _half_width(size: int) -> float:
    return max(THICKNESS * size, THINNEST) / 2


def _coverage(distance: float) -> float:
    """Return the covered share of a pixel from the distance of its centre outside the edge."""
    return min(max(0.5 - distance, 0.0), 1.0)


def icon(master: tk.Misc, colour: str) -> tk.PhotoImage:
    """Return the icon of the window."""
    return tk.PhotoImage(master=master, data=png(64, ((colour, cross),)), format="png")
