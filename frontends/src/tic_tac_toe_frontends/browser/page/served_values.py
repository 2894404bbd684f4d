"""Asks the server of the page what moves are worth, while the page finds out by itself."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from ...table.queries import AnalyseMoves, Ask, MoveValues
from ...table.served_values import query_of, read
from .dom import fetch_bytes, start
from .worker import is_quick

Done = Callable[[MoveValues | None], object]


class ServedValues:
    """Lets a server answer what moves are worth, where one serves the page; `ask` is an `Ask`.

    The page finds out by itself at the same time, and shows that until the server has answered.

    Args:
        ask: how the page finds out.

    Attributes:
        url: where the server is asked; empty where there is none.
    """

    def __init__(self, ask: Ask) -> None:
        self.url = ""
        self._ask = ask

    def ask(self, query: Any, done: Callable[[Any], object]) -> None:
        """Answer a query; see `Ask`."""
        if self.url and isinstance(query, AnalyseMoves) and not is_quick(query):
            done = self._ask_server(query, done)
        self._ask(query, done)

    def _ask_server(self, query: AnalyseMoves, done: Done) -> Done:
        """Return what takes the page's own answer: it is dropped once the server has answered."""
        answered = False

        async def ask() -> None:
            nonlocal answered
            try:
                content = await fetch_bytes(f"{self.url}?{query_of(query.state)}")
                found = read(content.decode(), query.state)
            except Exception:  # no network, as JavaScript says it; a busy server; no such answer
                return
            if found is not None:
                answered = True
                done(found)

        def found_here(values: MoveValues | None) -> None:
            if not answered:
                done(values)

        start(ask())
        return found_here
