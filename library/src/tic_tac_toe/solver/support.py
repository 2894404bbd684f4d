"""Which games the fast solver solves, and why it refuses the others."""

from __future__ import annotations

from tic_tac_toe.logic.exceptions import InvalidVariant
from tic_tac_toe.logic.rules import Rules
from tic_tac_toe.logic.rules.line import LineRules
from tic_tac_toe.logic.rules.misere import Misere, without_misere

#: A bit board is one machine word.
WORD_BITS = 64


def supports(rules: Rules) -> bool:
    """Return whether the fast solver solves this game; it need not be installed for that."""
    return objection(rules) is None


def objection(rules: Rules) -> str | None:
    """Return why the fast solver does not solve a game, as a sentence; ``None`` if it does."""
    inner = without_misere(rules)
    if type(inner) is not LineRules:
        return f"the fast solver does not know the rules {type(inner).__name__}"
    rows, columns = inner.shape
    if inner.exact:
        return "the fast solver does not know lines of an exact length"
    if inner.gravity and not isinstance(rules, Misere) and columns * (rows + 1) > WORD_BITS:
        return (
            f"the fast solver needs columns x (rows + 1) <= {WORD_BITS} under gravity, "
            f"and {columns} columns with {rows} rows make {columns * (rows + 1)}"
        )
    if rows * columns > WORD_BITS:
        return f"the fast solver takes boards of {WORD_BITS} cells at most, not {rows * columns}"
    return None


def check_support(rules: Rules) -> None:
    """Raise `InvalidVariant` with the reason unless the fast solver solves this game."""
    if reason := objection(rules):
        raise InvalidVariant(reason)
