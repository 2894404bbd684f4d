"""Questions about a game that take a while: asked aside, one at a time, the latest one only."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from functools import partial
from typing import Generic, NoReturn, TypeVar

from tic_tac_toe.logic.models import GameState

from ..table.thinking import in_thread

Answer = TypeVar("Answer")


class Errand(Generic[Answer]):
    """Somebody who finds something out about a state, while the screen goes on.

    A question that comes while another is being answered waits, and takes the place of one that
    waits already: however fast a game goes on, there is never more than one thread at work.

    Args:
        find: finds the answer; called in a thread.
        tell: is given the state and what was found, unless another was asked about meanwhile.
    """

    def __init__(
        self,
        find: Callable[[GameState], Answer],
        tell: Callable[[GameState, Answer], object],
    ) -> None:
        self._find = find
        self._tell = tell
        self._wanted: GameState | None = None
        self._asked = asyncio.Event()

    @property
    def wanted(self) -> GameState | None:
        """The state that an answer is awaited about, if any."""
        return self._wanted

    def ask(self, state: GameState) -> None:
        """Ask about a state, and no longer about another."""
        if state is not self._wanted:
            self._wanted = state
            self._asked.set()

    def forget(self) -> None:
        """Ask about nothing any more."""
        self._wanted = None

    async def run(self) -> NoReturn:
        """Answer questions until the task is cancelled."""
        while True:
            await self._asked.wait()
            self._asked.clear()
            state = self._wanted
            if state is None:
                continue
            answer = await in_thread(partial(self._find, state))
            if state is self._wanted:
                self._wanted = None
                self._tell(state, answer)
