"""How the boards of a screen are drawn: what people chose for games of each kind."""

from __future__ import annotations

from collections.abc import Callable

from tic_tac_toe.game.looks import Look, looks_for
from tic_tac_toe.logic.rules import Rules


class Looks:
    """The look of each game; games that can be drawn in the same ways share what is chosen.

    Args:
        offered: returns the looks of a game, the usual one first.
    """

    def __init__(self, offered: Callable[[Rules], tuple[Look, ...]] = looks_for) -> None:
        self.offered = offered
        self._chosen: dict[tuple[Look, ...], Look] = {}

    def of(self, rules: Rules) -> Look:
        """Return how a game is drawn: as usual until people choose."""
        offered = self.offered(rules)
        return self._chosen.get(offered, offered[0])

    def choose(self, rules: Rules, look: Look) -> None:
        """Draw a game and those of its kind like this from now on, if they can be."""
        if look in self.offered(rules):
            self._chosen[self.offered(rules)] = look

    def cycle(self, rules: Rules) -> None:
        """Draw a game in the next of its looks."""
        offered = self.offered(rules)
        self.choose(rules, offered[(offered.index(self.of(rules)) + 1) % len(offered)])
