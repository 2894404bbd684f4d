"""The game tree in the page, for positions late enough that it can be looked at."""

from __future__ import annotations

import asyncio
from gettext import NullTranslations
from typing import Any

from tic_tac_toe.logic.models import GameState

from .dom import by_id, on, start, write
from .thoughts import Thoughts, WorkerFailed


class TreePanel:
    """Draws the tree of the position that is shown, while somebody has the panel open.

    It thinks in a worker of its own, so that no move ever waits for a picture.
    """

    def __init__(self) -> None:
        self._thoughts = Thoughts()
        self._panel, self._place, self._note = by_id("tree-part"), by_id("tree"), by_id("tree-note")
        self._language = NullTranslations()
        self._state: GameState | None = None
        self._asked: tuple[GameState, NullTranslations] | None = None
        on(self._panel, "toggle", lambda _event: self._draw())

    def show(self, state: GameState, language: NullTranslations) -> None:
        """Turn to another position or language."""
        self._state, self._language = state, language
        self._draw()

    def _draw(self) -> None:
        state, asked = self._state, self._asked
        if not self._panel.open or state is None:
            return
        if asked is not None and asked[0] is state and asked[1] is self._language:
            return
        self._asked = state, self._language
        self._place.innerHTML = ""
        if state.game_over:
            write(self._note, self._language.gettext("The game is over: there is no move to draw."))
            return
        write(self._note, self._language.gettext("Drawing …"))
        start(self._ask(state, self._language))

    async def _ask(self, state: GameState, language: NullTranslations) -> None:
        try:
            answer: Any = await self._thoughts.draw_tree(state, language)
        except asyncio.CancelledError:  # another position is shown by now
            return
        except WorkerFailed as failure:
            answer, text = None, str(failure)
        else:
            text = language.gettext("What each move leads to from here, if both sides play well.")
            if answer is None:
                text = language.gettext(
                    "The tree is too large to draw from here; it can be drawn late in a game."
                )
        if self._state is state:
            write(self._note, text)
            self._place.innerHTML = answer or ""  # a picture of the library's own making
