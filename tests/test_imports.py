"""Importing the library stays light; who may import whom is checked by `make lint`."""

import subprocess
import sys
from pathlib import Path

import pytest

import tic_tac_toe

HEAVY = {
    "asyncio",
    "curses",
    "multiprocessing",
    "numba",
    "numpy",
    "socket",
    "sqlite3",
    "subprocess",
    "tic_tac_toe_frontends",
    "tkinter",
}
LIGHT = "import sys; old = {*sys.modules}; import tic_tac_toe; print(*{*sys.modules} - old)"
#: What needs NumPy.
COMPILED = (
    "tic_tac_toe.solver.",
    "tic_tac_toe.engines.compiled",
    "tic_tac_toe.engines.lines",
    "tic_tac_toe.engines.playouts",
    "tic_tac_toe.engines.stop_cell",
)
ALL = """
import importlib, pkgutil, sys
sys.path.insert(0, sys.argv[1])
import tic_tac_toe
for found in pkgutil.walk_packages(tic_tac_toe.__path__, "tic_tac_toe."):
    if not found.name.startswith(tuple(sys.argv[2:])):
        importlib.import_module(found.name)
print(*sys.modules)
"""


def run(*options: str) -> set[str]:
    """Return the words that Python prints, started apart from the user's environment."""
    command = [sys.executable, "-I", *options]
    return {*subprocess.run(command, capture_output=True, check=True, text=True).stdout.split()}


def test_importing_the_library_loads_no_front_end_and_nothing_heavy() -> None:
    loaded = {name.split(".")[0] for name in run("-c", LIGHT)}

    assert "tic_tac_toe" in loaded
    assert loaded.isdisjoint(HEAVY), loaded & HEAVY


@pytest.mark.medium
@pytest.mark.tooling
def test_all_rooms_but_the_solver_are_imported_with_the_standard_library_alone() -> None:
    loaded = run("-S", "-c", ALL, str(Path(tic_tac_toe.__file__).parents[1]), *COMPILED)

    assert {"tic_tac_toe.game.strategies", "tic_tac_toe.protocols.online.client"} <= loaded
