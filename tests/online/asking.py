"""Asks an ASGI application for pages, without a network."""

import asyncio
from collections.abc import MutableMapping
from typing import Any, NamedTuple

from starlette.types import ASGIApp


class Reply(NamedTuple):
    """What came back; header names in small letters."""

    status: int
    headers: dict[str, str]
    body: bytes

    @property
    def text(self) -> str:
        """The body as text."""
        return self.body.decode()


def ask(app: ASGIApp, path: str, *, method: str = "GET", **headers: str) -> Reply:
    """Return what an application says to a request; underscores in headers' names are hyphens."""
    return asyncio.run(ask_async(app, path, method=method, **headers))


async def ask_async(app: ASGIApp, path: str, *, method: str = "GET", **headers: str) -> Reply:
    """Return what `ask` does, in an event loop that runs already."""
    address, _, query = path.partition("?")
    sent = [(b"host", b"play.example:8765")]
    sent += [(name.replace("_", "-").encode(), value.encode()) for name, value in headers.items()]
    scope = {
        "type": "http",
        "asgi": {"version": "3.0"},
        "http_version": "1.1",
        "method": method,
        "scheme": "http",
        "path": address,
        "raw_path": address.encode(),
        "query_string": query.encode(),
        "root_path": "",
        "headers": sent,
        "client": ("127.0.0.1", 50_000),
        "server": ("127.0.0.1", 8765),
        "state": {},
    }
    started: dict[str, Any] = {}
    body = bytearray()

    async def receive() -> dict[str, object]:
        return {"type": "http.request", "body": b"", "more_body": False}

    async def send(message: MutableMapping[str, Any]) -> None:
        if message["type"] == "http.response.start":
            started.update(message)
        else:
            body.extend(message.get("body", b""))

    await app(scope, receive, send)
    pairs = {name.decode(): value.decode() for name, value in started["headers"]}
    return Reply(started["status"], pairs, bytes(body))
