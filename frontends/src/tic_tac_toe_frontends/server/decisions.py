"""The decisions of an operator about addresses, reports and tokens."""

from __future__ import annotations

from collections.abc import Callable

from .core import ServerCore
from .nodes import MODERATION
from .storage.store import Ban, Result, StorageError


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


class Decisions:
    """Stores what an operator decides, for all servers; raises `StorageError` if it cannot."""

    def __init__(self, core: ServerCore) -> None:
        self._core = core

    async def dismiss(self, report: str) -> bool:
        """Close a report, and return whether there was one."""
        return await carry_out(self._core, self._core.store.close_report, report)

    async def forget_key(self, key: str) -> None:
        """Delete the blocks by and of the player with a token."""
        if key:
            await carry_out(self._core, self._core.store.forget_key, key)

    async def keep_ban(self, ban: Ban) -> None:
        """Ban an address or a network."""
        await carry_out(self._core, self._core.store.ban, ban)
        await self._publish_bans()

    async def drop_ban(self, network: str) -> bool:
        """Lift the ban of a network, and return whether there was one."""
        there = await carry_out(self._core, self._core.store.unban, network)
        await self._publish_bans()
        return there

    async def _publish_bans(self) -> None:
        core = self._core
        core.moderation.set_bans(await core.readers.run(core.store.bans, core.now()))
        core.nodes.publish(MODERATION)
