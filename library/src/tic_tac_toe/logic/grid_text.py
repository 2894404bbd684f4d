"""The cells of a grid as text, and the same as two bit boards."""

from __future__ import annotations

from tic_tac_toe.logic.shapes import Shape


def bits_of(cells: str, mark: str) -> int:
    """Return the bit board of one mark: cell 0 is the lowest bit, and so the last digit."""
    digits = cells[::-1].translate({ord(sign): "1" if sign == mark else "0" for sign in "XO "})
    return int(digits, 2)


def cells_of(stones: tuple[int, int], shape: Shape) -> str:
    """Return the grid's text for two bit boards: the inverse of `bits_of`."""
    # Read as hexadecimals the two strings of binary digits add up without a carry, cell by cell.
    digits = int(f"{stones[0]:b}", 16) + 2 * int(f"{stones[1]:b}", 16)
    return f"{digits:0{shape.cells}x}"[::-1].translate(_SIGNS)


_SIGNS = {ord("0"): " ", ord("1"): "X", ord("2"): "O"}
