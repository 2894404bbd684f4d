"""Positions as searches hold them, and the same as the text of a grid."""

from __future__ import annotations

from typing import NamedTuple

from tic_tac_toe.logic.shapes import Shape


class Position(NamedTuple):
    """The marks and the side to move: all that the rest of a game depends on.

        >>> from tic_tac_toe import LineRules
        >>> LineRules().play(Position(), 4)
        Position(stones=(16, 0), turn=1, memory=0)

    Attributes:
        stones: two bit boards, crosses then naughts; bit *i* is cell *i* (see `Layout`).
        turn: 0 if cross is to move, 1 if naught is.
        memory: facts that the stones do not show, such as the forced board of ultimate; 0 in most
            games. It is canonical: positions from which the same games can follow have the same
            memory.
    """

    stones: tuple[int, int] = (0, 0)
    turn: int = 0
    memory: int = 0

    @property
    def occupied(self) -> int:
        """The cells that hold a mark, as a bit board."""
        return self.stones[0] | self.stones[1]

    @property
    def marks(self) -> int:
        """The number of marks on the board."""
        return self.occupied.bit_count()


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
