"""Games made of other games: misère play, and the pie rule that balances the first move."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from operator import index
from typing import Any

from tic_tac_toe.logic.exceptions import InvalidGameState, InvalidMove, InvalidVariant
from tic_tac_toe.logic.positions import Position
from tic_tac_toe.logic.rules import Outcome, Rules, Symmetric, is_rules, symmetry_of
from tic_tac_toe.logic.rules.traits import SWAP, Traits, traits_of
from tic_tac_toe.logic.shapes import Shape


@dataclass(frozen=True)
class Misere:
    """The same game with the winner exchanged, and nothing else.

    Misère play of a misère game is the original.

        >>> from tic_tac_toe import LineRules
        >>> Misere(Misere(LineRules())) == LineRules()
        True

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


#: `Position.memory` while the only mark on the board has been taken over.
TAKEN = 1


@dataclass(frozen=True)
class Pie:
    """The same game, but the second player may take over the first mark instead of moving.

    The mark changes its colour where it is. After that the first player moves again, and the game
    goes on like one that the second player began. The swap has the number after all other moves.

    Args:
        rules: a game in which each side places its own marks, and nothing is remembered.

    Raises:
        InvalidVariant: the rules are not those of such a game.
    """

    rules: Rules

    def __post_init__(self) -> None:
        if not is_rules(self.rules):
            kind = type(self.rules).__name__
            raise InvalidVariant(
                "the pie rule needs the rules of a game, not {kind}", "no_rules_for_pie", kind=kind
            )
        traits = traits_of(self.rules)
        is_plain = traits.choices is None and not traits.specials and traits.memory == "number"
        if not is_plain or traits.longest is None:
            raise InvalidVariant(
                "the pie rule needs a game in which each side has its own marks, which stay, "
                "and nothing else is remembered",
                "no_pie",
            )

    @property
    def shape(self) -> Shape:
        """The size of the board."""
        return self.rules.shape

    @property
    def traits(self) -> Traits:
        """Those of the wrapped game, with the swap as an additional move."""
        inner = traits_of(self.rules)
        assert inner.longest is not None, "the constructor has seen to it"
        return replace(inner, specials=(SWAP,), longest=inner.longest + 1)

    def moves(self, position: Position) -> Sequence[int]:
        """Return the legal moves in ascending order; none once the game is over."""
        cells = self.rules.moves(_plain(position))
        return (*cells, self.shape.cells) if cells and self.can_swap(position) else cells

    def play(self, position: Position, move: int) -> Position:
        """Return the position after a move; see `Rules.play`."""
        if index(move) != self.shape.cells:
            return self.rules.play(_plain(position), move)
        if not self.can_swap(position):
            raise InvalidMove(
                "Only the second player's first move can take over a mark", "no_swap_now"
            )
        crosses, naughts = position.stones
        return Position((naughts, crosses), 1 - position.turn, TAKEN)

    def outcome(self, position: Position) -> Outcome | None:
        """Return how the game ended, or ``None`` while it goes on."""
        return self.rules.outcome(_plain(position))

    def validate(self, position: Position) -> None:
        """Raise `InvalidGameState` where the wrapped game does, or if no mark can be taken over."""
        if position.memory == TAKEN and (position.marks != 1 or self.outcome(position)):
            raise InvalidGameState(
                "A mark can have been taken over only while it is the only one", "no_swap_then"
            )
        taken = type(position.memory) is int and position.memory == TAKEN
        self.rules.validate(_plain(position) if taken else position)

    def canonical(self, position: Position) -> Position:
        """Return the representative of the position in the game that is wrapped."""
        return self._symmetry.canonical(_plain(position))._replace(memory=position.memory)

    def orbit(self, position: Position) -> int:
        """Return how many positions the symmetries make of this one."""
        return self._symmetry.orbit(_plain(position))

    def can_swap(self, position: Position) -> bool:
        """Return whether the mark on the board may be taken over, unless the game is over."""
        return position.marks == 1 and position.memory != TAKEN

    @cached_property
    def _symmetry(self) -> Symmetric:
        return symmetry_of(self.rules)


def without_pie(rules: Rules) -> Rules:
    """Return the game that the pie rule is added to, or the rules themselves."""
    return rules.rules if isinstance(rules, Pie) else rules


def _plain(position: Position) -> Position:
    """Return the position as the wrapped game knows it."""
    return position._replace(memory=0) if position.memory else position
