"""Faults that are built into the sources one at a time, and the tests that have to see each."""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple


class Sabotage(NamedTuple):
    """A change of the sources that breaks one promise.

    Attributes:
        promise: what is broken; the sabotage's name.
        changes: by the path of a file, below the folder of its package's sources: pieces of it, of
            which there is one each, and what stands there instead.
        tests: the tests that have to fail then, as pytest selects them.
    """

    promise: str
    changes: Mapping[str, Mapping[str, str]]
    tests: tuple[str, ...]


LIBRARY: list[Sabotage] = [
    Sabotage(
        "a position in which both players own a line is refused",
        {
            "tic_tac_toe/logic/rules/line.py": {
                "if len(winners) == 2:": "if len(winners) == 3:",
            },
        },
        ("tests/logic/test_rules.py",),
    ),
]

PROTOCOLS: list[Sabotage] = []

SERVER: list[Sabotage] = [
    Sabotage(
        "a visitor pays more for a page of a long game",
        {
            "tic_tac_toe_frontends/server/web/game_pages.py": {
                "EVENTS_A_PAGE = 100": "EVENTS_A_PAGE = 1e9",
            },
        },
        (
            "tests/online/test_pages.py::test_pages_of_long_games_cost_more_and_those_that_are_kept_do_not",
        ),
    ),
]

SCREENS: list[Sabotage] = []

SABOTAGES = (*LIBRARY, *PROTOCOLS, *SERVER, *SCREENS)
