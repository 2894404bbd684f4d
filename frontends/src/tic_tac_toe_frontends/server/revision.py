"""What operators decide about games, reports and addresses: stored, in memory, at the clients."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Callable, Mapping, Sequence
from contextlib import AsyncExitStack, asynccontextmanager
from logging import ERROR

from tic_tac_toe.logic.exceptions import InvalidVariant
from tic_tac_toe.protocols.online.clocks import Pauses
from tic_tac_toe.protocols.online.events import (
    OPERATOR,
    SEATS,
    Created,
    Event,
    Expired,
    Joined,
    Said,
)
from tic_tac_toe.protocols.online.game import Gap, OnlineGame, Replaced
from tic_tac_toe.protocols.online.replies import FORGOTTEN, Closing, Happened, Notice
from tic_tac_toe.protocols.online.requests import CHAT_LINE, PLAYER_NAME

from .core import ServerCore
from .loaded_game import LoadedGame
from .logs import log
from .moderation import UnknownGame
from .nodes import MODERATION
from .session import GameSession, Sessions
from .storage.game_rows import GameRow, row_of
from .storage.store import Ban, DamagedGame, Result, StorageError
from .wire.web_socket import POLICY, frame_of
from .writer import CommitResult

#: Seconds that a change waits for a busy game.
PATIENCE = 5.0
#: Attempts at a change, where other servers write to the same game.
ATTEMPTS = 5


class BusyGame(StorageError):
    """A game could not be changed, for there was too much work on it."""


async def carry_out(core: ServerCore, write: Callable[..., Result], *values: object) -> Result:
    """Return the result of a writing function of the store.

    Raises:
        StorageError: it cannot be written.
    """
    if core.writer.failed:
        raise StorageError("the storage has failed")
    try:
        return await core.writer.run(write, *values)
    except StorageError:
        core.writer.check()
        raise


class Revisions:
    """Changes games that are in the log already, and stores other decisions of operators.

    The requests of a game wait while it is changed. Its clients are sent each changed event; a
    client that has seen the former one starts over. All methods raise `StorageError` if the store
    cannot be used, or a game is busy for too long.
    """

    def __init__(self, sessions: Sessions) -> None:
        self._sessions = sessions
        self._core: ServerCore = sessions.core
        self._is_scrubbed = True

    async def revise(self, game: str, change: Callable[[Sequence[Event]], Sequence[Event]]) -> int:
        """Replace some events of a game; return their number.

        Args:
            change: is given all events of the game, and returns the new ones, with the versions of
                those that they replace.

        Raises:
            UnknownGame: there is no such game.
            DamagedGame: the log of the game is damaged.
            Replaced, InvalidVariant: the new events make no valid game.
        """
        core, store = self._core, self._core.store
        session = self._sessions[game]
        async with self._turn(session):
            for _ in range(ATTEMPTS):
                events = await core.readers.run(store.events, game)
                if not events:
                    raise UnknownGame
                former, replacements = events, {event.version: event for event in change(events)}
                if not replacements:
                    return 0
                events = [replacements.get(event.version, event) for event in events]
                loaded = await self._replayed(game, events)
                if await carry_out(self._core, store.rewrite, game, events, loaded.row):
                    break
            else:
                raise StorageError("the game goes on at another server")
            await carry_out(self._core, store.close_reports, game, _reported(former, replacements))
            if session.loaded.version:
                _adopt(session, loaded)
            await self._publish_change(game, None)
        return len(replacements)

    async def hide(self, game: str, hidden: bool) -> None:
        """Show a game to its players only, or to everybody again.

        Raises:
            UnknownGame: there is no such game.
        """
        if not await self._core.readers.run(self._core.store.heads, [game]):
            raise UnknownGame
        await self._publish_change(game, hidden)
        self._show_to_players_only(game)

    async def delete(self, game: str) -> None:
        """Delete a game for good; its clients get the answers of an unknown game."""
        session = self._sessions[game]
        async with self._turn(session):
            await carry_out(self._core, self._core.store.erase, game)
            if session.loaded.version:
                session.game_deleted()
            await self._publish_change(game, hidden=False)

    async def end(self, game: str, reason: str) -> bool:
        """End a game without a winner, and send its clients the reason, unless that is empty.

        Returns False if the game is over already, or unknown.
        """
        core, session = self._core, self._sessions[game]
        async with self._turn(session):
            for _ in range(ATTEMPTS):
                await session.update()
                if (known := session.game) is None or known.end is not None:
                    return False
                time = max(core.now(), known.time)
                event = Expired(game, known.version + 1, "", time, what=OPERATOR)
                if await session.commit(event) is CommitResult.WRITTEN:
                    if reason:
                        session.followers.send(frame_of(Notice(reason)))
                    return True
        raise BusyGame("the game is busy")

    async def close_report(self, report: str) -> bool:
        """Close a report, and return whether there was one."""
        return await carry_out(self._core, self._core.store.close_report, report)

    async def forget_key(self, key: str) -> None:
        """Delete the blocks by and of the player with a token."""
        if key:
            await carry_out(self._core, self._core.store.forget_key, key)

    async def ban(self, ban: Ban) -> None:
        """Ban an address or a network, at all servers."""
        await carry_out(self._core, self._core.store.ban, ban)
        await self._publish_bans()

    async def unban(self, network: str) -> bool:
        """Lift the ban of a network, and return whether there was one."""
        there = await carry_out(self._core, self._core.store.unban, network)
        await self._publish_bans()
        return there

    async def _publish_bans(self) -> None:
        core = self._core
        core.moderation.set_bans(await core.readers.run(core.store.bans, core.now()))
        core.nodes.publish(MODERATION)

    async def read_changes(self) -> None:
        """Apply what operators have changed at other servers."""
        core = self._core
        bans, games = await core.readers.run(core.moderation.read_changes)
        changed = core.moderation.apply_changes(bans, games)
        for game in changed:  # what cannot fail comes first, for all games
            core.pages.forget(game)
            self._show_to_players_only(game)
            self._sessions.lobby.refresh_soon()
        for game in changed:
            if game in self._sessions:
                await self._reload_or_retry(game)

    async def _reload_or_retry(self, game: str) -> None:
        try:
            await self._reload(game)
        except (StorageError, Replaced, InvalidVariant) as error:
            log("a changed game is not read", level=ERROR, game=game, problem=str(error))
            self._core.moderation.try_again(game)

    async def _reload(self, game: str) -> None:
        core = self._core
        session = self._sessions[game]
        async with self._turn(session):
            if not session.loaded.version:
                return
            events = await core.readers.run(core.store.events, game)
            if not events or events[0].version != 1:
                if events:  # written here after the deletion, before this server knew of it
                    await carry_out(core, core.store.erase, game)
                session.game_deleted()
                return
            _adopt(session, loaded := await self._replayed(game, events))
            # A row that this server wrote lately may contain the names from before the change.
            if await core.readers.run(core.store.row, game) != loaded.row:
                await carry_out(self._core, core.store.rewrite, game, events, loaded.row)

    async def _replayed(self, game: str, events: Sequence[Event]) -> LoadedGame:
        core = self._core
        row = await core.readers.run(core.store.row, game)
        return await core.readers.run(_replay, game, events, core.uptime.pauses, row)

    @asynccontextmanager
    async def _turn(self, session: GameSession) -> AsyncIterator[None]:
        """Hold back all other work on a game, which is read again afterwards if it is in memory."""
        async with AsyncExitStack() as stack:
            stack.callback(self._release, session)
            try:
                entering = stack.enter_async_context(session.turn)
                await asyncio.wait_for(entering, PATIENCE)
            except asyncio.TimeoutError:
                raise BusyGame("the game is busy") from None
            if self._sessions.setdefault(session.address, session) is not session:
                raise BusyGame("the game was loaded anew")
            yield

    def _release(self, session: GameSession) -> None:
        if session.loaded.version or session.followers:
            session.read_log()
        else:
            self._sessions.drop(session)

    async def scrub(self) -> None:
        """Erase what was removed from the database's files, if that is still to be done."""
        if not self._is_scrubbed:
            self._is_scrubbed = True  # until more is removed
            try:
                self._is_scrubbed &= await self._core.writer.run(self._core.store.scrub)
            except StorageError:
                self._is_scrubbed = False
                raise

    async def _publish_change(self, game: str, hidden: bool | None) -> None:
        core = self._core
        self._is_scrubbed = False
        now, is_hidden = core.now(), game in core.moderation.hidden
        if core.is_shared or (hidden is not None and hidden != is_hidden):
            is_hidden = await core.writer.run(core.store.moderate, game, hidden, now)
        core.moderation.set_hidden(game, is_hidden, now)
        core.pages.forget(game)
        core.nodes.publish(MODERATION, game)
        self._sessions.lobby.refresh_soon()

    def _show_to_players_only(self, game: str) -> None:
        session = self._sessions.get(game)
        if session is not None and game in self._core.moderation.hidden:
            session.followers.close_at("", POLICY, "the game is hidden")


def _reported(former: Sequence[Event], replacements: Mapping[int, Event]) -> list[tuple[str, str]]:
    """Return the kinds and places of reports that may contain what was changed."""
    places = []
    for event in former:
        replacement = replacements.get(event.version)
        if isinstance(replacement, Said):
            places.append((CHAT_LINE, str(event.version)))
        elif isinstance(replacement, Joined):
            places.append((PLAYER_NAME, replacement.seat))
        elif isinstance(event, Created) and isinstance(replacement, Created):
            players = zip(SEATS, event.setup.players, replacement.setup.players, strict=True)
            places += [(PLAYER_NAME, seat) for seat, was, now in players if was != now]
    return places


def _replay(game: str, events: Sequence[Event], pauses: Pauses, row: GameRow | None) -> LoadedGame:
    """Return a game made of all its events; in a thread."""
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
    """Replace a game in memory by what was read, and tell its clients what has changed."""
    before, seats = session.loaded.events, _kept_seats(session.game)
    session.loaded.take_over(loaded)
    session.loaded.row = loaded.row
    for former, event in zip(before, loaded.events):
        if former != event:
            session.followers.send(frame_of(Happened(event)))
    for seat in seats - _kept_seats(session.game):
        frame = frame_of(Closing(FORGOTTEN, 0))
        session.followers.close_at(seat, POLICY, "the seat was removed", frame)


def _kept_seats(game: OnlineGame | None) -> set[str]:
    players = () if game is None else zip(SEATS, game.players, strict=True)
    return {seat for seat, player in players if player is not None and player.key}
