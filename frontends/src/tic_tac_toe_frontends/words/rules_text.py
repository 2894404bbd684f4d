"""What games and their players are called, and what their rules are, in the reader's language."""

from __future__ import annotations

from collections.abc import Iterator
from gettext import NullTranslations

from tic_tac_toe.logic.exceptions import InvalidVariant
from tic_tac_toe.logic.models import Mark
from tic_tac_toe.logic.rules import Rules
from tic_tac_toe.logic.rules.catalogue import variant_name
from tic_tac_toe.logic.rules.traits import Traits, traits_of

from .translation import N_, in_clauses, listed

#: The games of the catalogue, as menus call them.
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
#: What flags after the name of a game add to its title.
FLAG_TITLES = {
    "gravity": N_("gravity"),
    "exact": N_("exact rows"),
    "torus": N_("torus"),
    "wild": N_("wild"),
    "misere": N_("misère"),
    "pie": N_("pie rule"),
}
#: What the players are called who have no letter of their own.
SIDE_TITLES = {
    "Player 1": N_("Player 1"),
    "Player 2": N_("Player 2"),
    "Order": N_("Order"),
    "Chaos": N_("Chaos"),
}
#: What makes a game special, by the words of `Traits.flags`.
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
    """Return the name that finds a game, or for rules of a user's own the name of their class."""
    try:
        return variant_name(rules)
    except InvalidVariant:
        return type(rules).__name__


def variant_title(rules: Rules, language: NullTranslations) -> str:
    """Return what menus call a game: its title, or else its `game_name`."""
    name = game_name(rules)
    base, *flags = name.split(",")
    if base not in VARIANT_TITLES or not FLAG_TITLES.keys() >= set(flags):
        return name
    titles = [VARIANT_TITLES[base], *(FLAG_TITLES[flag] for flag in flags)]
    return listed(map(language.gettext, titles), language)


def side_title(rules: Rules, mark: Mark, language: NullTranslations) -> str:
    """Return what the player of a mark is called: the letter, or a name."""
    name = traits_of(rules).sides[mark.side]
    return language.gettext(SIDE_TITLES[name]) if name in SIDE_TITLES else name


def seat_title(rules: Rules, mark: Mark, language: NullTranslations) -> str:
    """Return what the menu of a mark's player is called, as in “Player X” or “Order”."""
    _, title = language.gettext, side_title(rules, mark, language)
    if title != mark:
        return title
    return _("Player X") if mark is Mark.CROSS else _("Player O")


def describe_rules(rules: Rules, language: NullTranslations) -> str:
    """Return rules in a few words, without a full stop: the board, and the traits of the game."""
    _, traits = language.gettext, traits_of(rules)
    flags = set(_flags(traits))
    return in_clauses(
        [
            _describe_board(rules, traits, language),
            *(_(meaning) for flag, meaning in FLAGS.items() if flag in flags),
        ],
        language,
    )


def _flags(traits: Traits) -> Iterator[str]:
    """Yield the words for what is special, in games that need other words in place of some."""
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
    if traits.length is not None:
        return listed([board, _("{length} in a row").format(length=traits.length)], language)
    return board
