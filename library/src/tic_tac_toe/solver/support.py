"""The games of the fast solver, its packages, and the scale of its scores.

Nothing here needs NumPy or Numba.
"""

from __future__ import annotations

from functools import lru_cache

from tic_tac_toe.extras import FAST, missing_packages, missing_sentence
from tic_tac_toe.logic.exceptions import InvalidVariant, Message, message
from tic_tac_toe.logic.positions import Position
from tic_tac_toe.logic.rules import Rules, rules_of
from tic_tac_toe.logic.rules.line import LineRules
from tic_tac_toe.logic.rules.lines import PLANE
from tic_tac_toe.logic.rules.wrappers import Misere, Pie, without_misere
from tic_tac_toe.logic.search.evaluation import MATE

#: A bit board is one machine word.
WORD_BITS = 64
#: The m,n,k kernel has room for this number of lines; no flat board of 64 cells has more.
MOST_LINES = 224
#: The packages of the fast solver.
PACKAGES = ("numpy", "numba")
#: The name of the fast solver in the message that a package is missing.
FAST_SOLVER = "the fast solver"


@lru_cache(maxsize=64)
def supports(rules: Rules | str) -> bool:
    """Return whether the fast solver solves this game; it need not be installed for that.

    Example::

        >>> from tic_tac_toe import find_rules
        >>> from tic_tac_toe.solver import supports
        >>> [supports(find_rules(name)) for name in ("connect-four", "wild")]
        [True, False]
    """
    rules = rules_of(rules)
    return objection(rules) is None


def objection(rules: Rules | str) -> str | None:
    """Return why the fast solver does not solve a game, as a sentence; ``None`` if it does.

    Example::

        >>> from tic_tac_toe import find_rules
        >>> from tic_tac_toe.solver import objection
        >>> objection(find_rules("wild"))
        'the fast solver does not know the rules Wild'
    """
    rules = rules_of(rules)
    reason = refusal(rules)
    return None if reason is None else str(reason)


@lru_cache(maxsize=64)
def refusal(rules: Rules) -> Message | None:
    """Return the same as `objection`, with a code and parameters."""
    game = searched_game(rules)
    inner, is_misere = without_misere(game), isinstance(game, Misere)
    is_exact = type(inner) is LineRules  # a subclass may have any rules
    if not (isinstance(inner, LineRules) and is_exact):
        name = type(inner).__name__
        return message("the fast solver does not know the rules {kind}", "fast_rules", kind=name)
    if inner.topology != PLANE and (inner.gravity or is_misere):
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
    if inner.gravity and not is_misere and bits > WORD_BITS:
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


def check_support(rules: Rules | str) -> None:
    """Raise `InvalidVariant` with the reason unless the fast solver solves this game."""
    rules = rules_of(rules)
    if reason := refusal(rules):
        raise InvalidVariant(reason)


def check_searched(rules: Rules) -> None:
    """Raise `InvalidVariant` unless a kernel searches this very game, which has no pie rule."""
    check_support(rules)
    if isinstance(rules, Pie):
        raise InvalidVariant("a kernel searches the game without the pie rule", "fast_pie")


def is_installed() -> bool:
    """Return whether the packages of the fast solver are installed, without importing them."""
    return not missing_packages(PACKAGES)


def is_fast(rules: Rules | str) -> bool:
    """Return whether the fast solver is installed and solves this game."""
    return supports(rules) and is_installed()


def require_packages() -> None:
    """Raise `ModuleNotFoundError` unless the packages of the fast solver are installed."""
    if missing := missing_packages(PACKAGES):
        raise ModuleNotFoundError(missing_sentence(FAST_SOLVER, FAST), name=missing[0])


def searched_game(rules: Rules) -> Rules:
    """Return the game that a fast solver of some rules searches: that without the pie rule."""
    return rules.rules if isinstance(rules, Pie) else rules


class Scale:
    """Translates scores in plies, those of `search.evaluation`, into those in marks, and back.

    The kernels count marks (see `kernels.control`). The side that makes the last mark is known, so
    that either scale follows from the other and from the marks on the board.

    Args:
        cells: of the board.
        ply: the marks on it.
        misere: whether the last mark is the loser's.
    """

    def __init__(self, cells: int, ply: int, misere: bool = False) -> None:
        self.top: int = (cells + 1) // 2 + 1
        self._ply = ply
        self._wins_odd = (ply + 1 + misere) % 2  # 1 if the side to move wins at odd counts of marks

    @classmethod
    def of(cls, rules: Rules, position: Position) -> Scale:
        """Return the scale of a position."""
        return cls(rules.shape.cells, position.marks, isinstance(rules, Misere))

    def to_score(self, marks: int) -> int:
        """Return the score in plies of a score in marks."""
        if marks == 0:
            return 0
        odd = self._wins_odd if marks > 0 else 1 - self._wins_odd
        plies = 2 * (self.top - abs(marks)) - odd - self._ply
        return MATE - plies if marks > 0 else plies - MATE

    def to_marks(self, bound: int) -> int:
        """Return the least score in marks that is worth at least this bound in plies."""
        if bound == 0:
            return 0
        if bound > 0:
            latest = self._ply + MATE - bound
            return max(1, self.top - (latest + self._wins_odd) // 2)
        too_early = self._ply + MATE + bound - 1
        return min(0, 1 - self.top + (too_early + 1 - self._wins_odd) // 2)

    def to_bounds(self, low: int, high: int) -> tuple[int, int]:
        """Return bounds in plies for bounds in marks; beyond `top` nothing is known."""
        return (
            self.to_score(low) if low > -self.top else -MATE,
            self.to_score(high) if high < self.top else MATE,
        )
