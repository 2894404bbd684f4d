"""Messages between servers through Redis: only speed depends on them."""

from __future__ import annotations

import asyncio
import contextlib
import json
from collections.abc import Awaitable, Callable
from logging import WARNING

from redis.asyncio import Redis

from ..logs import log
from ..tasks import Tasks
from . import NodeMessage, Nodes

CHANNEL = "tictactoe:hints"
#: Seconds until the next attempt after a failure of Redis.
AGAIN = 1.0
#: Messages that may wait to be sent; more are dropped, because the log is read anyway.
MOST_WAITING = 1_000


class RedisNodes(Nodes):
    """The other servers, on one channel of Redis.

    Args:
        url: of Redis, as in ``redis://host:6379/0``.
        name: of this server, by which it recognises its own messages.
    """

    def __init__(self, url: str, name: str) -> None:
        super().__init__(name)
        self.url = url
        self._redis()  # raises ValueError for an invalid URL
        self._waiting: asyncio.Queue[str] = asyncio.Queue(MOST_WAITING)
        self._tasks = Tasks()

    def __repr__(self) -> str:
        return f"RedisNodes(name={self.name!r})"

    async def open(self, receive: Callable[[NodeMessage], None]) -> None:
        """Start to listen, now or as soon as Redis answers."""
        self._tasks.start(self._run_forever(lambda: self._listen(receive), "listening"))
        self._tasks.start(self._run_forever(self._send, "telling"))

    async def close(self) -> None:
        """Stop listening."""
        await self._tasks.end()

    def publish(
        self, kind: str, address: str = "", seats: str = "", watchers: int = 0, text: str = ""
    ) -> None:
        """Send a message to the other servers, unless too many wait."""
        with contextlib.suppress(asyncio.QueueFull):
            outgoing = NodeMessage(kind, address, self.name, seats, watchers, text)
            self._waiting.put_nowait(json.dumps(outgoing))

    async def _send(self) -> None:
        async with self._redis() as redis:
            while True:
                await redis.publish(CHANNEL, await self._waiting.get())

    async def _listen(self, receive: Callable[[NodeMessage], None]) -> None:
        async with self._redis() as redis, redis.pubsub() as channel:
            await channel.subscribe(CHANNEL)
            async for message in channel.listen():
                if message["type"] == "message":
                    self.receive(message["data"], receive)

    async def _run_forever(self, job: Callable[[], Awaitable[None]], what: str) -> None:
        while True:
            try:
                await job()
            except Exception as error:  # noqa: PERF203  # each failure is waited out
                log("no redis", level=WARNING, what=what, problem=type(error).__name__)
                await asyncio.sleep(AGAIN)

    def receive(self, data: bytes, receive: Callable[[NodeMessage], None]) -> None:
        """Pass on what another server has sent, if it is a valid message."""
        try:
            received = NodeMessage(*json.loads(data))
        except (ValueError, TypeError, RecursionError):
            return  # of another program on the channel
        if [*map(type, received)] == [str, str, str, str, int, str] and received.node != self.name:
            receive(received)

    def _redis(self) -> Redis:
        return Redis.from_url(self.url, socket_connect_timeout=5, health_check_interval=10)
