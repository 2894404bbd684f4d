"""Find the Pythons of this machine that the project supports and that really run.

    python -m tools.pythons

A name on the PATH proves little: version managers put stand-ins there for versions that are not
selected. Each candidate is therefore started, and asked who it is and whether it can make virtual
environments.
"""

import os
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

SUPPORTED = [(3, 10), (3, 11), (3, 12), (3, 13)]
START_SECONDS = 20
QUESTION = "import sys, venv, ensurepip; print(*sys.version_info[:2], sys.base_prefix)"


def find_pythons() -> dict[tuple[int, int], Path]:
    """Return one working interpreter for each supported version found, oldest version first.

    The running interpreter stands for its own version.
    """
    found: dict[tuple[int, int], Path] = {}
    for candidate in _candidates():
        version = ask_version(candidate)
        if version in SUPPORTED:
            found.setdefault(version, candidate)
    return dict(sorted(found.items()))


def ask_version(python: Path) -> tuple[int, int] | None:
    """Return the version an interpreter says it has; None if it does not start or lacks `venv`."""
    try:
        answer = subprocess.run(
            [python, "-I", "-c", QUESTION],
            capture_output=True,
            check=True,
            text=True,
            timeout=START_SECONDS,
        ).stdout
        major, minor = answer.split()[:2]
        return int(major), int(minor)
    except (OSError, ValueError, subprocess.SubprocessError):
        return None


def _candidates() -> Iterator[Path]:
    yield Path(sys.executable)
    names = [f"python{major}.{minor}" for major, minor in SUPPORTED]
    for folder in os.get_exec_path():
        yield from (path for name in names if (path := Path(folder, name)).is_file())
    pyenv = Path(os.environ.get("PYENV_ROOT") or os.path.expanduser("~/.pyenv"))  # noqa: PTH111
    yield from sorted(pyenv.glob("versions/*/bin/python"), reverse=True)


if __name__ == "__main__":
    for version, path in find_pythons().items():
        print("{}.{}".format(*version), path, sep="\t")
