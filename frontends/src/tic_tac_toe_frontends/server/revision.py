"""Games that an operator changes, hides or deletes: in the log, in memory, and at the clients."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Callable, Mapping, Sequence
from contextlib import asynccontextmanager
from logging import ERROR

from tic_tac_toe.logic.exceptions import InvalidVariant
from tic_tac_toe.protocols.online.clocks import Pauses
from tic_tac_toe.protocols.online.events import SEATS, Created, Event, Joined, Said
from tic_tac_toe.protocols.online.game import Gap, OnlineGame, Replaced
from tic_tac_toe.protocols.online.replies import FORGOTTEN, Closing, Happened
from tic_tac_toe.protocols.online.requests import CHAT_LINE, PLAYER_NAME

from .core import ServerCore
from .decisions import carry_out
from .hints import MODERATION
from .loaded_game import LoadedGame
from .logs import say
from .net.web_socket import POLICY, frame_of
from .session import GameSession
from .sessions import Sessions
from .storage.game_rows import GameRow, row_of
from .storage.store import DamagedGame, StorageError

#: Seconds that a game in which something goes on is waited for.
PATIENCE = 5.0
#: How often a change is tried, where other servers write to the same game.
ATTEMPTS = 5


class UnknownGame(Exception):
    """There is no such game."""


class Revisions:
    """Changes games that are in the log already.

    While a game is changed its requests wait. Its clients are told of each event that is another
    now: a client that has seen the former one starts over.
    """

    def __init__(self, sessions: Sessions) -> None:
        self._sessions = sessions
        self._core: ServerCore = sessions.core
        self._is_scrubbed = True

    async def revise(
        self,
        game: str,
        change: Callable[[Sequence[Event]], Sequence[Event]],
    ) -> int:
        """Write other events in the place of some; return their number.

        Args:
            change: is given all events of the game, and returns those that are to be written
                instead, with the versions of the former ones.

        Raises:
            UnknownGame: there is no such game.
            StorageError: it cannot be written.
            DamagedGame: its events make no game.
            Replaced, InvalidVariant: the changed ones would make none.
        """
        core, store = self._core, self._core.store
        async with self._held(game) as session:
            for _ in range(ATTEMPTS):
                events = await core.readers.run(store.events, game)
                if not events:
                    raise UnknownGame
                former, news = events, {event.version: event for event in change(events)}
                if not news:
                    return 0
                events = [news.get(event.version, event) for event in events]
                loaded = await self._replayed(game, events)
                if await carry_out(self._core, store.rewrite, game, events, loaded.row):
                    break
            else:
                raise StorageError("the game goes on at another server")
            await carry_out(self._core, store.close_reports, game, _reported(former, news))
            if session is not None:
                _adopt(session, loaded)
            await self._tell(game, None)
        return len(news)

    async def hide(self, game: str, hidden: bool) -> None:
        """Show a game to its players only, or to everybody again.

        Raises:
            UnknownGame: there is no such game.
            StorageError: it cannot be written.
        """
        if not await self._core.readers.run(self._core.store.heads, [game]):
            raise UnknownGame
        await self._tell(game, hidden)
        self._show_to_players_only(game)

    async def delete(self, game: str) -> None:
        """Delete a game for good; what its clients ask then is answered as of any unknown game.

        Raises:
            StorageError: it cannot be written.
        """
        async with self._held(game) as session:
            await carry_out(self._core, self._core.store.erase, game)
            if session is not None:
                session.vanish()
            await self._tell(game, hidden=False)

    async def write(self, session: GameSession, event: Callable[[], Event | None]) -> bool:
        """Write an event as soon as a game is free; return whether there was one to write.

        Args:
            event: returns it, as the game is now.

        Raises:
            StorageError: it cannot be written.
        """
        core = self._core
        end = core.clock() + PATIENCE
        session.look_for_news()
        while core.clock() < end:
            if session.is_free:
                if (news := event()) is None:
                    return False
                session.write(news, None)
                while session.is_at_work and core.clock() < end:
                    await asyncio.sleep(0.005)
                known = session.loaded.events
                if len(known) >= news.version and known[news.version - 1] == news:
                    return True
                session.look_for_news()
            await asyncio.sleep(0.01)
        raise StorageError("the game is busy")

    async def look(self) -> None:
        """Take over what another server has changed.

        Raises:
            StorageError: it cannot be read.
        """
        core = self._core
        bans, games = await core.readers.run(core.moderation.read_news)
        news = core.moderation.learn_news(bans, games)
        for game in news:  # none of which can fail
            core.pages.forget(game)
            self._show_to_players_only(game)
            self._sessions.lobby.refresh_soon()
        for game in news:
            if game in self._sessions:
                await self._take_over(game)

    async def _take_over(self, game: str) -> None:
        """Take over one game; if that fails, it is among the news again next time."""
        try:
            await self._reload(game)
        except (StorageError, Replaced, InvalidVariant) as error:
            say("a changed game is not read", level=ERROR, game=game, problem=str(error))
            self._core.moderation.try_again(game)

    async def _reload(self, game: str) -> None:
        core = self._core
        async with self._held(game) as session:
            if session is None:
                return
            events = await core.readers.run(core.store.events, game)
            if not events or events[0].version != 1:
                if events:  # which were written here before this server knew of it
                    await carry_out(core, core.store.erase, game)
                session.vanish()
                return
            _adopt(session, loaded := await self._replayed(game, events))
            # What this server has written of the game lately has the names of before in it.
            if await core.readers.run(core.store.row, game) != loaded.row:
                await carry_out(self._core, core.store.rewrite, game, events, loaded.row)

    async def _replayed(self, game: str, events: Sequence[Event]) -> LoadedGame:
        """Return a game made of all its events, with what is to be kept of it beside them."""
        core = self._core
        row = await core.readers.run(core.store.row, game)
        return await core.readers.run(_replay, game, events, core.uptime.pauses, row)

    @asynccontextmanager
    async def _held(self, game: str) -> AsyncIterator[GameSession | None]:
        """Keep everybody else from a game; ``None``: it is not in memory.

        Raises:
            StorageError: something goes on in it for too long.
        """
        end = self._core.clock() + PATIENCE
        while not (session := self._sessions[game]).seize():
            if self._core.clock() > end:
                raise StorageError("the game is busy")
            await asyncio.sleep(0.01)
        try:
            yield session if session.loaded.version else None
        finally:
            session.release()

    async def scrub(self) -> None:
        """Leave no trace of what was removed; to be called now and then.

        Raises:
            StorageError: it cannot be done.
        """
        if not self._is_scrubbed:
            self._is_scrubbed = True  # unless something else is removed meanwhile
            try:
                self._is_scrubbed &= await self._core.writer.run(self._core.store.scrub)
            except StorageError:
                self._is_scrubbed = False
                raise

    async def _tell(self, game: str, hidden: bool | None) -> None:
        """Let all servers know that a game was changed."""
        core = self._core
        self._is_scrubbed = False
        now, is_hidden = core.now(), core.moderation.is_hidden(game)
        if core.is_shared or (hidden is not None and hidden != is_hidden):
            is_hidden = await core.writer.run(core.store.moderate, game, hidden, now)
        core.moderation.changed(game, is_hidden, now)
        core.pages.forget(game)
        core.hints.tell(MODERATION, game)
        self._sessions.lobby.refresh_soon()

    def _show_to_players_only(self, game: str) -> None:
        session = self._sessions.get(game)
        if session is not None and self._core.moderation.is_hidden(game):
            session.followers.close_at("", POLICY, "the game is hidden")


def _reported(former: Sequence[Event], news: Mapping[int, Event]) -> list[tuple[str, str]]:
    """Return which reports may hold what is changed: their kinds and places."""
    places = []
    for event in former:
        changed = news.get(event.version)
        if isinstance(changed, Said):
            places.append((CHAT_LINE, str(event.version)))
        elif isinstance(changed, Joined):
            places.append((PLAYER_NAME, changed.seat))
        elif isinstance(event, Created) and isinstance(changed, Created):
            players = zip(SEATS, event.setup.players, changed.setup.players, strict=True)
            places += [(PLAYER_NAME, seat) for seat, was, now in players if was != now]
    return places


def _replay(game: str, events: Sequence[Event], pauses: Pauses, row: GameRow | None) -> LoadedGame:
    """Return a game made of all its events; in a thread.

    Raises:
        DamagedGame: an event is missing.
        Replaced, InvalidVariant: the events make no game.
    """
    loaded = LoadedGame(game)
    try:
        for _ in loaded.learn(events, pauses):
            pass
    except Gap:
        raise DamagedGame("an event is missing") from None
    assert loaded.game is not None
    loaded.row = row_of(loaded.game, row)
    return loaded


def _adopt(session: GameSession, loaded: LoadedGame) -> None:
    """Let a game in memory be what was read, and tell its clients what is another now."""
    before, seats = session.loaded.events, _kept_seats(session.game)
    session.loaded.take_over(loaded)
    session.loaded.row = loaded.row
    for former, event in zip(before, loaded.events):
        if former != event:
            session.followers.say(frame_of(Happened(event)))
    for seat in seats - _kept_seats(session.game):
        frame = frame_of(Closing(FORGOTTEN, 0))
        session.followers.close_at(seat, POLICY, "the seat was removed", frame)


def _kept_seats(game: OnlineGame | None) -> set[str]:
    """Return the seats that somebody's token claims."""
    players = () if game is None else zip(SEATS, game.players, strict=True)
    return {seat for seat, player in players if player is not None and player.key}
