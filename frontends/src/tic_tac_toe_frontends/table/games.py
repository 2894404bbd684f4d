"""The games to choose from: tiles with pictures, and boards of any size."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from gettext import NullTranslations
from typing import Final

from tic_tac_toe.logic.exceptions import InvalidVariant
from tic_tac_toe.logic.models import MARKS, GameState
from tic_tac_toe.logic.notation import play_moves
from tic_tac_toe.logic.rules import Rules
from tic_tac_toe.logic.rules.catalogue import FLAGS, VARIANTS, find_rules
from tic_tac_toe.logic.rules.traits import beginner, traits_of
from tic_tac_toe.logic.shapes import MAXIMUM_SIDE

from ..words.rules_text import FAMILIES, describe_rules, game_name, variant_title
from ..words.translation import as_sentence

FIVE_IN_A_ROW = FAMILIES["Five in a row"]
#: What the pictures of games show: moves after which the board tells what the game is about.
MOVES: Final[Mapping[str, str]] = {
    name: moves
    for names, moves in {
        ("tic-tac-toe", "misere-tic-tac-toe"): "B2 B1 A1 C2 C3",
        ("connect-four", "misere-connect-four"): "4 4 5 3 3 5 6 6 2 5 7",
        ("connect-four-5x4",): "3 3 2 2 4 4 5",
        FIVE_IN_A_ROW: "E5 E4 D6 F5 F4 D5 D4 E6 C7 B8 G3",
        ("ultimate", "ultimate-open"): (
            "A2 B5 D6 A8 C6 H8 E5 F6 H7 E3 F7 H3 D8 B6 E9 D7 A3 C7 G3 B9 D9 C9 G9 A7 C2 H4 D3 B8 F4"
        ),
        ("wild", "misere-wild"): "XB2 OA1 XC2 OB1 OC1",
        ("vanishing", "vanishing-reuse", "vanishing-late"): "B2 A1 C3 B1 C1 A3",
        ("3x3x3",): "2B2 1B1 1A1 2A2 3C3",
        ("5x5x4",): "B2 B3 C3 D2 D4 C4 E5",
        ("notakto",): "A1 B1 C2 B3",
        ("order-and-chaos",): "XA3 OC2 XB3 OE5 XC3 XD5 XD3 OB4 XE3",
    }.items()
    for name in names
}
#: The boards on which these moves are drawn where those of the games are too fine for a picture.
DRAWN_ON: Final[Mapping[str, str]] = dict.fromkeys(FIVE_IN_A_ROW, "mnk:9,9,5")
#: The game that stands for a family, where its usual game shows less.
SHOWN_BY: Final[Mapping[str, str]] = {"4x4": "5x5x4"}
#: The fewest columns, rows and cells of a line, and the most columns and rows.
LEAST, MOST = 2, MAXIMUM_SIDE


@dataclass(frozen=True)
class Game:
    """A game to choose.

    Attributes:
        name: finds its rules.
        title: its name in words.
        about: its rules, as a sentence.
    """

    name: str
    title: str
    about: str


@dataclass(frozen=True)
class Tile:
    """A family of games.

    Attributes:
        title: its name.
        picture: a state to draw.
        games: its games, the usual one first.
    """

    title: str
    picture: GameState
    games: tuple[Game, ...]


@dataclass(frozen=True)
class Size:
    """A board of any size with its flags, which `find_rules` explains."""

    columns: int = 5
    rows: int = 5
    length: int = 4
    flags: frozenset[str] = frozenset()


def tiles(language: NullTranslations) -> tuple[Tile, ...]:
    """Return all games of the catalogue by families, the best known first."""
    return tuple(
        Tile(
            language.gettext(title),
            picture_of(SHOWN_BY.get(names[0], names[0])),
            tuple(game_of(VARIANTS[name], language) for name in names),
        )
        for title, names in FAMILIES.items()
    )


def game_of(rules: Rules, language: NullTranslations) -> Game:
    """Return a game with its words."""
    about = as_sentence(describe_rules(rules, language), language)
    return Game(game_name(rules), variant_title(rules, language), about)


def picture_of(name: str) -> GameState:
    """Return a state that shows what a game is about; the empty board if none is known."""
    return play_moves(empty_board(find_rules(DRAWN_ON.get(name, name))), MOVES.get(name, ""))


def empty_board(rules: Rules) -> GameState:
    """Return the start of a game, whoever begins it."""
    return GameState.new(rules, MARKS[beginner(rules, 0)])


def rules_of_size(size: Size) -> Rules:
    """Return the rules of a board of any size.

    Raises:
        InvalidVariant: no such game is possible.
    """
    numbers = f"mnk:{size.columns},{size.rows},{size.length}"
    return find_rules(",".join([numbers, *sorted(size.flags)]))


def size_of(rules: Rules) -> Size | None:
    """Return the size that gives these rules, if any does within the limits of the form."""
    traits = traits_of(rules)
    if traits.length is None:
        return None
    flags = frozenset(FLAGS).intersection(traits.flags)
    size = Size(rules.shape.columns, rules.shape.rows, traits.length, flags)
    is_same = size == within_limits(size) and is_possible(size) and rules_of_size(size) == rules
    return size if is_same else None


def within_limits(size: Size) -> Size:
    """Return the size nearest to one that the form has room for."""
    columns, rows = (min(max(each, LEAST), MOST) for each in (size.columns, size.rows))
    length = min(max(size.length, LEAST), max(columns, rows))
    return replace(size, columns=columns, rows=rows, length=length)


def is_possible(size: Size) -> bool:
    """Return whether there is such a game."""
    try:
        rules_of_size(size)
    except InvalidVariant:
        return False
    return True


def possible_flags(size: Size) -> frozenset[str]:
    """Return the flags that a board has or could have besides those it has."""
    return frozenset(
        flag for flag in FLAGS if is_possible(replace(size, flags=size.flags | {flag}))
    )
