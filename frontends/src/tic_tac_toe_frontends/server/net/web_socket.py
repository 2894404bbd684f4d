"""One WebSocket: texts come in by a call, and go out without waiting for slow readers."""

from __future__ import annotations

from typing import Any, Protocol

from uvicorn.protocols.websockets.websockets_sansio_impl import WebSocketsSansIOProtocol
from websockets.frames import Frame, Opcode
from websockets.protocol import State

from tic_tac_toe.protocols.online.replies import Reply, write_reply

from ..budgets import AddressBudget
from .read_scheduler import SLICE, ReadScheduler

#: Send-buffer limits, in messages and bytes; a slower client is disconnected.
MOST_MESSAGES, MOST_BYTES = 64, 64 * 1024

#: Messages to one client that are sent together at most.
MOST_TOGETHER = 8

#: The first byte of the frame of a whole text, and the bit of the second one that says that the
#: payload is masked: RFC 6455, section 5.2.
WHOLE_TEXT, MASKED = 0x81, 0x80

#: Frames of one message at most.
MOST_PARTS = 64

#: Bytes that are read at most once the server has closed: the answer, and what was under way.
MOST_AFTER_CLOSE = SLICE

#: Seconds after which a client that does not answer the closing handshake is disconnected.
CLOSE_SECONDS = 3.0

#: The codes with which the server closes: RFC 6455, section 7.4.1 and the registry of codes.
UNSUPPORTED, POLICY, TOO_BIG, RESTART, TRY_AGAIN = 1003, 1008, 1009, 1012, 1013


class Listener(Protocol):
    """Takes what comes in.

    Attributes:
        account: whom the connection belongs to.
    """

    budget: AddressBudget

    def receive(self, text: str) -> None:
        """Take a message."""

    def count_frames(self, count: int) -> bool:
        """Count frames of any kind; return whether they are within the rate limit."""

    def count_cut_reader(self) -> None:
        """Count that this client was cut off, because it did not read."""


def frame_of(reply: Reply) -> bytes:
    """Return the frame of a reply as servers send it, unmasked and whole."""
    payload = write_reply(reply).encode()
    size = len(payload)
    if size < 126:
        return bytes((WHOLE_TEXT, size)) + payload
    return Frame(Opcode.TEXT, payload).serialize(mask=False)


class WebSocket(WebSocketsSansIOProtocol):
    """Uvicorn's WebSocket, with a shorter way in and out.

    Messages reach the listener without a queue and a task between, and frames are written as they
    are: one text for many readers is encoded once.
    """

    listener: Listener | None = None
    unread = 0
    _unsent: list[bytes] | None = None
    _unread = memoryview(b"")
    _left_after_close = MOST_AFTER_CLOSE

    def data_received(self, data: bytes) -> None:
        """Read what has come, or let it wait for a later turn of the event loop.

        Nothing more is taken from the network until it is read.
        """
        owner = None if self.listener is None else self.listener.budget
        if owner is None or self.read_scheduler.try_read(owner, len(data)):
            self._read(data)
            return
        self.transport.pause_reading()
        self._unread = memoryview(data)
        self.read_scheduler.schedule(owner, self)

    def read_slice(self) -> bool:
        """Read a slice of what waits; return whether there is more."""
        part, self._unread = self._unread[:SLICE], self._unread[SLICE:]
        if not self.transport.is_closing():
            self._read(bytes(part))
        if self.transport.is_closing():
            self._unread = memoryview(b"")
        elif not self._unread and self._left_after_close > 0:
            self.transport.resume_reading()
        return bool(self._unread)

    def give_up(self) -> None:
        """Cut the connection."""
        self.transport.abort()

    @property
    def unread_bytes(self) -> int:
        """The number of bytes that have come and wait for being read."""
        return len(self._unread)

    def _read(self, data: bytes) -> None:
        if self.close_sent:
            self._left_after_close -= len(data)
            if self._left_after_close <= 0:  # the client is cut off soon, see `close`
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
        """Return the payload of what is one short text in one frame, as nearly everything is.

        ``None``: what it is has to be found out by the parser, which takes five times as long.
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
        """Deal with the frames that have been read, unless there are too many."""
        listener, count = self.listener, len(self.conn.events)
        if listener is not None and count and not listener.count_frames(count):
            self.conn.events.clear()
            self.conn.data_to_send()
            self.close(POLICY, "too many frames")
            return
        super().handle_events()

    @property
    def read_scheduler(self) -> ReadScheduler:
        """What waits for being read, of all connections."""
        scheduler: ReadScheduler = self.app_state["limiter"].read_scheduler
        return scheduler

    def handle_connect(self, event: Any) -> None:
        """Show the application this very object as ``state["socket"]``."""
        super().handle_connect(event)
        if hasattr(self, "scope"):
            self.scope["state"]["socket"] = self

    async def send(self, message: Any) -> None:
        """Send what the application says.

        A refusal in plain HTTP completes the handshake as any other answer does. uvicorn does not
        notice that, and would log an error: a WebSocket that was never answered.
        """
        await super().send(message)
        if message["type"] == "websocket.http.response.body" and self.close_sent:
            self.handshake_complete = True

    def send_receive_event_to_app(self) -> None:
        """Give a whole message to the listener."""
        data = b"".join(self.frames)
        self.frames = []
        if self.listener is None or self.close_sent:
            return
        if self.curr_msg_data_type != "text":
            self.close(UNSUPPORTED, "only texts are spoken here")
            return
        self._deliver(data)

    def _deliver(self, data: bytes) -> None:
        """Give a text to the listener."""
        try:
            text = data.decode()
        except UnicodeDecodeError:
            self.close(1007, "invalid UTF-8")
            return
        if self.listener is not None and not self.close_sent:
            self.listener.receive(text)

    def handle_cont(self, event: Any) -> None:
        """Take a part of a message; empty parts would otherwise be kept without end."""
        if len(self.frames) >= MOST_PARTS:
            self.close(TOO_BIG, "a message in too many parts")
            self.frames = []
        super().handle_cont(event)

    def handle_close(self, event: Any) -> None:
        """Take the client's close; what it has not read by then may never be read."""
        super().handle_close(event)
        self.abort_soon()

    def keepalive_timeout(self) -> None:
        """Let a client go that does not answer pings, and may read nothing either."""
        super().keepalive_timeout()
        self.abort_soon()

    def eof_received(self) -> None:
        """Cut off a client soon that sends no more, and perhaps reads no more."""
        super().eof_received()
        self.abort_soon()

    def abort_soon(self) -> None:
        """Disconnect, after `CLOSE_SECONDS`, a client that does not read to the end."""
        if not self.disconnected:
            self.loop.call_later(CLOSE_SECONDS, self.transport.abort)

    def send_frame(self, frame: bytes) -> None:
        """Send a frame of `frame_of`, together with others that come in the same turn of the loop.

        A client beyond the send-buffer limits is disconnected.
        """
        if self._unsent is None:
            self._unsent = [frame]
            self.loop.call_soon(self._flush)
            return
        self._unsent.append(frame)
        if len(self._unsent) >= MOST_TOGETHER:
            self._flush()

    def _flush(self) -> None:
        """Send the frames that wait."""
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
        """Close from this side; disconnect a client that does not answer in `CLOSE_SECONDS`."""
        if self.close_sent or self.disconnected or self.transport.is_closing():
            return
        if not self.handshake_complete:
            self.transport.close()
            return
        if self.conn.state is not State.OPEN:  # what the client sent last was its own close
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
