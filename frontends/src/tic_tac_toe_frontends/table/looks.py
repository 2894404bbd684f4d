"""The looks of a screen's boards, as chosen for games of each kind."""

from __future__ import annotations

from collections.abc import Callable

from tic_tac_toe.logic.rules import Rules
from tic_tac_toe.pictures.board import Look, looks_for


class Looks:
    """The look of each game; games with the same possible looks share the choice.

    Args:
        offered: returns the possible looks of a game, the default first.
    """

    def __init__(self, offered: Callable[[Rules], tuple[Look, ...]] = looks_for) -> None:
        self.offered = offered
        self._chosen: dict[tuple[Look, ...], Look] = {}

    def of(self, rules: Rules) -> Look:
        """Return the chosen look of a game, else its default."""
        offered = self.offered(rules)
        return self._chosen.get(offered, offered[0])

    def choose(self, rules: Rules, look: Look) -> None:
        """Set the look of a game and those of its kind, if possible."""
        if look in self.offered(rules):
            self._chosen[self.offered(rules)] = look

    def cycle(self, rules: Rules) -> None:
        """Switch a game to its next look."""
        offered = self.offered(rules)
        self.choose(rules, offered[(offered.index(self.of(rules)) + 1) % len(offered)])
