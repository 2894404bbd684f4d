"""Hints, and what each move leads to: asked for beside the game, shown while it stands there."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from gettext import NullTranslations
from typing import TypeVar

from tic_tac_toe.game.moments import Hint
from tic_tac_toe.game.svg import SIGNS
from tic_tac_toe.logic.models import GameState
from tic_tac_toe.logic.search.verdict import MoveVerdict

from ...words.game_text import VALUES_LEGEND, describe_hint
from .dom import start
from .thoughts import Thoughts, WorkerFailed

Answer = TypeVar("Answer")


class Advice:
    """Keeps what has been found out about one state, and forgets it for the next.

    Args:
        thoughts: who finds it out.
        changed: called when there is something new to show.
    """

    def __init__(self, thoughts: Thoughts, changed: Callable[[], object]) -> None:
        self._thoughts, self._changed = thoughts, changed
        self._state: GameState | None = None
        self._hint: Hint | None = None
        self._verdicts: tuple[MoveVerdict, ...] | None = None
        self._failure = ""
        self._asked_for: set[str] = set()
        self._analysed = False

    def best(self, state: GameState) -> tuple[int, ...]:
        """Return the moves that a hint has named."""
        return self._hint.best if self._hint and state is self._state else ()

    def verdicts(self, state: GameState) -> tuple[MoveVerdict, ...]:
        """Return what is known of each move."""
        return self._verdicts or () if state is self._state else ()

    def tell(self, state: GameState, language: NullTranslations) -> list[str]:
        """Return in sentences what is known, or being found out."""
        if state is not self._state:
            return []
        _ = language.gettext
        if self._failure:
            return [self._failure]
        sentences = []
        if self._hint is not None:
            sentences += describe_hint(self._hint, state, language)
        elif "hint" in self._asked_for:
            sentences.append(_("Looking for a hint …"))
        if self._verdicts:
            sentences.append(_(VALUES_LEGEND).format(**SIGNS))
        elif self._analysed:
            sentences.append(_("The game is too large from here to be solved in a moment."))
        elif "analysis" in self._asked_for:
            sentences.append(_("Analysing …"))
        return list(dict.fromkeys(sentences))

    def ask_for_hint(self, state: GameState) -> None:
        """Find the best moves."""
        self._turn_to(state)
        if "hint" not in self._asked_for:
            self._asked_for.add("hint")
            start(self._find(state, self._thoughts.hint, self._keep_hint))
        self._changed()

    def ask_for_analysis(self, state: GameState) -> None:
        """Find out what each move leads to, unless that has begun."""
        self._turn_to(state)
        if "analysis" not in self._asked_for:
            self._asked_for.add("analysis")
            start(self._find(state, self._thoughts.analyse, self._keep_verdicts))

    def forget(self) -> None:
        """Show no advice any more."""
        self._turn_to(None)

    def _turn_to(self, state: GameState | None) -> None:
        if state is None or state is not self._state:
            self._state, self._hint, self._verdicts = state, None, None
            self._failure, self._analysed = "", False
            self._asked_for = set()

    def _keep_hint(self, hint: Hint) -> None:
        self._hint = hint

    def _keep_verdicts(self, verdicts: tuple[MoveVerdict, ...] | None) -> None:
        self._verdicts, self._analysed = verdicts, True

    async def _find(
        self,
        state: GameState,
        find: Callable[[GameState], Awaitable[Answer]],
        keep: Callable[[Answer], None],
    ) -> None:
        """Find something out about a state, and keep it if it is still wanted."""
        try:
            answer = await find(state)
        except asyncio.CancelledError:  # the game has moved on
            return
        except WorkerFailed as failure:
            self._fail(state, failure)
            return
        if state is self._state:
            keep(answer)
            self._changed()

    def _fail(self, state: GameState, failure: WorkerFailed) -> None:
        if state is self._state:
            self._failure = str(failure)
            self._changed()
