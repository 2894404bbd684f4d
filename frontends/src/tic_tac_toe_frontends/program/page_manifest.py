"""The manifest of a built page: every file with its digest and sizes."""

from __future__ import annotations

import base64
import hashlib
import json
from collections.abc import Mapping
from pathlib import Path
from typing import NamedTuple

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
