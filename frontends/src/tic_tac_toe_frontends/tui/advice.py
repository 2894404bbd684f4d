"""Hints and live analysis of the game at a table, found while the screen goes on."""

from __future__ import annotations

from collections.abc import Callable, Coroutine
from gettext import NullTranslations
from typing import NoReturn

from tic_tac_toe.game.moments import Hint, analyse_in_a_moment, find_hint
from tic_tac_toe.logic.models import GameState
from tic_tac_toe.logic.search.verdict import MoveVerdict

from ..table.table import Table
from .errands import Errand
from .words import describe_values

Verdicts = tuple[MoveVerdict, ...]


class Advice:
    """What is known about the best moves of the game as it stands.

    Args:
        told: called when something was found out.

    Attributes:
        analysing: whether every state of the game is to be analysed.
    """

    def __init__(self, table: Table, told: Callable[[], object]) -> None:
        self.analysing = False
        self._table = table
        self._told = told
        self._hint: tuple[GameState, Hint] | None = None
        self._verdicts: tuple[GameState, Verdicts | None] | None = None
        self._hints = Errand(find_hint, self._take_hint)
        self._analyses = Errand(analyse_in_a_moment, self._take_verdicts)

    @property
    def hint(self) -> Hint | None:
        """The hint that was asked for, if there is one on this very state."""
        return self._hint[1] if self._hint and self._hint[0] is self._table.state else None

    @property
    def verdicts(self) -> Verdicts:
        """What each move leads to; none while nobody wants to know it or nobody knows."""
        if self._verdicts is None or not self.analysing or not self._is_analysed():
            return ()
        return self._verdicts[1] or ()

    @property
    def useful(self) -> bool:
        """Whether somebody could use advice: a person to move, or those who only watch."""
        table = self._table
        return not table.match.over and (table.thinker is None or not table.people)

    def runs(self) -> list[Coroutine[object, object, NoReturn]]:
        """Return what has to run beside the screen."""
        return [self._hints.run(), self._analyses.run()]

    def ask_hint(self) -> None:
        """Look for the best moves."""
        if self.useful:
            self._hints.ask(self._table.state)

    def switch_analysis(self) -> None:
        """Show what each move leads to from now on, or no longer."""
        self.analysing = not self.analysing
        self._analyse()

    def look(self) -> None:
        """Notice that the game has changed."""
        self._hints.forget()
        self._analyse()

    def describe_analysis(self, language: NullTranslations) -> list[str]:
        """Return what there is to say about the analysis."""
        if not self.analysing or not self.useful:
            return []
        if not self._is_analysed():
            return [language.gettext("Analysing …")]
        if not self.verdicts:
            return [language.gettext("The game is too large from here to be solved in a moment.")]
        return [describe_values(language)]

    def _is_analysed(self) -> bool:
        return self._verdicts is not None and self._verdicts[0] is self._table.state

    def _analyse(self) -> None:
        if not self.analysing or not self.useful:
            self._analyses.forget()
        elif not self._is_analysed():
            self._analyses.ask(self._table.state)

    def _take_hint(self, state: GameState, hint: Hint) -> None:
        self._hint = state, hint
        self._told()

    def _take_verdicts(self, state: GameState, verdicts: Verdicts | None) -> None:
        self._verdicts = state, verdicts
        self._told()
