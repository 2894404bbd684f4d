"""The built page as a server hands it out: which file a path means, and what goes with it.

It knows no server: paths and header fields come in, a status, headers and bytes go out. A first
visit loads several megabytes, so each file is compressed once, for browsers that accept gzip.
"""

from __future__ import annotations

import gzip
import os
import re
from http import HTTPStatus
from pathlib import Path, PurePosixPath
from typing import NamedTuple
from urllib.parse import unquote

from .folders import user_folder
from .page_manifest import Manifest, read_manifest

#: Where builds and what they are made of are kept, if the environment names a place.
CACHE_VARIABLE = "TICTACTOE_BROWSER_CACHE"
#: The folder of the page, there.
SITE = "site"

#: The folder of the front ends in a checkout.
FRONTENDS = Path(__file__).resolve().parents[3]
INDEX = "index.html"
#: What the page asks to find out whether online play is served beside it. The file of the build
#: says no; a game server has an answer of its own.
ONLINE = "online.json"
#: What browsers insist on for modules, WebAssembly and the manifest of an installable page.
TYPES = {
    ".css": "text/css; charset=utf-8",
    ".html": "text/html; charset=utf-8",
    ".js": "text/javascript; charset=utf-8",
    ".json": "application/json",
    ".mjs": "text/javascript; charset=utf-8",
    ".mo": "application/octet-stream",
    ".png": "image/png",
    ".svg": "image/svg+xml",
    ".wasm": "application/wasm",
    ".webmanifest": "application/manifest+json",
    ".zip": "application/zip",
}
#: Compressing is worth it where it leaves less than this share.
WORTH = 0.9
#: Nearly as small as the best, in a fifth of the time.
LEVEL = 6


class Response(NamedTuple):
    """The answer to a request for a file."""

    status: int
    headers: dict[str, str]
    body: bytes


class PageFiles:
    """The files of a build; other files are never returned.

    The first request for a large file takes part of a second: a server that must not wait asks in
    a thread.
    """

    def __init__(self, folder: Path, manifest: Manifest) -> None:
        self.folder, self.manifest = folder, manifest
        self._packed: dict[str, bytes] = {}

    def respond(self, path: str, *, encodings: str = "", known: str = "") -> Response | None:
        """Return the answer to a request for a path; ``None`` if the build has no such file.

        Args:
            path: below that of the page, with or without a slash before it; still quoted.
            encodings: the request's ``Accept-Encoding``.
            known: the request's ``If-None-Match``.

        Raises:
            OSError: the file cannot be read.
        """
        name = unquote(path).removeprefix("/") or INDEX
        file = self.manifest.files.get(name)
        if file is None:
            return None
        tag = file.digest
        headers = {
            "Cache-Control": "no-cache",  # ask each time whether it is still the same
            "Vary": "Accept-Encoding",
            "X-Content-Type-Options": "nosniff",
            "Referrer-Policy": "no-referrer",
            # What the page itself may load stands in it; this one is for servers to say.
            "Content-Security-Policy": "frame-ancestors 'none'",
        }
        packed = file.packed < WORTH * file.size and weights(encodings).get("gzip", 0.0) > 0
        headers["ETag"] = f'"{tag}-gzip"' if packed else f'"{tag}"'
        if known in (f'"{tag}"', f'"{tag}-gzip"', f'W/"{tag}"'):
            return Response(HTTPStatus.NOT_MODIFIED, headers, b"")
        headers["Content-Type"] = TYPES[PurePosixPath(name).suffix]
        if packed:
            headers["Content-Encoding"] = "gzip"
        body = self._pack(name) if packed else (self.folder / name).read_bytes()
        return Response(HTTPStatus.OK, headers, body)

    def _pack(self, name: str) -> bytes:
        packed = self._packed.get(name)
        if packed is None:
            packed = gzip.compress((self.folder / name).read_bytes(), LEVEL, mtime=0)
            self._packed[name] = packed
        return packed


def cache_folder() -> Path:
    """Return the folder for npm packages and, unless another is named, for the page."""
    if named := os.environ.get(CACHE_VARIABLE):
        return Path(named)
    if (FRONTENDS.parent / "library" / "src").is_dir():  # a checkout
        return FRONTENDS / "build" / "browser"
    return user_folder("cache", "tictactoe-frontends") / "browser"


def find_page(folder: Path | None = None) -> PageFiles | None:
    """Return the page, or ``None`` if it has not been built.

    Args:
        folder: where it is; in the cache unless given.
    """
    place = folder or cache_folder() / SITE
    manifest = read_manifest(place)
    return None if manifest is None else PageFiles(place, manifest)


def weights(header: str) -> dict[str, float]:
    """Return what an ``Accept-…`` header names, each with the number after its ``q=``.

    The number is 1 if it is missing, and 0 unless it is from 0 to 1 with at most three decimals.
    """
    found = {}
    for entry in header[:500].lower().replace(" ", "").split(","):
        name, _, parameter = entry.partition(";")
        key, _, value = parameter.partition("=")
        is_number = re.fullmatch(r"[01](\.\d{0,3})?", value)
        found[name] = 1.0 if key != "q" else float(value) if is_number else 0.0
    return found
