"""Builds the page: a folder of static files for any web host, under any path."""

from __future__ import annotations

import gzip
import hashlib
import shutil
import subprocess
import tempfile
from collections.abc import Callable, Iterable, Mapping
from pathlib import Path

from ..program.page_files import (
    ENDINGS,
    MANIFEST,
    SITE,
    Manifest,
    PageFiles,
    cache_folder,
    find_page,
    was_built,
)
from .contents import FRONTENDS, LIBRARY, page_files, write_files
from .packages import PYODIDE, UQR, BuildFailed, program


def fingerprint() -> str:
    """Return a digest of all sources of the page."""
    digest = hashlib.sha256(repr((PYODIDE, UQR)).encode())
    for folder, patterns in {
        LIBRARY: ("**/*.py", "solver/*.book", "insight/*/*.gz"),
        FRONTENDS: ("**/*.py", "browser/static/*", "browser/node/*", "words/locale/*/*/*.mo"),
    }.items():
        for pattern in patterns:
            for path in sorted(folder.glob(pattern)):
                digest.update(f"{path.relative_to(folder).as_posix()}\0".encode())
                digest.update(path.read_bytes())
    return digest.hexdigest()[:32]


def build(target: Path | None = None, *, begin: Callable[[], object] = lambda: None) -> PageFiles:
    """Return the built page; build it only if it is missing or out of date.

    Args:
        target: the folder, by default one of the cache; other files in it are deleted.
        begin: called before the build, which takes a while.

    Raises:
        Missing: npm or Node.js is not installed.
        BuildFailed: a package cannot be fetched, or the folder holds something other than a page.
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
        made.chmod(0o755)  # readable for a web server of another user
        if folder.is_dir():
            shutil.rmtree(folder)
        made.replace(folder)
    return PageFiles(folder, manifest)


#: A compressed file is kept if it is smaller than this share of the original.
WORTH = 0.9
#: Quality 10 takes half a minute for 10 MB, most of it cached by an earlier build; with 9 the files
#: are 8 to 12 % larger.
QUALITY = 10


def with_packed(files: Mapping[str, bytes], cache: Path) -> dict[str, bytes]:
    """Return files and their compressed versions, which are named by the encoding.

    Args:
        files: by their paths.
        cache: the folder of compressed files, named by the digests of their contents.

    Raises:
        Missing: Node.js is not installed.
        BuildFailed: Node.js cannot compress a file.
    """
    found = dict(files)
    brotli = _brotli(files.values(), cache / f"brotli-{QUALITY}")
    for name, content in files.items():
        for encoding, packed in {
            "br": brotli[content],
            "gzip": gzip.compress(content, 9, mtime=0),
        }.items():
            if len(packed) < WORTH * len(content):
                found[f"{name}{ENDINGS[encoding]}"] = packed
    return found


def _brotli(contents: Iterable[bytes], cache: Path) -> dict[bytes, bytes]:
    """Return compressed contents, from the cache if an earlier build compressed them."""
    places = {content: cache / hashlib.sha256(content).hexdigest() for content in contents}
    missing = {content: place for content, place in places.items() if not place.is_file()}
    if missing:
        cache.mkdir(parents=True, exist_ok=True)
        with tempfile.TemporaryDirectory(dir=cache, prefix=".packing-") as temporary:
            work = {content: Path(temporary, place.name) for content, place in missing.items()}
            for content, path in work.items():
                path.write_bytes(content)
            _run_node(work.values())
            for content, path in work.items():
                Path(f"{path}.br").replace(missing[content])
        _delete_stale(cache, set(places.values()))
    return {content: place.read_bytes() for content, place in places.items()}


def _run_node(paths: Iterable[Path]) -> None:
    script = Path(__file__).parent / "node" / "pack.mjs"
    command = [program("node"), str(script), str(QUALITY), *map(str, paths)]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    if done.returncode:
        lines = done.stderr.strip().splitlines()
        raise BuildFailed(f"node: {lines[-1] if lines else done.returncode}")


def _delete_stale(cache: Path, wanted: set[Path]) -> None:
    """Delete the files that this build does not use, so that the cache does not grow."""
    for path in cache.iterdir():
        if path not in wanted and path.is_file():
            path.unlink(missing_ok=True)
