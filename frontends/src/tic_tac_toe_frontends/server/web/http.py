"""What the server answers to plain HTTP: pages, records, and how it is doing.

Nothing is written or created by asking. An address that no game has looks the same as one that no
game can have.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from functools import partial
from http import HTTPStatus
from logging import ERROR
from pathlib import Path
from typing import TypeVar

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
from ..logs import say
from ..storage.store import StorageError
from .game_pages import RECORDS, GamePages
from .gate import account_of
from .lobby_page import lobby_page
from .offer import offer_of
from .pages import STYLE_PATH
from .responses import (
    SECURITY,
    accepts_gzip,
    html_response,
    in_pieces,
    language_of,
    not_found,
    packed,
    page_headers,
    text_response,
    too_many,
    unavailable,
)

#: Where WebSockets are opened.
SOCKET_PATH = "/ws"
#: Finished games on the lobby's page.
FINISHED_GAMES = 50
#: Pages that are made at once, and that may wait: making one takes time from the moves of others.
AT_ONCE, WAITING = 2, 64
Result = TypeVar("Result")


def routes(server: GameServer, page: PageFiles | None) -> list[Route]:
    """Return the routes of plain HTTP; the last of them takes whatever no other has taken.

    Args:
        server: what the pages show.
        page: the page to play in, if it has been built.
    """
    answers = _Answers(server, page)
    games = GamePages(server, page is not None, answers.work)
    paths: dict[str, _Answer] = {
        "/online.json": answers.online,
        "/games": answers.paid(answers.lobby),
        "/games/{address}": answers.paid(games.game),
        **{
            f"/games/{{address}}/record.{suffix}": answers.paid(
                partial(games.record, suffix=suffix)
            )
            for suffix in RECORDS
        },
        f"/{PATH}": answers.paid(answers.values),
        "/health": answers.health,
        "/ready": answers.ready,
        "/metrics": answers.metrics,
        STYLE_PATH: answers.style,
        "/{path:path}": answers.file,
    }
    return [Route(path, _Page(answer, server.metrics.responded)) for path, answer in paths.items()]


_Answer = Callable[[Request], Awaitable[Response]]


class _Page:
    """One of the paths, as an ASGI application: reads only, and is sent with care."""

    def __init__(self, answer: _Answer, responded: Callable[[int], None]) -> None:
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
        except Exception as error:  # a visitor is only told that there is a fault
            say("page failed", level=ERROR, error=error, path=request.url.path)
            return text_response(HTTPStatus.INTERNAL_SERVER_ERROR)


class TooMuchWork(Exception):
    """So many pages wait to be made that one more has to be asked for later."""


class _Answers:
    """The answers to requests, by what they are about."""

    def __init__(self, server: GameServer, page: PageFiles | None) -> None:
        self._server = server
        self._page = page
        self._limiter = CapacityLimiter(AT_ONCE)
        self._under_way = 0
        style = Path(__file__).with_name("plain.css").read_text(encoding="utf-8")
        self._style = f"{style}{STYLE}\n".encode()

    async def health(self, _: Request) -> Response:
        """Say that the process is alive."""
        return text_response(HTTPStatus.OK)

    async def ready(self, _: Request) -> Response:
        """Say whether players can be sent here."""
        return text_response(
            HTTPStatus.OK if self._server.is_ready else HTTPStatus.SERVICE_UNAVAILABLE
        )

    async def metrics(self, request: Request) -> Response:
        """Show the metrics, in the format that the client prefers."""
        encode, media_type = choose_encoder(request.headers.get("accept", ""))
        return Response(encode(self._server.registry), headers={"Content-Type": media_type})

    async def online(self, _: Request) -> Response:
        """Tell pages and programs that there is online play, and what is offered."""
        programs = tuple(self._server.creator.programs)
        content = offer_of(SOCKET_PATH, programs, self._server.limits.allowance)
        return Response(content, media_type="application/json")

    async def values(self, request: Request) -> Response:
        """Tell what the moves of a state are worth."""
        try:
            state = await to_thread.run_sync(asked_state, request.query_params)
        except GameError as error:
            return Response(f"{error}\n", HTTPStatus.BAD_REQUEST, media_type="text/plain")
        try:
            found = await self._server.analyst.ask(state, _address_of(request))
        except (Busy, TimeoutError):
            return text_response(HTTPStatus.SERVICE_UNAVAILABLE, {"Retry-After": "5"})
        return Response(found, media_type="application/json")

    async def style(self, _: Request) -> Response:
        """Say what the pages look like."""
        headers = {"Cache-Control": "max-age=300"}
        return Response(self._style, media_type="text/css", headers=headers)

    async def lobby(self, request: Request) -> Response:
        """Show the games that wait, and those that have ended."""
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
        if not accepts_gzip(request):
            return html_response(content, language)
        headers = {**page_headers(language), "Content-Encoding": "gzip"}
        return Response(packed(content.encode()), headers=headers)

    async def file(self, request: Request) -> Response:
        """Hand out a file of the page to play in; where none has been built, show the lobby."""
        path = request.url.path
        page = self._page
        if page is None:
            return await self.paid(self.lobby)(request) if path == "/" else not_found(request)
        encodings = request.headers.get("accept-encoding", "")
        known = request.headers.get("if-none-match", "")
        respond = partial(page.respond, path, encodings=encodings, known=known)
        found = await to_thread.run_sync(respond)
        if found is None:
            return not_found(request)
        return Response(found.body, found.status, found.headers)

    async def work(self, function: Callable[[], Result], /) -> Result:
        """Return what a function returns in a thread, of which few work at once.

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

    def paid(self, give: _Answer) -> _Answer:
        """Return an answer for which the address that asks pays as for a page."""

        async def answer(request: Request) -> Response:
            account = account_of(request.scope, self._server)
            wait = account.pages.spend(self._server.clock())
            return too_many(wait) if wait else await give(request)

        return answer


def _address_of(request: Request) -> str:
    return request.client.host if request.client else ""
