"""The puzzles of games, which the page fetches when they are wanted."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, TypeAlias

from tic_tac_toe.logic.rules.catalogue import find_rules

from .dom import fetch_bytes, start_task
from .later import puzzle_file

if TYPE_CHECKING:
    from tic_tac_toe.insight.puzzles import Puzzle

Done: TypeAlias = "Callable[[Sequence[Puzzle]], object]"


class Collections:
    """Fetches the puzzles of a game when they are first wanted; `load` is a `Load`."""

    def __init__(self) -> None:
        self._known: dict[str, Sequence[Puzzle]] = {}

    def load(self, game: str, done: Done) -> None:
        """Pass on the puzzles of a game; none without a network or such a file."""
        if game in self._known:
            done(self._known[game])
        else:
            start_task(self._fetch(game, done))

    async def _fetch(self, game: str, done: Done) -> None:
        from tic_tac_toe.insight.collection import parse_collection  # large, not needed to play

        try:
            content = await fetch_bytes(puzzle_file(game))
        except Exception:  # JavaScript's error without a network; no such file
            done(())
        else:
            self._known[game] = parse_collection(find_rules(game), content)
            done(self._known[game])
