"""How a game is played and won, in short sentences that are composed of its traits."""

from __future__ import annotations

from collections.abc import Iterator
from gettext import NullTranslations

from tic_tac_toe.logic.rules import Rules
from tic_tac_toe.logic.rules.traits import Traits, traits_of

from .translation import N_

#: How to win, or to lose, by the property of a game that decides; the first that fits is told.
GOALS = {
    "several boards": N_(
        "Both players place X. A board with a line of {length} is closed; the line on the last "
        "open board loses the game."
    ),
    "notakto": N_("Both players place X. A line of {length} loses the game."),
    "order and chaos": N_(
        "Both players place X or O. Order wins with {length} equal letters in a row; Chaos wins "
        "if the board fills without them."
    ),
    "misere ultimate": N_(
        "Get {length} in a row to win a small board. Win {length} small boards in a row and you "
        "lose the game."
    ),
    "ultimate": N_(
        "Get {length} in a row to win a small board. Win {length} small boards in a row to win "
        "the game."
    ),
    "misere wild": N_("Complete {length} equal letters in a row, X or O, and you lose."),
    "wild": N_("Complete {length} equal letters in a row, X or O, to win."),
    "misere": N_("Get {length} of your own in a row and you lose."),
    "layered": N_(
        "Get {length} of your own in a row to win: within a layer, straight up, or slanting "
        "through the layers."
    ),
    "line": N_("Get {length} of your own in a row to win: across, down or slanting."),
}
#: More about the moves and the lines, by flags of traits.
DETAILS = {
    "exact": N_("More than {length} in a row do not count."),
    "caro": N_("A row does not count if the opponent stands at both of its ends."),
    "renju": N_(
        "Black, who begins, may not make two open threes or two fours at once, nor more than five "
        "in a row; for White more than five win as well."
    ),
    "gravity": N_("Every piece falls to the lowest free cell of its column."),
    "falling layers": N_("Every piece falls to the lowest free layer."),
    "torus": N_("A row goes on from one edge of the board to the opposite one."),
    "ultimate": N_(
        "The cell that you choose in a small board tells in which small board the other player "
        "moves next; if that one is closed, in any."
    ),
    "open": N_("A won small board can be played in until it is full."),
    "vanishing": N_(
        "Each player has three marks on the board: with the fourth the oldest one leaves."
    ),
    "vanishing barred": N_("The new mark cannot go where the oldest leaves."),
    "vanishing reused": N_("The new mark may go where the oldest leaves."),
    "vanishing late": N_("The oldest still counts for a row with the new mark."),
    "pie": N_("The second player may take over the first mark instead of moving."),
}
#: The end of a game that nobody wins.
DRAWS = {
    "drawn boards": N_("If no small board is open and nobody has won, it is a draw."),
    "drawn": N_("If the board is full and nobody has won, it is a draw."),
}


def how_to_win(rules: Rules, language: NullTranslations) -> list[str]:
    """Return how a game is won or lost, and what is special about it.

    Nothing about a user's own game that is not decided by lines.
    """
    traits = traits_of(rules)
    if traits.length is None:
        return []
    facts = {*_facts(rules, traits)}
    goal = next(text for fact, text in GOALS.items() if fact in facts)
    details = (text for fact, text in DETAILS.items() if fact in facts)
    draws = (text for fact, text in DRAWS.items() if fact in facts)
    return [
        language.gettext(text).format(length=traits.length) for text in (goal, *details, *draws)
    ]


def _facts(rules: Rules, traits: Traits) -> Iterator[str]:
    """Yield the keys of the sentences about a game."""
    falls_in_layers = traits.layered and traits.gravity
    yield from (flag for flag in traits.flags if not (falls_in_layers and flag == "gravity"))
    yield "line"
    if falls_in_layers:
        yield "falling layers"
    if traits.layered:
        yield "layered"
    if traits.misere:
        yield from (f"misere {flag}" for flag in ("ultimate", "wild") if flag in traits.flags)
    if "notakto" in traits.words and traits.blocks not in (None, rules.shape):
        yield "several boards"
    if traits.memory == "block":
        yield "drawn boards"
    elif traits.longest is not None and not {"notakto", "order and chaos"} & {*traits.words}:
        yield "drawn"
