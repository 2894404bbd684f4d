"""Names of games, players and boards, and descriptions of rules."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from gettext import NullTranslations
from typing import NamedTuple

from tic_tac_toe.game.strategies import STRATEGIES
from tic_tac_toe.logic.exceptions import InvalidVariant
from tic_tac_toe.logic.models import Mark
from tic_tac_toe.logic.rules import Rules
from tic_tac_toe.logic.rules.catalogue import VARIANTS, variant_name
from tic_tac_toe.logic.rules.statuses import Status, status_of
from tic_tac_toe.logic.rules.traits import Traits, traits_of
from tic_tac_toe.pictures.board import Look

from .translation import N_, join_clauses, join_names

HUMAN = "human"
#: The levels of the computer, from the weakest to the strongest; see the page of computer players.
LEVELS = ("easy", "medium", "hard", "minimax")
#: The default opponent: a beginner can beat it.
FIRST_OPPONENT = LEVELS[0]
#: The players to choose from: levels before other computer players.
PLAYERS = (HUMAN, *LEVELS, *(name for name in STRATEGIES if name not in LEVELS))

RANDOM = "random"
#: The choices of the first side.
STARTERS = ("X", "O", RANDOM)

#: The colours of pieces, in looks with pieces: of the pieces, and as names of the sides.
PIECES = {
    Look.DISCS: (N_("red"), N_("yellow")),
    Look.STONES: (N_("black"), N_("white")),
}
COLOURS = {
    Look.DISCS: (N_("Red"), N_("Yellow")),
    Look.STONES: (N_("Black"), N_("White")),
}


class Drawn(NamedTuple):
    """What a screen's board shows besides the pieces: texts refer to nothing else.

    Attributes:
        names: whether rows and columns have names.
        lights: whether the small boards to play in are lit, and the won ones told apart.
    """

    look: Look = Look.MARKS
    names: bool = True
    lights: bool = False


#: A board of letters with names of rows and columns.
LETTERED = Drawn()

#: The titles of the catalogue's games.
VARIANT_TITLES = {
    "tic-tac-toe": N_("Tic-tac-toe"),
    "misere-tic-tac-toe": N_("Misère tic-tac-toe"),
    "wild": N_("Wild tic-tac-toe"),
    "misere-wild": N_("Misère wild tic-tac-toe"),
    "vanishing": N_("Vanishing tic-tac-toe"),
    "vanishing-reuse": N_("Vanishing, the cell is free at once"),
    "vanishing-late": N_("Vanishing, the oldest still counts"),
    "notakto": N_("Notakto"),
    "notakto-2": N_("Notakto, 2 boards"),
    "notakto-3": N_("Notakto, 3 boards"),
    "notakto-4": N_("Notakto, 4 boards"),
    "notakto-5": N_("Notakto, 5 boards"),
    "notakto-6": N_("Notakto, 6 boards"),
    "order-and-chaos": N_("Order and Chaos"),
    "gomoku": N_("Gomoku"),
    "gomoku-standard": N_("Gomoku, exactly five"),
    "gomoku-caro": N_("Caro gomoku"),
    "renju": N_("Renju"),
    "connect-four": N_("Connect Four"),
    "connect-four-5x4": N_("Connect Four, 5 × 4"),
    "misere-connect-four": N_("Misère Connect Four"),
    "3x3x3": N_("3 × 3 × 3 tic-tac-toe"),
    "qubic": N_("Qubic"),
    "score-four": N_("Score Four"),
    "ultimate": N_("Ultimate tic-tac-toe"),
    "ultimate-open": N_("Ultimate, won boards stay open"),
}
#: The words for flags in titles.
FLAG_TITLES = {
    "gravity": N_("marks fall"),
    "exact": N_("not more"),
    "torus": N_("edges joined"),
    "wild": N_("wild"),
    "misere": N_("misère"),
    "pie": N_("pie rule"),
}
#: The words for lengths of lines in titles.
LENGTH_TITLES = {
    3: N_("three in a row"),
    4: N_("four in a row"),
    5: N_("five in a row"),
    6: N_("six in a row"),
}
#: The names of sides without a letter.
SIDE_TITLES = {
    "Player 1": N_("Player 1"),
    "Player 2": N_("Player 2"),
    "Order": N_("Order"),
    "Chaos": N_("Chaos"),
}
#: The descriptions of `Traits.flags`.
FLAGS = {
    "exact": N_("a longer row does not count"),
    "gravity": N_("marks fall down in their column"),
    "falling layers": N_("marks fall to the lowest free layer"),
    "torus": N_("rows run on at the opposite edge of the board"),
    "wild": N_("each move places X or O, whichever the player likes"),
    "order and chaos": N_(
        "Order wins with a line of one letter, Chaos if the board fills without one"
    ),
    "notakto": N_("both players place X, and nobody plays on a board that has a line"),
    "misere": N_("who makes a line loses"),
    "last row": N_("who makes the last line loses"),
    "open": N_("a won small board stays playable until it is full"),
    "caro": N_("a line with the opponent's marks at both ends does not count"),
    "renju": N_(
        "O wins with more than five in a row too; X may not make more than five, two fours at "
        "once or two open threes at once"
    ),
    "vanishing": N_("each player has three marks: with the fourth the oldest leaves the board"),
    "vanishing barred": N_("the new mark cannot go where the oldest leaves"),
    "vanishing reused": N_("the new mark can go where the oldest leaves"),
    "vanishing late": N_("the oldest still counts for a line with the new mark"),
    "pie": N_("instead of the second move the first mark can be taken over"),
}


def game_name(rules: Rules) -> str:
    """Return the name that finds a game; for a user's own rules the name of the class."""
    try:
        return variant_name(rules)
    except InvalidVariant:
        return type(rules).__name__


def variant_title(rules: Rules, language: NullTranslations) -> str:
    """Return a game's title, as “Qubic” or “7 × 6, four in a row, marks fall”.

    A user's own game has its `game_name`.
    """
    name = game_name(rules)
    base, *parts = name.split(",")
    flags = [part for part in parts if not part.isdecimal()]
    family, _colon, numbers = base.partition(":")
    if numbers and not numbers.isdecimal():  # module:Class
        return name.rpartition(":")[2]
    is_numbered = bool(numbers) or base in SIZES
    if not (is_numbered or base in VARIANT_TITLES) or not FLAG_TITLES.keys() >= set(flags):
        return name
    titles = [language.gettext(VARIANT_TITLES[family])] if family in VARIANT_TITLES else []
    if is_numbered:
        titles += [f"{rules.shape.columns} × {rules.shape.rows}", _in_a_row(rules, language)]
    titles += [language.gettext(FLAG_TITLES[flag]) for flag in flags]
    return join_names(filter(None, titles), language)


def _in_a_row(rules: Rules, language: NullTranslations) -> str:
    length = traits_of(rules).length
    if length in LENGTH_TITLES:
        return language.gettext(LENGTH_TITLES[length])
    return "" if length is None else language.gettext("{length} in a row").format(length=length)


def side_title(
    rules: Rules, mark: Mark, language: NullTranslations, look: Look = Look.MARKS
) -> str:
    """Return a side's name, else the colour of its pieces in a look that has pieces, or its letter.

    Args:
        look: of the board.
    """
    name = traits_of(rules).sides[mark.side]
    if name in SIDE_TITLES:
        return language.gettext(SIDE_TITLES[name])
    is_letter = name == mark
    return language.gettext(COLOURS[look][mark.side]) if is_letter and look in COLOURS else name


def seat_title(
    rules: Rules, mark: Mark, language: NullTranslations, look: Look = Look.MARKS
) -> str:
    """Return the title of the menu of a side's player, as “Player X”, “Red” or “Order”."""
    _, title = language.gettext, side_title(rules, mark, language, look)
    if title != mark:
        return title
    return _("Player X") if mark is Mark.CROSS else _("Player O")


def describe_rules(rules: Rules, language: NullTranslations) -> str:
    """Return a short description of rules, without a full stop: the board and the traits.

    Of a user's own game it also has what the docstring of the class begins with.
    """
    _, traits = language.gettext, traits_of(rules)
    flags = set(_flags(traits))
    return join_clauses(
        [
            _describe_board(rules, traits, language),
            *(_(meaning) for flag, meaning in FLAGS.items() if flag in flags),
            *_own_words(rules),
        ],
        language,
    )


def _own_words(rules: Rules) -> Iterator[str]:
    """Yield the first sentence of the docstring of a user's own game."""
    kind = type(rules)
    told = (kind.__doc__ or "").partition("\n")[0].rstrip(".")
    is_made_up = told.startswith(f"{kind.__name__}(")  # by `dataclass`
    if told and not is_made_up and kind.__module__.partition(".")[0] != "tic_tac_toe":
        yield told


def _flags(traits: Traits) -> Iterator[str]:
    """Yield the descriptions of traits, some in a game's own words."""
    for flag in traits.flags:
        if flag == "misere" and "notakto" in traits.words:
            yield "last row"
        elif flag == "gravity" and traits.layered:
            yield "falling layers"
        else:
            yield flag


def _describe_board(rules: Rules, traits: Traits, language: NullTranslations) -> str:
    _ = language.gettext
    parts = traits.blocks
    if parts is not None and traits.memory == "block":
        return _(
            "a board of {columns} × {rows} small boards; the cell you choose in one tells "
            "the board of the next move"
        ).format(columns=parts.columns, rows=parts.rows)
    board = f"{rules.shape.columns} × {rules.shape.rows}"
    if parts is not None:
        count = rules.shape.cells // parts.cells
        message = _("{count} boards of {columns} × {rows}")
        if traits.layered:
            message = _("{count} layers of {columns} × {rows}, the first at the bottom")
        board = message.format(count=count, columns=parts.columns, rows=parts.rows)
    return join_names(filter(None, [board, _in_a_row(rules, language)]), language)


#: The names of games whose title is their size.
SIZES = ("4x4", "4x4x3", "5x5x4", "6x6x5")
#: The names of games by the title of their group, the usual game first, the best known groups
#: first; each game is in one group.
FAMILIES: Mapping[str, tuple[str, ...]] = {
    N_("Tic-tac-toe"): ("tic-tac-toe", "misere-tic-tac-toe"),
    N_("Connect Four"): ("connect-four", "connect-four-5x4", "misere-connect-four"),
    N_("Five in a row"): ("gomoku", "gomoku-standard", "gomoku-caro", "renju"),
    N_("Ultimate tic-tac-toe"): ("ultimate", "ultimate-open"),
    N_("Wild tic-tac-toe"): ("wild", "misere-wild"),
    N_("Marks that vanish"): ("vanishing", "vanishing-reuse", "vanishing-late"),
    N_("Three dimensions"): ("3x3x3", "qubic", "score-four"),
    N_("Larger boards"): SIZES,
    N_("Notakto"): (
        "notakto",
        "notakto-2",
        "notakto-3",
        "notakto-4",
        "notakto-5",
        "notakto-6",
    ),
    N_("Order and Chaos"): ("order-and-chaos",),
}


def families(language: NullTranslations) -> list[tuple[str, list[tuple[str, str]]]]:
    """Return the groups of games: titles, and the names and titles of the games."""
    return [
        (
            language.gettext(title),
            [(name, variant_title(VARIANTS[name], language)) for name in names],
        )
        for title, names in FAMILIES.items()
    ]


LOOK_TITLES = {
    Look.MARKS: N_("Letters on paper"),
    Look.DISCS: N_("Discs in wells"),
    Look.STONES: N_("Stones on crossings"),
}


def piece_title(look: Look, mark: Mark, language: NullTranslations) -> str:
    """Return the colour of a side's pieces; empty if the board shows letters."""
    return language.gettext(PIECES[look][mark.side]) if look in PIECES else ""


def look_title(look: Look, language: NullTranslations) -> str:
    """Return the title of a look."""
    return language.gettext(LOOK_TITLES[look])


def describe_game(rules: Rules, language: NullTranslations) -> str:
    """Return the rules of a game and its known value, without a full stop."""
    return join_clauses(
        [describe_rules(rules, language), describe_status(status_of(rules), language)], language
    )


def describe_status(status: Status, language: NullTranslations, *, with_source: bool = True) -> str:
    """Return whether a game is solved, for whom, and by whom, without a full stop."""
    _ = language.gettext
    if status.outcome is None:
        return _("open (not solved)")
    if not with_source:
        return _solved(status, language)
    by = status.source or _("by this program")
    return _("{outcome} ({source})").format(outcome=_solved(status, language), source=by)


def _solved(status: Status, language: NullTranslations) -> str:
    _ = language.gettext
    if status.outcome == "draw":
        if status.plies == 0:
            return _("solved: draw, the game goes on for ever")
        return _("solved: draw")
    if status.plies is None:
        if status.outcome == "win":
            return _("solved: first player wins")
        return _("solved: second player wins")
    moves = status.plies + (status.outcome == "win") >> 1  # of the winner
    if status.outcome == "win":
        text = language.ngettext(
            "solved: first player wins in {count} move",
            "solved: first player wins in {count} moves",
            moves,
        )
    else:
        text = language.ngettext(
            "solved: second player wins in {count} move",
            "solved: second player wins in {count} moves",
            moves,
        )
    return text.format(count=moves)
