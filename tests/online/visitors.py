"""Visitors of a server's pages who speak plain HTTP over sockets of their own."""

from __future__ import annotations

import asyncio
import re
import socket
from pathlib import Path
from urllib.parse import urlsplit

import pytest

from tests.online.processes import PATIENCE
from tic_tac_toe_frontends.program.page_files import CACHE_VARIABLE, MANIFEST, SITE, Manifest
from tic_tac_toe_frontends.server.game_server import GameServer


class Visitor:
    """One connection.

    Args:
        url: any address of the server.
        host: the own address, of the loopback.
        unread: bytes that the system takes before they are read; as many as it likes unless given.
    """

    def __init__(self, url: str, host: str = "127.0.0.1", unread: int = 0) -> None:
        self._socket = socket.socket()
        if unread:
            self._socket.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, unread)
        self._socket.bind((host, 0))
        self._socket.setblocking(False)
        self._port = urlsplit(url).port
        self.came = b""

    async def send(self, text: str | bytes) -> Visitor:
        """Connect, if that has not been done, and send a text."""
        loop = asyncio.get_running_loop()
        if self._port is not None:
            await loop.sock_connect(self._socket, ("127.0.0.1", self._port))
            self._port = None
        await loop.sock_sendall(self._socket, text.encode() if isinstance(text, str) else text)
        return self

    async def ask(self, path: str, headers: str = "") -> Visitor:
        """Send a request."""
        return await self.send(f"GET {path} HTTP/1.1\r\nHost: play.example\r\n{headers}\r\n")

    async def read(self, count: int = 1 << 16) -> bytes:
        """Return what comes next; nothing at the end."""
        loop = asyncio.get_running_loop()
        try:
            part = await asyncio.wait_for(loop.sock_recv(self._socket, count), PATIENCE)
        except ConnectionError:
            part = b""
        if not part:
            self.leave()
        self.came += part
        return part

    async def read_all(self) -> list[int]:
        """Read until the server closes, and return the statuses of its answers."""
        while await self.read():
            pass
        return [int(code) for code in re.findall(rb"HTTP/1\.1 (\d{3}) ", self.came)]

    async def status(self) -> int:
        """Read an answer, and return its status; 0 if the server closes."""
        self.came = b""
        while not (found := re.match(rb"HTTP/1.1 (\d+) (?s:.*?)\r\n\r\n", self.came)):
            if not await self.read():
                return 0
        length = re.search(rb"(?i)\r\ncontent-length: (\d+)", found[0])
        whole = found.end() + int(length[1] if length else 0)
        while len(self.came) < whole and await self.read():
            pass
        return int(found[1])

    async def is_closed(self) -> bool:
        """Whether the server has closed the connection, or does in a moment."""
        try:
            return not await asyncio.wait_for(self.read(), 0.3)
        except asyncio.TimeoutError:
            return False

    def leave(self) -> None:
        """Close the connection."""
        self._socket.close()


async def status_of(url: str, path: str, host: str = "127.0.0.1", headers: str = "") -> int:
    """Return the status of an answer to a visitor who comes and goes."""
    visitor = Visitor(url, host)
    try:
        await visitor.ask(path, headers)
        return await visitor.status()
    finally:
        visitor.leave()


def figure(server: GameServer, name: str, **labels: str) -> float:
    """Return one of a server's figures."""
    value = server.registry.get_sample_value(f"tictactoe_{name}", labels)
    assert value is not None
    return value


def build(folder: Path, monkeypatch: pytest.MonkeyPatch, **files: bytes) -> None:
    """Put a page of these files, whose names are without ``.js``, where servers look for it."""
    monkeypatch.setenv(CACHE_VARIABLE, str(folder))
    site = folder / SITE
    site.mkdir()
    contents = {"index.html": b"<!DOCTYPE html>"}
    contents |= {f"{name}.js": content for name, content in files.items()}
    for name, content in contents.items():
        (site / name).write_bytes(content)
    (site / MANIFEST).write_text(Manifest.of(contents, "made here").text(), encoding="utf-8")
