"""What else others notice: the waits for computers, the lobby, and whether newcomers get in.

A probe observes the same before an attack and during it.
"""

from __future__ import annotations

import asyncio
import json
import math
import random
import sqlite3
import time
from collections.abc import Callable, Mapping
from contextlib import closing
from typing import Any, Protocol

from benchmarks.online.serving import Serving
from benchmarks.online.sockets import Socket, connect
from tic_tac_toe.protocols.online.addresses import new_token
from tic_tac_toe.protocols.online.messages import LOBBY_GAMES

#: The numbers of the probes' clients begin here, and are apart by an address.
FIRST, APART = 300_000, 100
PATIENCE = 2.0
#: Seconds within which an easy computer should move.
SOON = 1.0
#: What SQLite tells of its pages.
WHAT = ("count", "size")


class Probe(Protocol):
    """Observes others.

    Attributes:
        is_fair: whether what was seen last is what others may expect.
    """

    is_fair: bool

    async def look(self, seconds: float) -> str:
        """Observe for a while, and return what was seen."""

    def close(self) -> None:
        """Let go of all connections."""


class Stranger:
    """An honest client from an address that nobody else has."""

    numbers = iter(range(FIRST, 10_000_000, APART))

    def __init__(self, socket: Socket, news: asyncio.Queue[dict[str, Any]]) -> None:
        self.socket = socket
        self.news = news
        self.token = new_token(random.Random())

    @classmethod
    async def arrive(cls, port: int, patience: float = 30.0) -> Stranger:
        """Return a new one.

        Raises:
            OSError, asyncio.TimeoutError: the server does not let it in.
        """
        news: asyncio.Queue[dict[str, Any]] = asyncio.Queue()

        def received(_: Socket, text: bytes) -> None:
            news.put_nowait(json.loads(text))

        socket = await asyncio.wait_for(connect(port, received, next(cls.numbers)), patience)
        return cls(socket, news)

    async def next(
        self, wanted: Callable[[dict[str, Any]], bool], patience: float
    ) -> dict[str, Any]:
        """Return the next wanted news; empty if none comes in `patience` seconds."""
        end = time.perf_counter() + patience
        while (left := end - time.perf_counter()) > 0:
            try:
                news = await asyncio.wait_for(self.news.get(), left)
            except asyncio.TimeoutError:
                break
            if wanted(news):
                return news
        return {}

    async def do(self, patience: float, **request: Any) -> dict[str, Any]:
        """Return the answer to a request; empty if none comes in `patience` seconds."""
        self.socket.say(json.dumps({"id": f"s{id(request)}", **request}))
        return await self.next(lambda news: news.get("type") in ("answer", "welcome"), patience)


class _Alone:
    """A probe whose connections are closed when it has looked."""

    def close(self) -> None:
        """Do nothing more."""


class Easy(_Alone):
    """A game against ``easy``: how soon it moves, which should be within `SOON`."""

    def __init__(self, server: Serving) -> None:
        self.port = server.port
        self.is_fair = True

    async def look(self, seconds: float) -> str:
        """Move once a second, and measure the waits for the computer."""
        end, waits = time.perf_counter() + seconds, list[float]()
        self.is_fair = True
        while time.perf_counter() < end:
            stranger = await Stranger.arrive(self.port)
            await stranger.do(
                30.0,
                type="create",
                variant="gomoku",
                seat="X",
                opponent="easy",
                token=stranger.token,
            )
            version, cells = 1, iter(random.sample(range(225), 225))
            while time.perf_counter() < end:
                cell = next(cells)
                asked = {"type": "move", "version": version, "cell": cell}
                answer = await stranger.do(30.0, **asked)
                if answer.get("reason") == "move":
                    continue
                if answer.get("status") != "ok":
                    break  # that game is over
                start = time.perf_counter()
                moved = await stranger.next(
                    lambda news: news.get("seat") == "O", max(5.0, end - start)
                )
                waits.append(time.perf_counter() - start)
                if not moved:
                    self.is_fair = False
                    break
                version = moved["version"]
                await asyncio.sleep(1.0)
            stranger.socket.close()
        waits.sort()
        middle, longest = waits[len(waits) // 2], waits[-1]
        never = "" if self.is_fair else ", and then not any more"
        self.is_fair &= longest <= SOON
        return (
            f"easy moves after p50 {1000 * middle:.0f} ms, at most {1000 * longest:.0f} ms{never}"
        )


class Newcomers(_Alone):
    """New clients: how many get in within `PATIENCE`."""

    def __init__(self, server: Serving) -> None:
        self.server = server
        self.is_fair = True

    async def look(self, seconds: float) -> str:
        """Open a connection each half second, and greet."""
        end, tries, waits = time.perf_counter() + seconds, 0, list[float]()
        log = self.server.log.stat().st_size
        while time.perf_counter() < end:
            start = time.perf_counter()
            tries += 1
            try:
                stranger = await Stranger.arrive(self.server.port, PATIENCE)
                if await stranger.do(PATIENCE, type="hello", protocol=1):
                    waits.append(time.perf_counter() - start)
                stranger.socket.close()
            except (OSError, asyncio.TimeoutError):
                pass
            await asyncio.sleep(max(0.0, start + 0.5 - time.perf_counter()))
        self.is_fair = len(waits) == tries
        grown = self.server.log.stat().st_size - log
        slowest = f", slowest {1000 * max(waits):.0f} ms" if waits else ""
        return f"{len(waits)} of {tries} newcomers in{slowest}; log +{grown / 1000:,.0f} kB"


class Places:
    """Open games of others: how many of them the lobby shows, which should be most."""

    own = 3

    def __init__(self, server: Serving) -> None:
        self.port = server.port
        self.is_fair = True
        self.creators: list[Stranger] = []
        self.games: list[str] = []

    async def look(self, seconds: float) -> str:
        """Offer games, and look at the end what the lobby shows."""
        end = time.perf_counter() + seconds
        watcher = await Stranger.arrive(self.port)
        for _ in range(3 if self.games else self.own):
            creator = await Stranger.arrive(self.port)
            answer = await creator.do(
                30.0, type="create", variant="tic-tac-toe", open=True, token=creator.token
            )
            self.creators.append(creator)
            self.games.append(str(answer.get("game")))
        await asyncio.sleep(max(0.0, end - time.perf_counter()))
        watcher.socket.say('{"type":"lobby","id":"l","on":true}')
        shown = await watcher.next(lambda news: news.get("type") == "lobby", 30.0)
        games = {game["game"] for game in shown.get("games", ())}
        watcher.socket.close()
        seen = len(games & set(self.games))
        self.is_fair = seen >= len(self.games) * 0.8
        others = f"{seen} of {len(self.games)} games of others"
        return f"{others} shown, {len(games) - seen} of the attacker"

    def close(self) -> None:
        """Let go of all connections."""
        for creator in self.creators:
            creator.socket.close()


class Offers(Places):
    """The same with a full lobby."""

    own = LOBBY_GAMES


class Written(_Alone):
    """How much is written."""

    is_fair = True

    def __init__(self, server: Serving) -> None:
        self.data = server.setting.data

    async def look(self, seconds: float) -> str:
        """Look how much larger the data are after a while, in the second half of it."""
        await asyncio.sleep(seconds / 2)
        before = self._size()
        await asyncio.sleep(seconds / 2)
        grown = (self._size() - before) / (seconds / 2)
        return f"data +{3600 * grown / 1e6:,.0f} MB an hour"

    def _size(self) -> int:
        """Return the bytes of the pages that are in use, those in the log included."""
        with closing(sqlite3.connect(f"file:{self.data}?mode=ro", uri=True)) as reader:
            sizes = (reader.execute(f"PRAGMA page_{what}").fetchone()[0] for what in WHAT)
            return math.prod(sizes)


PROBES: Mapping[str, Callable[[Serving], Probe]] = {
    "easy": Easy,
    "newcomers": Newcomers,
    "places": Places,
    "offers": Offers,
    "written": Written,
}
