"""Attacks by computer players that have to think."""

from __future__ import annotations

import random
from typing import Any

from benchmarks.online.attacks.hostile import Foe, Hostile
from benchmarks.online.moves import quiet_cells

CREATE = {"type": "create", "variant": "gomoku", "seat": "X", "opponent": "minimax"}


class Visitor:
    """A game of the attacker against a strategy that thinks for long."""

    def __init__(self, foe: Foe) -> None:
        self.foe = foe
        self.version = 0
        self.cells = quiet_cells(random.Random(foe.token))[0]

    async def begin(self) -> bool:
        """Create the game; return whether the server lets us."""
        created = await self.foe.do({**CREATE, "token": self.foe.token})
        self.version = created.get("head", 0)
        return created.get("status") == "ok"

    async def move(self) -> bool:
        """Move, and return whether that was taken."""
        answer = await self._say({"type": "move", "cell": self.cells[self.version % 50]})
        return answer.get("status") == "ok"

    async def take_back(self) -> None:
        """Ask for the move back, which computers grant at once, and wait until they have."""
        asked = await self._say({"type": "offer", "what": "takeback"})
        if asked.get("status") == "ok":
            granted = await self.foe.next(lambda news: news.get("kind") == "accept")
            self.version = granted.get("version", self.version)

    async def _say(self, request: dict[str, Any]) -> dict[str, Any]:
        answer = await self.foe.do({**request, "version": self.version})
        self.version = max(self.version, answer.get("version", 0))
        if answer.get("status") == "stale":  # the computer has moved meanwhile
            self.foe.hostile.counts["it had moved"] += 1
        return answer


async def take_backs(hostile: Hostile) -> None:
    """In one game, move and take the move back, again and again."""
    await hostile.over_and_over(_think_again(hostile, 0.1), keeps=True)


async def many_games(hostile: Hostile) -> None:
    """In 63 games at once, move and take the move back, again and again."""

    async def one(_: int) -> None:
        await hostile.pace(0.5)
        await hostile.over_and_over(_think_again(hostile, 1.5), keeps=True)

    await hostile.at_once(hostile.some(63), one)


def _think_again(hostile: Hostile, pause: float) -> Any:
    async def act(foe: Foe) -> None:
        visitor = Visitor(foe)
        if not await visitor.begin():
            await hostile.pace(1.0)
            return
        while not (foe.is_lost or hostile.is_over):
            if await visitor.move():
                hostile.counts["thoughts"] += 1
            await visitor.take_back()
            await hostile.pace(pause)

    return act


async def resigning(hostile: Hostile) -> None:
    """Move, resign while the computer thinks, and begin the next game."""

    async def act(foe: Foe) -> None:
        visitor = Visitor(foe)
        if await visitor.begin() and await visitor.move():
            hostile.counts["thoughts"] += 1
            await foe.do({"type": "resign"})
        await hostile.pace(0.2)

    async def one(_: int) -> None:
        await hostile.over_and_over(act, keeps=True)

    await hostile.at_once(hostile.some(20), one)
