"""Attacks on the lobby: to take its places, and to take the games that others offer in it."""

from __future__ import annotations

import asyncio

from benchmarks.online.attacks.hostile import PATIENCE, Foe, Hostile
from tic_tac_toe.protocols.online.addresses import new_token
from tic_tac_toe.protocols.online.messages import LOBBY_GAMES


async def take_places(hostile: Hostile) -> None:
    """Create open games over as many connections as the lobby has places, over and over."""

    async def act(foe: Foe) -> None:
        while not (foe.is_lost or hostile.is_over):
            foe.token = new_token(hostile.rng)
            await foe.do({"type": "create", "variant": "gomoku", "open": True, "token": foe.token})
            await hostile.pace(4.0)

    async def one(_: int) -> None:
        await hostile.over_and_over(act, keeps=True)

    await hostile.at_once(hostile.some(LOBBY_GAMES), one)


async def join_all(hostile: Hostile) -> None:
    """Join every game of the lobby, over one connection."""

    async def act(foe: Foe) -> None:
        assert foe.news is not None
        foe.ask({"type": "lobby", "on": True})
        joined: set[str] = set()
        while not (foe.is_lost or hostile.is_over):
            try:
                news = await asyncio.wait_for(foe.news.get(), PATIENCE)
            except asyncio.TimeoutError:
                continue
            for game in news.get("games", ()) if news.get("type") == "lobby" else ():
                if game["game"] not in joined:
                    joined.add(game["game"])
                    token = new_token(hostile.rng)
                    foe.ask({"type": "join", "game": game["game"], "token": token})
                    await asyncio.sleep(0.02)

    await hostile.over_and_over(act, keeps=True)
