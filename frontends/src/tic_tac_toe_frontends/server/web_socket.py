"""One WebSocket: texts come in by a call, and go out without waiting for slow readers."""

from __future__ import annotations

from typing import Any, Protocol

from uvicorn.protocols.websockets.websockets_sansio_impl import WebSocketsSansIOProtocol
from websockets.frames import Frame, Opcode

from tic_tac_toe.protocols.online.replies import Reply, write_reply

#: Send-buffer limits, in messages and bytes; a slower client is disconnected.
MOST_MESSAGES, MOST_BYTES = 64, 64 * 1024

#: Frames of one message at most.
MOST_PARTS = 64

#: Seconds after which a client that does not answer the closing handshake is disconnected.
CLOSE_SECONDS = 3.0

#: The codes with which the server closes: RFC 6455, section 7.4.1 and the registry of codes.
UNSUPPORTED, POLICY, TOO_BIG, RESTART, TRY_AGAIN = 1003, 1008, 1009, 1012, 1013


class Listener(Protocol):
    """Takes what comes in."""

    def text(self, text: str) -> None:
        """Take a message."""

    def pinged(self) -> bool:
        """Count a ping; return whether it is within the rate limit."""

    def too_slow(self) -> None:
        """Count that this client was cut off, because it did not read."""


def frame_of(reply: Reply) -> bytes:
    """Return the frame of a reply as servers send it, unmasked and whole."""
    return Frame(Opcode.TEXT, write_reply(reply).encode()).serialize(mask=False)


class WebSocket(WebSocketsSansIOProtocol):
    """Uvicorn's WebSocket, with a shorter way in and out.

    Messages reach the listener without a queue and a task between, and frames are written as they
    are: one text for many readers is encoded once.
    """

    listener: Listener | None = None
    unread = 0

    def handle_connect(self, event: Any) -> None:
        """Show the application this very object as ``state["socket"]``."""
        super().handle_connect(event)
        if hasattr(self, "scope"):
            self.scope["state"]["socket"] = self

    def send_receive_event_to_app(self) -> None:
        """Give a whole message to the listener."""
        data = self.frames[0] if len(self.frames) == 1 else b"".join(self.frames)
        self.frames = []
        if self.listener is None or self.close_sent:
            return
        if self.curr_msg_data_type != "text":
            self.close(UNSUPPORTED, "only texts are spoken here")
            return
        try:
            text = bytes(data).decode()
        except UnicodeDecodeError:
            self.close(1007, "invalid UTF-8")
            return
        self.listener.text(text)

    def handle_cont(self, event: Any) -> None:
        """Take a part of a message; empty parts would otherwise be kept without end."""
        if len(self.frames) >= MOST_PARTS:
            self.close(TOO_BIG, "a message in too many parts")
            self.frames = []
        super().handle_cont(event)

    def handle_ping(self) -> None:
        """Answer a ping, unless there are too many."""
        if self.listener is not None and not self.listener.pinged():
            self.conn.data_to_send()
            self.close(POLICY, "too many pings")
            return
        super().handle_ping()

    def eof_received(self) -> None:
        """Cut off a client soon that sends no more, and perhaps reads no more."""
        super().eof_received()
        self.end()

    def end(self) -> None:
        """Disconnect, after `CLOSE_SECONDS`, a client that does not read to the end."""
        if not self.disconnected:
            self.loop.call_later(CLOSE_SECONDS, self.transport.abort)

    def say(self, frame: bytes) -> None:
        """Send a frame of `frame_of`; disconnect a client beyond the send-buffer limits."""
        transport = self.transport
        if self.close_sent or self.disconnected or transport.is_closing():
            return
        before = transport.get_write_buffer_size()
        self.unread = self.unread + 1 if before else 1
        if self.unread > MOST_MESSAGES or (before and before + len(frame) > MOST_BYTES):
            if self.listener is not None:
                self.listener.too_slow()
            self.close_sent = True
            transport.abort()
            return
        transport.write(frame)

    def close(self, code: int, reason: str) -> None:
        """Close from this side; disconnect a client that does not answer in `CLOSE_SECONDS`."""
        if self.close_sent or self.disconnected or self.transport.is_closing():
            return
        if not self.handshake_complete:
            self.transport.close()
            return
        self.conn.send_close(code, reason)
        self.transport.write(b"".join(self.conn.data_to_send()))
        self.close_sent = True
        self.stop_keepalive()
        if self.close_timer is None:
            self.close_timer = self.loop.call_later(CLOSE_SECONDS, self.transport.abort)
