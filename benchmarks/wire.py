"""Counts what a server really sends: a relay on the loopback, between it and its clients."""

from __future__ import annotations

import contextlib
import socket
import socketserver
import threading
from collections.abc import Callable, Iterator

HOST = "127.0.0.1"
CHUNK = 1 << 16


class Relay(socketserver.ThreadingTCPServer):
    """Passes connections on to a server.

    Args:
        target: the port of the server.

    Attributes:
        sent: the bytes that the server has sent so far, with the heads of its answers.
    """

    daemon_threads = True

    def __init__(self, target: int) -> None:
        self.target, self.sent = target, 0
        self._lock = threading.Lock()
        super().__init__((HOST, 0), _Passing)

    @property
    def url(self) -> str:
        """The address of the page."""
        return f"http://{HOST}:{self.server_address[1]}/"

    def count(self, number: int) -> None:
        """Add a number of bytes; each connection has a thread of its own."""
        with self._lock:
            self.sent += number

    def handle_error(self, request: object, client_address: object) -> None:
        """Report nothing: browsers close connections in the middle of an answer."""


class _Passing(socketserver.BaseRequestHandler):
    server: Relay

    def handle(self) -> None:
        with socket.create_connection((HOST, self.server.target)) as server:
            asking = threading.Thread(
                target=_pass_on, args=(self.request, server, lambda _number: None), daemon=True
            )
            asking.start()
            _pass_on(server, self.request, self.server.count)


def _pass_on(source: socket.socket, target: socket.socket, count: Callable[[int], object]) -> None:
    with contextlib.suppress(OSError):
        while chunk := source.recv(CHUNK):
            count(len(chunk))
            target.sendall(chunk)
    with contextlib.suppress(OSError):
        target.shutdown(socket.SHUT_WR)


@contextlib.contextmanager
def relayed(target: int) -> Iterator[Relay]:
    """Run a relay in a thread until the end of the block."""
    with Relay(target) as relay:
        thread = threading.Thread(target=relay.serve_forever, daemon=True)
        thread.start()
        try:
            yield relay
        finally:
            relay.shutdown()
            thread.join()
