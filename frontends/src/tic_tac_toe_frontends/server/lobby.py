"""The open games, and the clients that are told of them."""

from __future__ import annotations

import asyncio
from logging import ERROR
from typing import TYPE_CHECKING

from tic_tac_toe.protocols.online.limits import LOBBY_GAMES
from tic_tac_toe.protocols.online.replies import OpenGames, write_reply

from .hints import LOBBY
from .logs import say
from .store import StorageError
from .web_socket import WebSocket, text_frame

if TYPE_CHECKING:
    from .game_server import GameServer


class Lobby:
    """Shows the open games as the store has them, and counts the unfinished ones.

    Args:
        server: whose store is read.

    Attributes:
        unfinished: the number of games that are not over, as last counted.
        listeners: the clients that are told of the open games.
        frame: what they were told last.
    """

    def __init__(self, server: GameServer) -> None:
        self.unfinished = 0
        self.listeners: set[WebSocket] = set()
        self.frame = text_frame(write_reply(OpenGames(())))
        self._server = server
        self._timer: asyncio.TimerHandle | None = None
        self._refreshing = asyncio.Lock()

    def listen(self, listener: WebSocket) -> None:
        """Show the lobby to a client, from now on."""
        self.listeners.add(listener)
        listener.say(self.frame)

    def changed(self) -> None:
        """Refresh soon: later for a crowd."""
        if self._timer is None:
            delay = 0.1 + len(self.listeners) / 5000
            self._timer = asyncio.get_running_loop().call_later(delay, self.spread)

    def spread(self) -> None:
        """Tell other servers of a change, and refresh."""
        self._timer = None
        if not self._server.is_stopping:
            self._server.hints.tell(LOBBY)
            self._server.tasks.start(self.refresh())

    async def refresh(self) -> None:
        """Read the open games, and tell the listeners if they have changed."""
        async with self._refreshing:  # what was read first must not be shown last
            if not self._server.is_stopping:
                await self._read()

    async def _read(self) -> None:
        readers, store = self._server.readers, self._server.store
        try:
            rows = await readers.run(store.open_games, LOBBY_GAMES)
            self.unfinished = await readers.run(store.count_unfinished)
        except StorageError as error:
            say("the lobby cannot be read", level=ERROR, problem=str(error))
            self._server.writer.check()
            return
        frame = text_frame(write_reply(OpenGames(tuple(row.open_game for row in rows))))
        if frame != self.frame:
            self.frame = frame
            for listener in tuple(self.listeners):
                listener.say(frame)
