"""HTTP responses, and the language and move that a request asks for."""

from __future__ import annotations

import asyncio
import gzip
from collections.abc import Mapping
from functools import cache
from gettext import NullTranslations
from http import HTTPStatus

from starlette.requests import Request
from starlette.responses import Response
from starlette.types import Message, Send

from tic_tac_toe.protocols.online.game import OnlineGame

from ...program.page_files import weights
from ...words.online_text import describe_ban
from ...words.translation import LANGUAGES, N_, code_of, find_language, load
from .pages import message_page, utc

#: The headers of all responses that do not set them themselves.
SECURITY = {
    "Content-Security-Policy": (
        "default-src 'none'; style-src 'self'; base-uri 'none'; form-action 'none'; "
        "frame-ancestors 'none'"
    ),
    "X-Content-Type-Options": "nosniff",
    "X-Frame-Options": "DENY",
    "Referrer-Policy": "no-referrer",
    "Cross-Origin-Resource-Policy": "same-origin",
    "Cross-Origin-Opener-Policy": "same-origin",
    "Permissions-Policy": "camera=(), geolocation=(), microphone=(), payment=(), usb=()",
    "Cache-Control": "no-store",
}

#: Bytes of a body that are sent at once: for a client that does not read, these and up to twice as
#: many before them are buffered.
PIECE = 32 * 1024
#: The compression of pages: the next level takes twice the time and saves a twentieth.
GZIP_LEVEL = 6


def in_pieces(send: Send) -> Send:
    """Return a `send` that sends a large body piece by piece.

    Each piece waits until the client has read most of the earlier ones. Nothing is copied, so that
    slow clients share the bytes of one page.
    """

    async def piecewise(message: Message) -> None:
        body = message.get("body", b"")
        if len(body) <= PIECE:
            await send(message)
            return
        view = memoryview(body)
        for start in range(0, len(view), PIECE):
            await send({**message, "body": view[start : start + PIECE], "more_body": True})
            await asyncio.sleep(0)  # other tasks run even if the client reads quickly
        await send({**message, "body": b""})

    return piecewise


def page_headers(language: NullTranslations) -> dict[str, str]:
    """Return the headers of a page in a language (``Vary``: RFC 9110, section 12.5.5)."""
    return {
        "Content-Type": "text/html; charset=utf-8",
        "Content-Language": code_of(language),
        "Vary": "Accept-Encoding, Accept-Language",
    }


def accepts_gzip(request: Request) -> bool:
    """Return whether a response may be compressed (RFC 9110, section 12.5.3)."""
    wanted = weights(request.headers.get("accept-encoding", ""))
    return wanted.get("gzip", wanted.get("*", 0.0)) > 0


def compressed(content: bytes) -> bytes:
    """Return compressed content."""
    return gzip.compress(content, GZIP_LEVEL, mtime=0)


def text_response(status: HTTPStatus, headers: Mapping[str, str] | None = None) -> Response:
    """Return the phrase of a status as plain text."""
    return Response(f"{status.phrase}\n", status, headers, media_type="text/plain")


def not_found(request: Request) -> Response:
    """Return the page for what does not exist."""
    return _message(request, N_("There is nothing here."), HTTPStatus.NOT_FOUND)


def damaged(request: Request) -> Response:
    """Return the page of a damaged game: asking again would not help, hence 410 Gone."""
    message = N_("This game is damaged in the server's storage. It cannot be shown.")
    return _message(request, message, HTTPStatus.GONE)


def unavailable(request: Request) -> Response:
    """Return the page that asks visitors to try again in a moment."""
    message = N_("The server cannot show this now. Try again in a moment.")
    response = _message(request, message, HTTPStatus.SERVICE_UNAVAILABLE)
    response.headers["Retry-After"] = "5"
    return response


def _message(request: Request, message: str, status: HTTPStatus) -> Response:
    language = language_of(request)
    page = message_page(language.gettext(message), language)
    return Response(page, status, page_headers(language))


def too_many(wait: float) -> Response:
    """Return the response to an address that has to wait some seconds."""
    return text_response(HTTPStatus.TOO_MANY_REQUESTS, {"Retry-After": str(1 + int(wait))})


def misdirected() -> Response:
    """Return the response to a request for another server (RFC 9110, section 15.5.20)."""
    return text_response(HTTPStatus.MISDIRECTED_REQUEST)


def banned(request: Request, until: int, now: int) -> Response:
    """Return the response to a banned address; times are in milliseconds since 1970.

    `Retry-After` tells programs the seconds until the end of the ban.
    """
    language = language_of(request)
    sentence = describe_ban(utc(until), language)
    headers = {
        "Retry-After": str(1 + (until - now) // 1000),
        "Content-Language": code_of(language),
        **SECURITY,
    }
    return Response(f"{sentence}\n", HTTPStatus.FORBIDDEN, headers, media_type="text/plain")


def download_headers(game: OnlineGame, suffix: str, media_type: str) -> dict[str, str]:
    """Return the headers of a text to be saved as a file."""
    name = f"{game.setup.variant}-{game.address}.{suffix}"
    return {
        "Content-Disposition": f'attachment; filename="{name}"',
        "Content-Type": media_type,
        "Vary": "Accept-Encoding",
    }


def ply_of(request: Request) -> int | None:
    """Return the number of moves to show; ``None`` for all of them, or if it is no number."""
    text = request.query_params.get("ply", "")
    return int(text) if text.isascii() and text.isdigit() and len(text) <= 5 else None


def language_of(request: Request) -> NullTranslations:
    """Return the language of the response to a request."""
    return _load(preferred_language(request.headers.get("accept-language", "")))


@cache
def _load(code: str) -> NullTranslations:
    return load(code, {})


def preferred_language(accepted: str) -> str:
    """Return the available language that ``Accept-Language`` prefers (RFC 9110, 12.5.4)."""
    best, most = next(iter(LANGUAGES)), 0.0
    for name, weight in weights(accepted).items():
        code = find_language(name)
        if code is not None and weight > most:
            best, most = code, weight
    return best
