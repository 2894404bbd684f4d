"""Who lets the computers of a table think: the notebook's event loop, or nobody but the caller."""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Callable, Coroutine
from typing import Any, Protocol, TypeVar

from tic_tac_toe.game.renderers import Renderer
from tic_tac_toe.logic.models import GameState

from ..table.table import Table
from ..table.table_async import play_on
from ..table.thinking import choose, in_thread

Result = TypeVar("Result")

#: How long a computer waits before it moves where no person plays, in seconds.
PAUSE_SECONDS = 0.4


class Driver(Protocol):
    """What keeps a game going."""

    def start(self) -> None:
        """Begin to play, and show the table."""

    def hear(self, call: Callable[[], object]) -> None:
        """Do what a message of the page asks for, in the thread that owns the table."""

    def find(self, call: Callable[[], Result], found: Callable[[Result], object]) -> None:
        """Let something be computed, and pass it on."""

    async def settle(self) -> None:
        """Wait until no computer is thinking."""

    def stop(self) -> None:
        """Let go of the game, in the middle of a thought as well."""


def driver_for(table: Table, show: Callable[[], None]) -> Driver:
    """Return a driver with the event loop that runs here, or without where none does.

    Args:
        show: called after every change.
    """
    try:
        loop = asyncio.get_running_loop()
    except RuntimeError:
        return Inline(table, show)
    return OnLoop(table, show, loop)


class Inline:
    """Thinks where it is asked: when a call returns, the computers have moved."""

    def __init__(self, table: Table, show: Callable[[], None]) -> None:
        self._table = table
        self._show = show
        self._thinking = False

    def start(self) -> None:
        """Play to a person's turn; see `Driver`."""
        self._table.on_change = self._think
        self._think()

    def hear(self, call: Callable[[], object]) -> None:
        """Do it; see `Driver`."""
        call()

    def find(self, call: Callable[[], Result], found: Callable[[Result], object]) -> None:
        """Compute it; see `Driver`."""
        found(call())

    async def settle(self) -> None:
        """Return at once; see `Driver`."""

    def stop(self) -> None:
        """See `Driver`."""
        self._table.on_change = lambda: None

    def _think(self) -> None:
        if self._thinking:
            return
        self._thinking = True
        try:
            while (name := self._table.thinker) is not None:
                state = self._table.state
                self._table.answer(state, choose(state, name, self._table.dice()))
        finally:
            self._thinking = False
        self._show()


class OnLoop(Renderer):
    """Plays on as a task of an event loop; thoughts are thought in threads."""

    def __init__(
        self, table: Table, show: Callable[[], None], loop: asyncio.AbstractEventLoop
    ) -> None:
        self._table = table
        self._show = show
        self._loop = loop
        self._owner = threading.get_ident()
        self._shown = asyncio.Event()
        self._tasks: set[asyncio.Task[Any]] = set()

    def start(self) -> None:
        """Start the game's loop as a task; see `Driver`."""
        self._show()
        self._begin(play_on(self._table, self, pause=self._pause))

    def render(self, game_state: GameState) -> None:
        """Show the table; whoever waits for a person's turn looks again."""
        self._show()
        self._shown.set()

    def hear(self, call: Callable[[], object]) -> None:
        """Do it; where messages arrive in a thread of their own, the owner does; see `Driver`."""
        if threading.get_ident() == self._owner:
            call()
        else:
            self._loop.call_soon_threadsafe(call)

    def find(self, call: Callable[[], Result], found: Callable[[Result], object]) -> None:
        """Compute it in a thread; see `Driver`."""

        async def pass_on() -> None:
            found(await in_thread(call))

        self._begin(pass_on())

    async def settle(self) -> None:
        """Wait for the thought that is being thought; see `Driver`."""
        while self._table.thinker is not None and self._tasks:
            self._shown.clear()
            await self._shown.wait()

    def stop(self) -> None:
        """Cancel all that is under way; see `Driver`."""
        for task in [*self._tasks]:
            task.cancel()
        self._shown.set()

    async def _pause(self) -> None:
        if not self._table.people:
            await asyncio.sleep(PAUSE_SECONDS)

    def _begin(self, work: Coroutine[Any, Any, Any]) -> None:
        task = self._loop.create_task(work)
        self._tasks.add(task)
        task.add_done_callback(self._ended)

    def _ended(self, task: asyncio.Task[Any]) -> None:
        """Forget a task, and let nobody wait for what will not come any more."""
        self._tasks.discard(task)
        self._shown.set()
