"""Crosses and naughts as pictures with smooth edges, which strokes on a canvas lack."""

from __future__ import annotations

import math
import struct
import tkinter as tk
import zlib
from collections import OrderedDict
from collections.abc import Callable

#: How far the arms of a cross and the rim of a naught reach, and how thick both are: parts of the
#: side of the square that they fill, as in the library's pictures.
ARM, RADIUS, THICKNESS = 0.26, 0.29, 0.1125
#: No mark is thinner than this, in pixels.
THINNEST = 1.4
#: The number of pictures that are kept: enough for a board of boards with its faint marks.
KEPT = 24


class Marks:
    """Pictures of marks in all sizes and colours, of which those used last are kept."""

    def __init__(self, master: tk.Misc) -> None:
        self._master = master
        self._kept: OrderedDict[tuple[int, int, str, float], tk.PhotoImage] = OrderedDict()

    def picture(self, side: int, size: int, colour: str, strength: float = 1.0) -> tk.PhotoImage:
        """Return a mark that fills a square as it should.

        Args:
            side: 0 for a cross, 1 for a naught.
            size: the side of the square in pixels.
            colour: such as ``#0a58ca``.
            strength: 1 for a mark that covers what is below it, less for a faint one.
        """
        key = (side, size, colour, strength)
        if key not in self._kept:
            data = png(size, (_cross, _naught)[side](size), colour, strength)
            self._kept[key] = tk.PhotoImage(master=self._master, data=data, format="png")
        self._kept.move_to_end(key)
        return self._kept[key]

    def forget_old(self) -> None:
        """Drop the pictures that were used longest ago; none of them may be on the screen."""
        while len(self._kept) > KEPT:
            self._kept.popitem(last=False)

    def forget_all(self) -> None:
        """Drop all pictures here, before another thread's garbage collection does."""
        self._kept.clear()


def png(size: int, cover: Callable[[float, float], float], colour: str, strength: float) -> bytes:
    """Return a square PNG in one colour that is the same in all four quarters.

    Args:
        size: its side in pixels.
        cover: tells how much of a pixel is coloured, from the distance of the pixel's centre to
            the right of the middle and below it.
        colour: such as ``#0a58ca``.
        strength: how much the colour covers where it is full.
    """
    middle, half, ink = size / 2, (size + 1) // 2, bytes.fromhex(colour[1:])
    pixels = [
        [
            ink + bytes([round(255 * strength * cover(middle - column - 0.5, middle - row - 0.5))])
            for column in range(half)
        ]
        for row in range(half)
    ]
    left = size // 2 - 1  # from here back comes the other half; an odd size has its middle once
    rows = [b"".join(row + row[left::-1] if size > 1 else row) for row in pixels]
    if size > 1:
        rows += rows[left::-1]
    header = struct.pack(">IIBBBBB", size, size, 8, 6, 0, 0, 0)
    data = zlib.compress(b"".join(b"\0" + row for row in rows), level=1)  # the fastest
    chunks = _chunk(b"IHDR", header) + _chunk(b"IDAT", data) + _chunk(b"IEND", b"")
    return b"\x89PNG\r\n\x1a\n" + chunks


def _chunk(name: bytes, content: bytes) -> bytes:
    length, checksum = len(content), zlib.crc32(name + content)
    return struct.pack(">I", length) + name + content + struct.pack(">I", checksum)


def _cross(size: int) -> Callable[[float, float], float]:
    arm, half_width = ARM * size, _half_width(size)

    def cover(x: float, y: float) -> float:
        along = min((x + y) / 2, arm)
        return _part(math.hypot(x - along, y - along) - half_width)

    return cover


def _naught(size: int) -> Callable[[float, float], float]:
    radius, half_width = RADIUS * size, _half_width(size)

    def cover(x: float, y: float) -> float:
        return _part(abs(math.hypot(x, y) - radius) - half_width)

    return cover


def _half_width(size: int) -> float:
    return max(THICKNESS * size, THINNEST) / 2


def _part(distance: float) -> float:
    """Return how much of a pixel is inside, from how far its centre is outside."""
    return min(max(0.5 - distance, 0.0), 1.0)


def icon(master: tk.Misc, colour: str) -> tk.PhotoImage:
    """Return the picture that a desktop shows for the window."""
    size = 64
    return tk.PhotoImage(master=master, data=png(size, _cross(size), colour, 1.0), format="png")
