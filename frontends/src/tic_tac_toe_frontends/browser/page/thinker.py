"""Answers queries in the page's worker; queries and answers travel as texts."""

from __future__ import annotations

import asyncio
import pickle
from collections.abc import Awaitable, Callable
from contextlib import suppress
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from tic_tac_toe.logic.exceptions import SearchLimitReached
from tic_tac_toe.logic.models import GameState
from tic_tac_toe.logic.rules.catalogue import CONNECT_FOUR
from tic_tac_toe.solver.book import FILE, add_book, book_for
from tic_tac_toe.solver.support import searched_game

from ...table.queries import ChooseMove

if TYPE_CHECKING:
    from tic_tac_toe.pictures.tree import TreeWords

from .later import LATER, STUDIED, load_archive
from .own_rules import OWN_GAME, load_own_game

#: Seconds for which the first answer waits for the opening book; without it the page searches.
PATIENCE = 5.0


@dataclass(frozen=True)
class DrawTree:
    """A picture of the game tree."""

    state: GameState
    words: TreeWords

    def __call__(self) -> str | None:
        """Return the picture as SVG; ``None`` if it is too large."""
        from tic_tac_toe.game.tree import tree  # large, and rarely used

        try:
            return tree(self.state).svg(words=self.words, styled=False)
        except SearchLimitReached:
            return None


async def prepare(text: str, fetch: Callable[[str], Awaitable[Any]]) -> None:
    """Fetch the opening book or a user's own rules, if a query needs them.

    Args:
        fetch: returns a file of the page as a JavaScript buffer.
    """

    async def fetched(name: str) -> bytes:
        content: bytes = (await fetch(name)).to_bytes()
        return content

    if any(kind.__name__ in text for kind in (*STUDIED, DrawTree)):
        await load_archive(LATER, fetched)
    try:
        _, query = read(text)
    except ModuleNotFoundError:  # rules of one's own
        load_own_game(await fetched(OWN_GAME))
        _, query = read(text)
    rules = searched_game(query.state.rules)
    if rules == CONNECT_FOUR and book_for(rules) is None:
        with suppress(Exception):  # JavaScript's error: no network, or no such file
            add_book(await asyncio.wait_for(fetched(FILE), PATIENCE))


def answer(text: str, post: Callable[[str], object] = lambda _text: None) -> str:
    """Return the answer to a query; both are texts with the query's number.

    Args:
        post: called with each `Progress` of the search, as a text with that number.
    """
    number, query = read(text)
    if isinstance(query, ChooseMove):
        query.callback.on_progress = lambda now: post(write((number, now)))
    return write((number, query()))


def write(value: object) -> str:
    """Return a value as a text, to send between the page and its worker."""
    return pickle.dumps(value, protocol=0).decode("latin-1")


def read(text: str) -> tuple[int, Any]:
    """Return the number and the query or answer in a text of `write`."""
    found: tuple[int, Any] = pickle.loads(text.encode("latin-1"))
    return found
