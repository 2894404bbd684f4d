"""``tic-tac-toe browser``: the game in a web browser."""

from __future__ import annotations

from collections.abc import Sequence


def main(arguments: Sequence[str], prog: str) -> int:
    """Serve or build the page and return the exit status of the process."""
    from ..browser.cli import main as browser

    return browser(arguments, prog)
