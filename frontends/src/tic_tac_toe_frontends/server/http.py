"""What the server answers to plain HTTP: pages, records, and how it is doing.

Nothing is written or created by asking. An address that no game has looks the same as one that no
game can have.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Iterable
from functools import partial
from http import HTTPStatus
from logging import ERROR
from pathlib import Path

from anyio import CapacityLimiter, to_thread
from prometheus_client.exposition import choose_encoder
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route
from starlette.types import Receive, Scope, Send

from tic_tac_toe.game.svg_style import STYLE
from tic_tac_toe.logic.exceptions import GameError
from tic_tac_toe.logic.record_json import records_to_json
from tic_tac_toe.logic.record_text import format_records
from tic_tac_toe.logic.records import Record
from tic_tac_toe.protocols.online.addresses import is_address
from tic_tac_toe.protocols.online.events import Event
from tic_tac_toe.protocols.online.game import replay
from tic_tac_toe.protocols.online.limits import LOBBY_GAMES

from ..program.page_files import PageFiles
from ..table.served_values import PATH, asked_state
from .analyst import Busy
from .game_server import GameServer
from .lobby_page import lobby_page
from .logs import say
from .offer import offer_of
from .pages import STYLE_PATH
from .record_page import record_page
from .responses import (
    SECURITY,
    download,
    html_response,
    language_of,
    not_found,
    ply_of,
    text_response,
    unavailable,
)
from .store import StorageError

#: Where WebSockets are opened.
SOCKET_PATH = "/ws"
#: Finished games on the lobby's page.
FINISHED_GAMES = 50
#: Pages that are made at once, and that may wait: making one takes time from the moves of others.
AT_ONCE, WAITING = 2, 64

#: How records are handed out: by the endings of their files, the media types and the writers.
RECORDS: dict[str, tuple[str, Callable[[Iterable[Record]], str]]] = {
    "txt": ("text/plain; charset=utf-8", format_records),
    "json": ("application/json", records_to_json),
}


def routes(server: GameServer, page: PageFiles | None) -> list[Route]:
    """Return the routes of plain HTTP; the last of them takes whatever no other has taken.

    Args:
        server: what the pages show.
        page: the page to play in, if it has been built.
    """
    answers = _Answers(server, page)
    paths: dict[str, _Answer] = {
        "/online.json": answers.online,
        "/games": answers.made(answers.lobby),
        "/games/{address}": answers.made(answers.game),
        **{
            f"/games/{{address}}/record.{suffix}": answers.made(
                partial(answers.record, suffix=suffix)
            )
            for suffix in RECORDS
        },
        f"/{PATH}": answers.values,
        "/health": answers.health,
        "/ready": answers.ready,
        "/metrics": answers.metrics,
        STYLE_PATH: answers.style,
        "/{path:path}": answers.file,
    }
    return [Route(path, _Page(answer)) for path, answer in paths.items()]


_Answer = Callable[[Request], Awaitable[Response]]


class _Page:
    """One of the paths, as an ASGI application: reads only, and is sent with care."""

    def __init__(self, answer: _Answer) -> None:
        self.answer = answer

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        request = Request(scope, receive)
        response = await self._response(request)
        for name, value in SECURITY.items():
            response.headers.setdefault(name, value)
        await response(scope, receive, send)

    async def _response(self, request: Request) -> Response:
        if request.method not in ("GET", "HEAD"):
            return text_response(HTTPStatus.METHOD_NOT_ALLOWED, headers={"Allow": "GET, HEAD"})
        try:
            return await self.answer(request)
        except StorageError:
            return unavailable(request)
        except Exception as error:  # a visitor is only told that there is a fault
            say("page failed", level=ERROR, error=error, path=request.url.path)
            return text_response(HTTPStatus.INTERNAL_SERVER_ERROR)


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
        if (refusal := self._refuse_too_many(request)) is not None:
            return refusal
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

    def lobby(self, request: Request) -> Response:
        """Show the games that wait, and those that have ended."""
        store, language = self._server.store, language_of(request)
        content = lobby_page(
            [row.open_game for row in store.open_games(LOBBY_GAMES)],
            store.finished_games(FINISHED_GAMES),
            language,
            url=str(request.base_url).rstrip("/"),
            has_page=self._page is not None,
        )
        return html_response(content, language)

    def game(self, request: Request) -> Response:
        """Show a game, as it stands or as it stood after some of its moves."""
        events = self._events_of(request)
        if (game := replay(events)) is None:
            return not_found(request)
        language, has_page = language_of(request), self._page is not None
        content = record_page(game, events, language, ply=ply_of(request), has_page=has_page)
        return html_response(content, language)

    def record(self, request: Request, suffix: str) -> Response:
        """Hand out a game to be kept as a file."""
        if (game := replay(self._events_of(request))) is None:
            return not_found(request)
        media_type, write = RECORDS[suffix]
        return download(game, write([game.record]), suffix, media_type)

    def _events_of(self, request: Request) -> list[Event]:
        """Return the events of the game that a request is about; none of an unknown game."""
        address = request.path_params["address"]
        if not is_address(address) or self._server.moderation.is_hidden(address):
            return []
        return self._server.store.events(address)

    async def file(self, request: Request) -> Response:
        """Hand out a file of the page to play in; where none has been built, show the lobby."""
        path = request.url.path
        page = self._page
        if page is None:
            return await self.made(self.lobby)(request) if path == "/" else not_found(request)
        encodings = request.headers.get("accept-encoding", "")
        known = request.headers.get("if-none-match", "")
        respond = partial(page.respond, path, encodings=encodings, known=known)
        found = await to_thread.run_sync(respond)
        if found is None:
            return not_found(request)
        return Response(found.body, found.status, found.headers)

    def made(self, make: Callable[[Request], Response]) -> _Answer:
        """Return an answer that is made in a thread, of which few work at once."""

        async def answer(request: Request) -> Response:
            if (refusal := self._refuse_too_many(request)) is not None:
                return refusal
            if self._under_way >= AT_ONCE + WAITING:
                return unavailable(request)
            self._under_way += 1
            try:
                return await to_thread.run_sync(make, request, limiter=self._limiter)
            finally:
                self._under_way -= 1

        return answer

    def _refuse_too_many(self, request: Request) -> Response | None:
        """Return what an address is told that asks for more than it may; ``None`` if it may."""
        account = self._server.limits.account_of(_address_of(request))
        wait = account.pages.spend(self._server.clock())
        if not wait:
            return None
        return text_response(HTTPStatus.TOO_MANY_REQUESTS, {"Retry-After": str(1 + int(wait))})


def _address_of(request: Request) -> str:
    return request.client.host if request.client else ""
