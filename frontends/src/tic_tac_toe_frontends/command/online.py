"""``tic-tac-toe online``: play at a game server from the console."""

from __future__ import annotations

from collections.abc import Sequence


def main(arguments: Sequence[str], prog: str) -> int:
    """Play online and return the exit status of the process."""
    from ..console.online.cli import main as online

    return online(arguments, prog)
