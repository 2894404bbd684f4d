"""Run the tests against the built wheels, on the oldest and newest other Python of this machine.

    python -m tools.wheel_check

Each Python gets a fresh environment that holds the wheels and what the tests require, and runs the
quick tests that depend on the Python from an empty folder, so that nothing is imported from the
checkout but the tests.
"""

import os
import subprocess
import sys
import tempfile
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

from tools.pythons import SUPPORTED, find_pythons
from tools.wheels import ROOT, build_wheels

OPTIONS = (
    *("--quiet", "--numprocesses=auto", "--maxprocesses=4", "--dist=loadgroup"),
    *("-m", "not slow and not once and not tooling", "--hypothesis-profile=quick"),
    *("-p", "no:cacheprovider", "-c", ROOT / "pyproject.toml", "--rootdir", ROOT),
)
IMPORTED_FROM = """
import sys, tic_tac_toe, tic_tac_toe_frontends
for package in tic_tac_toe, tic_tac_toe_frontends:
    assert package.__file__.startswith(sys.prefix), package.__file__
"""


def main() -> None:
    """Test the wheels on other Pythons than this one; exit with a message if there is none."""
    this = sys.version_info[:2]
    others = {version: path for version, path in find_pythons().items() if version != this}
    if not others:
        sys.exit(
            "The tests have to pass on two Pythons at least, and this is the only one found of "
            + ", ".join(map(_name, SUPPORTED))
            + ". Install another: as python3.N on the PATH, or with pyenv."
        )
    with tempfile.TemporaryDirectory() as scratch, ThreadPoolExecutor() as pool:
        wheels = build_wheels(Path(scratch))
        installing = {
            version: pool.submit(install, others[version], wheels, Path(scratch, _name(version)))
            for version in sorted({min(others), max(others)})
        }
        for version, installed in installing.items():
            python = installed.result()
            print(f"--- the wheels on Python {_name(version)}", flush=True)
            if failed := run_tests(python, Path(tempfile.mkdtemp(dir=scratch))):
                sys.exit(f"The wheels failed on Python {_name(version)} (exit status {failed}).")


def install(python: Path, wheels: list[Path], folder: Path) -> Path:
    """Make an environment of the wheels and of what the tests require; return its Python."""
    subprocess.run([python, "-m", "venv", folder], check=True)
    python = folder / ("Scripts" if os.name == "nt" else "bin") / "python"
    requirements = ("--requirement", ROOT / "requirements" / "test.txt")
    # Most of what is installed is never imported, so nothing is compiled in advance.
    pip = ("pip", "install", "--quiet", "--disable-pip-version-check", "--no-compile")
    subprocess.run([python, "-m", *pip, *wheels, *requirements], check=True)
    return python


def run_tests(python: Path, folder: Path) -> int:
    """Test the installed wheels from an empty folder; return the exit status of pytest."""

    def run(*arguments: str | Path) -> int:
        return subprocess.run([python, *arguments], cwd=folder, check=False).returncode

    return run("-c", IMPORTED_FROM) or run("-m", "pytest", *OPTIONS, ROOT / "tests")


def _name(version: tuple[int, int]) -> str:
    return "{}.{}".format(*version)


if __name__ == "__main__":
    main()
