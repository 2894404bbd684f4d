"""The server as an ASGI application: WebSockets at ``/ws``, pages at all other paths."""

from __future__ import annotations

from collections.abc import Collection
from http import HTTPStatus

from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import Response
from starlette.types import Receive, Scope, Send

from tic_tac_toe.protocols.online.messages import SUBPROTOCOL

from ...program.page_files import find_page
from ..game_server import GameServer
from ..net.origins import is_allowed_origin, is_own_host
from ..net.web_socket import TRY_AGAIN, WebSocket
from .http import SOCKET_PATH, routes
from .request_limiter import RequestLimiter, budget_of
from .responses import banned, misdirected, too_many


class App:
    """Everything that one server serves.

    Args:
        origins: pages of other servers that may play here; see `is_allowed_origin`.
        hosts: names by which clients may ask for this server; see `is_own_host`.
    """

    def __init__(
        self, games: GameServer, origins: Collection[str] = (), hosts: Collection[str] = ()
    ) -> None:
        self.games = games
        self.origins = frozenset(origins)
        self.hosts = frozenset(hosts)
        self.pages = Starlette(routes=routes(games, find_page()))
        self.limiter = RequestLimiter(games, self.respond)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Serve one connection or one request."""
        await (self.serve_socket if scope["type"] == "websocket" else self.limiter)(
            scope, receive, send
        )

    async def respond(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer a request, unless its address is banned."""
        if not is_own_host(scope["headers"], self.hosts):
            self.games.metrics.turned_away("host")
            self.games.metrics.responded(HTTPStatus.MISDIRECTED_REQUEST)
            await misdirected()(scope, receive, send)
        elif until := self.games.check_ban(_address_of(scope)):
            self.games.metrics.responded(HTTPStatus.FORBIDDEN)
            await banned(Request(scope), until, self.games.now())(scope, receive, send)
        else:
            await self.pages(scope, receive, send)

    async def serve_socket(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Serve a WebSocket until the client has gone."""
        socket: WebSocket = scope["state"]["socket"]
        await receive()  # websocket.connect
        budget, turned_away = budget_of(scope, self.games), self.games.metrics.turned_away
        if wait := budget.openings.spend(self.games.clock()):
            turned_away("openings")
            await _refuse_handshake(send, too_many(wait))
            return
        if not is_own_host(scope["headers"], self.hosts):
            turned_away("host")
            await _refuse_handshake(send, misdirected())
            return
        address, is_stopping = _address_of(scope), self.games.is_stopping
        if scope["path"] != SOCKET_PATH or is_stopping:
            await send({"type": "websocket.close"})  # answers with status 403
            return
        if until := self.games.check_ban(address):
            await _refuse_handshake(
                send, banned(Request({**scope, "type": "http"}), until, self.games.now())
            )
            return
        if not is_allowed_origin(scope["headers"], self.origins):
            turned_away("origin")
            await send({"type": "websocket.close"})
            return
        connection = self.games.connect(socket, address)
        offered = SUBPROTOCOL in scope["subprotocols"]
        subprotocol = SUBPROTOCOL if offered else None
        if connection is None:
            turned_away("connections")
            await send({"type": "websocket.accept", "subprotocol": subprotocol})
            socket.close(TRY_AGAIN, "too many connections from this address")
            return
        try:
            socket.listener = connection
            await send({"type": "websocket.accept", "subprotocol": subprotocol})
            while (await receive())["type"] != "websocket.disconnect":
                pass
        finally:
            self.games.disconnect(connection)


async def _refuse_handshake(send: Send, response: Response) -> None:
    headers = [*response.raw_headers, (b"connection", b"close")]
    start = {"type": "websocket.http.response.start", "status": response.status_code}
    await send({**start, "headers": headers})
    await send({"type": "websocket.http.response.body", "body": response.body})


def _address_of(scope: Scope) -> str:
    client = scope.get("client")
    return client[0] if client else ""
