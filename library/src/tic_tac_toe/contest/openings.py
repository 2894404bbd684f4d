"""Balanced openings: lists of moves after which neither side is much better off.

The openings of each variant are a file of JSON in ``opening_data``, which `tools.make_openings`
makes; each file names its command and how the openings were chosen.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from importlib.resources import files

from tic_tac_toe.logic.exceptions import InvalidMove, InvalidVariant
from tic_tac_toe.logic.positions import Position
from tic_tac_toe.logic.records import play_legal
from tic_tac_toe.logic.rules import Rules, rules_of
from tic_tac_toe.logic.rules.catalogue import variant_name
from tic_tac_toe.logic.strict_json import object_reader, parse

FORMAT = "tic-tac-toe-openings"
VERSION = 1
FOLDER = "opening_data"
#: The openings of a game without a set of its own.
EMPTY_BOARD: tuple[tuple[int, ...], ...] = ((),)


@dataclass(frozen=True)
class OpeningSet:
    """The openings of a variant, and how they were found.

    Args:
        variant: the name of the game.
        method: ``exact`` where a solver says that they are draws, ``longest`` where the game has no
            draws and these take the winner longest, ``results`` where games between players of like
            strength came out both ways.
        command: the command that made them.
        openings: the moves from the empty board.
    """

    format: str
    version: int
    variant: str
    method: str
    command: str
    openings: tuple[tuple[int, ...], ...]


_read_set = object_reader(OpeningSet, "the openings")


def opening_set(rules: Rules | str) -> OpeningSet | None:
    """Return the openings of a game that ship with the library; ``None`` if it ships none."""
    rules = rules_of(rules)
    try:
        return _named(variant_name(rules))
    except InvalidVariant:
        return None


def openings_of(rules: Rules | str) -> tuple[tuple[int, ...], ...]:
    """Return balanced openings of a game, or only the empty board where none are known.

    Under the pie rule the empty board is balanced: the first player makes it so.
    """
    rules = rules_of(rules)
    found = opening_set(rules)
    return found.openings if found else EMPTY_BOARD


def position_after(rules: Rules, opening: Sequence[int]) -> Position:
    """Return the position after moves from the empty board.

    Raises:
        InvalidMove: a move is not legal.
    """
    position = Position()
    for move in opening:
        position = play_legal(rules, position, move)
    return position


def check_opening(rules: Rules, opening: Sequence[int]) -> None:
    """Raise `InvalidMove` unless the moves are legal and leave a game to play."""
    if rules.outcome(position_after(rules, opening)) is not None:
        raise InvalidMove("The game is over", "game_over")


@cache
def _named(name: str) -> OpeningSet | None:
    file = files("tic_tac_toe.contest") / FOLDER / f"{name}.json"
    if not file.is_file():
        return None
    return _read_set(parse(file.read_text(encoding="utf-8")), "")
