"""WebSocket clients that cost next to nothing, so that what is measured is the server.

They do as much of RFC 6455 as a server's frames need that are whole, unmasked texts.
"""

from __future__ import annotations

import asyncio
import base64
import os
from collections.abc import Callable
from typing import TypeVar

from tic_tac_toe.protocols.online.messages import SUBPROTOCOL

MASK = b"\x00\x00\x00\x00"  #: masks nothing: what is masked with it stays as it is


def frame_of(text: str) -> bytes:
    """Return the frame of a text as clients send it."""
    payload = text.encode()
    if len(payload) < 126:
        return bytes((0x81, 0x80 | len(payload))) + MASK + payload
    return b"\x81\xfe" + len(payload).to_bytes(2, "big") + MASK + payload


class Socket(asyncio.Protocol):
    """One connection.

    Args:
        received: is told of every text that comes, as bytes.

    Attributes:
        opened: done once the handshake is, with an error if it was refused.
        is_lost: whether the connection is gone.
        code: with which the server has closed it; 0 if it has not.
    """

    __slots__ = ("_buffer", "code", "is_lost", "opened", "received", "transport", "write")

    def __init__(self, received: Callable[[Socket, bytes], None]) -> None:
        self.received = received
        self.opened: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        self.is_lost = False
        self.code = 0
        self._buffer = b""

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        """Ask for a WebSocket."""
        assert isinstance(transport, asyncio.Transport)
        self.transport = transport
        self.write = transport.write
        host, port = transport.get_extra_info("peername")[:2]
        key = base64.b64encode(os.urandom(16)).decode()
        transport.write(
            f"GET /ws HTTP/1.1\r\nHost: {host}:{port}\r\nUpgrade: websocket\r\n"
            f"Connection: Upgrade\r\nSec-WebSocket-Key: {key}\r\nSec-WebSocket-Version: 13\r\n"
            f"Sec-WebSocket-Protocol: {SUBPROTOCOL}\r\n\r\n".encode()
        )

    def data_received(self, data: bytes) -> None:
        """Cut what comes into frames."""
        if self._buffer:
            data = self._buffer + data
        at, size = 0, len(data)
        if not self.opened.done():
            at = data.find(b"\r\n\r\n") + 4
            if at < 4:
                self._buffer = data
                return
            if not self._is_opened_by(data):
                return
        while size - at >= 2:
            length, start = data[at + 1], at + 2
            if length == 126:
                length, start = int.from_bytes(data[at + 2 : at + 4], "big"), at + 4
            elif length == 127:
                length, start = int.from_bytes(data[at + 2 : at + 10], "big"), at + 10
            end = start + length
            if end > size or start > size:
                break
            self._take(data[at], data[start:end])
            at = end
        self._buffer = data[at:] if at < size else b""

    def _take(self, first: int, payload: bytes) -> None:
        """Deal with one frame, by its first byte."""
        if first == 0x81:
            self.received(self, payload)
        elif first == 0x89:
            self.write(bytes((0x8A, 0x80 | len(payload))) + MASK + payload)
        elif first == 0x88:
            self.code = int.from_bytes(payload[:2], "big")
            self.closed()

    def _is_opened_by(self, answer: bytes) -> bool:
        """Return whether the server has opened the WebSocket; else cut the connection."""
        if answer.startswith(b"HTTP/1.1 101"):
            self.opened.set_result(None)
            return True
        self.opened.set_exception(ConnectionRefusedError(answer[:80].decode("latin-1")))
        self.transport.abort()
        return False

    def connection_lost(self, error: Exception | None) -> None:
        """Record that the connection is gone."""
        self.is_lost = True
        if not self.opened.done():
            self.opened.set_exception(ConnectionResetError("closed while opening"))

    def closed(self) -> None:
        """Let go of it, for the server has closed it."""
        self.transport.close()

    def say(self, text: str) -> None:
        """Send a text."""
        self.write(frame_of(text))

    def close(self) -> None:
        """Let go of it."""
        self.transport.abort()


SocketT = TypeVar("SocketT", bound=Socket)


def address_of(number: int) -> str:
    """Return the address of the loopback that a client has; every hundred have one of their own."""
    return f"127.{1 + number // 25_000}.{number // 100 % 250}.1"


async def connect(port: int, received: Callable[[Socket, bytes], None], number: int = 0) -> Socket:
    """Return an open connection of a client with a number, see `address_of`.

    Raises:
        OSError: the server is not there, or refuses.
    """
    return await open_socket(port, Socket(received), address_of(number))


async def open_socket(port: int, socket: SocketT, address: str) -> SocketT:
    """Return a socket once it is open, from an address of the loopback.

    Raises:
        OSError: the server is not there, or refuses.
    """
    loop = asyncio.get_running_loop()
    await loop.create_connection(lambda: socket, "127.0.0.1", port, local_addr=(address, 0))
    await socket.opened
    return socket
