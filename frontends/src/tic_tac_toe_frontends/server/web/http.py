"""The HTTP interface: pages, records, metrics and health.

Requests write and create nothing. An address without a game looks the same as an invalid one.
"""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Coroutine
from functools import partial
from http import HTTPStatus
from logging import ERROR
from pathlib import Path
from typing import Any, TypeVar

from anyio import CapacityLimiter, to_thread
from prometheus_client.exposition import choose_encoder
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route
from starlette.types import Receive, Scope, Send

from tic_tac_toe.logic.exceptions import GameError
from tic_tac_toe.pictures.svg import STYLE

from ...program.page_files import PageFiles
from ...table.served_values import PATH, asked_state
from ..analyst import Busy
from ..game_server import GameServer
from ..logs import log
from ..storage.store import StorageError
from .game_pages import RECORDS, GamePages
from .offer import offer_of
from .pages import STYLE_PATH, lobby_page
from .request_limiter import budget_of
from .responses import (
    SECURITY,
    accepts_gzip,
    compressed,
    in_pieces,
    language_of,
    not_found,
    page_headers,
    text_response,
    too_many,
    unavailable,
)

#: Where WebSockets are opened.
SOCKET_PATH = "/ws"
#: Finished games on the lobby's page.
FINISHED_GAMES = 50
#: Pages that are made at the same time, and that may wait: making one takes time from all games.
AT_ONCE, WAITING = 2, 64
Result = TypeVar("Result")


def routes(server: GameServer, page: PageFiles | None) -> list[Route]:
    """Return the routes, the last for all other paths; `page` is the one to play in, if built."""
    handlers = _Handlers(server, page)
    games = GamePages(server, page is not None, handlers.work)
    paths: dict[str, _Handler] = {
        "/online.json": handlers.online,
        "/games": handlers.charged(handlers.lobby),
        "/games/{address}": handlers.charged(games.game),
        **{
            f"/games/{{address}}/record.{suffix}": handlers.charged(
                partial(games.record, suffix=suffix)
            )
            for suffix in RECORDS
        },
        f"/{PATH}": handlers.charged(handlers.values),
        "/health": handlers.health,
        "/ready": handlers.ready,
        "/metrics": handlers.metrics,
        STYLE_PATH: handlers.style,
        "/{path:path}": handlers.file,
    }
    return [
        Route(path, _Endpoint(answer, server.metrics.responded)) for path, answer in paths.items()
    ]


_Handler = Callable[[Request], Awaitable[Response]]


class _Endpoint:
    def __init__(self, answer: _Handler, responded: Callable[[int], None]) -> None:
        self.answer = answer
        self.responded = responded

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        request = Request(scope, receive)
        response = await self._response(request)
        for name, value in SECURITY.items():
            response.headers.setdefault(name, value)
        self.responded(response.status_code)
        await response(scope, receive, in_pieces(send))

    async def _response(self, request: Request) -> Response:
        if request.method not in ("GET", "HEAD"):
            return text_response(HTTPStatus.METHOD_NOT_ALLOWED, headers={"Allow": "GET, HEAD"})
        try:
            return await self.answer(request)
        except (StorageError, TooMuchWork):
            return unavailable(request)
        except Exception as error:  # visitors are told no details of a bug
            log("page failed", level=ERROR, error=error, path=request.url.path)
            return text_response(HTTPStatus.INTERNAL_SERVER_ERROR)


class TooMuchWork(Exception):
    """Too many pages wait to be made; the client has to ask again later."""


class _Handlers:
    def __init__(self, server: GameServer, page: PageFiles | None) -> None:
        self._server = server
        self._page = page
        self._limiter = CapacityLimiter(AT_ONCE)
        self._under_way = 0
        style = Path(__file__).with_name("plain.css").read_text(encoding="utf-8")
        self._style = f"{style}{STYLE}\n".encode()

    async def health(self, _: Request) -> Response:
        """Answer that the process is alive."""
        return text_response(HTTPStatus.OK)

    async def ready(self, _: Request) -> Response:
        """Answer whether players should be sent here."""
        return text_response(
            HTTPStatus.OK if self._server.is_ready else HTTPStatus.SERVICE_UNAVAILABLE
        )

    async def metrics(self, request: Request) -> Response:
        """Answer with the metrics, in the format that the client prefers."""
        encode, media_type = choose_encoder(request.headers.get("accept", ""))
        return Response(encode(self._server.registry), headers={"Content-Type": media_type})

    async def online(self, _: Request) -> Response:
        """Answer with what this server offers to pages and programs."""
        programs = tuple(self._server.creator.programs)
        content = offer_of(SOCKET_PATH, programs, self._server.addresses.limits)
        return Response(content, media_type="application/json")

    async def values(self, request: Request) -> Response:
        """Answer with the evaluations of a state's moves."""
        try:
            state = await to_thread.run_sync(asked_state, request.query_params)
        except GameError as error:
            return Response(f"{error}\n", HTTPStatus.BAD_REQUEST, media_type="text/plain")
        try:
            budget = budget_of(request.scope, self._server)
            found = await until_gone(request, self._server.analyst.evaluate(state, budget))
        except (Busy, TimeoutError):
            return text_response(HTTPStatus.SERVICE_UNAVAILABLE, {"Retry-After": "5"})
        return Response(found or "", media_type="application/json")

    async def style(self, _: Request) -> Response:
        """Answer with the style sheet of the plain pages."""
        headers = {"Cache-Control": "max-age=300"}
        return Response(self._style, media_type="text/css", headers=headers)

    async def lobby(self, request: Request) -> Response:
        """Answer with the page of open and finished games."""
        return await self.work(partial(self._lobby, request))

    def _lobby(self, request: Request) -> Response:
        store, language = self._server.store, language_of(request)
        content = lobby_page(
            self._server.lobby.shown,
            store.finished_games(FINISHED_GAMES),
            language,
            url=str(request.base_url).rstrip("/"),
            has_page=self._page is not None,
        )
        body, headers = content.encode(), page_headers(language)
        if accepts_gzip(request):
            body, headers["Content-Encoding"] = compressed(body), "gzip"
        return Response(body, headers=headers)

    async def file(self, request: Request) -> Response:
        """Answer with a file of the page to play in; with the lobby if none has been built."""
        path = request.url.path
        page = self._page
        if page is None:
            return await self.charged(self.lobby)(request) if path == "/" else not_found(request)
        encodings = request.headers.get("accept-encoding", "")
        known = request.headers.get("if-none-match", "")
        respond = partial(page.respond, path, encodings=encodings, known=known)
        found = await to_thread.run_sync(respond)
        if found is None:
            return not_found(request)
        return Response(found.body, found.status, found.headers)

    async def work(self, function: Callable[[], Result], /) -> Result:
        """Return the result of a function in a thread; few run at the same time.

        Raises:
            TooMuchWork: too many functions wait.
        """
        if self._under_way >= AT_ONCE + WAITING:
            raise TooMuchWork
        self._under_way += 1
        try:
            return await to_thread.run_sync(function, limiter=self._limiter)
        finally:
            self._under_way -= 1

    def charged(self, handler: _Handler) -> _Handler:
        """Return a handler that charges the client's address for a page first."""

        async def answer(request: Request) -> Response:
            budget = budget_of(request.scope, self._server)
            wait = budget.pages.spend(self._server.clock())
            return too_many(wait) if wait else await handler(request)

        return answer


async def until_gone(request: Request, work: Coroutine[Any, Any, Result]) -> Result | None:
    """Return the result of a coroutine; cancel it, and return ``None``, if the client goes."""
    task, gone = asyncio.ensure_future(work), asyncio.ensure_future(_gone(request))
    try:
        await asyncio.wait((task, gone), return_when=asyncio.FIRST_COMPLETED)
        return task.result() if task.done() else None
    finally:
        task.cancel()
        gone.cancel()


async def _gone(request: Request) -> None:
    while (await request.receive())["type"] != "http.disconnect":
        pass
