"""The means of an attacker: one address, many connections, and a count of what came of it."""

from __future__ import annotations

import asyncio
import json
import random
import time
from collections import Counter
from collections.abc import Awaitable, Callable, Mapping
from contextlib import suppress
from itertools import count
from typing import Any

from benchmarks.online.sockets import Socket, frame_of, open_socket
from tic_tac_toe.protocols.online.addresses import new_token

#: Where all attacks come from.
ADDRESS = "127.66.6.6"
#: Bytes that wait to be sent by one connection at most: the attacker is not what runs out.
MOST_WAITING = 256 * 1024
#: Seconds between two attempts to connect again, and that an answer is waited for.
AGAIN, PATIENCE = 0.05, 3.0

GREETING = {"type": "hello", "protocol": 1}


class Foe(Socket):
    """A connection of the attacker.

    Attributes:
        news: the answers and events that have come and were not taken, if they are kept.
        stays: whether it stays on when the server has closed it.
        is_left: whether it was closed from here.
    """

    __slots__ = ("hostile", "is_left", "news", "stays", "token")

    def __init__(self, hostile: Hostile, keeps: bool, stays: bool) -> None:
        super().__init__(hostile.heard)
        self.hostile = hostile
        self.news: asyncio.Queue[dict[str, Any]] | None = asyncio.Queue() if keeps else None
        self.stays = stays
        self.is_left = False
        self.token = new_token(hostile.rng)

    def closed(self) -> None:
        """Let go of it, or go on although the server has closed it."""
        self.hostile.counts[f"closed {self.code}"] += 1
        if not self.stays:
            super().closed()

    def connection_lost(self, error: Exception | None) -> None:
        """Count a connection that was cut without a word."""
        ended = self.code or self.is_left or self.hostile.is_over
        if self.opened.done() and not ended:
            self.hostile.counts["cut off"] += 1
        super().connection_lost(error)

    def close(self) -> None:
        """Let go of it."""
        self.is_left = True
        super().close()

    def ask(self, request: Mapping[str, Any]) -> str:
        """Send a request, and return its id."""
        message_id = f"a{next(self.hostile.numbers)}"
        self.hostile.counts["asked"] += 1
        self.say(json.dumps({"id": message_id, **request}))
        return message_id

    async def answer(self, message_id: str) -> dict[str, Any]:
        """Return the answer to a request; without one, nothing."""
        return await self.next(lambda news: news.get("id") == message_id)

    async def next(self, wanted: Callable[[dict[str, Any]], bool]) -> dict[str, Any]:
        """Return the next news of a kind; without any for a while, nothing."""
        assert self.news is not None
        end = time.perf_counter() + PATIENCE
        while time.perf_counter() < end and not self.is_lost:
            with suppress(asyncio.TimeoutError):
                news = await asyncio.wait_for(self.news.get(), 0.5)
                if wanted(news):
                    return news
        return {}

    async def do(self, request: Mapping[str, Any]) -> dict[str, Any]:
        """Return the answer to a request; without one, nothing."""
        return await self.answer(self.ask(request))

    async def pour(self, data: bytes, most: int | None = None) -> None:
        """Send the same bytes over and over while the connection lasts.

        Args:
            most: bytes a second.
        """
        hostile, sent, start = self.hostile, 0, time.perf_counter()
        while not (self.is_lost or self.transport.is_closing() or hostile.is_over):
            due = most is None or sent < most * (time.perf_counter() - start)
            if not due or self.transport.get_write_buffer_size() > MOST_WAITING:
                await asyncio.sleep(0.002)
                continue
            self.write(data)
            sent += len(data)
            await asyncio.sleep(0)
        with suppress(AttributeError):
            sent -= self.transport.get_write_buffer_size()
        hostile.counts["bytes"] += sent


class Hostile:
    """The attacker.

    Args:
        seconds: that it has.
        scale: connections and games of a full attack count as these many parts of one.
        games: the addresses of the honest players' games, as anybody may see them.
        shared: what was prepared for the attack.

    Attributes:
        counts: what came of it.
    """

    def __init__(
        self, port: int, seconds: float, scale: float, games: list[str], shared: dict[str, Any]
    ) -> None:
        self.port = port
        self.seconds = seconds
        self.scale = scale
        self.games = games
        self.shared = shared
        self.counts: Counter[str] = Counter()
        self.numbers = count()
        self.rng = random.Random(66)
        self.start = time.perf_counter()
        self._half: Counter[str] | None = None

    @property
    def is_over(self) -> bool:
        """Whether it has to end."""
        return time.perf_counter() >= self.start + self.seconds

    def some(self, number: int) -> int:
        """Return the count of something at the scale of this attack, at least 2."""
        return max(2, round(number * self.scale))

    def heard(self, socket: Socket, text: bytes) -> None:
        """Count an answer."""
        assert isinstance(socket, Foe)
        if socket.news is None and text.startswith(b'{"type":"event"'):
            return
        news = json.loads(text)
        kind = news.get("type")
        if kind == "answer":
            self.counts[" ".join(filter(None, (news["status"], news.get("reason"))))] += 1
        elif kind == "welcome":
            self.counts["welcome"] += 1
        if socket.news is not None:
            socket.news.put_nowait(news)

    async def open(self, *, keeps: bool = False, stays: bool = False) -> Foe | None:
        """Return a new connection; ``None`` if the server refuses."""
        foe = Foe(self, keeps, stays)
        foe.opened.add_done_callback(lambda done: done.cancelled() or done.exception())
        try:
            await asyncio.wait_for(open_socket(self.port, foe, ADDRESS), PATIENCE)
        except (OSError, asyncio.TimeoutError) as error:
            said = str(error)
            refused = said.partition(" ")[2][:3] if said.startswith("HTTP/") else "no answer"
            self.counts[f"refused {refused}"] += 1
            return None
        self.counts["opened"] += 1
        return foe

    async def over_and_over(self, act: Callable[[Foe], Awaitable[None]], **options: bool) -> None:
        """Do something with a new connection whenever the last one is gone."""
        while not self.is_over:
            foe = await self.open(**options)
            if foe is None:
                await asyncio.sleep(10 * AGAIN)
                continue
            await act(foe)
            foe.close()
            await asyncio.sleep(AGAIN)

    async def at_once(self, acts: int, act: Callable[[int], Awaitable[None]]) -> None:
        """Do something many times at once, and see the end of the time."""

        async def guarded(number: int) -> None:
            with suppress(OSError, asyncio.TimeoutError, KeyError, ValueError):
                await act(number)

        tasks = [asyncio.create_task(guarded(number)) for number in range(acts)]
        await asyncio.wait(tasks, timeout=max(0.1, self.start + self.seconds - time.perf_counter()))
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)

    async def pace(self, each: float) -> None:
        """Wait a while, somewhat by chance, so that connections do not act in step."""
        await asyncio.sleep(each * (0.5 + self.rng.random()))


def requests_of(request: Mapping[str, Any], number: int) -> bytes:
    """Return the frames of many requests that differ by their ids only."""
    return b"".join(
        frame_of(json.dumps({"id": f"b{each}", **request}, ensure_ascii=False))
        for each in range(number)
    )
