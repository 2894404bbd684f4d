"""The game tree of late positions, whose trees are small."""

from __future__ import annotations

from collections.abc import Callable
from gettext import NullTranslations

from tic_tac_toe.logic.models import GameState

from ..dom import Dialog, by_id, fetch_bytes, set_text, start_task
from ..later import LATER, load_archive
from ..thinker import DrawTree
from ..worker import Worker


class TreeDialog:
    """Draws the tree of the shown position when it opens.

    It has its own worker, so that no move waits for a picture.

    Args:
        state: returns the shown position.
    """

    def __init__(
        self, state: Callable[[], GameState], language: Callable[[], NullTranslations]
    ) -> None:
        self._state, self._language = state, language
        self._worker = Worker(lambda query, reason: self._show(query.state, "", reason))
        self._drawn: GameState | None = None
        Dialog("tree-dialog", "tree-open", self._draw)

    def _draw(self) -> None:
        state, language = self._state(), self._language()
        self._drawn = state
        if state.game_over:
            message = language.gettext("The game is over: there is no move to draw.")
            self._show(state, "", message)
            return
        self._show(state, "", language.gettext("Drawing …"))

        def drawn(picture: str | None) -> None:
            text = language.gettext("What each move leads to from here, if both sides play well.")
            if picture is None:
                text = language.gettext(
                    "The tree is too large to draw from here; it can be drawn late in a game."
                )
            self._show(state, picture or "", text)

        start_task(self._ask(state, language, drawn))

    async def _ask(
        self, state: GameState, language: NullTranslations, drawn: Callable[[str | None], object]
    ) -> None:
        try:
            await load_archive(LATER, fetch_bytes)
        except Exception as error:  # JavaScript's error without a network; no such file
            self._show(state, "", str(error))
            return
        from ....words.tree_text import tree_words  # it is in what was loaded

        self._worker.ask(DrawTree(state, tree_words(language)), drawn)

    def _show(self, state: GameState, picture: str, text: str) -> None:
        if self._drawn is state:
            set_text(by_id("tree-note"), text)
            by_id("tree").innerHTML = picture  # the library's own SVG: safe
