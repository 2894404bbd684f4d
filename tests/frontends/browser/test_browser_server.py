"""The server hands out the files of the page, and nothing else whatever is asked for."""

from __future__ import annotations

import contextlib
import gzip
import http.client
import socket
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.frontends.browser.pages import serving
from tic_tac_toe_frontends.browser.contents import write_files
from tic_tac_toe_frontends.browser.server import HOST, Server
from tic_tac_toe_frontends.program.page_files import TYPES, find_page
from tic_tac_toe_frontends.program.page_manifest import MANIFEST, Manifest

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


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """Return a page with a secret beside it, and one in its folder that no manifest names."""
    site = tmp_path / "site"
    write_files(site, FILES | {MANIFEST: Manifest.of(FILES, "some").text().encode()})
    (site / "unlisted.txt").write_text("secret", encoding="utf-8")
    (tmp_path / "secret.txt").write_text("secret", encoding="utf-8")
    return site


@pytest.fixture
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


def test_anything_else_is_not_found(server: Server) -> None:
    answers = [ask(server, target) for target in ELSEWHERE]

    assert {response.status for response, _ in answers} == {404}
    assert not any(b"secret" in content for _, content in answers)


def test_a_file_that_has_not_changed_is_not_sent_again(server: Server) -> None:
    tag = ask(server, "/app.zip")[0].headers["ETag"]

    response, content = ask(server, "/app.zip", headers={"If-None-Match": tag})

    assert (response.status, content) == (304, b"")


def test_browsers_that_accept_gzip_get_large_files_compressed(folder: Path) -> None:
    (folder / "index.html").write_bytes(text := b"<p>again and again" * 1_000)
    contents = FILES | {"index.html": text}
    (folder / MANIFEST).write_text(Manifest.of(contents, "some").text(), encoding="utf-8")
    page = find_page(folder)
    assert page is not None

    for encodings in ("gzip", "br, gzip;q=0.8, *;q=0.1"):
        response = page.respond("/", encodings=encodings)
        assert response is not None
        assert response.headers["Content-Encoding"] == "gzip"
        assert gzip.decompress(response.body) == text
        again = page.respond("/", encodings=encodings, known=response.headers["ETag"])
        assert again is not None
        assert (again.status, again.body) == (304, b"")
    for encodings in ("", "br", "gzip;q=0", "identity"):
        response = page.respond("/", encodings=encodings)
        assert response is not None
        assert (response.headers.get("Content-Encoding"), response.body) == (None, text)


def test_head_says_what_get_would_send_and_other_methods_are_refused(server: Server) -> None:
    response, content = ask(server, "/app.zip", "HEAD")

    assert (response.headers["Content-Length"], content) == (str(len(FILES["app.zip"])), b"")
    assert ask(server, "/app.zip", "DELETE")[0].status == 501


def test_a_page_under_a_path_is_not_found_elsewhere(folder: Path) -> None:
    with serving(folder, "/games/ttt/") as server:
        assert ask(server, "/games/ttt/")[1] == FILES["index.html"]
        assert ask(server, "/")[0].status == 404


def test_a_server_that_has_ended_answers_nobody_any_more(folder: Path) -> None:
    with serving(folder) as server:
        connection = connected(server)
        ask_on(connection)  # and the connection stays open

    with pytest.raises((ConnectionError, http.client.HTTPException)):
        ask_on(connection)
    connection.close()


def ask_on(connection: http.client.HTTPConnection) -> bytes:
    connection.request("GET", "/app.zip")
    return connection.getresponse().read()


def test_a_connection_without_a_request_keeps_nobody_waiting(server: Server) -> None:
    assert server.server_address[0] == "127.0.0.1"  # only this machine can ask
    with socket.create_connection((HOST, server.server_port), timeout=60):
        assert ask(server, "/app.zip")[0].status == 200
