"""The protocol between gomoku programs and the managers of their games, without pipes or clocks.

It is the second protocol of Petr Laštovička, which the Gomocup tournament uses. A *manager* runs
the game and asks; a *brain* is a program that answers with moves. Each command is a line: the
manager ends it with CR LF, a brain with CR LF, LF or CR. A cell is ``x,y``, column and row counted
from 0.

Here is what both sides read and write: cells, numbers and rules. `brain` is the brain's side: lines
in, answers and requests to think out. `manager` is the manager's side: what to send in a game, and
what the answers mean.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from types import MappingProxyType
from typing import Final

from tic_tac_toe.logic.rules.gomoku import Gomoku
from tic_tac_toe.logic.shapes import Shape

#: What ends a line that is sent; a line that is received may end with CR or LF as well.
LINE_END: Final = "\r\n"
#: The longest line that is read, in characters; the rest is ignored.
LONGEST_LINE: Final = 1_000
#: The milliseconds of ``INFO time_left`` that mean no limit.
NO_LIMIT: Final = 2**31 - 1

#: The owner of a stone in the lines of ``BOARD``.
OWN: Final = 1
OTHER: Final = 2
#: The numbers of ``INFO rule``.
RULE_NUMBERS: Mapping[Gomoku, int] = MappingProxyType(
    {Gomoku.FREE: 0, Gomoku.EXACT: 1, Gomoku.RENJU: 4, Gomoku.CARO: 8}
)
#: The number that the manager of the program Yixin sends for renju. Elsewhere it means a game that
#: goes on after a row of five, which nobody plays any more.
_RENJU_OF_YIXIN: Final = 2
#: Sums that say the same as a single number: renju and Caro have rows of exactly five in any case.
_SUMS: Mapping[int, Gomoku] = MappingProxyType(
    {
        **{number: kind for kind, number in RULE_NUMBERS.items()},
        _RENJU_OF_YIXIN: Gomoku.RENJU,
        4 + 1: Gomoku.RENJU,
        8 + 1: Gomoku.CARO,
    }
)

_CELL = re.compile(r"\s*([0-9]{1,6})\s*,\s*([0-9]{1,6})\s*", re.ASCII)
_NUMBER = re.compile(r"-?[0-9]{1,18}", re.ASCII)


def format_cell(cell: int, shape: Shape) -> str:
    """Return a cell as ``x,y``."""
    row, column = divmod(cell, shape.columns)
    return f"{column},{row}"


def read_cell(text: str, shape: Shape) -> int | None:
    """Return the cell that ``x,y`` names, -1 outside the board; ``None`` for another text."""
    match = _CELL.fullmatch(text)
    if match is None:
        return None
    column, row = int(match[1]), int(match[2])
    return row * shape.columns + column if row < shape.rows and column < shape.columns else -1


def read_number(text: str) -> int | None:
    """Return a whole number of at most 18 digits; ``None`` for another text."""
    return int(text) if _NUMBER.fullmatch(text.strip()) else None


def read_rule(number: int) -> Gomoku | None:
    """Return the game that ``INFO rule`` names; ``None`` for one that is not played here."""
    return _SUMS.get(number)
