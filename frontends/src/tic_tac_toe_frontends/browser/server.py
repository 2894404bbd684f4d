"""Serves the page to this machine only, and evaluates moves for it."""

from __future__ import annotations

import contextlib
import http.server
import json
import socket
import sys
import threading
from collections.abc import Iterator
from dataclasses import replace
from http import HTTPStatus
from typing import Any
from urllib.parse import parse_qsl, urlsplit

from tic_tac_toe.logic.exceptions import GameError

from ..program.page_files import ONLINE, PageFiles, Response
from ..table.served_values import PATH, SERVED, answer, asked_state
from .page.own_rules import OWN_GAME

HOST = "127.0.0.1"
#: The default port: a browser's offline copy of the page belongs to one port.
PORT = 8733
#: The maximum number of running and waiting queries about moves. A page waits for one or two; those
#: that it has left count until the server sees it.
MOST_QUERIES = 32
#: Seconds after which a query that waits looks whether its browser still does.
LOOK_AFTER = 0.1


class Server(http.server.ThreadingHTTPServer):
    """Serves the files of a build and evaluations of moves.

    Args:
        port: 0 for any free one.
        prefix: the path of the page, with a slash at both ends.
        own_game: the code of a user's own game, see `browser.own_game`; empty without one.

    Raises:
        OSError: the port is taken.
    """

    daemon_threads = True
    allow_reuse_address = True
    # Browsers open six connections at once, and one that the queue drops stands still for seconds.
    request_queue_size = 64

    def __init__(
        self, files: PageFiles, port: int = PORT, prefix: str = "/", own_game: str = ""
    ) -> None:
        self.files, self.own_game, self.prefix = files, own_game, prefix
        self.queries = threading.BoundedSemaphore(MOST_QUERIES)
        self.solving = threading.Lock()  # one query at a time: each uses a whole core
        self._connections: set[socket.socket] = set()
        super().__init__((HOST, port), Handler)

    @contextlib.contextmanager
    def answering(self) -> Iterator[threading.Thread]:
        """Answer requests in a thread until the end of the block; yield the thread."""
        thread = threading.Thread(target=self.serve_forever, name="server", daemon=True)
        thread.start()
        try:
            yield thread
        finally:
            self.shutdown()
            thread.join()

    def get_request(self) -> tuple[socket.socket, Any]:
        """Accept and record the next connection."""
        connection, address = super().get_request()
        self._connections.add(connection)
        return connection, address

    def shutdown_request(self, request: Any) -> None:
        """End a connection."""
        self._connections.discard(request)
        super().shutdown_request(request)

    def server_close(self) -> None:
        """Close the open connections too: browsers keep them, and would still get answers."""
        super().server_close()
        for connection in list(self._connections):
            with contextlib.suppress(OSError):
                connection.shutdown(socket.SHUT_RDWR)

    def handle_error(self, request: Any, client_address: Any) -> None:
        """Ignore browsers that close their connection in the middle of an answer."""
        if not isinstance(sys.exc_info()[1], ConnectionError | TimeoutError):
            super().handle_error(request, client_address)

    @property
    def url(self) -> str:
        """The address of the page."""
        return f"http://{HOST}:{self.server_address[1]}{self.prefix}"


class Handler(http.server.BaseHTTPRequestHandler):
    """Answers GET and HEAD."""

    server: Server
    protocol_version = "HTTP/1.1"
    server_version = "tic-tac-toe"
    sys_version = ""
    timeout = 60
    disable_nagle_algorithm = True  # the head and the body of an answer are two packets

    def do_GET(self) -> None:
        """Send a file; to HEAD only its head."""
        path, prefix, response = urlsplit(self.path).path, self.server.prefix, None
        if path.startswith(prefix):
            response = self._respond(path.removeprefix(prefix))
        if response is None:
            self.send_error(HTTPStatus.NOT_FOUND)
            return
        self.send_response(response.status)
        for name, value in response.headers.items():
            self.send_header(name, value)
        if response.status != HTTPStatus.NOT_MODIFIED:
            self.send_header("Content-Length", str(len(response.body)))
        self.end_headers()
        if self.command == "GET":
            self.wfile.write(response.body)

    def _respond(self, path: str) -> Response | None:
        """Return the answer to a request for a path below the page's."""
        if path == ONLINE:
            return _json(json.dumps({"values": PATH}))
        if path == OWN_GAME and self.server.own_game:
            return _json(self.server.own_game)
        if path != PATH:
            return self.server.files.respond(
                path,
                encodings=self.headers.get("Accept-Encoding", ""),
                known=self.headers.get("If-None-Match", ""),
            )
        try:
            state = asked_state(dict(parse_qsl(urlsplit(self.path).query)))
        except GameError as error:
            headers = {"Content-Type": "text/plain; charset=utf-8"}
            return Response(HTTPStatus.BAD_REQUEST, headers, f"{error}\n".encode())
        if not self.server.queries.acquire(blocking=False):
            return Response(HTTPStatus.SERVICE_UNAVAILABLE, {"Retry-After": "5"}, b"")
        try:
            if not self._gets_turn():
                return Response(HTTPStatus.SERVICE_UNAVAILABLE, {}, b"")
            try:
                return _json(answer(state, replace(SERVED, cancelled=self._is_left)))
            finally:
                self.server.solving.release()
        finally:
            self.server.queries.release()

    def _gets_turn(self) -> bool:
        """Wait until no other query is worked at; return whether the browser waited, too."""
        while not self._is_left():
            if self.server.solving.acquire(timeout=LOOK_AFTER):
                return True
        return False

    def _is_left(self) -> bool:
        """Return whether the browser has closed the connection: it wants no answer any more."""
        try:
            self.connection.setblocking(False)
            return not self.connection.recv(1, socket.MSG_PEEK)
        except BlockingIOError:  # it is open, and says nothing
            return False
        except OSError:
            return True
        finally:
            self.connection.settimeout(self.timeout)

    def do_HEAD(self) -> None:
        """Send the head of a file's answer."""
        self.do_GET()

    def log_message(self, *_: object, **__: object) -> None:
        """Write no log: only this machine is served."""


def _json(text: str) -> Response:
    headers = {"Content-Type": "application/json", "Cache-Control": "no-store"}
    return Response(HTTPStatus.OK, headers, text.encode())
