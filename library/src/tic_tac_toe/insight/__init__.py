"""Why moves are good or bad: facts, puzzles, lessons. `explain` and `puzzles` are top-level names.

    >>> from tic_tac_toe.insight import check, shipped
    >>> puzzle = shipped("tic-tac-toe")[0]
    >>> check(puzzle, [puzzle.turns[0].move]).verdict
    'solved'

The names are loaded when first used: a page that only plays needs none of them.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from tic_tac_toe.insight.collection import shipped
    from tic_tac_toe.insight.facts import KINDS, Fact, Kind
    from tic_tac_toe.insight.lessons import LESSONS, Exercise, Lesson, rest_of
    from tic_tac_toe.insight.puzzles import (
        Answer,
        Difficulty,
        Puzzle,
        Turn,
        Wrong,
        check,
        puzzle_of,
    )

_HOMES = {
    "collection": "shipped",
    "facts": "KINDS Fact Kind",
    "lessons": "LESSONS Exercise Lesson rest_of",
    "puzzles": "Answer Difficulty Puzzle Turn Wrong check puzzle_of",
}
_HOME_OF = {name: home for home, names in _HOMES.items() for name in names.split()}

__all__ = [
    "KINDS",
    "LESSONS",
    "Answer",
    "Difficulty",
    "Exercise",
    "Fact",
    "Kind",
    "Lesson",
    "Puzzle",
    "Turn",
    "Wrong",
    "check",
    "puzzle_of",
    "rest_of",
    "shipped",
]


def __getattr__(name: str) -> object:
    if name in _HOME_OF:
        value: object = getattr(import_module(f"{__name__}.{_HOME_OF[name]}"), name)
        return value
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
