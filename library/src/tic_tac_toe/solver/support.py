"""Which games the fast solver solves, why it refuses the others, and whether it is installed."""

from __future__ import annotations

from tic_tac_toe.extras import FAST, missing_packages, missing_sentence
from tic_tac_toe.logic.exceptions import InvalidVariant, Message, message
from tic_tac_toe.logic.rules import Rules
from tic_tac_toe.logic.rules.line import LineRules
from tic_tac_toe.logic.rules.lines import PLANE
from tic_tac_toe.logic.rules.wrappers import Misere, without_misere, without_pie

#: A bit board is one machine word.
WORD_BITS = 64
#: The m,n,k kernel has room for this number of lines; no flat board of 64 cells has more.
MOST_LINES = 224
#: What the fast solver imports, and its name in the message that one of these is missing.
PACKAGES = ("numpy", "numba")
FAST_SOLVER = "the fast solver"


def supports(rules: Rules) -> bool:
    """Return whether the fast solver solves this game; it need not be installed for that."""
    return objection(rules) is None


def objection(rules: Rules) -> str | None:
    """Return why the fast solver does not solve a game, as a sentence; ``None`` if it does."""
    reason = refusal(rules)
    return None if reason is None else str(reason)


def refusal(rules: Rules) -> Message | None:
    """Return the same as `objection`, with a code and parameters."""
    inner = without_misere(without_pie(rules))
    is_exact = type(inner) is LineRules  # a subclass may have any rules
    if not (isinstance(inner, LineRules) and is_exact):
        name = type(inner).__name__
        return message("the fast solver does not know the rules {kind}", "fast_rules", kind=name)
    if inner.topology != PLANE and (inner.gravity or isinstance(without_pie(rules), Misere)):
        return message(
            "the fast solver knows a torus and layers only without gravity and misère",
            "fast_topology",
        )
    lines = len(inner.lines.places)
    if inner.topology != PLANE and lines > MOST_LINES:
        return message(
            "the fast solver takes boards with {most} possible lines at most, not {count}",
            "fast_lines",
            most=MOST_LINES,
            count=lines,
        )
    rows, columns = inner.shape
    if inner.exact:
        return message("the fast solver does not know lines of an exact length", "fast_exact")
    bits = columns * (rows + 1)
    if inner.gravity and not isinstance(without_pie(rules), Misere) and bits > WORD_BITS:
        return message(
            "the fast solver needs columns x (rows + 1) <= {most} under gravity, "
            "and {columns} columns with {rows} rows make {count}",
            "fast_gravity_bits",
            most=WORD_BITS,
            columns=columns,
            rows=rows,
            count=bits,
        )
    if rows * columns > WORD_BITS:
        return message(
            "the fast solver takes boards of {most} cells at most, not {count}",
            "fast_cells",
            most=WORD_BITS,
            count=rows * columns,
        )
    return None


def check_support(rules: Rules) -> None:
    """Raise `InvalidVariant` with the reason unless the fast solver solves this game."""
    if reason := refusal(rules):
        raise InvalidVariant(reason)


def is_installed() -> bool:
    """Return whether what the fast solver needs is installed, without importing it."""
    return not missing_packages(PACKAGES)


def is_fast(rules: Rules) -> bool:
    """Return whether the fast solver is installed and solves this game."""
    return supports(rules) and is_installed()


def require_packages() -> None:
    """Raise `ModuleNotFoundError` unless what the fast solver needs is installed."""
    if missing := missing_packages(PACKAGES):
        raise ModuleNotFoundError(missing_sentence(FAST_SOLVER, FAST), name=missing[0])
