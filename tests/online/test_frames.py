"""Malformed frames and handshakes over raw sockets: refused by the right code, and forgotten.

The cases are those of the Autobahn suite for what a text protocol without fragments of binary data
and without extensions can be sent: framing, pings, reserved bits, opcodes, fragmentation, UTF-8,
close handling and limits.
"""

from __future__ import annotations

import json
import socket
import struct
from collections.abc import Iterator
from contextlib import suppress
from itertools import takewhile

import pytest
from websockets.frames import Frame, Opcode

from tests.online.processes import PATIENCE, Server

HELLO = json.dumps({"type": "hello", "id": "h", "protocol": 1}).encode()
TEXT, BINARY, CONTINUATION, CLOSE, PING, PONG = 1, 2, 0, 8, 9, 10
PROTOCOL_ERROR, UNSUPPORTED, NO_UTF8, POLICY, TOO_BIG = 1002, 1003, 1007, 1008, 1009


def frame(
    opcode: int, payload: bytes = b"", *, fin: bool = True, reserved: int = 0, masked: bool = True
) -> bytes:
    """Return a frame as clients send it, or as they must not."""
    first = bytes((fin << 7 | reserved << 4 | opcode,))
    # The library checks opcodes, so that only what follows the first byte comes from it.
    return first + Frame(Opcode.BINARY, payload).serialize(mask=masked)[1:]


def close_frame(code: int, reason: bytes = b"") -> bytes:
    """Return a close frame with any code."""
    return frame(CLOSE, struct.pack("!H", code) + reason)


#: What is refused, by the codes that the server may close with.
BY_CODES: dict[tuple[int, ...], dict[str, bytes]] = {
    (UNSUPPORTED,): {
        "a binary message": frame(BINARY, b"\x00\x01"),
        "an empty binary message": frame(BINARY),
    },
    (PROTOCOL_ERROR,): {
        "a frame without a mask": frame(TEXT, HELLO, masked=False),
        "a ping without a mask": frame(PING, b"a", masked=False),
        **{f"reserved bits {bits:03b}": frame(TEXT, HELLO, reserved=bits) for bits in range(1, 8)},
        **{f"a ping with reserved bits {bits:03b}": frame(PING, reserved=bits) for bits in (1, 4)},
        **{f"opcode {code}": frame(code, b"x") for code in (*range(3, 8), *range(11, 16))},
        "a ping of 126 bytes": frame(PING, b"x" * 126),
        "a pong of 126 bytes": frame(PONG, b"x" * 126),
        "a fragmented ping": frame(PING, b"x", fin=False),
        "a fragmented close": frame(CLOSE, b"\x03\xe8", fin=False),
        "a continuation of nothing": frame(CONTINUATION, HELLO),
        "an unfinished continuation of nothing": frame(CONTINUATION, HELLO, fin=False),
        "a text inside another": frame(TEXT, b"{", fin=False) + frame(TEXT, b"}"),
        "a close of one byte": frame(CLOSE, b"\x03"),
        "a close of 126 bytes": close_frame(1000, b"x" * 124),
        **{
            f"a close with code {code}": close_frame(code)
            for code in (0, 999, 1004, 1005, 1006, 1015, 1016, 2000, 2999, 5000, 65_535)
        },
    },
    (TOO_BIG,): {
        "a text of 4097 bytes": frame(TEXT, b"x" * 4097),
        "a text of 70000 bytes": frame(TEXT, b"x" * 70_000),
        "a text of fragments that is too long": frame(TEXT, b"x" * 4000, fin=False)
        + frame(CONTINUATION, b"x" * 4000),
        "a text of 1001 parts": frame(TEXT, b"{", fin=False)
        + frame(CONTINUATION, fin=False) * 1000,
    },
    (PROTOCOL_ERROR, TOO_BIG): {
        "a length of 2 to the 63": b"\x81\xff" + b"\xff" * 8 + b"mask",
        "a length of a terabyte": b"\x81\xff" + struct.pack("!Q", 1 << 40) + b"mask",
    },
    (NO_UTF8,): {
        "a text that is no UTF-8": frame(TEXT, b'{"\xff\xfe"}'),
        "a text with a surrogate": frame(TEXT, b'"\xed\xa0\x80"'),
        "a text with an overlong slash": frame(TEXT, b'"\xc0\xaf"'),
        "a text beyond Unicode": frame(TEXT, b'"\xf4\x90\x80\x80"'),
        "a text that ends inside a character": frame(TEXT, b'"\xe4\xbd'),
        "a character that is never finished": frame(TEXT, b'"\xe4', fin=False)
        + frame(CONTINUATION, b'"'),
    },
    (PROTOCOL_ERROR, NO_UTF8): {"a close with bad UTF-8": close_frame(1000, b"\xff")},
    (POLICY,): {
        "a flood of pings": frame(PING) * 6_000,
        "a flood of pongs": frame(PONG) * 6_000,
        "a flood of what is no message": frame(TEXT, b"{") * 30,
    },
}
REFUSED = {case: (data, codes) for codes, cases in BY_CODES.items() for case, data in cases.items()}
#: What is sent, and what the server says to it: it goes on.
ACCEPTED: dict[str, bytes] = {
    "a text": frame(TEXT, HELLO),
    "a text of two fragments": frame(TEXT, HELLO[:9], fin=False) + frame(CONTINUATION, HELLO[9:]),
    "a text of one byte a fragment": frame(TEXT, fin=False)
    + b"".join(frame(CONTINUATION, HELLO[i : i + 1], fin=False) for i in range(len(HELLO)))
    + frame(CONTINUATION),
    "a ping between fragments": frame(TEXT, HELLO[:9], fin=False)
    + frame(PING, b"x")
    + frame(CONTINUATION, HELLO[9:]),
    "a pong that nobody asked for": frame(PONG, b"x" * 125) + frame(TEXT, HELLO),
    "an empty text": frame(TEXT) + frame(TEXT, HELLO),
    "a text that is no JSON": frame(TEXT, b"\x00") + frame(TEXT, HELLO),
    "a longer length than needed": b"\x81\xfe"
    + struct.pack("!H", len(HELLO))
    + b"\0\0\0\0"
    + HELLO,
}


class RawSocket:
    """A connection that says exactly what it is told to."""

    def __init__(self, port: int) -> None:
        self.socket = socket.create_connection(("127.0.0.1", port), PATIENCE)
        self.reader = self.socket.makefile("rb")

    def __enter__(self) -> RawSocket:
        return self

    def __exit__(self, *_: object) -> None:
        self.reader.close()
        self.socket.close()

    def shake_hands(
        self, *more: str, version: str = "13", key: str = "x" * 22 + "==", path: str = "/ws"
    ) -> bytes:
        """Ask for a WebSocket, and return what the server says to it."""
        lines = [
            f"GET {path} HTTP/1.1",
            "Host: 127.0.0.1",
            "Upgrade: websocket",
            "Connection: Upgrade",
            f"Sec-WebSocket-Version: {version}",
            *([f"Sec-WebSocket-Key: {key}"] if key else []),
            *more,
        ]
        self.send("\r\n".join([*lines, "", ""]).encode())
        return self.head()

    def send(self, data: bytes) -> None:
        """Send bytes; that the other side has closed is found out by reading."""
        try:
            self.socket.sendall(data)
        except OSError:
            return

    def head(self) -> bytes:
        """Return the status line and headers of a response; empty if the server only closes."""
        try:
            return b"".join(takewhile(lambda line: line != b"\r\n", self.reader))
        except ConnectionResetError:
            return b""

    def frames(self) -> Iterator[tuple[int, bytes]]:
        """Yield the opcode and payload of every frame, until the server closes."""
        with suppress(ConnectionResetError):
            while head := self.reader.read(2):
                size = head[1]
                if size == 126:
                    size = int.from_bytes(self.reader.read(2), "big")
                yield head[0] & 15, self.reader.read(size)

    def code(self) -> int:
        """Return the code that the server closes with; 0 for none."""
        for opcode, payload in self.frames():
            if opcode == CLOSE:
                return int.from_bytes(payload[:2], "big")
        return 0


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    """One server for all cases; in the end it has met no error."""
    # There is credit enough for what one test sends, but for floods.
    server = Server(tmp_path_factory.mktemp("frames"), options=("--messages", "100"))
    with server.running():
        yield server
        assert server.stop() == 0
    said = server.said()
    assert "Traceback" not in said, said
    assert '"level": "error"' not in said, said


def goes_on(server: Server) -> bool:
    """Whether a new client is welcome."""
    with RawSocket(server.port) as client:
        assert b" 101 " in client.shake_hands()
        client.send(frame(TEXT, HELLO))
        opcode, payload = next(client.frames())
        return opcode == TEXT and b'"welcome"' in payload


@pytest.mark.parametrize("case", REFUSED)
def test_a_malformed_frame_closes_the_connection_with_the_right_code(
    server: Server, case: str
) -> None:
    data, codes = REFUSED[case]
    with RawSocket(server.port) as client:
        client.shake_hands()
        client.send(data)
        assert client.code() in codes
    assert goes_on(server)


@pytest.mark.parametrize("one_by_one", [False, True], ids=["at once", "byte by byte"])
@pytest.mark.parametrize("case", ACCEPTED)
def test_a_well_formed_message_is_answered(server: Server, case: str, one_by_one: bool) -> None:
    data = ACCEPTED[case]
    with RawSocket(server.port) as client:
        client.shake_hands()
        client.socket.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        for part in [data[i : i + 1] for i in range(len(data))] if one_by_one else [data]:
            client.send(part)
        for opcode, payload in client.frames():
            assert opcode in (TEXT, PONG)
            if b'"welcome"' in payload:
                return
    pytest.fail("there was no answer")


@pytest.mark.parametrize("code", [1000, 1001, 1007, 1011, 3000, 4999])
def test_a_close_is_answered_with_its_own_code(server: Server, code: int) -> None:
    with RawSocket(server.port) as client:
        client.shake_hands()
        client.send(close_frame(code, b"bye"))
        assert client.code() == code


def test_a_ping_comes_back_as_it_was(server: Server) -> None:
    with RawSocket(server.port) as client:
        client.shake_hands()
        client.send(frame(PING, b"\x00\xff\xfe" * 41))
        assert next(client.frames()) == (PONG, b"\x00\xff\xfe" * 41)


def test_after_a_close_nothing_is_answered_any_more(server: Server) -> None:
    with RawSocket(server.port) as client:
        client.shake_hands()
        client.send(frame(CLOSE) + frame(TEXT, HELLO))
        assert [opcode for opcode, _ in client.frames()] == [CLOSE]


@pytest.mark.parametrize(
    "handshake",
    [{"version": "12"}, {"version": ""}, {"key": ""}, {"key": "short"}],
    ids=["another version", "no version", "no key", "a short key"],
)
def test_a_bad_handshake_is_refused(server: Server, handshake: dict[str, str]) -> None:
    with RawSocket(server.port) as client:
        status = client.shake_hands(**handshake).split(b" ")[1]
        assert status in (b"400", b"426")
    assert goes_on(server)


def test_a_handshake_at_another_path_is_refused_with_403(server: Server) -> None:
    with RawSocket(server.port) as client:
        assert b" 403 " in client.shake_hands(path="/games")
    assert goes_on(server)


@pytest.mark.parametrize(
    "data",
    [
        b"GET /ws HTTP/1.1\r\nUpgrade: websocket\r\n",
        b"GET /ws",
        b"\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03",
        b"\x00" * 2_000,
        b"",
    ],
    ids=["half a handshake", "half a line", "TLS", "zeros", "nothing"],
)
def test_a_client_that_leaves_in_a_handshake_does_no_harm(server: Server, data: bytes) -> None:
    with RawSocket(server.port) as client:
        client.send(data)
    assert goes_on(server)


def test_a_handshake_with_endless_headers_is_refused(server: Server) -> None:
    with RawSocket(server.port) as client:
        client.send(b"GET /ws HTTP/1.1\r\n" + b"X: " + b"y" * 200_000)
        said = client.head()
        assert b" 431 " in said or said == b""
    assert goes_on(server)


def test_compression_is_not_agreed_to(server: Server) -> None:
    with RawSocket(server.port) as client:
        said = client.shake_hands("Sec-WebSocket-Extensions: permessage-deflate")
    assert b" 101 " in said
    assert b"permessage-deflate" not in said.lower()
