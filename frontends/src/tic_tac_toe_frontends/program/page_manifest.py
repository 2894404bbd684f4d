"""The manifest of a built page: every file with its digest and sizes."""

from __future__ import annotations

import base64
import gzip
import hashlib
import json
from collections.abc import Mapping
from pathlib import Path
from typing import NamedTuple

#: The file that holds the manifest, beside the page that never reads it.
MANIFEST = "build.json"


class File(NamedTuple):
    """One file of the page.

    Attributes:
        digest: its SHA-256, in the form that browsers check.
        size: in bytes.
        packed: in bytes as most hosts send it, compressed.
    """

    digest: str
    size: int
    packed: int


class Manifest(NamedTuple):
    """All files of the page by their paths, and what they were made from."""

    fingerprint: str
    files: dict[str, File]

    @classmethod
    def of(cls, contents: Mapping[str, bytes], fingerprint: str) -> Manifest:
        """Return the manifest of files."""
        return cls(fingerprint, {name: describe(contents[name]) for name in sorted(contents)})

    @property
    def packed(self) -> int:
        """The bytes that a first visit costs."""
        return sum(file.packed for file in self.files.values())

    def text(self) -> str:
        """Return the manifest as it is written to its file."""
        files = {name: file._asdict() for name, file in self.files.items()}
        return json.dumps({"fingerprint": self.fingerprint, "files": files}, indent=1) + "\n"


def describe(content: bytes) -> File:
    """Return the digest and sizes of a file."""
    digest = base64.b64encode(hashlib.sha256(content).digest()).decode()
    packed = min(len(content), len(gzip.compress(content, 9, mtime=0)))
    return File(f"sha256-{digest}", len(content), packed)


def read_manifest(folder: Path) -> Manifest | None:
    """Return the manifest of a page, or ``None`` unless it has been built completely."""
    try:
        found = json.loads((folder / MANIFEST).read_text(encoding="utf-8"))
        files = {name: File(**fields) for name, fields in found["files"].items()}
        manifest = Manifest(found["fingerprint"], files)
    except (OSError, ValueError, TypeError, KeyError, AttributeError):
        return None
    complete = all((folder / name).is_file() for name in files)
    return manifest if complete else None
