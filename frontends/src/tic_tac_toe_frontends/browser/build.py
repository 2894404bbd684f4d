"""Builds the page: a folder of static files that any host can serve, under any path."""

from __future__ import annotations

import hashlib
import shutil
import tempfile
from collections.abc import Callable
from pathlib import Path

from ..program.page_files import (
    MANIFEST,
    SITE,
    Manifest,
    PageFiles,
    cache_folder,
    find_page,
    was_built,
)
from .contents import FRONTENDS, LIBRARY, page_files, write_files
from .packages import PYODIDE, UQR, BuildFailed
from .packing import with_packed


def fingerprint() -> str:
    """Return a digest of all that the page is made from."""
    digest = hashlib.sha256(repr((PYODIDE, UQR)).encode())
    for folder, patterns in {
        LIBRARY: ("**/*.py", "solver/*.book"),
        FRONTENDS: ("**/*.py", "browser/static/*", "browser/node/*", "words/locale/*/*/*.mo"),
    }.items():
        for pattern in patterns:
            for path in sorted(folder.glob(pattern)):
                digest.update(f"{path.relative_to(folder).as_posix()}\0".encode())
                digest.update(path.read_bytes())
    return digest.hexdigest()[:32]


def build(target: Path | None = None, *, begin: Callable[[], object] = lambda: None) -> PageFiles:
    """Return the page, made unless it is there as it should be.

    Args:
        target: the folder; one of the cache unless given. What else is in it is deleted.
        begin: called before it is made, which takes a while.

    Raises:
        Missing: npm or Node.js is not installed.
        BuildFailed: a package cannot be had, or the folder holds something else than a page.
        OSError: the folder cannot be written.
    """
    cache = cache_folder()
    folder = target or cache / SITE
    wanted = fingerprint()
    present = find_page(folder)
    if present is not None and present.manifest.fingerprint == wanted:
        return present
    if folder.is_dir() and any(folder.iterdir()) and not was_built(folder):
        raise BuildFailed(f"{folder}: not empty, and no page that was built here")
    begin()
    files = with_packed(page_files(cache), cache)
    manifest = Manifest.of(files, wanted)
    folder.parent.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory(dir=folder.parent, prefix=".building-") as temporary:
        made = Path(temporary, SITE)
        write_files(made, files | {MANIFEST: manifest.text().encode()})
        made.chmod(0o755)  # a web server that runs as somebody else may read it
        if folder.is_dir():
            shutil.rmtree(folder)
        made.replace(folder)
    return PageFiles(folder, manifest)
