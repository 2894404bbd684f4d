"""The built page for any server: the file of a path, its headers and its compressed versions.

It is independent of a server: input are paths and header fields, output a status, headers and
    bytes. A first visit loads several megabytes, so the build compresses the files with Brotli and
    gzip.
"""

from __future__ import annotations

import base64
import hashlib
import json
import os
import re
import threading
from collections.abc import Mapping
from http import HTTPStatus
from pathlib import Path, PurePosixPath
from typing import NamedTuple
from urllib.parse import unquote

from .folders import user_folder

#: The file of the manifest, which the page never loads.
MANIFEST = "build.json"
#: The content encodings, and the suffixes of compressed files.
ENDINGS = {"br": ".br", "gzip": ".gz"}


class File(NamedTuple):
    """One file of the page.

    Attributes:
        digest: its SHA-256 as in the ``integrity`` attribute.
        size: in bytes.
        packed: the sizes of its compressed versions in bytes, by encoding.
    """

    digest: str
    size: int
    packed: Mapping[str, int]

    @property
    def least(self) -> int:
        """The bytes of its smallest version."""
        return min([self.size, *self.packed.values()])


class Manifest(NamedTuple):
    """All files of the page by path, and the digest of their sources."""

    fingerprint: str
    files: dict[str, File]

    @classmethod
    def of(cls, contents: Mapping[str, bytes], fingerprint: str) -> Manifest:
        """Return the manifest of files, which include compressed versions."""
        packed = {
            f"{name}{ending}" for name in contents for ending in ENDINGS.values()
        } & contents.keys()
        files = {}
        for name in sorted(contents.keys() - packed):
            beside = {code: f"{name}{ending}" for code, ending in ENDINGS.items()}
            sizes = {code: len(contents[path]) for code, path in beside.items() if path in packed}
            files[name] = File(digest_of(contents[name]), len(contents[name]), sizes)
        return cls(fingerprint, files)

    @property
    def least(self) -> int:
        """The bytes of a first visit."""
        return sum(file.least for file in self.files.values())

    def text(self) -> str:
        """Return the manifest as a text for its file."""
        files = {name: file._asdict() for name, file in self.files.items()}
        return json.dumps({"fingerprint": self.fingerprint, "files": files}, indent=1) + "\n"


def digest_of(content: bytes) -> str:
    """Return the SHA-256 of a file as in the ``integrity`` attribute."""
    return f"sha256-{base64.b64encode(hashlib.sha256(content).digest()).decode()}"


def read_manifest(folder: Path) -> Manifest | None:
    """Return the manifest of a page; ``None`` unless the build is complete."""
    try:
        found = json.loads((folder / MANIFEST).read_text(encoding="utf-8"))
        files = {name: File(**fields) for name, fields in found["files"].items()}
        manifest = Manifest(found["fingerprint"], files)
        paths = {
            *files,
            *(f"{name}{ENDINGS[code]}" for name, file in files.items() for code in file.packed),
        }
    except (OSError, ValueError, TypeError, KeyError, AttributeError):
        return None
    complete = all((folder / path).is_file() for path in paths)
    return manifest if complete else None


def was_built(folder: Path) -> bool:
    """Return whether a folder holds a page of any version, complete or not."""
    try:
        found = json.loads((folder / MANIFEST).read_text(encoding="utf-8"))
    except (OSError, ValueError):
        return False
    return isinstance(found, dict) and {"fingerprint", "files"} <= found.keys()


#: The environment variable of the folder for builds and their parts.
CACHE_VARIABLE = "TICTACTOE_BROWSER_CACHE"
#: The page's folder inside it.
SITE = "site"

#: The folder of the front ends in a checkout.
FRONTENDS = Path(__file__).resolve().parents[3]
INDEX = "index.html"
#: The page fetches this file to find out whether online play is offered. The build's file says no;
#: a game server answers for itself.
ONLINE = "online.json"
#: Media types that browsers require for modules, WebAssembly and web app manifests.
TYPES = {
    ".book": "application/octet-stream",
    ".css": "text/css; charset=utf-8",
    ".html": "text/html; charset=utf-8",
    ".js": "text/javascript; charset=utf-8",
    ".json": "application/json",
    ".mjs": "text/javascript; charset=utf-8",
    ".mo": "application/octet-stream",
    ".png": "image/png",
    ".puzzles": "application/octet-stream",
    ".svg": "image/svg+xml",
    ".wasm": "application/wasm",
    ".webmanifest": "application/manifest+json",
    ".zip": "application/zip",
}


class Response(NamedTuple):
    """The answer to a request for a file."""

    status: int
    headers: dict[str, str]
    body: bytes


class PageFiles:
    """The files of a build; no other files are returned.

    `respond` may read from disk: an asynchronous server calls it in a thread. Each file is read
    once and cached, so memory is bounded by the size of the build.
    """

    def __init__(self, folder: Path, manifest: Manifest) -> None:
        self.folder, self.manifest = folder, manifest
        self._bodies: dict[str, bytes] = {}
        self._reading = threading.Lock()

    def respond(self, path: str, *, encodings: str = "", known: str = "") -> Response | None:
        """Return the response for a path; ``None`` if the build has no such file.

        Args:
            path: below that of the page, percent-encoded, with or without a leading slash.
            encodings: the request's ``Accept-Encoding``.
            known: the request's ``If-None-Match``.

        Raises:
            OSError: the file cannot be read.
        """
        name = unquote(path).removeprefix("/") or INDEX
        file = self.manifest.files.get(name)
        if file is None:
            return None
        encoding = _preferred(encodings, file)
        headers = {
            "Cache-Control": "no-cache",  # revalidate each time
            "Vary": "Accept-Encoding",
            "X-Content-Type-Options": "nosniff",
            "Referrer-Policy": "no-referrer",
            # The page has its own policy for loading; only a header can forbid framing.
            "Content-Security-Policy": "frame-ancestors 'none'",
            "ETag": _tag(file, encoding),
        }
        if tags(known) & {_tag(file, each) for each in ("", *file.packed)}:
            return Response(HTTPStatus.NOT_MODIFIED, headers, b"")
        headers["Content-Type"] = TYPES[PurePosixPath(name).suffix]
        if encoding:
            headers["Content-Encoding"] = encoding
        return Response(HTTPStatus.OK, headers, self._body(name + ENDINGS.get(encoding, "")))

    def _body(self, path: str) -> bytes:
        with self._reading:
            if path not in self._bodies:
                self._bodies[path] = (self.folder / path).read_bytes()
            return self._bodies[path]


def cache_folder() -> Path:
    """Return the folder of npm packages, and by default of the page."""
    if named := os.environ.get(CACHE_VARIABLE):
        return Path(named)
    if (FRONTENDS.parent / "library" / "src").is_dir():  # a checkout
        return FRONTENDS / "build" / "browser"
    return user_folder("cache", "tictactoe-frontends") / "browser"


def find_page(folder: Path | None = None) -> PageFiles | None:
    """Return the page in a folder, by default that of the cache; ``None`` if it is not built."""
    place = folder or cache_folder() / SITE
    manifest = read_manifest(place)
    return None if manifest is None else PageFiles(place, manifest)


def weights(header: str) -> dict[str, float]:
    """Return the values of an ``Accept-…`` header with their ``q``.

    A missing ``q`` is 1; one that is not from 0 to 1 with at most three decimals counts as 0.
    """
    found = {}
    for entry in header[:500].lower().replace(" ", "").split(","):
        name, _, parameter = entry.partition(";")
        key, _, value = parameter.partition("=")
        is_number = re.fullmatch(r"[01](\.\d{0,3})?", value)
        found[name] = 1.0 if key != "q" else float(value) if is_number else 0.0
    return found


def _preferred(accepted: str, file: File) -> str:
    """Return the encoding of a file's response: the client's choice, else the smallest.

    It is empty for the uncompressed file, also if the client accepts none of the encodings.
    """
    wanted = weights(accepted)
    others = wanted.get("*", 0.0)
    choices = [(wanted.get(code, others), -size, code) for code, size in file.packed.items()]
    best, _, encoding = max(choices, default=(0.0, 0, ""))
    return encoding if best > 0 and best >= wanted.get("identity", 0.0) else ""


def _tag(file: File, encoding: str) -> str:
    return f'"{file.digest}-{encoding}"' if encoding else f'"{file.digest}"'


def tags(header: str) -> set[str]:
    """Return the tags of ``If-None-Match`` without the ``W/`` that proxies may add."""
    return {entry.strip().removeprefix("W/") for entry in header[:2_000].split(",")}
