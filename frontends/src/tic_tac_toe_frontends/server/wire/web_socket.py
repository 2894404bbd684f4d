"""One WebSocket: calls a listener with each text, and sends without waiting for slow readers.

The package websockets parses frames and writes all but whole texts, without any input or output.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Sequence
from http import HTTPStatus
from typing import Protocol

from starlette.responses import Response
from websockets.frames import Frame, Opcode
from websockets.http11 import Request
from websockets.protocol import State
from websockets.server import ServerProtocol
from websockets.typing import Subprotocol

from tic_tac_toe.protocols.online.messages import FRAME_BYTES, SUBPROTOCOL
from tic_tac_toe.protocols.online.replies import Reply, write_reply

from ..budgets import Budget
from .connection_limiter import ConnectionLimiter
from .read_scheduler import SLICE

#: Limits of the send buffer, in messages and bytes; a client that exceeds one is disconnected.
MOST_MESSAGES, MOST_BYTES = 64, 64 * 1024

#: Messages to one client that are sent together.
MOST_TOGETHER = 8

#: The first byte of an unfragmented text frame, and the mask bit of the second byte: RFC 6455,
#: section 5.2.
WHOLE_TEXT, MASKED = 0x81, 0x80

#: Fragments of one message: RFC 6455, section 5.4.
MOST_PARTS = 64

#: Bytes that are read after the server's close frame: the client's, and what was under way.
MOST_AFTER_CLOSE = SLICE

#: Seconds after which a client that does not answer a close frame is disconnected.
CLOSE_SECONDS = 3.0

#: Seconds between two pings, for which a client that says nothing is taken to be there.
PING_SECONDS = 20.0

#: The server's close codes: RFC 6455, section 7.4.1, and IANA's registry.
UNSUPPORTED, INVALID_TEXT, POLICY, TOO_BIG = 1003, 1007, 1008, 1009
INTERNAL, RESTART, TRY_AGAIN = 1011, 1012, 1013


class Listener(Protocol):
    """Handles what the client sends.

    Attributes:
        budget: of the client's address.
    """

    budget: Budget

    def receive(self, text: str) -> None:
        """Handle a message."""

    def count_frames(self, count: int) -> bool:
        """Count frames of any kind; return whether the budgets allow them."""

    def count_cut_reader(self) -> None:
        """Count that this client was disconnected because it did not read."""


def frame_of(reply: Reply) -> bytes:
    """Return a reply as a server's frame: one fragment, unmasked (RFC 6455, section 5.1)."""
    payload = write_reply(reply).encode()
    size = len(payload)
    if size < 126:
        return bytes((WHOLE_TEXT, size)) + payload
    return Frame(Opcode.TEXT, payload).serialize(mask=False)


class WebSocket(asyncio.Protocol):
    """The WebSocket of one client.

    Messages reach the listener without a queue and a task, and frames are sent as they are: a reply
    to many clients is encoded once.

    Attributes:
        listener: handles messages; without one they are passed over.
        lost: called when the connection is closed.
        close_sent: whether nothing is sent any more.
    """

    def __init__(self, transport: asyncio.Transport, limiter: ConnectionLimiter) -> None:
        self.transport = transport
        self.loop = asyncio.get_running_loop()
        self.read_scheduler = limiter.read_scheduler
        self.listener: Listener | None = None
        self.lost: Callable[[], object] = lambda: None
        self.close_sent = False
        self.unread = 0
        self.conn = ServerProtocol(select_subprotocol=_choose_subprotocol, max_size=FRAME_BYTES)
        self._unsent: list[bytes] | None = None
        self._unread = memoryview(b"")
        self._left_after_close = MOST_AFTER_CLOSE
        self._parts: list[bytes] | None = None  # of a message in fragments
        self._is_text = True
        #: Bytes given to the parser less those of the frames that it has made of them, if these had
        #: the shortest lengths: 0 only between two frames.
        self._surplus = 0
        self._is_heard = True
        self._ping_timer: asyncio.TimerHandle | None = None
        self._abort_timer: asyncio.TimerHandle | None = None

    # -- the handshake -------------------------------------------------------------------------

    def begin(self, head: bytes, rest: bytes, greet: Callable[[], Response | None]) -> None:
        """Answer a handshake.

        Args:
            head: of the request.
            rest: what has been received after it.
            greet: lets the client in by `accept`, or returns the response that refuses it.
        """
        self.conn.receive_data(head)
        requests = self.conn.events_received()
        if not requests or not isinstance(requests[0], Request):
            self._refuse(Response(status_code=HTTPStatus.BAD_REQUEST))
            return
        self._response = self.conn.accept(requests[0])
        if self._response.status_code != HTTPStatus.SWITCHING_PROTOCOLS:
            version = {"sec-websocket-version": "13"}  # RFC 6455, section 4.4
            self._refuse(Response(status_code=self._response.status_code, headers=version))
            return
        if (refusal := greet()) is not None:
            self._refuse(refusal)
        elif rest and not self.transport.is_closing():
            self.data_received(rest)

    def accept(self) -> None:
        """Open the WebSocket."""
        self.conn.send_response(self._response)
        self.transport.write(b"".join(self.conn.data_to_send()))
        self._ping_timer = self.loop.call_later(PING_SECONDS, self._ping)

    def _refuse(self, response: Response) -> None:
        status = HTTPStatus(response.status_code)
        lines = [f"HTTP/1.1 {status.value} {status.phrase}".encode()]
        lines += [b"%s: %s" % header for header in response.raw_headers]
        lines += [b"connection: close", b"", bytes(response.body)]
        self.transport.write(b"\r\n".join(lines))
        self.transport.close()

    # -- what comes in -------------------------------------------------------------------------

    def data_received(self, data: bytes) -> None:
        """Parse what has been received, now or in a later turn of the event loop.

        Until then nothing more is read from the network.
        """
        owner = None if self.listener is None else self.listener.budget
        if owner is None or self.read_scheduler.reserve(owner, len(data)):
            self._read(data)
            return
        self.transport.pause_reading()
        self._unread = memoryview(data)
        self.read_scheduler.schedule(owner, self)

    def read_slice(self) -> bool:
        """Parse a slice of what waits; return whether there is more."""
        part, self._unread = self._unread[:SLICE], self._unread[SLICE:]
        if not self.transport.is_closing():
            self._read(bytes(part))
        if self.transport.is_closing():
            self._unread = memoryview(b"")
        elif not self._unread and self._left_after_close > 0:
            self.transport.resume_reading()
        return bool(self._unread)

    def give_up(self) -> None:
        """Abort the connection."""
        self.transport.abort()

    def _read(self, data: bytes) -> None:
        self._is_heard = True
        if self.close_sent:
            self._left_after_close -= len(data)
            if self._left_after_close <= 0:  # `close` aborts the connection soon
                self._unread = memoryview(b"")
                self.transport.pause_reading()
                return
        text = self._whole_text(data)
        if text is None:
            self._parse(data)
        elif self.listener is not None and self.listener.count_frames(1):
            self._deliver(text)
        else:
            self.close(POLICY, "too many frames")

    def _whole_text(self, data: bytes) -> bytes | None:
        """Return the payload if the data are one short, unfragmented text, as nearly always.

        ``None`` leaves them to the parser, which takes five times as long. For the masking see RFC
        6455, section 5.3.
        """
        size = len(data) - 6
        if not 0 <= size < 126 or data[0] != WHOLE_TEXT or data[1] != MASKED | size:
            return None
        if self._surplus or self._parts is not None or self.listener is None:
            return None
        if self.conn.state is not State.OPEN:
            return None
        mask = int.from_bytes((data[2:6] * 32)[:size], "big")
        return (int.from_bytes(data[6:], "big") ^ mask).to_bytes(size, "big")

    def _parse(self, data: bytes) -> None:
        self._surplus += len(data)
        self.conn.receive_data(data)
        frames, answers = self.conn.events_received(), self.conn.data_to_send()
        if frames and self.listener is not None and not self.listener.count_frames(len(frames)):
            self.close(POLICY, "too many frames")
            return
        is_ended = self.conn.state is not State.OPEN and not self.close_sent
        for frame in frames:
            if isinstance(frame, Frame):
                self._surplus -= _least_size(frame)
                self._handle(frame)
                is_ended = is_ended or frame.opcode is Opcode.CLOSE
        self._flush()  # before a close frame, which nothing may follow
        if answers and not self.close_sent:  # pongs, and a close frame
            self.transport.write(b"".join(answers))
        if is_ended:
            self._end()

    def _handle(self, frame: Frame) -> None:
        if frame.opcode in (Opcode.TEXT, Opcode.BINARY):
            self._parts, self._is_text = [], frame.opcode is Opcode.TEXT
        elif frame.opcode is not Opcode.CONT or self._parts is None:
            return
        if len(self._parts) >= MOST_PARTS:  # without a limit empty ones would be kept for ever
            self.close(TOO_BIG, "a message in too many parts")
            self._parts = None
            return
        self._parts.append(bytes(frame.data))
        if not frame.fin:
            return
        message, self._parts = b"".join(self._parts), None
        if self.listener is None or self.close_sent:
            return
        if not self._is_text:
            self.close(UNSUPPORTED, "only texts are spoken here")
            return
        self._deliver(message)

    def _deliver(self, data: bytes) -> None:
        try:
            text = data.decode()
        except UnicodeDecodeError:
            self.close(INVALID_TEXT, "invalid UTF-8")
            return
        if self.listener is not None and not self.close_sent:
            self.listener.receive(text)

    # -- what goes out -------------------------------------------------------------------------

    def send_frame(self, frame: bytes) -> None:
        """Send a frame of `frame_of`, together with others of the same turn of the event loop.

        A client beyond the limits of the send buffer is disconnected.
        """
        if self._unsent is None:
            self._unsent = [frame]
            self.loop.call_soon(self._flush)
            return
        self._unsent.append(frame)
        if len(self._unsent) >= MOST_TOGETHER:
            self._flush()

    def _flush(self) -> None:
        frames, self._unsent = self._unsent, None
        transport = self.transport
        if not frames or self.close_sent or transport.is_closing():
            return
        before = transport.get_write_buffer_size()
        data = b"".join(frames) if len(frames) > 1 else frames[0]
        self.unread = len(frames) + (self.unread if before else 0)
        if self.unread > MOST_MESSAGES or (before and before + len(data) > MOST_BYTES):
            if self.listener is not None:
                self.listener.count_cut_reader()
            self.close_sent = True
            transport.abort()
            return
        transport.write(data)

    def _ping(self) -> None:
        """Send a ping, unless the client has said nothing since the last: then close."""
        if not self._is_heard:
            self.close(INTERNAL, "keepalive ping timeout")
            return
        self._is_heard = False
        self.conn.send_ping(b"")
        self.transport.write(b"".join(self.conn.data_to_send()))
        self._ping_timer = self.loop.call_later(PING_SECONDS, self._ping)

    # -- its end -------------------------------------------------------------------------------

    def close(self, code: int, reason: str) -> None:
        """Send a close frame; disconnect a client that does not answer it in `CLOSE_SECONDS`."""
        if self.close_sent or self.transport.is_closing():
            return
        if self.conn.state is not State.OPEN:  # the client has sent a close frame
            self.transport.abort()
            return
        self._flush()
        if self.close_sent:
            return
        self.conn.send_close(code, reason)
        self.transport.write(b"".join(self.conn.data_to_send()))
        self.close_sent = True
        self._stop_pings()
        self.abort_soon()

    def _end(self) -> None:
        """Close the connection after a close frame, or after what was no frame."""
        self.close_sent = True
        self._stop_pings()
        self.transport.close()
        self.abort_soon()  # a client may never read what is still unread

    def eof_received(self) -> None:
        """Disconnect a client soon that sends no more, and may not read either."""
        self.conn.receive_eof()
        self._stop_pings()
        self.abort_soon()

    def connection_lost(self, exc: Exception | None) -> None:
        """Tell the application that the client has gone."""
        self.close_sent = True
        self._stop_pings()
        if self._abort_timer is not None:
            self._abort_timer.cancel()
        self.lost()

    def abort_soon(self) -> None:
        """Abort the connection after `CLOSE_SECONDS`, unless the client closes it."""
        if self._abort_timer is None:
            self._abort_timer = self.loop.call_later(CLOSE_SECONDS, self.transport.abort)

    def _stop_pings(self) -> None:
        if self._ping_timer is not None:
            self._ping_timer.cancel()


def _choose_subprotocol(_: ServerProtocol, offered: Sequence[Subprotocol]) -> Subprotocol | None:
    return next((each for each in offered if each == SUBPROTOCOL), None)


def _least_size(frame: Frame) -> int:
    """Return the bytes of a client's frame, if its length was written in the shortest way."""
    size = len(frame.data)
    return 6 + (0 if size < 126 else 2 if size < 65_536 else 8) + size
