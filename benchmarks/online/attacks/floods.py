"""Attacks by a flood: of requests that are allowed, and of texts that are no messages."""

from __future__ import annotations

import asyncio
from contextlib import ExitStack
from typing import Any

from benchmarks.online.attacks.hostile import GREETING, Foe, Hostile
from benchmarks.online.serving import Setting
from benchmarks.online.sockets import frame_of
from tic_tac_toe.protocols.online.addresses import new_token
from tic_tac_toe.protocols.online.messages import CHAT_LENGTH

#: Connections of one address, as many as it may have.
CONNECTIONS = 100
#: Requests a second of all of them together: a little more than an address may send.
RATE = 120
NO_REQUESTS = frame_of('{"type":"move","id":"x","version":[[0]],"cell":0}') * 100
#: A line of chat that takes as many bytes as any.
LONG_LINE = "\U0001f600" * CHAT_LENGTH


async def invalid_by_one(hostile: Hostile) -> None:
    """Send texts that are no requests over one connection, and come back when cut off."""
    await hostile.over_and_over(lambda foe: foe.pour(NO_REQUESTS))


async def invalid_by_many(hostile: Hostile) -> None:
    """Send texts that are no requests over a hundred connections."""

    async def one(_: int) -> None:
        await hostile.over_and_over(lambda foe: foe.pour(NO_REQUESTS))

    await hostile.at_once(hostile.some(CONNECTIONS), one)


async def creates(hostile: Hostile) -> None:
    """Create games as often as a connection may ask."""

    def request(_: Foe) -> dict[str, Any]:
        return {"type": "create", "variant": "gomoku", "token": new_token(hostile.rng)}

    await _flood(hostile, request)


async def hellos(hostile: Hostile) -> None:
    """Go to the honest players' games, and to games that are not there."""

    def request(_: Foe) -> dict[str, Any]:
        there = hostile.rng.random() < 0.5
        game = hostile.rng.choice(hostile.games) if there else new_token(hostile.rng)
        return {**GREETING, "game": game}

    await _flood(hostile, request)


async def lobbies(hostile: Hostile) -> None:
    """Begin and end the news of the lobby."""
    await _flood(hostile, lambda _: {"type": "lobby", "on": hostile.rng.random() < 0.8})


async def events(hostile: Hostile) -> None:
    """Watch the honest players' games, and ask for all their events."""
    await _flood(hostile, lambda _: {"type": "events", "after": 0}, at_a_game=True)


async def chats(hostile: Hostile) -> None:
    """Say the longest lines in games of one's own, and begin another when one is full."""

    async def one(_: int) -> None:
        async def act(foe: Foe) -> None:
            foe.ask({"type": "create", "variant": "gomoku", "token": foe.token})
            for _ in range(490):
                if foe.is_lost or hostile.is_over:
                    return
                foe.ask({"type": "chat", "text": LONG_LINE})
                await hostile.pace(hostile.some(CONNECTIONS) / RATE)

        await hostile.over_and_over(act)

    await hostile.at_once(hostile.some(CONNECTIONS), one)


def on_postgres(setting: Setting, stack: ExitStack, scale: float) -> dict[str, Any]:
    """Keep the games in a PostgreSQL of their own.

    Raises:
        RuntimeError: it is not installed.
    """
    from tests.online.machines import running_cluster

    setting.database = stack.enter_context(running_cluster()).new_database()
    return {}


async def watchers_lines(hostile: Hostile) -> None:
    """Watch the honest players' games, and send requests that only players may."""

    def request(_: Foe) -> dict[str, Any]:
        refused = ({"type": "chat", "text": "hello"}, {"type": "resign"}, {"type": "abort"})
        return hostile.rng.choice(refused)

    await _flood(hostile, request, at_a_game=True)


async def talk(hostile: Hostile) -> None:
    """Watch one game of honest players over all connections, and say the longest lines there."""
    game = hostile.games[0]

    async def act(foe: Foe) -> None:
        while not (foe.is_lost or hostile.is_over):
            foe.ask({**GREETING, "game": game})  # who comes anew may say some lines at once
            for _ in range(5):
                mark = f"{next(hostile.numbers)}"
                foe.ask({"type": "talk", "text": mark + LONG_LINE[len(mark) :]})
            await hostile.pace(6 * hostile.some(CONNECTIONS) / RATE)
            foe.ask(GREETING)

    async def one(_: int) -> None:
        await hostile.over_and_over(act)

    await hostile.at_once(hostile.some(CONNECTIONS), one)


async def coming_and_going(hostile: Hostile) -> None:
    """Come to one game of honest players and leave it, over all connections."""
    here = {**GREETING, "game": hostile.games[0]}
    await _flood(hostile, lambda _: here if hostile.rng.random() < 0.5 else GREETING)


async def own_games(hostile: Hostile) -> None:
    """Ask for games of one's own that are not there."""
    await _flood(hostile, lambda _: {"type": "mine", "token": new_token(hostile.rng)})


async def _flood(hostile: Hostile, request: Any, *, at_a_game: bool = False) -> None:
    connections = hostile.some(CONNECTIONS)

    async def act(foe: Foe) -> None:
        if at_a_game:
            foe.ask({**GREETING, "game": hostile.rng.choice(hostile.games)})
        for _ in range(5):  # what may come at once does
            foe.ask(request(foe))
        while not (foe.is_lost or foe.transport.is_closing() or hostile.is_over):
            foe.ask(request(foe))
            await hostile.pace(connections / RATE)

    async def one(_: int) -> None:
        await asyncio.sleep(hostile.rng.random())
        await hostile.over_and_over(act)

    await hostile.at_once(connections, one)
