"""The open games, and the clients that are told of them."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from logging import ERROR

from tic_tac_toe.protocols.online.events import Declined, Event, Moved, Offered, Said, Withdrawn
from tic_tac_toe.protocols.online.game import OnlineGame
from tic_tac_toe.protocols.online.messages import LOBBY_GAMES
from tic_tac_toe.protocols.online.replies import OpenGame, OpenGames

from .core import ServerCore
from .hints import LOBBY
from .logs import say
from .net.web_socket import WebSocket, frame_of
from .storage.game_rows import GameRow
from .storage.store import StorageError

#: Open games that are read, the newest ones, to show those whose creators are there.
MOST_OPEN = 20 * LOBBY_GAMES


class Lobby:
    """Shows the open games whose creators are there, and counts the unfinished games.

    Args:
        most_games: the number of games that may be unfinished at once.

    Attributes:
        unfinished: the number of games that are not over, as last counted.
        creating: the number of games that are being written.
        listeners: the clients that are told of the open games.
        shown: the open games that they were told of last.
        frame: what they were told last.
        changed: called with the open games whenever they have been read.
    """

    def __init__(self, core: ServerCore, most_games: int) -> None:
        self.most_games = most_games
        self.unfinished = 0
        self.creating = 0
        self.listeners: set[WebSocket] = set()
        self.shown: tuple[OpenGame, ...] = ()
        self.frame = frame_of(OpenGames(()))
        self.changed: Callable[[list[GameRow]], None] = lambda rows: None
        self._core = core
        self._timer: asyncio.TimerHandle | None = None
        self._refreshing = asyncio.Lock()

    @property
    def is_full(self) -> bool:
        """Whether there are as many unfinished games as there may be."""
        return self.unfinished + self.creating >= self.most_games

    def listen(self, listener: WebSocket) -> None:
        """Show the lobby to a client, from now on."""
        self.listeners.add(listener)
        listener.say(self.frame)

    def wrote(self, event: Event, game: OnlineGame) -> None:
        """Refresh soon if an event begins or ends a game, or lets it start."""
        is_last_move = isinstance(event, Moved) and game.end is not None
        if is_last_move or not isinstance(event, Moved | Said | Offered | Declined | Withdrawn):
            self.refresh_soon()

    def refresh_soon(self) -> None:
        """Refresh soon, later for a crowd."""
        if self._timer is None:
            delay = 0.1 + len(self.listeners) / 5000
            self._timer = asyncio.get_running_loop().call_later(delay, self.spread)

    def spread(self) -> None:
        """Tell other servers of a change, and refresh."""
        self._timer = None
        if not self._core.is_stopping:
            self._core.hints.tell(LOBBY)
            self._core.tasks.start(self.refresh())

    async def refresh(self) -> None:
        """Read the open games, and tell the listeners if they have changed."""
        async with self._refreshing:  # what was read first must not be shown last
            if not self._core.is_stopping:
                await self._read()

    async def _read(self) -> None:
        readers, store = self._core.readers, self._core.store
        try:
            rows = await readers.run(store.open_games, MOST_OPEN)
            self.unfinished = await readers.run(store.count_unfinished)
        except StorageError as error:
            say("the lobby cannot be read", level=ERROR, problem=str(error))
            self._core.writer.check()
            return
        is_around = self._core.attendance.is_around
        there = (row for row in rows if is_around(row.game, row.creator))
        shown = [row.open_game for row in self._core.holdings.with_a_place(there)]
        self.shown = tuple(shown[:LOBBY_GAMES])
        frame = frame_of(OpenGames(self.shown))
        self.changed(rows)
        if frame != self.frame:
            self.frame = frame
            for listener in tuple(self.listeners):
                listener.say(frame)
