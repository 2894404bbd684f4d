"""The game tree of late positions, whose trees are small."""

from __future__ import annotations

from gettext import NullTranslations

from tic_tac_toe.logic.models import GameState

from ....words.tree_text import tree_words
from ..dom import Dialog, by_id, set_text
from ..thinker import DrawTree
from ..worker import Worker


class TreeDialog:
    """Draws the tree of the shown position while its dialog is open.

    It has its own worker, so that no move waits for a picture.
    """

    def __init__(self) -> None:
        self._worker = Worker(lambda query, reason: self._show_answer(query.state, "", reason))
        self._dialog = Dialog("tree-dialog", "tree-open", self._draw)
        self._place, self._note = by_id("tree"), by_id("tree-note")
        self._language = NullTranslations()
        self._state: GameState | None = None
        self._asked: tuple[GameState, NullTranslations] | None = None

    def show(self, state: GameState, language: NullTranslations) -> None:
        """Show another position or language."""
        self._state, self._language = state, language
        if self._dialog.is_open:
            self._draw()

    def _draw(self) -> None:
        state, language, asked = self._state, self._language, self._asked
        if state is None:
            return
        if asked is not None and asked[0] is state and asked[1] is language:
            return
        self._asked = state, language
        self._place.innerHTML = ""
        if state.game_over:
            set_text(self._note, language.gettext("The game is over: there is no move to draw."))
            return
        set_text(self._note, language.gettext("Drawing …"))

        def drawn(picture: str | None) -> None:
            text = language.gettext("What each move leads to from here, if both sides play well.")
            if picture is None:
                text = language.gettext(
                    "The tree is too large to draw from here; it can be drawn late in a game."
                )
            self._show_answer(state, picture or "", text)

        self._worker.ask(DrawTree(state, tree_words(language)), drawn)

    def _show_answer(self, state: GameState, picture: str, text: str) -> None:
        if self._state is state:
            set_text(self._note, text)
            self._place.innerHTML = picture  # the library's own SVG: safe
