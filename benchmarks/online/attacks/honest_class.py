"""Thirty people behind one address, who begin to play at once: the limits have to let them."""

from __future__ import annotations

import random

from benchmarks.online.attacks.hostile import GREETING, Foe, Hostile
from benchmarks.online.attacks.visits import fetch
from benchmarks.online.moves import quiet_cells

#: Pairs of people, and files of the page that each of them loads.
PAIRS, FILES = 15, 40
#: Seconds between two moves of a game: as quick as pupils are.
PACE = 1.0


async def play(hostile: Hostile) -> None:
    """Load the page, then play: half of them create games, and the others join them."""

    async def pair(number: int) -> None:
        await hostile.pace(1.0)
        for path in ("/", "/online.json", *("/" for _ in range(2 * FILES - 2))):
            await fetch(hostile, path)
        ann, bob = await hostile.open(keeps=True), await hostile.open(keeps=True)
        if ann is None or bob is None:
            return
        for each in (ann, bob):
            await each.do(GREETING)
        created = await ann.do(
            {"type": "create", "variant": "gomoku", "seat": "X", "token": ann.token}
        )
        game = created.get("game", "")
        await bob.do({"type": "join", "game": game, "token": bob.token})
        await _moves(hostile, ann, bob, random.Random(number))

    await hostile.at_once(hostile.some(PAIRS), pair)


async def _moves(hostile: Hostile, ann: Foe, bob: Foe, rng: random.Random) -> None:
    version, turn, cells = 2, 0, quiet_cells(rng)
    while not hostile.is_over:
        mover = (ann, bob)[turn]
        asked = {"type": "move", "version": version, "cell": cells[turn].pop()}
        answer = await mover.do(asked)
        if answer.get("status") != "ok":
            return
        said = await mover.do({"type": "chat", "text": "Your turn."})
        version = said.get("version", version)
        turn = 1 - turn
        await hostile.pace(PACE)
