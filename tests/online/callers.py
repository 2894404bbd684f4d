"""Clients that ask real servers one thing after the other, and remember all that they are told."""

from __future__ import annotations

import asyncio
import json
from contextlib import suppress
from typing import Any

from websockets.asyncio.client import ClientConnection
from websockets.exceptions import ConnectionClosed

from tests.online.processes import PATIENCE, Server, web_socket
from tic_tac_toe.protocols.online.requests import Request, write_request


class Caller:
    """One connection.

    Attributes:
        heard: what has come, decoded.
        reading: ends when the connection does.
    """

    def __init__(self, socket: ClientConnection) -> None:
        self.socket = socket
        self.heard: list[dict[str, Any]] = []
        self.waiting: dict[str, asyncio.Future[dict[str, Any]]] = {}
        self.reading = asyncio.create_task(self._read())

    @classmethod
    async def at(cls, server: Server) -> Caller:
        """Return a connection to a server."""
        return cls(await web_socket(server.url))

    async def ask(self, request: Request) -> dict[str, Any]:
        """Return the answer to a request; one that is busy is asked again."""
        while True:
            future = asyncio.get_running_loop().create_future()
            self.waiting[request.id] = future
            await self.socket.send(write_request(request))
            answer: dict[str, Any] = await asyncio.wait_for(future, PATIENCE)
            if answer.get("status") != "busy":
                return answer
            await asyncio.sleep(answer.get("retry", 0) / 1000)

    async def close(self) -> None:
        """Let go of it."""
        await self.socket.close()
        await self.reading

    async def _read(self) -> None:
        with suppress(ConnectionClosed):
            async for text in self.socket:
                values = json.loads(text)
                self.heard.append(values)
                waiting = self.waiting.pop(values.get("id", ""), None)
                if waiting is not None and not waiting.done():
                    waiting.set_result(values)
