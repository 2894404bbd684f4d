"""Builds the page: a folder of static files that any host can serve, under any path."""

from __future__ import annotations

import hashlib
import shutil
import tempfile
from collections.abc import Callable
from pathlib import Path

import tic_tac_toe

from ..program.page_files import SITE, cache_folder
from ..program.page_manifest import MANIFEST, Manifest, read_manifest
from .contents import page_files
from .packages import PYODIDE, PYSCRIPT, BuildFailed

HERE = Path(__file__).resolve().parent
FRONTENDS = HERE.parent
LIBRARY = Path(str(tic_tac_toe.__file__)).resolve().parent


def fingerprint() -> str:
    """Return a digest of all that the page is made from."""
    digest = hashlib.sha256(repr((PYODIDE, PYSCRIPT)).encode())
    for folder, patterns in {
        LIBRARY: ("*.py",),
        FRONTENDS: ("*.py", "browser/static/*", "browser/node/*", "words/locale/*/*/*.mo"),
    }.items():
        for pattern in patterns:
            for path in sorted(
                folder.rglob(pattern) if pattern == "*.py" else folder.glob(pattern)
            ):
                digest.update(f"{path.relative_to(folder).as_posix()}\0".encode())
                digest.update(path.read_bytes())
    return digest.hexdigest()[:32]


def build(
    target: Path | None = None,
    *,
    anew: bool = False,
    begin: Callable[[], object] = lambda: None,
) -> tuple[Path, Manifest]:
    """Return the folder of the page and what is in it, made unless it is there as it should be.

    Args:
        target: the folder; one of the cache unless given. What else is in it is deleted.
        anew: make it even so.
        begin: called before it is made, which takes a while.

    Raises:
        Missing: npm or Node.js is not installed.
        BuildFailed: a package cannot be had, or the folder holds something else than a page.
        OSError: the folder cannot be written.
    """
    cache = cache_folder()
    folder = target or cache / SITE
    wanted = fingerprint()
    present = read_manifest(folder)
    if present is not None and present.fingerprint == wanted and not anew:
        return folder, present
    if present is None and folder.is_dir() and any(folder.iterdir()):
        raise BuildFailed(f"{folder}: not empty, and no page that was built here")
    begin()
    files = page_files(cache, LIBRARY, FRONTENDS)
    manifest = Manifest.of(files, wanted)
    folder.parent.mkdir(parents=True, exist_ok=True)
    temporary = Path(tempfile.mkdtemp(dir=folder.parent, prefix=".building-"))
    try:
        for name, content in files.items():
            path = temporary / name
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_bytes(content)
        (temporary / MANIFEST).write_text(manifest.text(), encoding="utf-8")
        temporary.chmod(0o755)
        if folder.is_dir():
            shutil.rmtree(folder)
        temporary.replace(folder)
    except BaseException:
        shutil.rmtree(temporary, ignore_errors=True)
        raise
    return folder, manifest
