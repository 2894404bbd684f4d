"""The HTTP interface: pages, records, metrics, health, and what a server offers.

Requests write and create nothing. An address without a game looks the same as an invalid one.
"""

from __future__ import annotations

import asyncio
import hashlib
import json
from collections.abc import Awaitable, Callable, Coroutine, Hashable, Iterable
from contextlib import suppress
from functools import lru_cache, partial
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

from tic_tac_toe.game.strategies import STRATEGIES
from tic_tac_toe.logic.exceptions import GameError, InvalidGameState, InvalidVariant
from tic_tac_toe.logic.record_json import records_to_json
from tic_tac_toe.logic.records import Record, format_records
from tic_tac_toe.logic.rules import Rules
from tic_tac_toe.logic.rules.catalogue import (
    MNK,
    ORDER_AND_CHAOS,
    VARIANTS,
    find_rules,
    fitting_flags,
    with_flags,
)
from tic_tac_toe.logic.rules.traits import BOTH_LETTERS, traits_of
from tic_tac_toe.logic.shapes import MAXIMUM_SIDE
from tic_tac_toe.pictures.svg import STYLE
from tic_tac_toe.protocols.online import messages
from tic_tac_toe.protocols.online.addresses import is_address
from tic_tac_toe.protocols.online.events import Event
from tic_tac_toe.protocols.online.game import OnlineGame, replay

from ...program.page_files import PageFiles, tags
from ...table.served_values import PATH, asked_state
from ...words.translation import code_of
from ..analyst import Busy
from ..budgets import ClientLimits
from ..core import CachedPage
from ..game_server import GameServer
from ..logs import log
from ..storage.store import DamagedGame, StorageError
from ..wire.web_socket import MOST_BYTES, MOST_MESSAGES, MOST_PARTS
from .pages import STYLE_PATH, lobby_page, record_page
from .request_limiter import budget_of
from .responses import (
    SECURITY,
    accepts_gzip,
    compressed,
    damaged,
    download_headers,
    in_pieces,
    language_of,
    not_found,
    page_headers,
    ply_of,
    text_response,
    too_many,
    unavailable,
)

#: The limits of the protocol, by their names in the offer.
LIMITS: dict[str, int | tuple[int, int]] = {
    **{
        name.lower(): value
        for name, value in vars(messages).items()
        if name.isupper() and isinstance(value, int | tuple)
    },
    "message_parts": MOST_PARTS,
    "unread_messages": MOST_MESSAGES,
    "unread_bytes": MOST_BYTES,
}
del LIMITS["protocol"]
#: The limits of clients in the offer; see `ClientLimits`.
RATES = ("messages", "address_messages", "connections", "games")


@lru_cache
def offer_of(socket: str, programs: tuple[str, ...], client_limits: ClientLimits) -> bytes:
    """Return what a server offers, as JSON; it never changes while the server runs."""
    offer = {
        "protocol": messages.PROTOCOL,
        "subprotocol": messages.SUBPROTOCOL,
        "socket": socket,
        "values": PATH,
        "variants": [{"name": name, **_described(rules)} for name, rules in VARIANTS.items()],
        "families": [_family(name) for name in (MNK, ORDER_AND_CHAOS)],
        "strategies": list(STRATEGIES),
        "programs": list(programs),
        "limits": LIMITS,
        "rates": {name: getattr(client_limits, name).number for name in RATES},
    }
    return json.dumps(offer).encode()


def _described(rules: Rules) -> dict[str, object]:
    return {
        "columns": rules.shape.columns,
        "rows": rules.shape.rows,
        "letters": traits_of(rules).choices == BOTH_LETTERS,
        "flags": _flags_of(rules),
    }


def _flags_of(rules: Rules) -> list[str]:
    possible = []
    for flag in fitting_flags(rules):
        with suppress(InvalidVariant):  # a torus has no floor to fall to
            with_flags(rules, [flag])
            possible.append(flag)
    return possible


def _family(name: str) -> dict[str, object]:
    sides = (1, MAXIMUM_SIDE)
    flags = _flags_of(find_rules(f"{name}:6,6,5"))
    return {"name": name, "columns": sides, "rows": sides, "length": sides, "flags": flags}


#: Events for which a page costs as much again as a page of a short game.
EVENTS_A_PAGE = 100
#: Lookups of games at the same time.
LOOKUPS = 2

#: The formats of records, by suffix: media type and writer.
RECORDS: dict[str, tuple[str, Callable[[Iterable[Record]], str]]] = {
    "txt": ("text/plain; charset=utf-8", format_records),
    "json": ("application/json", records_to_json),
}

#: Writes a page or file of a game: its text and headers.
_Write = Callable[[OnlineGame, list[Event]], tuple[str, dict[str, str]]]
#: Makes a page in a thread, of which few run at the same time; ``None`` if its game is gone.
_Work = Callable[[Callable[[], CachedPage | None]], Awaitable[CachedPage | None]]


class GamePages:
    """Answers requests about one game, from the cache if possible.

    Args:
        has_page: whether games can be played in the browser.
        work: makes what is not in the cache.
    """

    def __init__(self, server: GameServer, has_page: bool, work: _Work) -> None:
        self._server = server
        self._has_page = has_page
        self._work = work
        self._lookups = CapacityLimiter(LOOKUPS)

    async def game(self, request: Request) -> Response:
        """Answer with the page of a game, as it stands or as it stood after some moves."""
        version = await self._version(request)
        language, ply = language_of(request), ply_of(request)
        if ply is not None and ply >= version:  # there are fewer moves than events
            ply = None

        def write(game: OnlineGame, events: list[Event]) -> tuple[str, dict[str, str]]:
            has_page = self._has_page
            content = record_page(game, events, language, ply=ply, has_page=has_page)
            return content, page_headers(language)

        return await self._answer(request, version, ("page", code_of(language), ply), write)

    async def record(self, request: Request, suffix: str) -> Response:
        """Answer with the record of a game as a file."""
        media_type, write_records = RECORDS[suffix]

        def write(game: OnlineGame, _: list[Event]) -> tuple[str, dict[str, str]]:
            return write_records([game.record]), download_headers(game, suffix, media_type)

        return await self._answer(request, await self._version(request), suffix, write)

    async def _answer(
        self, request: Request, version: int, what: Hashable, write: _Write
    ) -> Response:
        """Return what `write` makes of a version of a game, cached or new; `what` is its name."""
        if not version:
            return not_found(request)
        address = request.path_params["address"]
        is_packed = accepts_gzip(request)
        about = version, what, is_packed
        cache = self._server.pages
        made = cache.find(address, about)
        if made is None:
            budget, now = budget_of(request.scope, self._server), self._server.clock()
            if wait := budget.pages.spend(now, version / EVENTS_A_PAGE):
                return too_many(wait)
            era = cache.era
            try:
                made = await self._work(partial(self._make, address, write, is_packed))
            except DamagedGame as error:
                self._server.report_damaged(address, str(error))
                return damaged(request)
            if made is None:
                return not_found(request)
            cache.add(address, about, made, era)
        headers = {**made.headers, "ETag": made.tag}
        # RFC 9110, section 13.1.2.
        if made.tag in tags(request.headers.get("if-none-match", "")):
            return Response(None, 304, headers)
        return Response(made.body, headers=headers)

    async def _version(self, request: Request) -> int:
        address = request.path_params["address"]
        if not is_address(address) or address in self._server.moderation.hidden:
            return 0
        heads = self._server.store.heads
        found = await to_thread.run_sync(heads, [address], limiter=self._lookups)
        return found.get(address, 0)

    def _make(self, address: str, write: _Write, is_packed: bool) -> CachedPage | None:
        """Make a page or a file of a game; ``None`` if the game has been deleted meanwhile."""
        events = self._server.store.events(address)
        try:
            game = replay(events)
        except (InvalidGameState, InvalidVariant) as error:
            raise DamagedGame(str(error)) from error
        if game is None:
            return None
        text, headers = write(game, events)
        content = text.encode()
        tag = hashlib.blake2b(content, digest_size=12).hexdigest()
        headers = {**headers, "Cache-Control": "no-cache"}  # ask each time whether it has changed
        if is_packed:
            content, headers["Content-Encoding"], tag = compressed(content), "gzip", f"{tag}-gzip"
        return CachedPage(content, headers, f'"{tag}"')


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
