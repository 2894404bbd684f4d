"""Run the tests on machines that have none of the optional programs, and on such that have one.

    python -m tools.machine_check

The tests are those that say what they need (`needs` in tests/machine.py), but for the slow ones.
The PATH lacks the other programs, Python lacks Tk but for the run that has Tkinter, and only
requirements/test.txt is installed, as README.md says. None of the tests may fail.
"""

import os
import subprocess
import sys
import tempfile
from collections.abc import Sequence
from pathlib import Path

from tests.machine import COMPLETE, MODULES, PROGRAMS, WITHOUT, path_without
from tools.wheel_check import install
from tools.wheels import ROOT, build_wheels

TESTS = ROOT / "tests"
OPTIONS = ("-m", "needs and not slow", "--quiet", "-p", "no:cacheprovider", "-c", "pyproject.toml")


def main() -> None:
    """Check each machine; exit with a message at the first on which a test fails."""
    # Without any program all tests are collected; else those of modules that say what they need.
    concerned = [path for path in TESTS.rglob("test_*.py") if "tests.machine" in path.read_text()]
    with tempfile.TemporaryDirectory() as scratch:
        folder = Path(scratch)
        python = install(Path(sys.executable), build_wheels(folder), folder / "python")
        for only in ("", *PROGRAMS, "tkinter"):
            machine = f"with {only} alone" if only else "without optional programs"
            print(f"--- the tests {machine}", flush=True)
            if failed := run_tests(python, only, folder, concerned if only else [TESTS]):
                sys.exit(f"Tests failed {machine} (exit status {failed}).")


def run_tests(python: Path, only: str, folder: Path, tests: Sequence[Path]) -> int:
    """Run tests on a machine that has one optional program; return the exit status of pytest."""
    return subprocess.run(
        [python, "-m", "pytest", *OPTIONS, *tests],
        cwd=ROOT,
        env=environment(only, folder / f"with-{only}"),
        check=False,
    ).returncode


def environment(only: str, folder: Path) -> dict[str, str]:
    """Return the environment of a machine that has one optional program at most."""
    others = {*PROGRAMS, *MODULES} - {only}
    path = path_without(others, folder / "path")
    changes = {"PATH": path, WITHOUT: " ".join(sorted(others))}
    if "tkinter" in others:  # as where Python was built without Tk
        module = folder / "modules" / "_tkinter.py"
        module.parent.mkdir(parents=True)
        module.write_text('raise ImportError("hidden")\n', encoding="utf-8")
        changes["PYTHONPATH"] = str(module.parent)
    kept = {name: value for name, value in os.environ.items() if name != COMPLETE}
    return kept | changes


if __name__ == "__main__":
    main()
