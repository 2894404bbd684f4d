"""The built page as a server hands it out: which file a path means, and what goes with it.

It knows no server: paths and header fields come in, a status, headers and bytes go out. A first
visit loads several megabytes: the build has compressed the files, with Brotli and with gzip.
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

#: The file that holds the manifest, beside the page that never reads it.
MANIFEST = "build.json"
#: How servers call what a file is compressed with, and how the compressed file beside it ends.
ENDINGS = {"br": ".br", "gzip": ".gz"}


class File(NamedTuple):
    """One file of the page.

    Attributes:
        digest: its SHA-256, in the form that browsers check.
        size: in bytes.
        packed: the bytes of the compressed files beside it, by encoding.
    """

    digest: str
    size: int
    packed: Mapping[str, int]

    @property
    def least(self) -> int:
        """The bytes that it costs to send."""
        return min([self.size, *self.packed.values()])


class Manifest(NamedTuple):
    """All files of the page by their paths, and what they were made from."""

    fingerprint: str
    files: dict[str, File]

    @classmethod
    def of(cls, contents: Mapping[str, bytes], fingerprint: str) -> Manifest:
        """Return the manifest of files, some of which are others compressed."""
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
        """The bytes that a first visit costs."""
        return sum(file.least for file in self.files.values())

    def text(self) -> str:
        """Return the manifest as it is written to its file."""
        files = {name: file._asdict() for name, file in self.files.items()}
        return json.dumps({"fingerprint": self.fingerprint, "files": files}, indent=1) + "\n"


def digest_of(content: bytes) -> str:
    """Return the SHA-256 of a file, in the form that browsers check."""
    return f"sha256-{base64.b64encode(hashlib.sha256(content).digest()).decode()}"


def read_manifest(folder: Path) -> Manifest | None:
    """Return the manifest of a page, or ``None`` unless it has been built completely."""
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
    """Return whether a folder holds a page, of this version or another, complete or not."""
    try:
        found = json.loads((folder / MANIFEST).read_text(encoding="utf-8"))
    except (OSError, ValueError):
        return False
    return isinstance(found, dict) and {"fingerprint", "files"} <= found.keys()


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
    ".book": "application/octet-stream",
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


class Response(NamedTuple):
    """The answer to a request for a file."""

    status: int
    headers: dict[str, str]
    body: bytes


class PageFiles:
    """The files of a build; other files are never returned.

    A server that must not wait for a disk asks in a thread. A file is read once, and all answers
    share its bytes: what is kept is at most the build.
    """

    def __init__(self, folder: Path, manifest: Manifest) -> None:
        self.folder, self.manifest = folder, manifest
        self._bodies: dict[str, bytes] = {}
        self._reading = threading.Lock()

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
        encoding = _preferred(encodings, file)
        headers = {
            "Cache-Control": "no-cache",  # ask each time whether it is still the same
            "Vary": "Accept-Encoding",
            "X-Content-Type-Options": "nosniff",
            "Referrer-Policy": "no-referrer",
            # What the page itself may load stands in it; this one is for servers to say.
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


def _preferred(accepted: str, file: File) -> str:
    """Return the encoding to send a file in: the client's choice, else the smallest.

    It is empty for the file as it is, which is sent to clients that accept nothing there is.
    """
    wanted = weights(accepted)
    others = wanted.get("*", 0.0)
    choices = [(wanted.get(code, others), -size, code) for code, size in file.packed.items()]
    best, _, encoding = max(choices, default=(0.0, 0, ""))
    return encoding if best > 0 and best >= wanted.get("identity", 0.0) else ""


def _tag(file: File, encoding: str) -> str:
    return f'"{file.digest}-{encoding}"' if encoding else f'"{file.digest}"'


def tags(header: str) -> set[str]:
    """Return the tags of ``If-None-Match``, which proxies may have marked as weak."""
    return {entry.strip().removeprefix("W/") for entry in header[:2_000].split(",")}
