"""The value that searches hold."""

from __future__ import annotations

from typing import NamedTuple


class Position(NamedTuple):
    """Where the marks are and who is to move: all that the rest of a game depends on.

    Attributes:
        stones: two bit boards, crosses then naughts; bit *i* is cell *i* (see `Layout`).
        turn: 0 if cross is to move, 1 if naught is.
        memory: what the stones do not show (the forced board of ultimate). It is canonical: two
            positions from which the same games can follow have the same memory, nearly always 0.
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
