"""How people write cells, moves and positions, and how such texts are read."""

from tic_tac_toe.logic.notation.cells import (
    cell_name,
    cell_name_in,
    column_letter,
    has_lookalikes,
    numpad_cell,
    numpad_digit,
    parse_cell,
)
from tic_tac_toe.logic.notation.moves import (
    cell_below,
    clickable_cells,
    fault_in_move,
    landing_cell,
    move_at,
    move_meant,
    move_name,
    parse_move,
    parse_moves,
    parse_place,
    read_moves,
)
from tic_tac_toe.logic.notation.states import format_state, parse_state

__all__ = [
    "cell_below",
    "cell_name",
    "cell_name_in",
    "clickable_cells",
    "column_letter",
    "fault_in_move",
    "format_state",
    "has_lookalikes",
    "landing_cell",
    "move_at",
    "move_meant",
    "move_name",
    "numpad_cell",
    "numpad_digit",
    "parse_cell",
    "parse_move",
    "parse_moves",
    "parse_place",
    "parse_state",
    "read_moves",
]
