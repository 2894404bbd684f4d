"""Who wins Connect Four from a position: a search of its own, compiled, with other bit boards.

Column c has the bits 7 * c to 7 * c + 5 from the floor up, and bit 7 * c + 6 stays empty.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, TypeVar, cast

import numpy as np
from numba import njit

from tests.insight.exact_games import Game

F = TypeVar("F", bound=Callable[..., Any])
TABLE = 8_388_593  # a prime
_LOW = sum(1 << 7 * column for column in range(7))
_FULL = _LOW * 63
_ORDER = (3, 2, 4, 1, 5, 0, 6)


def compiled(signature: str) -> Callable[[F], F]:
    """Return what makes machine code of a function, which keeps its type."""
    return cast("Callable[[F], F]", njit(signature))


@compiled("boolean(int64)")
def has_four(own: int) -> bool:
    """Return whether four are in a row."""
    for step in (1, 6, 7, 8):
        pairs = own & own >> step
        if pairs & pairs >> 2 * step:
            return True
    return False


@compiled("int64(int64, int64)")
def look(own: int, filled: int) -> int:
    """Return 7 if the side to move completes a line, else the column it must stop one in, or -1."""
    forced = -1
    for column in range(7):
        cell = filled + (1 << 7 * column) & 63 << 7 * column
        if cell and has_four(own | cell):
            return 7
        if cell and has_four(filled ^ own | cell):
            forced = column
    return forced


@compiled("int64(int64, int64, int64, int64, int64[:], int64[:])")
def search(own: int, filled: int, low: int, high: int, keys: Any, bounds: Any) -> int:
    """Return 1, 0 or -1 for the side to move where that lies from low to high, else a bound."""
    if filled == _FULL:
        return 0
    forced = look(own, filled)
    if forced == 7:
        return 1
    if forced >= 0:
        cell = filled + (1 << 7 * forced) & 63 << 7 * forced
        return -search(filled ^ own, filled | cell, -high, -low, keys, bounds)
    key = own + filled + _LOW
    place = key % TABLE
    if keys[place] == key:  # bounds from -1 to 1 as two digits
        low, high = max(low, bounds[place] // 3 - 1), min(high, bounds[place] % 3 - 1)
        if low >= high:
            return low if low > high else high
    best = -1
    alpha = low
    for column in _ORDER:
        cell = filled + (1 << 7 * column) & 63 << 7 * column
        if not cell:
            continue
        best = max(best, -search(filled ^ own, filled | cell, -high, -alpha, keys, bounds))
        alpha = max(alpha, best)
        if alpha >= high:
            break
    least = best if best >= high or best > low else -1
    most = best if best <= low or best < high else 1
    if keys[place] == key:
        least, most = max(least, bounds[place] // 3 - 1), min(most, bounds[place] % 3 - 1)
    keys[place], bounds[place] = key, (least + 1) * 3 + most + 1
    return best


def connect_four() -> Game:
    """Return the game; its nodes are the marks of the mover, and all marks."""
    keys, bounds = np.zeros(TABLE, np.int64), np.zeros(TABLE, np.int64)

    def after(node: tuple[int, int]) -> dict[int, tuple[int, int]]:
        own, filled = node
        if has_four(filled ^ own):
            return {}
        found = {}
        for column in range(7):
            cell = filled + (1 << 7 * column) & 63 << 7 * column
            if cell:
                height = (filled >> 7 * column & 63).bit_count()
                found[7 * (5 - height) + column] = filled ^ own, filled | cell
        return found

    def value(node: tuple[int, int]) -> tuple[int, int]:
        own, filled = node
        if has_four(filled ^ own):
            return -1, 0
        return int(search(own, filled, -1, 1, keys, bounds)), 0

    def images(node: tuple[int, int]) -> set[tuple[int, int]]:
        own, filled = (
            sum((marks >> 7 * column & 127) << 7 * (6 - column) for column in range(7))
            for marks in node
        )
        return {node, (own, filled)}

    return Game((0, 0), after, value, images, has_plies=False)
