"""The lobby: the open games, and the clients that are told of them."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from logging import ERROR

from tic_tac_toe.protocols.online.events import Declined, Event, Moved, Offered, Said, Withdrawn
from tic_tac_toe.protocols.online.game import OnlineGame
from tic_tac_toe.protocols.online.messages import LOBBY_GAMES
from tic_tac_toe.protocols.online.replies import OpenGame, OpenGames

from .core import ServerCore
from .logs import log
from .nodes import LOBBY
from .storage.game_rows import GameRow
from .storage.store import StorageError
from .wire.web_socket import WebSocket, frame_of

#: Open games that are read, the newest ones; shown are those whose creators are connected.
MOST_OPEN = 20 * LOBBY_GAMES


class Lobby:
    """Shows the open games whose creators are connected, and counts the unfinished games.

    Attributes:
        unfinished: games that are not over, as last counted.
        creating: games that are being written.
        listeners: the clients that see the lobby.
        shown: the open games in the last frame.
        frame: what the listeners were sent last.
        changed: called with the open games whenever they have been read.
    """

    def __init__(self, core: ServerCore) -> None:
        self.unfinished = 0
        self.creating = 0
        self.listeners: set[WebSocket] = set()
        self._newcomers: set[WebSocket] = set()  # listeners that have been sent nothing yet
        self.shown: tuple[OpenGame, ...] = ()
        self.frame = frame_of(OpenGames(()))
        self.changed: Callable[[list[GameRow]], None] = lambda rows: None
        self._core = core
        self._timer: asyncio.TimerHandle | None = None
        self._refreshing = asyncio.Lock()

    @property
    def is_full(self) -> bool:
        """Whether there may be no more unfinished games."""
        return self.unfinished + self.creating >= self._core.limits.most_games.number

    def listen(self, listener: WebSocket) -> None:
        """Send the lobby to a client, now and after each change.

        A lobby that is about to be read anew is sent once that is done.
        """
        self.listeners.add(listener)
        if self._timer is None and not self._refreshing.locked():
            listener.send_frame(self.frame)
        else:
            self._newcomers.add(listener)

    def event_written(self, event: Event, game: OnlineGame) -> None:
        """Refresh soon if an event may change which games are open or finished."""
        is_last_move = isinstance(event, Moved) and game.end is not None
        if is_last_move or not isinstance(event, Moved | Said | Offered | Declined | Withdrawn):
            self.refresh_soon()

    def refresh_soon(self) -> None:
        """Refresh after a short delay, which grows with the number of listeners."""
        if self._timer is None:
            delay = 0.1 + len(self.listeners) / 5000
            self._timer = asyncio.get_running_loop().call_later(delay, self.publish_and_refresh)

    def publish_and_refresh(self) -> None:
        """Tell the other servers of a change, and refresh."""
        self._timer = None
        if not self._core.is_stopping:
            self._core.nodes.publish(LOBBY)
            self._core.tasks.start(self.refresh())

    async def refresh(self) -> None:
        """Read the open games, and send them to the listeners if they have changed."""
        async with self._refreshing:  # an older read must not replace a newer one
            if not self._core.is_stopping:
                await self._read()

    async def _read(self) -> None:
        readers, store = self._core.readers, self._core.store
        try:
            rows = await readers.run(store.open_games, MOST_OPEN)
            self.unfinished = await readers.run(store.count_unfinished)
        except StorageError as error:
            log("the lobby cannot be read", level=ERROR, problem=str(error))
            self._core.writer.check()
            return
        is_around = self._core.presence.is_around
        there = (row for row in rows if is_around(row.game, row.creator))
        shown = [row.open_game for row in self._core.quotas.shown_in_lobby(there)]
        self.shown = tuple(shown[:LOBBY_GAMES])
        frame = frame_of(OpenGames(self.shown))
        self.changed(rows)
        told = self._newcomers & self.listeners if frame == self.frame else set(self.listeners)
        self._newcomers.clear()
        self.frame = frame
        for listener in told:
            listener.send_frame(frame)
