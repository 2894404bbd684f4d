"""``tic-tac-toe window``: the game in a window of its own."""

from __future__ import annotations

from collections.abc import Sequence


def main(arguments: Sequence[str], prog: str) -> int:
    """Play in a window and return the exit status of the process."""
    from ..window.cli import main as window

    return window(arguments, prog)
