"""The server hands out the files of the page, and nothing else whatever is asked for."""

from __future__ import annotations

import contextlib
import gzip
import http.client
import json
import queue
import socket
import sys
import threading
import webbrowser
from collections.abc import Iterator
from pathlib import Path
from typing import NoReturn

import pytest

from tests.frontends.browser.pages import serving
from tic_tac_toe.limits import Limits
from tic_tac_toe.logic.models import GameState
from tic_tac_toe.logic.notation import play_moves
from tic_tac_toe.logic.rules.catalogue import find_rules
from tic_tac_toe_frontends.browser import cli
from tic_tac_toe_frontends.browser.contents import write_files
from tic_tac_toe_frontends.browser.server import HOST, MOST_QUERIES, Server
from tic_tac_toe_frontends.program.page_files import MANIFEST, TYPES, Manifest, PageFiles, find_page
from tic_tac_toe_frontends.table.queries import AnalyseMoves
from tic_tac_toe_frontends.table.served_values import SERVED, query_of, read

FILES = {
    "index.html": b"<!doctype html>",
    "pyodide/pyodide.mjs": b"export {}",
    "pyodide/pyodide.asm.wasm": b"\0asm",
    "manifest.webmanifest": b"{}",
    "app.zip": b"PK",
}
ELSEWHERE = [
    "/../secret.txt",
    "/%2e%2e/secret.txt",
    "/..%2fsecret.txt",
    "/pyodide/../../secret.txt",
    "/pyodide/..%5c..%5csecret.txt",
    "//etc/passwd",
    "/pyodide",
    "/pyodide/",
    f"/{MANIFEST}",
    "/unlisted.txt",
    "/index.html/",
    "/%00",
    "/%c3%a9",
]


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return a page with a secret beside it, and one in its folder that no manifest names."""
    site = tmp_path_factory.mktemp("served") / "site"
    write_files(site, FILES | {MANIFEST: Manifest.of(FILES, "some").text().encode()})
    (site / "unlisted.txt").write_text("secret", encoding="utf-8")
    (site.parent / "secret.txt").write_text("secret", encoding="utf-8")
    return site


@pytest.fixture(scope="module")
def server(folder: Path) -> Iterator[Server]:
    with serving(folder) as server:
        yield server


def connected(server: Server) -> http.client.HTTPConnection:
    return http.client.HTTPConnection(HOST, server.server_port, timeout=60)


def ask(
    server: Server, target: str, method: str = "GET", headers: dict[str, str] | None = None
) -> tuple[http.client.HTTPResponse, bytes]:
    with contextlib.closing(connected(server)) as connection:
        connection.request(method, target, headers=headers or {})
        response = connection.getresponse()
        return response, response.read()


def test_each_file_comes_with_the_type_that_browsers_insist_on(server: Server) -> None:
    for name, expected in FILES.items():
        response, content = ask(server, f"/{name}")

        assert (response.status, content) == (200, expected)
        assert response.headers["Content-Type"] == TYPES[Path(name).suffix]
        assert response.headers["Cache-Control"] == "no-cache"
    assert TYPES[".mjs"].startswith("text/javascript")
    assert TYPES[".wasm"] == "application/wasm"
    assert ask(server, "/?lang=es")[1] == FILES["index.html"]


@pytest.mark.medium
def test_the_page_learns_where_to_ask_what_moves_are_worth(server: Server) -> None:
    state = play_moves(GameState.new(find_rules("connect-four-5x4")), "3 3 3 3 1 1 1 1 5 5")
    offered = json.loads(ask(server, "/online.json")[1])

    response, content = ask(server, f"/{offered['values']}?{query_of(state)}")

    found, here = read(content.decode(), state), AnalyseMoves(state)()
    assert found is not None
    assert here is not None
    assert (response.status, found.moves) == (200, here.moves)
    refused, reason = ask(server, "/values?game=tic-tac-toe&state=XXX/XXX/XXX")
    assert (refused.status, refused.headers["Content-Type"]) == (400, "text/plain; charset=utf-8")
    assert reason.strip()


@pytest.mark.medium
def test_a_flood_of_queries_is_refused_and_leaves_room_for_files(server: Server) -> None:
    state = play_moves(GameState.new(find_rules("tic-tac-toe")), "A1 A2 B1 B2 C1")  # over
    target = f"/values?{query_of(state)}"
    answers: queue.SimpleQueue[int] = queue.SimpleQueue()

    def wait() -> None:
        answers.put(ask(server, target)[0].status)

    with server.solving:  # as if a query took for ever
        waiting = [threading.Thread(target=wait) for _ in range(MOST_QUERIES + 4)]
        for thread in waiting:
            thread.start()
        assert [answers.get(timeout=60) for _ in range(4)] == [503] * 4
        assert ask(server, "/app.zip")[0].status == 200
    for thread in waiting:
        thread.join()

    assert [answers.get(timeout=60) for _ in range(MOST_QUERIES)] == [200] * MOST_QUERIES


@pytest.mark.medium
def test_a_query_that_its_browser_has_left_is_not_answered(
    server: Server, monkeypatch: pytest.MonkeyPatch
) -> None:
    answered = list[GameState]()

    def answer(state: GameState, _limits: Limits = SERVED) -> str:
        answered.append(state)
        return "{}"

    monkeypatch.setattr("tic_tac_toe_frontends.browser.server.answer", answer)
    target = f"/values?{query_of(GameState.new(find_rules('connect-four')))}"

    with server.solving:
        for _ in range(MOST_QUERIES):
            connection = connected(server)
            connection.request("GET", target)
            connection.close()
        places = [server.queries.acquire(timeout=60) for _ in range(MOST_QUERIES)]
    server.queries.release(len(places))
    assert ask(server, target)[0].status == 200

    assert (all(places), len(answered)) == (True, 1)


def test_anything_else_is_not_found(server: Server) -> None:
    answers = [ask(server, target) for target in ELSEWHERE]

    assert {response.status for response, _ in answers} == {404}
    assert not any(b"secret" in content for _, content in answers)


def test_what_need_not_be_sent_is_not_sent(server: Server) -> None:
    response, content = ask(server, "/app.zip", "HEAD")
    assert (response.headers["Content-Length"], content) == (str(len(FILES["app.zip"])), b"")

    response, content = ask(server, "/app.zip", headers={"If-None-Match": response.headers["ETag"]})
    assert (response.status, content) == (304, b"")
    assert ask(server, "/app.zip", "DELETE")[0].status == 501


ENCODINGS = [
    # What a request accepts, and what it gets.
    ("gzip, deflate, br, zstd", "br"),
    ("br", "br"),
    ("gzip", "gzip"),
    ("gzip, deflate", "gzip"),
    ("*", "br"),
    ("*;q=0.5, br;q=0", "gzip"),
    ("br;q=0.2, gzip;q=0.8", "gzip"),
    ("br;q=0.2, identity;q=0.8", None),
    ("BR ; Q=1.0", "br"),
    ("", None),
    ("identity", None),
    ("gzip;q=0, br;q=0.000", None),
    ("zstd, x-gzip", None),
    ("br;q=2", None),
    ("br;q=nan", None),
    ("br;q=", None),
    (";;;,,,q=1", None),
    ("br\x00", None),
    ("ü" * 10_000, None),
    ("gzip," * 10_000, "gzip"),
    (", " * 10_000 + "br", None),
]


@pytest.fixture
def packed(tmp_path: Path) -> PageFiles:
    """Return a page whose first file is there compressed, too."""
    text = b"<p>again and again" * 1_000
    beside = {"index.html.gz": gzip.compress(text), "index.html.br": b"as Brotli has it"}
    contents = FILES | {"index.html": text} | beside
    write_files(tmp_path, contents | {MANIFEST: Manifest.of(contents, "some").text().encode()})
    page = find_page(tmp_path)
    assert page is not None
    return page


@pytest.mark.parametrize(("accepted", "expected"), ENCODINGS)
def test_a_file_is_sent_in_the_smallest_accepted_encoding(
    packed: PageFiles, accepted: str, expected: str | None
) -> None:
    ending = {"br": ".br", "gzip": ".gz", None: ""}[expected]

    response = packed.respond("/", encodings=accepted)

    assert response is not None
    assert response.headers.get("Content-Encoding") == expected
    assert response.headers["Vary"] == "Accept-Encoding"
    assert response.headers["Content-Type"] == TYPES[".html"]
    assert response.body == (packed.folder / f"index.html{ending}").read_bytes()


def test_each_encoding_has_a_tag_and_is_still_the_same_file(packed: PageFiles) -> None:
    responses = [packed.respond("/", encodings=code) for code in ("br", "gzip", "")]
    tags = [response.headers["ETag"] for response in responses if response is not None]
    assert len(set(tags)) == 3

    for known in (*tags, f"W/{tags[0]}", f'"other", {tags[1]}'):
        again = packed.respond("/", encodings="gzip", known=known)
        assert again is not None
        assert (again.status, again.body, again.headers["ETag"]) == (304, b"", tags[1])
    for known in ("", '"other"', "W/", tags[0][:-2], "*" * 100_000):
        again = packed.respond("/", encodings="gzip", known=known)
        assert again is not None
        assert again.status == 200


@pytest.mark.medium
def test_the_server_says_what_it_has_compressed(packed: PageFiles) -> None:
    with serving(packed.folder) as server:
        response, content = ask(server, "/", headers={"Accept-Encoding": "gzip, br"})

    assert (response.headers["Content-Encoding"], content) == ("br", b"as Brotli has it")
    assert response.headers["Content-Length"] == str(len(content))
    for name in ("/index.html.br", "/index.html.gz"):  # they have no address of their own
        assert packed.respond(name) is None


@pytest.mark.medium
def test_a_server_answers_under_its_path_alone_and_once_it_has_ended_nobody(folder: Path) -> None:
    with serving(folder, "/games/ttt/") as server:
        assert ask(server, "/games/ttt/")[1] == FILES["index.html"]
        assert ask(server, "/")[0].status == 404
        connection = connected(server)
        ask_on(connection, "/games/ttt/app.zip")  # and the connection stays open

    with pytest.raises((ConnectionError, http.client.HTTPException)):
        ask_on(connection)
    connection.close()


def ask_on(connection: http.client.HTTPConnection, target: str = "/app.zip") -> bytes:
    connection.request("GET", target)
    return connection.getresponse().read()


def test_the_body_of_an_answer_waits_for_no_acknowledgement_of_its_head(
    server: Server, monkeypatch: pytest.MonkeyPatch
) -> None:
    accepted: list[socket.socket] = []
    accept = server.get_request

    def get_request() -> tuple[socket.socket, object]:
        found = accept()
        accepted.append(found[0])
        return found

    monkeypatch.setattr(server, "get_request", get_request)
    with contextlib.closing(connected(server)) as connection:
        ask_on(connection)

        assert accepted[-1].getsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY) == 1


def test_the_connections_of_several_browsers_wait_while_the_server_is_busy(folder: Path) -> None:
    files = find_page(folder)
    assert files is not None
    with Server(files, 0) as server, contextlib.ExitStack() as opened:  # it accepts none yet
        for _ in range(4 * 6):
            opened.enter_context(socket.create_connection((HOST, server.server_port), timeout=60))
        with server.answering():
            connection = connected(server)
            connection.request("GET", "/")
            assert connection.getresponse().status == 200
            connection.close()


def test_a_connection_without_a_request_keeps_nobody_waiting(server: Server) -> None:
    assert server.server_address[0] == "127.0.0.1"  # only this machine can ask
    with socket.create_connection((HOST, server.server_port), timeout=60):
        assert ask(server, "/app.zip")[0].status == 200


@pytest.mark.medium
def test_without_the_fast_solver_the_program_says_that_few_positions_are_solved(
    folder: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def interrupt(_address: str) -> NoReturn:
        raise KeyboardInterrupt

    monkeypatch.setattr(cli, "build", lambda *_, **__: find_page(folder))
    monkeypatch.setattr(webbrowser, "open", interrupt)
    said = []
    for packages in ({}, {"numpy": None, "numba": None}):
        for name, module in packages.items():
            monkeypatch.setitem(sys.modules, name, module)
        assert cli.main(["--port", "0", "--lang", "en"]) == 0
        said.append(capsys.readouterr().out.splitlines()[1:-1])

    line = "Without the fast solver few positions are solved for the page; to install it: "
    assert said == [[], [line + 'pip install "./library[fast]"']]
