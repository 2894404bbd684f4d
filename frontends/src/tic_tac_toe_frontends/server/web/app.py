"""What a server serves: WebSockets at ``/ws``, and pages, an ASGI application, at other paths."""

from __future__ import annotations

from collections.abc import Collection
from functools import partial
from http import HTTPStatus

from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import Response
from starlette.types import Receive, Scope, Send

from ...program.page_files import find_page
from ..game_server import GameServer
from ..wire.hosts import is_allowed_origin, is_own_host
from ..wire.web_socket import TRY_AGAIN, WebSocket
from .http import SOCKET_PATH, routes
from .request_limiter import RequestLimiter, budget_of
from .responses import banned, misdirected, text_response, too_many


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
        """Answer one request."""
        await self.limiter(scope, receive, send)

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

    def greet(self, scope: Scope, socket: WebSocket) -> Response | None:
        """Let the client of a WebSocket in, or return the response that refuses it."""
        games, turned_away = self.games, self.games.metrics.turned_away
        address, budget = _address_of(scope), budget_of(scope, games)
        if wait := budget.openings.spend(games.clock()):
            turned_away("openings")
            return too_many(wait)
        if not is_own_host(scope["headers"], self.hosts):
            turned_away("host")
            return misdirected()
        if scope["path"] != SOCKET_PATH or games.is_stopping:
            return text_response(HTTPStatus.FORBIDDEN)
        if until := games.check_ban(address):
            return banned(Request({**scope, "type": "http"}), until, games.now())
        if not is_allowed_origin(scope["headers"], self.origins):
            turned_away("origin")
            return text_response(HTTPStatus.FORBIDDEN)
        connection = games.connect(socket, address)
        if connection is not None:
            socket.listener, socket.lost = connection, partial(games.disconnect, connection)
        socket.accept()
        if connection is None:
            turned_away("connections")
            socket.close(TRY_AGAIN, "too many connections from this address")
        return None


def _address_of(scope: Scope) -> str:
    client = scope.get("client")
    return client[0] if client else ""
