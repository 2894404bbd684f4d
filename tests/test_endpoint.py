"""The example of a web endpoint answers, and refuses what could harm it."""

from __future__ import annotations

import json
import re
import socket
import threading
from collections.abc import Iterator
from http.client import HTTPConnection
from http.server import ThreadingHTTPServer
from pathlib import Path
from typing import Any

import pytest

from docs.examples import endpoint

ROOT = Path(__file__).resolve().parents[1]


@pytest.fixture
def port() -> Iterator[int]:
    with ThreadingHTTPServer(("127.0.0.1", 0), endpoint.Endpoint) as server:
        thread = threading.Thread(target=server.serve_forever, args=(0.01,))
        thread.start()
        yield server.server_port
        server.shutdown()
        thread.join()


def ask(port: int, body: str | bytes, path: str = "/analysis") -> tuple[int, dict[str, Any]]:
    connection = HTTPConnection("127.0.0.1", port, timeout=60)
    connection.request("POST", path, body)
    answer = connection.getresponse()
    read = answer.status, json.loads(answer.read())
    connection.close()
    return read


def test_each_move_of_a_position_is_named_with_its_outcome(port: int) -> None:
    status, answer = ask(port, '{"position": "XX./O../...", "moves": "B2 A3 C3"}')
    assert (status, answer["to_move"], answer["best"]) == (200, "X", ["C1"])
    assert answer["moves"][0] == {"name": "C1", "outcome": "win"}
    assert ask(port, '{"position": "XXX/OO./..."}') == (
        200,
        {"to_move": None, "best": [], "moves": []},
    )


@pytest.mark.parametrize(
    ("body", "status", "code"),
    [
        ("", 400, "bad_json"),
        ("[" * 9_000, 400, "bad_json"),
        (b"\xff", 400, "bad_json"),
        ("[]", 400, "bad_request"),
        ('{"moves": 4}', 400, "bad_request"),
        ('{"game": "os:system"}', 400, "own_variant"),
        ('{"position": "XXX......"}', 400, "wrong_numbers"),
        ('{"moves": "B2 B2"}', 400, "illegal_move"),
        (" " * 10_001, 413, "too_large"),
    ],
)
def test_a_bad_request_is_refused_with_a_code(
    port: int, body: str | bytes, status: int, code: str
) -> None:
    answered, answer = ask(port, body)
    assert (answered, answer["code"]) == (status, code)


@pytest.mark.parametrize(
    "length", [b"", b"Content-Length: -5\r\n", b"Content-Length: \xc2\xb2\r\n"]
)
def test_a_length_that_is_no_number_is_refused_unread(port: int, length: bytes) -> None:
    with socket.create_connection(("127.0.0.1", port), timeout=60) as connection:
        connection.sendall(b"POST /analysis HTTP/1.1\r\nHost: here\r\n" + length + b"\r\n")
        assert b" 411 " in connection.makefile("rb").readline()


def test_a_search_beyond_the_number_at_a_time_is_told_to_come_back(
    port: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(endpoint, "SEARCHES", threading.BoundedSemaphore(1))
    with endpoint.SEARCHES:
        assert ask(port, "{}")[0] == 503
    assert ask(port, "{}")[0] == 200
    assert ask(port, "{}", "/other")[0] == 404


def test_the_page_asks_in_a_thread_and_gives_up(capsys: pytest.CaptureFixture[str]) -> None:
    page = (ROOT / "docs" / "how-to" / "web-endpoint.md").read_text("utf-8")
    (program,) = re.findall(r"```python\n(import asyncio\n.*?)```", page, re.S)
    exec(compile(program, "web-endpoint.md", "exec"), {})
    assert capsys.readouterr().out == "draw\ntoo late\n"
