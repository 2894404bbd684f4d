"""HTTP/1.1 with limits: a connection that sends no request, or reads no answer, is closed.

h11 parses and writes; the limits and the reading in slices are ours.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable, MutableMapping
from dataclasses import dataclass, field
from email.utils import formatdate
from http import HTTPStatus
from logging import ERROR
from typing import Any, cast
from urllib.parse import unquote

import h11
from starlette.responses import Response
from starlette.types import ASGIApp, Scope

from ..budgets import Budget
from ..logs import log
from .connection_limiter import ConnectionLimiter
from .hosts import Proxies
from .read_scheduler import SLICE
from .web_socket import WebSocket

#: Seconds between two checks of a connection; its first request has to arrive before the first.
PATIENCE = 10.0
#: Checks without progress of an answer after which the connection is closed.
MOST_STALLED_CHECKS = 6

#: Bytes at the start of a request that are searched for an upgrade before it is parsed.
HEAD = 2048

#: The response to an address whose budget is spent: RFC 6585, section 4. It is sent before the
#: request is parsed, so that refusing costs next to nothing.
TOO_MANY = (
    b"HTTP/1.1 429 Too Many Requests\r\n"
    b"Retry-After: 5\r\nContent-Length: 0\r\nConnection: close\r\n\r\n"
)


@dataclass(eq=False)
class Edge:
    """What the connections of a server share.

    Args:
        app: answers requests.
        greet: lets a client in by `WebSocket.accept`, or returns the response that refuses it.
        proxies: the proxies that are believed about where clients come from.

    Attributes:
        connections: those that speak HTTP.
        is_stopping: whether each is closed after its answer.
    """

    app: ASGIApp
    greet: Callable[[Scope, WebSocket], Response | None]
    limiter: ConnectionLimiter
    proxies: Proxies = field(default_factory=Proxies)
    connections: set[HttpProtocol] = field(default_factory=set, init=False)
    is_stopping: bool = field(default=False, init=False)

    async def stop(self, patience: float) -> None:
        """Close all connections, those with an answer under way when it is sent."""
        self.is_stopping = True
        for connection in tuple(self.connections):
            connection.stop()
        end = asyncio.get_running_loop().time() + patience
        while self.connections and asyncio.get_running_loop().time() < end:
            await asyncio.sleep(0.005)
        for connection in tuple(self.connections):
            connection.give_up()


class HttpProtocol(asyncio.Protocol):
    """One connection, which may become a `WebSocket`.

    Args:
        budget: of the address; ``None`` for a proxy, which names the addresses of its clients.
    """

    patience = PATIENCE
    web_socket: type[WebSocket] = WebSocket

    def __init__(self, edge: Edge, budget: Budget | None) -> None:
        self.edge, self.budget = edge, budget
        self.conn = h11.Connection(h11.SERVER)
        self.answer: Answer | None = None
        self.is_lost = False
        self._unread = memoryview(b"")
        self._is_paused = False  # by the parser: a request waits until the answer is complete
        self._writable: asyncio.Future[None] | None = None  # while the client does not read
        self._begun = 0  # requests
        self._last_progress = (0, 0)  # the requests, and what is unread of their answers
        self._stalled_checks = 0

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        """Start the timer of the checks."""
        self.transport = cast(asyncio.Transport, transport)  # uvloop's is no subclass
        self.loop = asyncio.get_running_loop()
        self._timer = self.loop.call_later(self.patience, self._check_progress)
        self.edge.connections.add(self)
        self.edge.limiter.mark_idle(self, self.budget)

    def connection_lost(self, exc: Exception | None) -> None:
        """Stop the timer, and tell an answer under way."""
        self._leave()
        self.is_lost = True
        self.resume_writing()
        if self.answer is not None:
            self.answer.end()

    def _leave(self) -> None:
        self._timer.cancel()
        self.edge.connections.discard(self)
        self.edge.limiter.mark_busy(self, self.budget)

    # -- what comes in -------------------------------------------------------------------------

    def data_received(self, data: bytes) -> None:
        """Parse a part of a request, now or in a later turn; refuse it if the budget is spent."""
        limiter = self.edge.limiter
        if refused := self._refusal(data):
            limiter.metrics.turned_away(refused)
            self.transport.write(TOO_MANY)
            self.transport.close()
            return
        # A request takes as long as a slice of frames of a WebSocket, however short it is.
        if limiter.read_scheduler.reserve(self.budget, max(SLICE, len(data))):
            self._read(data)
            return
        self.transport.pause_reading()
        self._unread = memoryview(data)
        limiter.read_scheduler.schedule(self.budget, self)

    def read_slice(self) -> bool:
        """Parse a slice of what waits; return whether there is more."""
        part, self._unread = self._unread[:SLICE], self._unread[SLICE:]
        if self.transport.is_closing():
            return False
        if not self._unread:
            self.transport.resume_reading()  # before a WebSocket may have it paused again
        self._read(bytes(part))
        return bool(self._unread)

    def give_up(self) -> None:
        """Abort the connection."""
        self.transport.abort()

    def _refusal(self, data: bytes) -> str:
        """Return the reason why bytes are refused before they are parsed; empty if they are not."""
        budget = self.budget
        if budget is None or self.answer is not None:
            return ""
        now = self.edge.limiter.addresses.clock()
        if not budget.requests.has(now, 1.0):
            return "requests"
        is_handshake = b"websocket" in data[:HEAD].lower()
        return "openings" if is_handshake and not budget.openings.has(now, 1.0) else ""

    def _read(self, data: bytes) -> None:
        if self.conn.their_state not in (h11.MUST_CLOSE, h11.ERROR):
            self.conn.receive_data(data)
            self.handle_events()
            self._update_idleness()

    def handle_events(self) -> None:
        """Handle what has been parsed, until more is needed or a request has to wait.

        What follows the last request of a connection is ignored: RFC 9112, section 9.6.
        """
        while self.conn.their_state is not h11.MUST_CLOSE:
            try:
                event = self.conn.next_event()
            except h11.RemoteProtocolError as error:
                self._refuse(error.error_status_hint)
                return
            if isinstance(event, h11.Request):
                if _is_handshake(event):
                    self._become_web_socket(event)
                    return
                self._begin(event)
            elif isinstance(event, h11.EndOfMessage):
                self._begin_next_cycle()
            elif event is h11.PAUSED:
                self._is_paused = True
                self.transport.pause_reading()
                return
            elif not isinstance(event, h11.Data):  # bodies are read and forgotten
                return

    def _begin(self, request: h11.Request) -> None:
        self._begun += 1
        self.answer = Answer(self, self._scope(request, "http"), is_head=request.method == b"HEAD")
        self.answer.begin(self.edge.app)

    def _scope(self, request: h11.Request, kind: str) -> Scope:
        path, _, query = request.target.partition(b"?")
        headers = [(name, value) for name, value in request.headers]
        peer = self.transport.get_extra_info("peername")
        client, scheme = self.edge.proxies.client_of(peer and peer[0], headers)
        return {
            "type": kind,
            "asgi": {"version": "3.0", "spec_version": "2.4"},
            "http_version": request.http_version.decode("ascii"),
            "server": self.transport.get_extra_info("sockname"),
            "client": client and (client, 0),
            "scheme": scheme,
            "method": request.method.decode("ascii"),
            "root_path": "",
            "path": unquote(path.decode("ascii")),
            "raw_path": path,
            "query_string": query,
            "headers": headers,
            "state": {"budget": self.budget},
        }

    def _become_web_socket(self, request: h11.Request) -> None:
        """Hand the connection over to a `WebSocket`, which has pings of its own."""
        self._leave()
        lines = [b"%s: %s" % header for header in request.headers.raw_items()]
        head = b"\r\n".join((b"GET %s HTTP/1.1" % request.target, *lines, b"", b""))
        rest = self.conn.trailing_data[0] + bytes(self._unread)
        if self._unread:
            self._unread = memoryview(b"")
            self.transport.resume_reading()
        socket = self.web_socket(self.transport, self.edge.limiter)
        self.transport.set_protocol(socket)
        scope = self._scope(request, "websocket")
        socket.begin(head, rest, lambda: self.edge.greet(scope, socket))

    def _refuse(self, status: int) -> None:
        """Answer bytes that are no request, and close the connection."""
        if self.answer is not None:  # the connection is closed once it is sent
            self.transport.pause_reading()
            return
        if self.conn.our_state in (h11.IDLE, h11.SEND_RESPONSE):
            head = f"HTTP/1.1 {status} {HTTPStatus(status).phrase}\r\n"
            self.transport.write(f"{head}Content-Length: 0\r\nConnection: close\r\n\r\n".encode())
        self.transport.close()

    # -- what goes out -------------------------------------------------------------------------

    def answered(self) -> None:
        """Close the connection after its last answer, or go on with the next request."""
        self.answer = None
        if self.edge.is_stopping or self.conn.our_state is h11.MUST_CLOSE:
            self.transport.close()
        elif not self.transport.is_closing():
            self._begin_next_cycle()
        self._update_idleness()

    def _begin_next_cycle(self) -> None:
        """Wait for the next request, or begin with it, if this one is read and answered."""
        if (self.conn.our_state, self.conn.their_state) != (h11.DONE, h11.DONE):
            return
        self.conn.start_next_cycle()
        if self._is_paused:
            self._is_paused = False
            if not self._unread:
                self.transport.resume_reading()  # before a WebSocket may have it paused again
            self.handle_events()

    def pause_writing(self) -> None:
        """Let the answer wait until the client has read."""
        self._writable = self._writable or self.loop.create_future()

    def resume_writing(self) -> None:
        """Let the answer go on, and restart the count of checks."""
        self._stalled_checks = 0
        writable, self._writable = self._writable, None
        if writable is not None:
            writable.set_result(None)

    async def drain(self) -> None:
        """Wait until the client has read most of what was sent."""
        if self._writable is not None:
            await asyncio.shield(self._writable)

    # -- its end -------------------------------------------------------------------------------

    def stop(self) -> None:
        """Close the connection, once the answer under way is sent."""
        if self.answer is None:
            self.transport.close()

    def dismiss(self) -> None:
        """Close the connection, which is idle, to make room for another."""
        self.edge.limiter.mark_busy(self, self.budget)
        self.transport.abort()

    @property
    def _is_ours(self) -> bool:
        return self.transport.get_protocol() is self and not self.transport.is_closing()

    def _update_idleness(self) -> None:
        if self._is_ours and self.answer is None and not self.transport.get_write_buffer_size():
            self.edge.limiter.mark_idle(self, self.budget)
        else:
            self.edge.limiter.mark_busy(self, self.budget)

    def _check_progress(self) -> None:
        unread = self.transport.get_write_buffer_size()
        if self._last_progress == (self._begun, unread):
            self._stalled_checks += 1
            is_answering = self.answer is not None or unread
            if not is_answering or self._stalled_checks >= MOST_STALLED_CHECKS:
                self.transport.abort()
                return
        else:
            self._last_progress, self._stalled_checks = (self._begun, unread), 0
        self._timer = self.loop.call_later(self.patience, self._check_progress)


class Answer:
    """The answer to one request, as ASGI's `receive` and `send` (HTTP, version 2.4)."""

    def __init__(self, protocol: HttpProtocol, scope: Scope, *, is_head: bool) -> None:
        self.protocol, self.scope, self.is_head = protocol, scope, is_head
        self._start: MutableMapping[str, Any] | None = None
        self._is_asked = self._is_complete = False
        self._ended: asyncio.Future[None] | None = None
        self._task: asyncio.Task[None] | None = None

    def begin(self, app: ASGIApp) -> None:
        """Let an application answer, as a task."""
        self._task = self.protocol.loop.create_task(self._run(app))

    async def _run(self, app: ASGIApp) -> None:
        try:
            await app(self.scope, self.receive, self.send)
        except OSError:  # of `send`: the client has gone
            pass
        except Exception as error:  # a bug; the client gets no answer
            log("a request failed", level=ERROR, error=error, path=self.scope["path"])
        if not (self._is_complete or self.protocol.is_lost):
            self.protocol.transport.abort()

    def end(self) -> None:
        """Tell the application that nobody waits any more."""
        self._is_complete = True
        if self._ended is not None and not self._ended.done():
            self._ended.set_result(None)

    async def receive(self) -> MutableMapping[str, Any]:
        """Return the request's body, which is empty; then wait for the end of the answer."""
        if not self._is_asked:
            self._is_asked = True
            return {"type": "http.request", "body": b"", "more_body": False}
        if not self._is_complete:
            self._ended = self._ended or self.protocol.loop.create_future()
            await asyncio.shield(self._ended)
        return {"type": "http.disconnect"}

    async def send(self, event: MutableMapping[str, Any]) -> None:
        """Send the head with the first part of the body, or another part.

        Raises:
            OSError: the client has gone.
        """
        protocol = self.protocol
        if protocol.is_lost or protocol.transport.is_closing():
            raise ConnectionResetError("the client has gone")
        if event["type"] == "http.response.start":
            self._start = event
            return
        body, is_last = event.get("body", b""), not event.get("more_body", False)
        parts: list[Any] = []
        if self._start is not None:
            parts.append(protocol.conn.send(_head(self._start)))
            self._start = None
        if body and not self.is_head:
            parts += protocol.conn.send_with_data_passthrough(h11.Data(data=body)) or ()
        if is_last:
            parts.append(protocol.conn.send(h11.EndOfMessage()))
        parts = [part for part in parts if part]
        if parts:
            protocol.transport.write(parts[0] if len(parts) == 1 else b"".join(parts))
        if is_last:
            self.end()
            protocol.answered()
        else:
            await protocol.drain()


def _head(event: MutableMapping[str, Any]) -> h11.Response:
    status: int = event["status"]
    headers = [*event.get("headers", ()), (b"date", formatdate(usegmt=True).encode())]
    return h11.Response(status_code=status, headers=headers, reason=HTTPStatus(status).phrase)


def _is_handshake(request: h11.Request) -> bool:
    """Return whether a request asks for a WebSocket (RFC 6455, section 4.1)."""
    named: dict[bytes, list[bytes]] = {}
    for name, value in request.headers:
        named.setdefault(name, []).extend(part.strip().lower() for part in value.split(b","))
    is_upgrade = b"upgrade" in named.get(b"connection", ())
    is_possible = request.method == b"GET" and request.http_version == b"1.1"
    return is_possible and is_upgrade and named.get(b"upgrade") == [b"websocket"]
