"""Compresses the files of the page once, at build time, for servers to send as they are."""

from __future__ import annotations

import gzip
import hashlib
import subprocess
import tempfile
from collections.abc import Iterable, Mapping
from pathlib import Path

from ..program.page_files import ENDINGS
from .packages import BuildFailed, program

#: A compressed file is made where it is smaller than this share of the file.
WORTH = 0.9
#: The best is half a minute of work for 10 MB, of which an earlier build has done most; level 9
#: leaves 8 to 12 % more.
QUALITY = 10


def with_packed(files: Mapping[str, bytes], cache: Path) -> dict[str, bytes]:
    """Return files together with what they are when compressed, each named by its encoding.

    Args:
        files: by their paths.
        cache: where compressed files are kept, by the digests of what they hold.

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
    """Return contents compressed, those of an earlier build from the cache."""
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
        _forget(cache, set(places.values()))
    return {content: place.read_bytes() for content, place in places.items()}


def _run_node(paths: Iterable[Path]) -> None:
    script = Path(__file__).parent / "node" / "pack.mjs"
    command = [program("node"), str(script), str(QUALITY), *map(str, paths)]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    if done.returncode:
        lines = done.stderr.strip().splitlines()
        raise BuildFailed(f"node: {lines[-1] if lines else done.returncode}")


def _forget(cache: Path, wanted: set[Path]) -> None:
    """Delete what this build does not need, so that the cache does not grow."""
    for path in cache.iterdir():
        if path not in wanted and path.is_file():
            path.unlink(missing_ok=True)
