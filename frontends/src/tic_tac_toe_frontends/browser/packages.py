"""The npm packages that the page is built from, pinned by version and digest."""

from __future__ import annotations

import base64
import hashlib
import io
import shutil
import subprocess
import tarfile
import tempfile
from pathlib import Path, PurePosixPath
from typing import NamedTuple


class Missing(Exception):
    """A program that the build needs is not installed; the message is its name."""


class BuildFailed(Exception):
    """A part of the build cannot be fetched or made; the message says why."""


class Package(NamedTuple):
    """One version of an npm package.

    Attributes:
        digest: the SHA-512 of its archive in base 64, as npm itself states it.
    """

    name: str
    version: str
    digest: str


#: Python for browsers.
PYODIDE = Package(
    "pyodide",
    "314.0.7",
    "0YvXxEhfEdpLfb/XkM2BFAeMROq0iMUX2bzzH9pOttyMcWkwq+HbE5uyuGD82LN7y2q+SNvi/6V5JEsOlD2R1A==",
)
#: Runs the Python code in a page.
PYSCRIPT = Package(
    "@pyscript/core",
    "0.7.31",
    "GqM1aonc1N4RTkNZ1zJ8jJk8+i2cqeztZslPsAiQtn+wHHkUX9Z1FgIg4HjCvhBylB68UKmbTVTzOobpgPIMVQ==",
)
#: Draws QR codes.
UQR = Package(
    "uqr",
    "0.1.3",
    "0rjE8iEJe4YmT9TOhwsZtqCMRLc5DXZUI2UEYUUg63ikBkqqE5EYWaI0etFe/5KUcmcYwLih2RND1kq+hrUJXA==",
)


def program(name: str) -> str:
    """Return the path of a program.

    Raises:
        Missing: it is not installed.
    """
    found = shutil.which(name)
    if found is None:
        raise Missing(name)
    return found


def fetch(package: Package, cache: Path) -> Path:
    """Return the folder of an unpacked package; npm fetches it if the cache lacks it.

    Raises:
        Missing: npm is not installed.
        BuildFailed: npm fetched no archive, or one with another digest.
    """
    label = f"{package.name.lstrip('@').replace('/', '-')}-{package.version}"
    folder = cache / label
    if not folder.is_dir():
        cache.mkdir(parents=True, exist_ok=True)
        with tempfile.TemporaryDirectory(dir=cache, prefix=".fetching-") as temporary:
            archive = _pack(package, Path(temporary))
            digest = base64.b64encode(hashlib.sha512(archive).digest()).decode()
            if digest != package.digest:
                raise BuildFailed(
                    f"{package.name}@{package.version}: not the archive that is meant"
                )
            unpacked = Path(temporary, "unpacked")
            _unpack(archive, unpacked)
            try:
                unpacked.replace(folder)
            except OSError:
                if not folder.is_dir():  # else another process has been faster
                    raise
    return folder


def _pack(package: Package, folder: Path) -> bytes:
    """Let npm fetch a package into an empty folder, and return the path of its archive."""
    wanted = f"{package.name}@{package.version}"
    command = [program("npm"), "pack", wanted, "--silent", "--pack-destination", str(folder)]
    done = subprocess.run(command, cwd=folder, capture_output=True, text=True, check=False)
    archives = list(folder.glob("*.tgz"))
    if done.returncode or len(archives) != 1:
        lines = [line for line in done.stderr.splitlines() if "warn" not in line and line.strip()]
        raise BuildFailed(f"{wanted}: {lines[0] if lines else 'npm could not fetch it'}")
    return archives[0].read_bytes()


def _unpack(archive: bytes, folder: Path) -> None:
    """Unpack the regular files of an archive; paths outside the folder are refused."""
    with tarfile.open(fileobj=io.BytesIO(archive), mode="r:gz") as members:
        for member in members:
            top, *inside = PurePosixPath(member.name).parts
            content = members.extractfile(member) if member.isfile() else None
            if content is None or top != "package" or not inside or ".." in inside:
                continue
            path = folder.joinpath(*inside)
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_bytes(content.read())
