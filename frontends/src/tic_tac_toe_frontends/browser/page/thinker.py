"""Answers queries in the page's worker; queries and answers are sent as texts."""

from __future__ import annotations

import pickle
from dataclasses import dataclass
from typing import Any

from tic_tac_toe.game.tree_words import TreeWords
from tic_tac_toe.logic.exceptions import SearchLimitReached
from tic_tac_toe.logic.models import GameState

from ...table.queries import ChooseMove


@dataclass(frozen=True)
class DrawTree:
    """A picture of the game tree."""

    state: GameState
    words: TreeWords

    def __call__(self) -> str | None:
        """Return the picture as SVG, ``None`` where it would be too large."""
        from tic_tac_toe.game.tree import tree  # large, and rarely asked for

        try:
            return tree(self.state).svg(words=self.words, styled=False)
        except SearchLimitReached:
            return None


def answer(text: str) -> str:
    """Return the answer to a query, both as texts and with the query's number.

    While a move is thought about its `Progress` is posted to the page in the same way.
    """
    number, query = read(text)
    if isinstance(query, ChooseMove):
        import js  # the worker's; tests of this module have none

        query.watch.heard = lambda now: js.postMessage(write((number, now)))
    return write((number, query()))


def write(value: object) -> str:
    """Return a value as a text for the page's own worker, or for the page."""
    return pickle.dumps(value, protocol=0).decode("latin-1")


def read(text: str) -> tuple[int, Any]:
    """Return a number and a query, or a number and an answer, from the text of `write`."""
    found: tuple[int, Any] = pickle.loads(text.encode("latin-1"))
    return found
