"""One WebSocket: calls a listener with each text, and sends without waiting for slow readers."""

from __future__ import annotations

from typing import Any, Protocol

from uvicorn.protocols.websockets.websockets_sansio_impl import WebSocketsSansIOProtocol
from websockets.frames import Frame, Opcode
from websockets.protocol import State

from tic_tac_toe.protocols.online.replies import Reply, write_reply

from ..budgets import Budget
from .read_scheduler import SLICE, ReadScheduler

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

#: The server's close codes: RFC 6455, section 7.4.1, and IANA's registry.
UNSUPPORTED, INVALID_TEXT, POLICY, TOO_BIG = 1003, 1007, 1008, 1009
RESTART, TRY_AGAIN = 1012, 1013


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


class WebSocket(WebSocketsSansIOProtocol):
    """Uvicorn's WebSocket, with a shorter path in and out.

    Messages reach the listener without a queue and a task, and frames are sent as they are: a reply
    to
    many clients is encoded once.
    """

    listener: Listener | None = None
    unread = 0
    _unsent: list[bytes] | None = None
    _unread = memoryview(b"")
    _left_after_close = MOST_AFTER_CLOSE

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

    @property
    def unread_bytes(self) -> int:
        """The number of bytes that have been received but not read."""
        return len(self._unread)

    def _read(self, data: bytes) -> None:
        if self.close_sent:
            self._left_after_close -= len(data)
            if self._left_after_close <= 0:  # `close` aborts the connection soon
                self._unread = memoryview(b"")
                self.transport.pause_reading()
                return
        text = self._whole_text(data)
        if text is None:
            super().data_received(data)
        elif self.listener is not None and self.listener.count_frames(1):
            self._deliver(text)
        else:
            self.close(POLICY, "too many frames")

    def _whole_text(self, data: bytes) -> bytes | None:
        """Return the payload if the data are one short, unfragmented text, as nearly always.

        ``None`` leaves them to the parser, which takes five times as long. For the masking see RFC
        6455,
        section 5.3.
        """
        size = len(data) - 6
        if not 0 <= size < 126 or data[0] != WHOLE_TEXT or data[1] != MASKED | size:
            return None
        conn = self.conn
        is_between = not conn.reader.buffer and conn.current_size is None
        if not is_between or conn.state is not State.OPEN or self.listener is None:
            return None
        mask = int.from_bytes((data[2:6] * 32)[:size], "big")
        return (int.from_bytes(data[6:], "big") ^ mask).to_bytes(size, "big")

    def handle_events(self) -> None:
        """Handle the frames that have been parsed, unless there are too many."""
        listener, count = self.listener, len(self.conn.events)
        if listener is not None and count and not listener.count_frames(count):
            self.conn.events.clear()
            self.conn.data_to_send()
            self.close(POLICY, "too many frames")
            return
        super().handle_events()

    @property
    def read_scheduler(self) -> ReadScheduler:
        """The scheduler of all connections."""
        scheduler: ReadScheduler = self.app_state["limiter"].read_scheduler
        return scheduler

    def handle_connect(self, event: Any) -> None:
        """Pass this object to the application as ``state["socket"]``."""
        super().handle_connect(event)
        if hasattr(self, "scope"):
            self.scope["state"]["socket"] = self

    async def send(self, message: Any) -> None:
        """Send an ASGI message of the application.

        A refusal in plain HTTP completes the handshake. Uvicorn does not notice that, and would log
        an
        error.
        """
        await super().send(message)
        if message["type"] == "websocket.http.response.body" and self.close_sent:
            self.handshake_complete = True

    def send_receive_event_to_app(self) -> None:
        """Pass a whole message to the listener."""
        data = b"".join(self.frames)
        self.frames = []
        if self.listener is None or self.close_sent:
            return
        if self.curr_msg_data_type != "text":
            self.close(UNSUPPORTED, "only texts are spoken here")
            return
        self._deliver(data)

    def _deliver(self, data: bytes) -> None:
        try:
            text = data.decode()
        except UnicodeDecodeError:
            self.close(INVALID_TEXT, "invalid UTF-8")
            return
        if self.listener is not None and not self.close_sent:
            self.listener.receive(text)

    def handle_cont(self, event: Any) -> None:
        """Handle a fragment; without a limit empty ones would be kept for ever."""
        if len(self.frames) >= MOST_PARTS:
            self.close(TOO_BIG, "a message in too many parts")
            self.frames = []
        super().handle_cont(event)

    def handle_close(self, event: Any) -> None:
        """Handle the client's close frame; a client may never read what is still unread."""
        super().handle_close(event)
        self.abort_soon()

    def keepalive_timeout(self) -> None:
        """Disconnect a client that does not answer pings, and may not read either."""
        super().keepalive_timeout()
        self.abort_soon()

    def eof_received(self) -> None:
        """Disconnect a client soon that sends no more, and may not read either."""
        super().eof_received()
        self.abort_soon()

    def abort_soon(self) -> None:
        """Abort the connection after `CLOSE_SECONDS`, unless the client closes it."""
        if not self.disconnected:
            self.loop.call_later(CLOSE_SECONDS, self.transport.abort)

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
        if not frames or self.close_sent or self.disconnected or transport.is_closing():
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

    def close(self, code: int, reason: str) -> None:
        """Send a close frame; disconnect a client that does not answer it in `CLOSE_SECONDS`."""
        if self.close_sent or self.disconnected or self.transport.is_closing():
            return
        if not self.handshake_complete:
            self.transport.close()
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
        self.stop_keepalive()
        if self.close_timer is None:
            self.close_timer = self.loop.call_later(CLOSE_SECONDS, self.transport.abort)
