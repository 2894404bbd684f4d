"""The page and the records of one game, made once for each of its versions."""

from __future__ import annotations

import hashlib
from collections.abc import Awaitable, Callable, Hashable, Iterable
from functools import partial

from anyio import CapacityLimiter, to_thread
from starlette.requests import Request
from starlette.responses import Response

from tic_tac_toe.logic.exceptions import InvalidGameState, InvalidVariant
from tic_tac_toe.logic.record_json import records_to_json
from tic_tac_toe.logic.records import Record, format_records
from tic_tac_toe.protocols.online.addresses import is_address
from tic_tac_toe.protocols.online.events import Event
from tic_tac_toe.protocols.online.game import OnlineGame, replay

from ...program.page_files import tags
from ...words.translation import code_of
from ..game_server import GameServer
from ..page_cache import CachedPage
from ..storage.store import DamagedGame
from .pages import record_page
from .request_limiter import budget_of
from .responses import (
    accepts_gzip,
    compressed,
    damaged,
    download_headers,
    language_of,
    not_found,
    page_headers,
    ply_of,
    too_many,
)

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
        if not is_address(address) or self._server.moderation.is_hidden(address):
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
