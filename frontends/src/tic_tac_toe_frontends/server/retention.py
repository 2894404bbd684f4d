"""How long games are kept that are over: what is older is deleted, a little at a time."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import suppress
from dataclasses import replace
from functools import partial
from typing import NamedTuple

from tic_tac_toe.logic.exceptions import InvalidVariant
from tic_tac_toe.protocols.online.events import Event, Said
from tic_tac_toe.protocols.online.game import Replaced

from .core import ServerCore
from .logs import say
from .revision import Revisions, UnknownGame
from .storage.store import DamagedGame

#: Games that are looked at each time: between two of them moves are written.
AT_ONCE = 100
#: Seconds between two looks at the size of the data, and until all chat is looked through again.
SIZE_SECONDS, CHAT_SECONDS = 60.0, 3_600.0
DAY = 24 * 3_600_000


class Keep(NamedTuple):
    """For how many days games are kept that are over; ``None`` for ever.

    Attributes:
        finished: games with a result.
        unplayed: games without one.
        chat: what players have written to each other in games that are over.
    """

    finished: float | None = None
    unplayed: float | None = 7.0
    chat: float | None = None


class Retention:
    """Deletes what is older than it is to be kept.

    Attributes:
        data_bytes, reports: the size of the data, and the number of reports that are not closed, as
            they were a minute ago at most; 0 before they are known.
    """

    def __init__(self, core: ServerCore, revisions: Revisions, keep: Keep) -> None:
        self.data_bytes = self.reports = 0
        self._core = core
        self._revisions = revisions
        self._keep = keep
        self._size_at = self._chat_at = float("-inf")
        self._last = 0, ""  # the game whose chat was looked at last

    async def tidy(self) -> None:
        """Delete a little of what is too old; to be called again and again.

        Raises:
            StorageError: the store cannot be used.
        """
        core, clock = self._core, self._core.clock()
        if clock - self._size_at >= SIZE_SECONDS:
            self._size_at = clock
            self.data_bytes = await core.readers.run(core.store.size)
            self.reports = await core.readers.run(core.store.count_reports)
            await core.writer.run(core.moderation.forget)
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
            await self._revisions.delete(game)
        if games:
            say("old games deleted", count=len(games), unplayed=unplayed)

    async def _remove_chat(self, days: float) -> None:
        """Remove the chat of some games; as players go on writing, it begins anew at the end."""
        before = self._core.now() - int(days * DAY)
        games = await self._core.readers.run(
            self._core.store.over_after, self._last, before, AT_ONCE
        )
        count = 0
        for _, game in games:
            with suppress(UnknownGame, DamagedGame, Replaced, InvalidVariant):
                count += await self._revisions.revise(game, removed_chat)
        self._last = games[-1] if games else (0, "")
        if not games:
            self._chat_at = self._core.clock()
        if count:
            say("old chat removed", count=count)


def removed_chat(events: Sequence[Event]) -> list[Event]:
    """Return the lines of chat that are to be written instead of those of a game."""
    return [without_text(event) for event in events if isinstance(event, Said) and event.text]


def without_text(event: Said) -> Said:
    """Return what is written instead of a line of chat."""
    return replace(event, text="", removed=True)
