"""Serves the page to this machine alone."""

from __future__ import annotations

import contextlib
import http.server
import socket
import sys
from http import HTTPStatus
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

from ..program.page_files import PageFiles, Response
from ..program.page_manifest import Manifest

HOST = "127.0.0.1"
#: The page's usual port: what a browser keeps for offline play belongs to one.
PORT = 8733


class Server(http.server.ThreadingHTTPServer):
    """Serves the files of a build, and nothing else whatever is asked for.

    Args:
        folder, manifest: the build.
        port: 0 for any that is free.
        prefix: the path under which the page lives, with a slash at both ends.

    Raises:
        OSError: the port is taken.
    """

    daemon_threads = True
    allow_reuse_address = True

    def __init__(
        self, folder: Path, manifest: Manifest, port: int = PORT, prefix: str = "/"
    ) -> None:
        self.files, self.prefix = PageFiles(folder, manifest), prefix
        self._connections: set[socket.socket] = set()
        super().__init__((HOST, port), Handler)

    def get_request(self) -> tuple[socket.socket, Any]:
        """Take the next connection, and remember it for the end."""
        connection, address = super().get_request()
        self._connections.add(connection)
        return connection, address

    def shutdown_request(self, request: Any) -> None:
        """End a connection."""
        self._connections.discard(request)
        super().shutdown_request(request)

    def server_close(self) -> None:
        """End everything: browsers keep connections open, and would be answered for ever."""
        super().server_close()
        for connection in list(self._connections):
            with contextlib.suppress(OSError):
                connection.shutdown(socket.SHUT_RDWR)

    def handle_error(self, request: Any, client_address: Any) -> None:
        """Keep quiet of browsers that go away in the middle of an answer."""
        if not isinstance(sys.exc_info()[1], ConnectionError | TimeoutError):
            super().handle_error(request, client_address)

    @property
    def url(self) -> str:
        """The address of the page."""
        return f"http://{HOST}:{self.server_address[1]}{self.prefix}"

    def respond(self, target: str, known: str) -> Response | None:
        """Return what to say to a request; ``None`` where it is for no file of the page.

        Args:
            known: its ``If-None-Match``.
        """
        path = urlsplit(target).path
        if not path.startswith(self.prefix):
            return None
        return self.files.respond(path.removeprefix(self.prefix), known=known)


class Handler(http.server.BaseHTTPRequestHandler):
    """Answers GET and HEAD."""

    server: Server
    protocol_version = "HTTP/1.1"
    server_version = "tic-tac-toe"
    sys_version = ""
    timeout = 60

    def do_GET(self) -> None:
        """Send a file."""
        self._send(with_body=True)

    def do_HEAD(self) -> None:
        """Send what would be said of a file."""
        self._send(with_body=False)

    def log_message(self, *_: object, **__: object) -> None:
        """Write no log: this server serves its own machine alone."""

    def _send(self, *, with_body: bool) -> None:
        # Nothing is compressed: this machine reads faster than it unpacks.
        response = self.server.respond(self.path, self.headers.get("If-None-Match", ""))
        if response is None:
            self.send_error(HTTPStatus.NOT_FOUND)
            return
        self.send_response(response.status)
        for name, value in response.headers.items():
            self.send_header(name, value)
        if response.status == HTTPStatus.OK:
            self.send_header("Content-Length", str(len(response.body)))
        self.end_headers()
        if with_body:
            self.wfile.write(response.body)
