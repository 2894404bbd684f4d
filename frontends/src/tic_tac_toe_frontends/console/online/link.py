"""The network of online play at the console: opens the socket, and reopens a lost one."""

from __future__ import annotations

import asyncio
import contextlib
import os
import ssl
import time
from collections.abc import AsyncIterator, Awaitable
from http import HTTPStatus
from ipaddress import ip_address
from pathlib import Path
from urllib.parse import urlsplit

from websockets.asyncio.client import ClientConnection, connect
from websockets.exceptions import InvalidStatus, WebSocketException
from websockets.typing import Subprotocol

from tic_tac_toe.protocols.online.client import OFFLINE
from tic_tac_toe.protocols.online.messages import SUBPROTOCOL
from tic_tac_toe.protocols.online.news import ServerCloses, Welcomed
from tic_tac_toe.protocols.online.replies import REASONS, InvalidReply

from ...program.process import Refused, reason_of
from ...words.foreign import escaped, truncated
from ...words.online_text import BANNED, describe_closing
from ...words.translation import localise
from .args import ServerAddress
from .session import OnlineSession

#: Time limits for opening and closing a connection, in seconds.
OPEN_SECONDS, CLOSE_SECONDS = 20.0, 2.0
#: The maximum size of a server's message in bytes.
LONGEST_TEXT = 1_048_576
#: The interval of calls that wake the client, in seconds.
TICK_SECONDS = 0.5

#: After this number of invalid messages the program gives up on the server.
MAX_INVALID_TEXTS = 3


class ConnectionLost(Exception):
    """The connection is lost."""


class Link:
    """Connects a session's client with its server while `run` is running."""

    def __init__(self, session: OnlineSession) -> None:
        self._session, self._client = session, session.client
        self._address, self._language = session.args.address, session.args.language
        self._welcomed = False
        self._invalid_texts = 0

    async def run(self) -> None:
        """Stay connected until this is cancelled.

        Raises:
            Refused: the first attempt fails, or the server is no game server.
        """
        while True:
            try:
                async with self._open() as socket:
                    self._client.connected()
                    await until_one_ends(self._receive(socket), self._send(socket))
            except (ConnectionLost, WebSocketException) as error:
                kept_away = _ban_milliseconds(error)
                if not self._welcomed:
                    cause = error.__cause__ if isinstance(error, ConnectionLost) else error
                    raise self._unreachable(cause or error, kept_away) from None
                if kept_away:
                    self._session.show_closing(BANNED, kept_away)
            else:
                kept_away = 0
            seconds = self._client.disconnected()
            is_told = bool(kept_away) or not self._client.attempts
            self._session.show_connection_lost(seconds, silently=is_told)
            await asyncio.sleep(seconds)

    @contextlib.asynccontextmanager
    async def _open(self) -> AsyncIterator[ClientConnection]:
        try:
            socket = await open_socket(self._address)
        except (OSError, ValueError, ImportError) as error:
            raise ConnectionLost("not opened") from error
        try:
            if socket.subprotocol != SUBPROTOCOL:
                raise self._refusal(self._language.gettext("no game server answers there"))
            yield socket
        finally:
            await socket.close()

    async def _receive(self, socket: ClientConnection) -> None:
        while True:
            text = await socket.recv()
            if isinstance(text, bytes):
                raise ConnectionLost("a text was expected")
            try:
                news = self._client.received(text)
            except InvalidReply as error:
                self._invalid_texts += 1
                if self._invalid_texts == MAX_INVALID_TEXTS:
                    raise self._wrong_protocol() from None
                raise ConnectionLost(str(error)) from None
            self._welcomed = self._welcomed or any(isinstance(one, Welcomed) for one in news)
            closing = [one.reason for one in news if isinstance(one, ServerCloses)]
            if "protocol" in closing:
                raise self._wrong_protocol()
            self._session.handle_news(news)
            if closing:
                raise ConnectionLost(closing[0])

    async def _send(self, socket: ClientConnection) -> None:
        loop, unsent = asyncio.get_running_loop(), self._session.unsent
        while True:
            tick = loop.call_later(TICK_SECONDS, unsent.set)
            await unsent.wait()  # not `wait_for`, which can swallow a cancellation
            tick.cancel()
            unsent.clear()
            self._client.wake()
            self._session.tick()
            if self._client.is_lost:
                raise ConnectionLost("silence")
            for text in self._client.take_outgoing():
                await socket.send(text)

    async def wait_for_answers(self, seconds: float) -> None:
        """Wait for the answers to all requests, until the connection is lost or time is up."""
        client, end = self._client, time.monotonic() + seconds
        while client.pending and client.connection != OFFLINE and time.monotonic() < end:
            self._session.unsent.set()
            await asyncio.sleep(0.02)

    def _wrong_protocol(self) -> Refused:
        return self._refusal(localise(self._language, REASONS["protocol"]))

    def _unreachable(self, error: BaseException, kept_away: int) -> Refused:
        _ = self._language.gettext
        if kept_away:
            reason = describe_closing(BANNED, kept_away, time.time(), self._language)
        elif isinstance(error, InvalidStatus):
            reason = _("no game server answers there (HTTP status {status})").format(
                status=error.response.status_code
            )
        elif isinstance(error, TimeoutError):
            reason = _("it does not answer")
        elif isinstance(error, ssl.SSLCertVerificationError) and (file := _missing_certificate()):
            reason = _("there is no file {file}, which SSL_CERT_FILE names").format(file=file)
        elif isinstance(error, ssl.SSLCertVerificationError):
            reason = _(
                "its certificate is not trusted ({reason}); if you know the server, name a file "
                "with its certificate in the environment variable SSL_CERT_FILE"
            ).format(reason=error.verify_message.rstrip("."))
        elif isinstance(error, ssl.SSLError | WebSocketException):
            reason = _("no game server answers there")
        elif isinstance(error, OSError):
            known = error.errno is not None and error.errno > 0 and error.strerror
            plain = OSError(error.errno, os.strerror(error.errno or 0)) if known else error
            reason = reason_of(plain, self._language)
        else:
            reason = str(error)
        return self._refusal(reason)

    def _refusal(self, reason: str) -> Refused:
        message = self._language.gettext("cannot play at {address}: {reason}").format(
            address=truncated(self._address.base, 100), reason=truncated(reason, 300)
        )
        return Refused(escaped(message))


def _ban_milliseconds(error: BaseException) -> int:
    """Return the remaining milliseconds of a ban of this address; 0 for other errors."""
    if not isinstance(error, InvalidStatus) or error.response.status_code != HTTPStatus.FORBIDDEN:
        return 0
    seconds = error.response.headers.get("Retry-After", "")
    is_number = seconds.isascii() and seconds.isdigit() and len(seconds) <= 9
    return 1000 * int(seconds) if is_number else 0


async def until_one_ends(*works: Awaitable[object]) -> None:
    """Run coroutines until one of them ends, and cancel the others.

    Raise the exception of a finished one; of several, that of the first argument.
    """
    tasks = [asyncio.ensure_future(work) for work in works]
    try:
        await asyncio.wait(tasks, return_when=asyncio.FIRST_COMPLETED)
        for task in tasks:
            if task.done():
                task.result()
    finally:
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)


def open_socket(address: ServerAddress) -> connect:
    """Return a connection attempt to a server; a server on this machine needs no proxy."""
    return connect(
        address.socket,
        subprotocols=[Subprotocol(SUBPROTOCOL)],
        compression=None,
        max_size=LONGEST_TEXT,
        open_timeout=OPEN_SECONDS,
        close_timeout=CLOSE_SECONDS,
        ping_interval=20,
        ping_timeout=20,
        proxy=None if _is_local(urlsplit(address.base).hostname or "") else True,
    )


def _is_local(host: str) -> bool:
    try:
        return host == "localhost" or ip_address(host).is_loopback
    except ValueError:
        return False


def _missing_certificate() -> str:
    """Return the file of certificates that the environment names and that is not there, or ""."""
    file = os.environ.get("SSL_CERT_FILE", "")
    return "" if Path(file).is_file() else file
