"""How the boards of a screen are drawn: what people chose for games of each kind."""

from __future__ import annotations

from tic_tac_toe.game.looks import Look, looks_for
from tic_tac_toe.logic.rules import Rules


class Looks:
    """The look of each game; games that can be drawn in the same ways share what is chosen."""

    def __init__(self) -> None:
        self._chosen: dict[tuple[Look, ...], Look] = {}

    def of(self, rules: Rules) -> Look:
        """Return how a game is drawn: as usual until people choose."""
        offered = looks_for(rules)
        return self._chosen.get(offered, offered[0])

    def choose(self, rules: Rules, look: Look) -> None:
        """Draw a game and those of its kind like this from now on, if they can be."""
        if look in looks_for(rules):
            self._chosen[looks_for(rules)] = look

    def turn(self, rules: Rules) -> None:
        """Draw a game in the next of its looks."""
        offered = looks_for(rules)
        self.choose(rules, offered[(offered.index(self.of(rules)) + 1) % len(offered)])
