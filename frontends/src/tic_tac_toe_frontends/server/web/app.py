"""The server as an ASGI application: WebSockets at ``/ws``, and the pages beside them."""

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
from ..net.origins import is_welcome
from ..net.web_socket import TRY_AGAIN, WebSocket
from .gate import Gate, account_of
from .http import SOCKET_PATH, routes
from .responses import kept_away, too_many


class App:
    """Everything that one address serves.

    Args:
        origins: pages of other servers that may play here; see `is_welcome`.
    """

    def __init__(self, games: GameServer, origins: Collection[str] = ()) -> None:
        self.games = games
        self.origins = frozenset(origins)
        self.pages = Starlette(routes=routes(games, find_page()))
        self.gate = Gate(games, self.show)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Serve one connection or one request."""
        await (self.converse if scope["type"] == "websocket" else self.gate)(scope, receive, send)

    async def show(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer a request, unless its address is banned."""
        if until := self.games.refuses(_address_of(scope)):
            self.games.metrics.responded(HTTPStatus.FORBIDDEN)
            await kept_away(Request(scope), until, self.games.now())(scope, receive, send)
        else:
            await self.pages(scope, receive, send)

    async def converse(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Let a client talk to the server until it goes."""
        socket: WebSocket = scope["state"]["socket"]
        await receive()  # the client's request to connect
        account, turned_away = account_of(scope, self.games), self.games.metrics.turned_away
        if wait := account.openings.spend(self.games.clock()):
            turned_away("openings")
            await _refuse(send, too_many(wait))
            return
        address, is_stopping = _address_of(scope), self.games.is_stopping
        if scope["path"] != SOCKET_PATH or is_stopping:
            await send({"type": "websocket.close"})  # answers with status 403
            return
        if until := self.games.refuses(address):
            await _refuse(
                send, kept_away(Request({**scope, "type": "http"}), until, self.games.now())
            )
            return
        if not is_welcome(scope["headers"], self.origins):
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


async def _refuse(send: Send, response: Response) -> None:
    """Answer a handshake as plain HTTP."""
    headers = [*response.raw_headers, (b"connection", b"close")]
    start = {"type": "websocket.http.response.start", "status": response.status_code}
    await send({**start, "headers": headers})
    await send({"type": "websocket.http.response.body", "body": response.body})


def _address_of(scope: Scope) -> str:
    client = scope.get("client")
    return client[0] if client else ""
