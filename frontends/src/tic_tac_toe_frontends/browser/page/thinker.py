"""Answers queries in the page's worker; queries and answers are sent as texts."""

from __future__ import annotations

import asyncio
import pickle
from collections.abc import Awaitable, Callable
from contextlib import suppress
from dataclasses import dataclass
from typing import Any

from tic_tac_toe.game.tree_words import TreeWords
from tic_tac_toe.logic.exceptions import SearchLimitReached
from tic_tac_toe.logic.models import GameState
from tic_tac_toe.logic.rules.catalogue import CONNECT_FOUR
from tic_tac_toe.solver.book import FILE, add_book, book_for
from tic_tac_toe.solver.choice import searched_game

from ...table.queries import ChooseMove

#: Seconds that a first answer waits for the opening book; without it the page searches.
PATIENCE = 5.0


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


async def prepare(text: str, fetch: Callable[[str], Awaitable[Any]]) -> None:
    """Have the opening book fetched if the answer to a query needs it, unless it is here already.

    Args:
        fetch: returns the bytes of a file of the page, as JavaScript has them.
    """
    _, query = read(text)
    rules = searched_game(query.state.rules)
    if rules == CONNECT_FOUR and book_for(rules) is None:
        with suppress(Exception):  # no network, or a host without the file, as JavaScript says it
            add_book((await asyncio.wait_for(fetch(FILE), PATIENCE)).to_bytes())


def answer(text: str, post: Callable[[str], object] = lambda _text: None) -> str:
    """Return the answer to a query, both as texts and with the query's number.

    Args:
        post: is given the `Progress` of a thought about a move, as a text with that number, too.
    """
    number, query = read(text)
    if isinstance(query, ChooseMove):
        query.callback.on_progress = lambda now: post(write((number, now)))
    return write((number, query()))


def write(value: object) -> str:
    """Return a value as a text for the page's own worker, or for the page."""
    return pickle.dumps(value, protocol=0).decode("latin-1")


def read(text: str) -> tuple[int, Any]:
    """Return a number and a query, or a number and an answer, from the text of `write`."""
    found: tuple[int, Any] = pickle.loads(text.encode("latin-1"))
    return found
