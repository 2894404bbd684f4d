"""The files of puzzles, which the page fetches when they are wanted."""

from __future__ import annotations


def puzzle_file(game: str) -> str:
    """Return the path of the puzzles of a game in the page.

    Servers would unpack a file whose name ends like that of the library's.
    """
    return f"puzzles/{game}.puzzles"
