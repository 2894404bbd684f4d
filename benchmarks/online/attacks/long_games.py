"""Attacks by games with as many events as a game may have."""

from __future__ import annotations

import random
import time
from contextlib import ExitStack
from dataclasses import replace
from typing import Any

from benchmarks.online.attacks.hostile import GREETING, Foe, Hostile
from benchmarks.online.attacks.visits import fetch
from benchmarks.online.moves import quiet_cells
from benchmarks.online.serving import Setting
from tic_tac_toe.protocols.online.addresses import hash_of_token, new_token
from tic_tac_toe.protocols.online.events import (
    SEATS,
    TAKE_BACK,
    Accepted,
    Created,
    Event,
    GameSetup,
    Moved,
    Offered,
    Player,
    Resigned,
    Said,
)
from tic_tac_toe.protocols.online.game import OnlineGame, begin
from tic_tac_toe.protocols.online.messages import CHAT_IN_GAME, EVENTS_IN_GAME
from tic_tac_toe_frontends.server.storage.game_rows import Transaction, row_of
from tic_tac_toe_frontends.server.storage.sqlite_store import SqliteStore

#: Long games that there are, half of them finished, and hellos that are said at once.
GAMES, AT_ONCE = 120, 60


def prepare(setting: Setting, _: ExitStack, scale: float) -> dict[str, Any]:
    """Write the long games into the data file; return their addresses."""
    rng = random.Random(4000)
    length = round(EVENTS_IN_GAME * scale)
    events, game = _long_game(new_token(rng), length, rng)
    store = SqliteStore(setting.data)
    store.open()
    addresses = []
    for number in range(max(4, round(GAMES * scale))):
        address = new_token(rng)
        ended, last = list(events), game
        if number % 2:
            end = Resigned(events[0].game, length, game.turn, game.time)
            ended, last = [*events, end], game.apply(end)
        store.commit(
            [
                Transaction(
                    tuple(replace(event, game=address) for event in ended),
                    (row_of(last)._replace(game=address),),
                )
            ]
        )
        addresses.append(address)
    store.close()
    return {"unfinished": addresses[::2], "finished": addresses[1::2]}


def _long_game(address: str, length: int, rng: random.Random) -> tuple[list[Event], OnlineGame]:
    """Return the events of a game that leaves room for its end, and the game."""
    now = int(time.time() * 1000) - 60_000
    players = tuple(Player(name, hash_of_token(new_token(rng))) for name in ("Ann", "Bob"))
    setup = GameSetup("gomoku", players=(players[0], players[1]), is_open=True)
    first = Created(address, 1, "", now, "a", setup=setup)
    events: list[Event] = [first]
    game, cells = begin(first), quiet_cells(rng)

    def add(event: Event) -> None:
        nonlocal game
        game = game.apply(event)
        events.append(event)

    def place(seat: str) -> tuple[str, int, str, int, str]:
        return address, game.version + 1, seat, now, f"m{game.version}"

    for _ in range(min(160, length // 4)):
        side = SEATS.index(game.turn)
        add(Moved(*place(game.turn), cell=cells[side].pop()))
    while game.version < length - 1:
        mover = game.turn
        if game.chats < CHAT_IN_GAME:
            add(Said(*place(mover), text="What do you think of this one?"))
        elif game.offers:
            add(Accepted(*place(mover), what=TAKE_BACK))
        elif isinstance(events[-1], Moved):
            add(Offered(*place(_other(mover)), what=TAKE_BACK))
        else:
            add(Moved(*place(mover), cell=cells[SEATS.index(mover)][-1]))
    return events, game


def _other(seat: str) -> str:
    return SEATS[1 - SEATS.index(seat)]


async def hellos(hostile: Hostile) -> None:
    """Say 60 hellos at once, each to another long game, and then again to others."""
    games = [*hostile.shared["unfinished"], *hostile.shared["finished"]]

    async def one(number: int) -> None:
        turn = number

        async def act(foe: Foe) -> None:
            nonlocal turn
            while not (foe.is_lost or hostile.is_over):
                await foe.do({**GREETING, "game": games[turn % len(games)]})
                turn += AT_ONCE

        await hostile.over_and_over(act, keeps=True)

    await hostile.at_once(hostile.some(AT_ONCE), one)


async def pages(hostile: Hostile) -> None:
    """Ask for the pages and records of the long games, over twenty connections."""
    games = [*hostile.shared["finished"], *hostile.shared["unfinished"]]
    endings = ("", "?ply=50", "/record.txt", "/record.json")

    async def one(number: int) -> None:
        turn = number
        while not hostile.is_over:
            ending = endings[turn // len(games) % len(endings)]
            await fetch(hostile, f"/games/{games[turn % len(games)]}{ending}")
            turn += 20
            await hostile.pace(0.1)

    await hostile.at_once(hostile.some(20), one)
