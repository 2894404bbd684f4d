"""What the server answers to plain HTTP: pages, records, and how it is doing.

Nothing is written or created by asking. An address that no game has looks the same as one that no
game can have.
"""

from __future__ import annotations

import json
import time
from collections.abc import Awaitable, Callable, Mapping
from functools import cache
from gettext import NullTranslations
from http import HTTPStatus
from logging import ERROR
from pathlib import Path
from typing import NamedTuple, Protocol

from anyio import CapacityLimiter, to_thread
from prometheus_client import CollectorRegistry
from prometheus_client.exposition import choose_encoder
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route
from starlette.types import Receive, Scope, Send

from tic_tac_toe.game.svg import STYLE
from tic_tac_toe.logic.record_json import records_to_json
from tic_tac_toe.logic.record_text import format_records
from tic_tac_toe.protocols.online.addresses import is_address
from tic_tac_toe.protocols.online.events import Event
from tic_tac_toe.protocols.online.game import OnlineGame, replay
from tic_tac_toe.protocols.online.limits import LOBBY_GAMES, PROTOCOL

from ..program.page_files import PageFiles
from ..words.translation import LANGUAGES, find_language, load
from .logs import say
from .pages import (
    STYLE_PATH,
    game_page,
    language_code,
    lobby_page,
    message_page,
    not_found_page,
)
from .store import StorageError, Store
from .visitors import Visitors

#: Where WebSockets are opened.
SOCKET_PATH = "/ws"
#: How many finished games the lobby's page shows.
FINISHED_GAMES = 50
#: How many pages are made at once, and how many more may wait for it: making one takes time from
#: the moves of others.
AT_ONCE, WAITING = 2, 64

#: What every answer says unless it says something else itself.
SECURITY = {
    "Content-Security-Policy": (
        "default-src 'none'; style-src 'self'; base-uri 'none'; form-action 'none'; "
        "frame-ancestors 'none'"
    ),
    "X-Content-Type-Options": "nosniff",
    "X-Frame-Options": "DENY",
    "Referrer-Policy": "no-referrer",
    "Cross-Origin-Resource-Policy": "same-origin",
    "Cache-Control": "no-store",
}
_TEXT = "text/plain; charset=utf-8"


class Site(Protocol):
    """What the pages need to know of the server."""

    @property
    def store(self) -> Store:
        """Where the games are."""

    @property
    def is_ready(self) -> bool:
        """Whether players can be sent here: not while starting or stopping, nor without storage."""

    @property
    def registry(self) -> CollectorRegistry:
        """What is counted."""


def routes(site: Site, page: PageFiles | None) -> list[Route]:
    """Return the routes of plain HTTP; the last of them takes whatever no other has taken.

    Args:
        site: the server.
        page: the page to play in, if it has been built.
    """
    answers = _Answers(site, page)
    paths: dict[str, _Answer] = {
        "/online.json": answers.online,
        "/games": answers.lobby,
        "/games/{address}": answers.game,
        "/games/{address}/record.txt": answers.record_text,
        "/games/{address}/record.json": answers.record_json,
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
            return _text(HTTPStatus.METHOD_NOT_ALLOWED, headers={"Allow": "GET, HEAD"})
        try:
            return await self.answer(request)
        except StorageError:
            return _unavailable(request)
        except Exception as error:  # what a visitor sees of a fault is only that there is one
            say("page failed", level=ERROR, error=error, path=request.url.path)
            return _text(HTTPStatus.INTERNAL_SERVER_ERROR)


class _Found(NamedTuple):
    """A game, and all that has happened in it."""

    game: OnlineGame
    events: list[Event]


class _Answers:
    """The answers to requests, by what they are about."""

    def __init__(self, site: Site, page: PageFiles | None) -> None:
        self._site = site
        self._page = page
        self._limiter: CapacityLimiter | None = None
        self._under_way = 0
        self._visitors = Visitors(time.monotonic)
        style = Path(__file__).with_name("plain.css").read_text(encoding="utf-8")
        self._style = f"{style}{STYLE}\n".encode()

    async def health(self, _: Request) -> Response:
        """Say that the process is alive."""
        return _text(HTTPStatus.OK)

    async def ready(self, _: Request) -> Response:
        """Say whether players can be sent here."""
        return _text(HTTPStatus.OK if self._site.is_ready else HTTPStatus.SERVICE_UNAVAILABLE)

    async def metrics(self, request: Request) -> Response:
        """Show what is counted, in the way that the asker reads best."""
        encode, media_type = choose_encoder(request.headers.get("accept", ""))
        return Response(encode(self._site.registry), headers={"Content-Type": media_type})

    async def online(self, _: Request) -> Response:
        """Tell the page that there is online play, and where."""
        content = json.dumps({"protocol": PROTOCOL, "socket": SOCKET_PATH})
        return Response(content, media_type="application/json")

    async def style(self, _: Request) -> Response:
        """Say what the pages look like."""
        headers = {"Cache-Control": "max-age=300"}
        return Response(self._style, media_type="text/css", headers=headers)

    async def lobby(self, request: Request) -> Response:
        """Show the games that wait, and those that have ended."""

        def make() -> str:
            store = self._site.store
            return lobby_page(
                [row.open_game for row in store.open_games(LOBBY_GAMES)],
                store.finished_games(FINISHED_GAMES),
                language,
                url=str(request.base_url).rstrip("/"),
                has_page=self._page is not None,
            )

        language = _language_of(request)
        return await self._made(request, lambda: _html(make(), language))

    async def game(self, request: Request) -> Response:
        """Show a game, as it stands or as it stood after some of its moves."""

        def make() -> Response:
            found = self._find(request)
            if found is None:
                return _not_found(request)
            content = game_page(
                *found, language, ply=_ply_of(request), has_page=self._page is not None
            )
            return _html(content, language)

        language = _language_of(request)
        return await self._made(request, make)

    async def record_text(self, request: Request) -> Response:
        """Hand out a game to be kept as text."""

        def make() -> Response:
            found = self._find(request)
            if found is None:
                return _not_found(request)
            return _download(found.game, format_records([found.game.record]), "txt", _TEXT)

        return await self._made(request, make)

    async def record_json(self, request: Request) -> Response:
        """Hand out a game to be kept as JSON."""

        def make() -> Response:
            found = self._find(request)
            if found is None:
                return _not_found(request)
            text = records_to_json([found.game.record])
            return _download(found.game, text, "json", "application/json")

        return await self._made(request, make)

    async def file(self, request: Request) -> Response:
        """Hand out a file of the page to play in; where none has been built, show the lobby."""
        path = request.url.path
        page = self._page
        if page is None:
            return await self.lobby(request) if path == "/" else _not_found(request)
        encodings = request.headers.get("accept-encoding", "")
        known = request.headers.get("if-none-match", "")

        def make() -> Response:
            found = page.respond(path, encodings=encodings, known=known)
            if found is None:
                return _not_found(request)
            return Response(found.body, found.status, found.headers)

        return await to_thread.run_sync(make)

    def _find(self, request: Request) -> _Found | None:
        """Return the game that a request is about, if there is one."""
        address = request.path_params["address"]
        if not is_address(address):
            return None
        events = self._site.store.events(address)
        game = replay(events)
        return None if game is None else _Found(game, events)

    async def _made(self, request: Request, make: Callable[[], Response]) -> Response:
        """Return what is made in a thread, of which few work at once."""
        client = request.client
        if wait := self._visitors.wait_of(client.host if client else ""):
            headers = {"Retry-After": str(1 + int(wait))}
            return _text(HTTPStatus.TOO_MANY_REQUESTS, headers)
        if self._limiter is None:
            self._limiter = CapacityLimiter(AT_ONCE)
        if self._under_way >= AT_ONCE + WAITING:
            return _unavailable(request)
        self._under_way += 1
        try:
            return await to_thread.run_sync(make, limiter=self._limiter)
        finally:
            self._under_way -= 1


# -- responses -------------------------------------------------------------------------------------


def _html(content: str, language: NullTranslations, status: HTTPStatus = HTTPStatus.OK) -> Response:
    headers = {"Content-Language": language_code(language), "Vary": "Accept-Language"}
    return Response(content, status, headers, media_type="text/html")


def _text(status: HTTPStatus, headers: Mapping[str, str] | None = None) -> Response:
    return Response(f"{status.phrase}\n", status, headers, media_type="text/plain")


def _not_found(request: Request) -> Response:
    language = _language_of(request)
    return _html(not_found_page(language), language, HTTPStatus.NOT_FOUND)


def _unavailable(request: Request) -> Response:
    language = _language_of(request)
    message = language.gettext("The server cannot show this now. Try again in a moment.")
    response = _html(message_page(message, language), language, HTTPStatus.SERVICE_UNAVAILABLE)
    response.headers["Retry-After"] = "5"
    return response


def _download(game: OnlineGame, text: str, suffix: str, media_type: str) -> Response:
    name = f"{game.setup.variant}-{game.address}.{suffix}"
    headers = {
        "Content-Disposition": f'attachment; filename="{name}"',
        "Content-Type": media_type,
    }
    return Response(text, headers=headers)


def _ply_of(request: Request) -> int | None:
    """Return how many moves to show; ``None`` for all of them, and for what is no number."""
    text = request.query_params.get("ply", "")
    return int(text) if text.isascii() and text.isdigit() and len(text) <= 5 else None


def _language_of(request: Request) -> NullTranslations:
    return _load(preferred_language(request.headers.get("accept-language", "")))


@cache
def _load(code: str) -> NullTranslations:
    return load(code, {})


def preferred_language(accepted: str) -> str:
    """Return which of the languages that there are somebody likes best, by ``Accept-Language``."""
    best, most = next(iter(LANGUAGES)), 0.0
    for entry in accepted[:500].split(","):
        name, _, parameters = entry.strip().partition(";")
        code = find_language(name)
        weight = _weight(parameters)
        if code is not None and weight > most:
            best, most = code, weight
    return best


def _weight(parameters: str) -> float:
    """Return the number after ``q=``; 1 where there is none, 0 for what is no such number."""
    name, _, value = parameters.replace(" ", "").partition("=")
    if name != "q":
        return 1.0
    digits = value.replace(".", "", 1)
    return float(value) if digits.isascii() and digits.isdigit() and len(value) <= 5 else 0.0
