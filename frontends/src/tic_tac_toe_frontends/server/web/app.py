"""The server as an ASGI application: WebSockets at ``/ws``, and the pages beside them."""

from __future__ import annotations

from collections.abc import Collection
from http import HTTPStatus

from starlette.applications import Starlette
from starlette.types import Receive, Scope, Send

from tic_tac_toe.protocols.online.limits import SUBPROTOCOL

from ...program.page_files import find_page
from ..game_server import GameServer
from ..net.origins import is_welcome
from ..net.web_socket import TRY_AGAIN, WebSocket
from .gate import Gate, account_of
from .http import SOCKET_PATH, routes
from .responses import text_response


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
        if self.games.refuses(_address_of(scope)):
            self.games.metrics.responded(HTTPStatus.FORBIDDEN)
            await text_response(HTTPStatus.FORBIDDEN)(scope, receive, send)
        else:
            await self.pages(scope, receive, send)

    async def converse(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Let a client talk to the server until it goes."""
        socket: WebSocket = scope["state"]["socket"]
        await receive()  # the client's request to connect
        account, turned_away = account_of(scope, self.games), self.games.metrics.turned_away
        if wait := account.openings.spend(self.games.clock()):
            turned_away("openings")
            retry = str(1 + int(wait)).encode()
            headers = [(b"retry-after", retry), (b"connection", b"close")]
            start = {"type": "websocket.http.response.start", "status": 429, "headers": headers}
            await send(start)
            await send({"type": "websocket.http.response.body", "body": b""})
            return
        address, is_stopping = _address_of(scope), self.games.is_stopping
        if scope["path"] != SOCKET_PATH or is_stopping or self.games.refuses(address):
            await send({"type": "websocket.close"})  # answers with status 403
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


def _address_of(scope: Scope) -> str:
    client = scope.get("client")
    return client[0] if client else ""
