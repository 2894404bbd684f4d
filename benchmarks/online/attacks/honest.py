"""The other players: games at an even pace, and how soon their moves are acknowledged."""

from __future__ import annotations

import asyncio
import json
import random
import time
from collections.abc import Callable, Sequence
from typing import NamedTuple

from benchmarks.online.moves import Game
from benchmarks.online.sockets import Socket, connect

#: Seconds between two moves of a game, and seconds that the last answers are waited for.
PACE, PATIENCE = 0.7, 30.0
#: The numbers of clients are apart by this, so that each pair has an address of its own.
APART = 100


class Heard(NamedTuple):
    """How the honest players fared for a while.

    Attributes:
        delays: of each move, the seconds from when it was due to its acknowledgement.
        late: of each move, how late the player's own process was.
        unanswered, refused: moves without an answer, and with another one than ``ok``.
    """

    delays: Sequence[float]
    late: Sequence[float]
    unanswered: int
    refused: Sequence[str]


class Crowd:
    """Games of two people each, from an address of their own for each game."""

    def __init__(self, games: int) -> None:
        self.games = [Game(number * APART // 2, random.Random(number)) for number in range(games)]
        self.addresses: list[str] = []
        self._answers: dict[int, asyncio.Future[bytes]] = {}
        self._port = 0

    async def begin(self, port: int) -> None:
        """Begin all games."""
        self._port = port
        for game in self.games:
            self.addresses.append(await game.begin(port))
            for socket in game.sockets:
                socket.received = self._listener(game)

    def _listener(self, game: Game) -> Callable[[Socket, bytes], None]:
        def received(_: Socket, text: bytes) -> None:
            answer = self._answers.get(game.number)
            if text.startswith(b'{"type":"answer"') and answer is not None and not answer.done():
                answer.set_result(text)

        return received

    async def play(self, seconds: float) -> Heard:
        """Play for a while."""
        heard = Heard([], [], 0, [])
        start = time.perf_counter()
        stuck = await asyncio.gather(
            *(
                self._play(game, start + PACE * turn / len(self.games), start + seconds, heard)
                for turn, game in enumerate(self.games)
            )
        )
        return heard._replace(unanswered=sum(stuck))

    async def _play(self, game: Game, due: float, end: float, heard: Heard) -> int:
        """Play one game; return whether a move has got no answer."""
        assert isinstance(heard.delays, list)
        assert isinstance(heard.late, list)
        assert isinstance(heard.refused, list)
        while due < end:
            ahead = due - time.perf_counter()
            if ahead > 0:
                await asyncio.sleep(ahead)
                heard.late.append(time.perf_counter() - due)
            answer = self._answers[game.number] = asyncio.get_running_loop().create_future()
            game.move(due)
            try:
                text = await asyncio.wait_for(
                    answer, max(1.0, end + PATIENCE - time.perf_counter())
                )
            except asyncio.TimeoutError:
                heard.delays.append(time.perf_counter() - due)
                return 1
            heard.delays.append(time.perf_counter() - due)
            if b'"status":"ok"' in text:
                game.version += 1
                game.turn = 1 - game.turn
            else:
                heard.refused.append(text.decode()[:200])
            due += PACE
        return 0

    async def lost(self) -> int:
        """Return how many acknowledged events the server does not have any more."""
        lost = 0
        for game, address in zip(self.games, self.addresses):
            welcome: asyncio.Future[bytes] = asyncio.get_running_loop().create_future()

            def received(_: Socket, text: bytes, welcome: asyncio.Future[bytes] = welcome) -> None:
                if text.startswith(b'{"type":"welcome"') and not welcome.done():
                    welcome.set_result(text)

            socket = await connect(self._port, received, game.number * 2)
            hello = {"type": "hello", "id": "h", "protocol": 1, "game": address}
            socket.say(json.dumps({**hello, "last_seen_version": game.version}))
            told = json.loads(await asyncio.wait_for(welcome, PATIENCE))
            lost += max(0, game.version - told["head"])
            socket.close()
        return lost

    def close(self) -> None:
        """Let go of all connections."""
        for game in self.games:
            for socket in game.sockets:
                socket.close()
