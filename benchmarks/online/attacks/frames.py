"""Attacks by what is below a request: frames, parts and bytes."""

from __future__ import annotations

import asyncio
import socket as sockets

from benchmarks.online.attacks.hostile import GREETING, Foe, Hostile, requests_of
from benchmarks.online.sockets import MASK, frame_of

PONG = b"\x8a\x80" + MASK
PING = b"\x89\x80" + MASK
#: The beginning of a text, and a part of it that holds nothing.
BEGUN, EMPTY = b"\x01\x81" + MASK + b"{", b"\x00\x80" + MASK
BINARY = b"\x82\x81" + MASK + b"x"
ASKED = {"type": "events", "after": 0}
#: Bytes a second of one connection: half a million frames that hold nothing.
RATE = 3_000_000


async def pongs(hostile: Hostile) -> None:
    """Send pongs that nobody has asked for, over one connection."""
    await hostile.over_and_over(lambda foe: foe.pour(PONG * 1000, RATE))


async def pings(hostile: Hostile) -> None:
    """Send pings over one connection."""
    await hostile.over_and_over(lambda foe: foe.pour(PING * 1000, RATE))


async def empty_parts(hostile: Hostile) -> None:
    """Begin a text, and go on with parts that hold nothing."""

    async def act(foe: Foe) -> None:
        foe.write(BEGUN)
        await foe.pour(EMPTY * 1000, RATE)

    await hostile.over_and_over(act)


async def refused_by_one(hostile: Hostile) -> None:
    """Ask far more often than is allowed, over one connection."""
    await _refused(hostile, 1)


async def refused_by_many(hostile: Hostile) -> None:
    """Ask far more often than is allowed, over a hundred connections."""
    await _refused(hostile, hostile.some(100))


async def _refused(hostile: Hostile, connections: int) -> None:
    asked = frame_of('{"type":"hello","id":"h","protocol":1}') + requests_of(ASKED, 200)

    async def one(_: int) -> None:
        await hostile.over_and_over(lambda foe: foe.pour(asked))

    await hostile.at_once(connections, one)


async def after_the_close(hostile: Hostile) -> None:
    """Make the server close, and go on sending requests until it cuts the connection."""
    asked = requests_of(ASKED, 200)

    async def act(foe: Foe) -> None:
        foe.write(BINARY)
        await foe.pour(asked)

    async def one(_: int) -> None:
        await hostile.over_and_over(act, stays=True)

    await hostile.at_once(hostile.some(10), one)


async def one_byte_texts(hostile: Hostile) -> None:
    """Send texts of one byte, which are no requests, over ten connections."""

    async def one(_: int) -> None:
        await hostile.over_and_over(lambda foe: foe.pour(b"\x81\x81" + MASK + b"x"))

    await hostile.at_once(hostile.some(10), one)


async def byte_by_byte(hostile: Hostile) -> None:
    """Send requests in packets of one byte each, over a hundred connections."""
    asked = requests_of({**GREETING, "token": ""}, 1)

    async def act(foe: Foe) -> None:
        own = foe.transport.get_extra_info("socket")
        own.setsockopt(sockets.IPPROTO_TCP, sockets.TCP_NODELAY, 1)
        while not (foe.is_lost or foe.transport.is_closing() or hostile.is_over):
            for each in asked:
                if foe.transport.is_closing():
                    return
                foe.write(bytes((each,)))
                await asyncio.sleep(0)
            hostile.counts["bytes"] += len(asked)

    async def one(_: int) -> None:
        await hostile.over_and_over(act)

    await hostile.at_once(hostile.some(100), one)
