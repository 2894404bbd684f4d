"""Run the tests that need optional programs without any of them, and with one of them alone.

    python -m tools.machine_check

These are the tests with the mark `needs` of tests/machine.py, except the slow ones. The PATH lacks
the other programs, and Python cannot import Tkinter unless that is the one. A test may be skipped,
but none may fail, and the one program makes some run.

That a test names all the programs that it uses is checked by tests/conftest.py wherever every test
has to run: there each test is shown only the programs that it names.
"""

import os
import subprocess
import sys
import tempfile
from collections.abc import Sequence
from pathlib import Path

from tests.machine import COMPLETE, MODULES, PROGRAMS, WITHOUT, path_without
from tools.wheels import ROOT

OPTIONS = ("-m", "needs and not slow", "--quiet", "-p", "no:cacheprovider", "-c", "pyproject.toml")
#: Nothing; a program; the package without which modules of tests cannot even be imported.
MACHINES = ("", "dot", "tkinter")


def main() -> None:
    """Check each machine; exit with a message at the first on which a test fails."""
    with tempfile.TemporaryDirectory() as scratch:
        for only in MACHINES:
            machine = f"with {only} alone" if only else "without optional programs"
            print(f"--- the tests {machine}", flush=True)
            if failed := run_tests(only, Path(scratch), [ROOT / "tests"]):
                sys.exit(f"Tests failed {machine} (exit status {failed}).")


def run_tests(only: str, folder: Path, tests: Sequence[Path]) -> int:
    """Run tests on a machine that has one optional program; return the exit status of pytest."""
    return subprocess.run(
        [sys.executable, "-m", "pytest", *OPTIONS, *tests],
        cwd=ROOT,
        env=environment(only, folder / f"with-{only}"),
        check=False,
    ).returncode


def environment(only: str, folder: Path) -> dict[str, str]:
    """Return the environment of a machine that has one optional program at most."""
    others = tuple(name for name in (*PROGRAMS, *MODULES) if name != only)
    changes = {"PATH": path_without(others, folder), WITHOUT: " ".join(others)}
    if "tkinter" in others:  # as where Python was built without Tk
        module = folder / "modules" / "_tkinter.py"
        module.parent.mkdir(parents=True)
        module.write_text('raise ImportError("hidden")\n', encoding="utf-8")
        changes["PYTHONPATH"] = str(module.parent)
    kept = {name: value for name, value in os.environ.items() if name != COMPLETE}
    return kept | changes


if __name__ == "__main__":
    main()
