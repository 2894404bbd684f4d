"""The opponent on this device: see `table.table`."""

from __future__ import annotations

from ...table.table import TWO_COMPUTERS, easier_after, opponent_in, with_opponent

__all__ = ["TWO_COMPUTERS", "easier_after", "opponent_in", "with_opponent"]
