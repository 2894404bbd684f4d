"""Misère play: the side that completes a line loses."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any

from tic_tac_toe.logic.exceptions import InvalidVariant
from tic_tac_toe.logic.positions import Position
from tic_tac_toe.logic.rules import Outcome, Rules, Symmetric, is_rules, symmetry_of
from tic_tac_toe.logic.rules.traits import Traits, traits_of
from tic_tac_toe.logic.shapes import Shape


@dataclass(frozen=True)
class Misere:
    """The same game with the winner exchanged, and nothing else.

    Misère play of a misère game is the original: ``Misere(Misere(rules)) == rules``.

    Raises:
        InvalidVariant: the wrapped value is not the rules of a game.
    """

    rules: Rules

    def __new__(cls, rules: Rules) -> Any:
        """Return the wrapped game, or the original where it was wrapped already."""
        return rules.rules if isinstance(rules, Misere) else super().__new__(cls)

    def __post_init__(self) -> None:
        if not is_rules(self.rules):
            kind = type(self.rules).__name__
            raise InvalidVariant(
                "misère play needs the rules of a game, not {kind}", "no_rules", kind=kind
            )

    def __getnewargs__(self) -> tuple[Rules]:
        return (self.rules,)

    @property
    def shape(self) -> Shape:
        """The size of the board."""
        return self.rules.shape

    @property
    def traits(self) -> Traits:
        """Those of the wrapped game, with `Traits.misere` inverted."""
        inner = traits_of(self.rules)
        return replace(inner, misere=not inner.misere)

    def moves(self, position: Position) -> Sequence[int]:
        """Return the legal cells in ascending order; none once the game is over."""
        return self.rules.moves(position)

    def play(self, position: Position, move: int) -> Position:
        """Return the position after a move; see `Rules.play`."""
        return self.rules.play(position, move)

    def outcome(self, position: Position) -> Outcome | None:
        """Return how the game ended: the line's owner has lost."""
        outcome = self.rules.outcome(position)
        if outcome is None or outcome.winner is None:
            return outcome
        return Outcome(1 - outcome.winner, outcome.cells)

    def validate(self, position: Position) -> None:
        """Raise `InvalidGameState` where the wrapped game does: it is reached by the same moves."""
        self.rules.validate(position)

    def canonical(self, position: Position) -> Position:
        """Return the representative of the position in the game that is wrapped."""
        return self._symmetry.canonical(position)

    def orbit(self, position: Position) -> int:
        """Return how many positions the symmetries make of this one."""
        return self._symmetry.orbit(position)

    @cached_property
    def _symmetry(self) -> Symmetric:
        return symmetry_of(self.rules)


def without_misere(rules: Rules) -> Rules:
    """Return the game that misère play turns around, or the rules themselves."""
    return rules.rules if isinstance(rules, Misere) else rules
