"""Deletes finished games and their chat once they are older than the operator wants, in steps."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from contextlib import suppress
from functools import partial
from logging import WARNING
from math import nan
from pathlib import Path
from typing import NamedTuple

from tic_tac_toe.logic.exceptions import InvalidVariant
from tic_tac_toe.protocols.online.events import Event, Said
from tic_tac_toe.protocols.online.game import Replaced

from .core import ServerCore
from .logs import log
from .moderation import UnknownGame, without_text
from .revision import BusyGame, Revisions
from .storage.store import DamagedGame

#: Games of one step; moves are written between two of them.
AT_ONCE = 100
#: Seconds between two measurements of the data's size, and between two searches through all chat.
SIZE_SECONDS, CHAT_SECONDS = 60.0, 3_600.0
DAY = 24 * 3_600_000


class KeepDays(NamedTuple):
    """Days that finished games are kept; ``None`` for ever.

    Attributes:
        finished: games with a result.
        unplayed: games without one.
        chat: the chat of finished games.
    """

    finished: float | None = None
    unplayed: float | None = 7.0
    chat: float | None = None


class Retention:
    """Deletes what is older than it may be.

    Attributes:
        data_bytes, reports: bytes of the data and open reports, at most a minute old; 0 before the
            first measurement.
        backed_up: when the last backup was made, in seconds since 1970, likewise; `nan` if there
            is none, or nobody has said where they are.
    """

    def __init__(
        self, core: ServerCore, revisions: Revisions, keep: KeepDays, backups: Path | None
    ) -> None:
        self.data_bytes = self.reports = 0
        self.backed_up = nan
        self._backups = backups
        self._core = core
        self._revisions = revisions
        self._keep = keep
        self._size_at = self._chat_at = float("-inf")
        self._last = 0, ""  # the last game whose chat was searched

    async def tidy(self) -> None:
        """Take one step; to be called again and again.

        Raises:
            StorageError: the store cannot be used.
        """
        core, clock = self._core, self._core.clock()
        if clock - self._size_at >= SIZE_SECONDS:
            self._size_at = clock
            self.data_bytes = await core.readers.run(core.store.size)
            self.reports = await core.readers.run(core.store.count_reports)
            if self._backups is not None:
                self.backed_up = await asyncio.to_thread(_newest_in, self._backups)
            await core.writer.run(core.moderation.delete_expired)
            core.moderation.prune()
            await self._revisions.scrub()
        if self._keep.unplayed is not None:
            await self._delete(self._keep.unplayed, unplayed=True)
        if self._keep.finished is not None:
            await self._delete(self._keep.finished, unplayed=False)
        if self._keep.chat is not None and clock - self._chat_at >= CHAT_SECONDS:
            await self._remove_chat(self._keep.chat)

    async def _delete(self, days: float, *, unplayed: bool) -> None:
        store = self._core.store
        before = self._core.now() - int(days * DAY)
        find = partial(store.over_before, before, AT_ONCE, unplayed=unplayed)
        games = await self._core.readers.run(find)
        for game in games:
            with suppress(BusyGame):  # it is found again by the next step
                await self._revisions.delete(game)
        if games:
            log("old games deleted", count=len(games), unplayed=unplayed)

    async def _remove_chat(self, days: float) -> None:
        """Remove the chat of some games; after the last game it waits, and starts again."""
        before = self._core.now() - int(days * DAY)
        games = await self._core.readers.run(
            self._core.store.over_after, self._last, before, AT_ONCE
        )
        count = 0
        for _, game in games:
            with suppress(UnknownGame, BusyGame, DamagedGame, Replaced, InvalidVariant):
                count += await self._revisions.revise(game, removed_chat)
        self._last = games[-1] if games else (0, "")
        if not games:
            self._chat_at = self._core.clock()
        if count:
            log("old chat removed", count=count)


def _newest_in(folder: Path) -> float:
    try:
        return max((each.stat().st_mtime for each in folder.glob("*.sqlite")), default=nan)
    except OSError as error:
        log("the backups cannot be seen", level=WARNING, problem=str(error))
        return nan


def removed_chat(events: Sequence[Event]) -> list[Event]:
    """Return the emptied lines that replace the chat of a game."""
    return [without_text(event) for event in events if isinstance(event, Said) and event.text]
