"""The rooms of the house import only whom they may, and importing the library stays light."""

import subprocess
import sys

import pytest

from tools.import_rules import find_violations, read_sources

ALLOWED = {
    "the standard library": ("tic_tac_toe/logic/models.py", "import enum, random"),
    "a lower room": ("tic_tac_toe/logic/search/mcts.py", "from tic_tac_toe.logic.rules import R"),
    "a neighbour in the room": ("tic_tac_toe/logic/search/mcts.py", "from . import table"),
    "a validator's annotation": (
        "tic_tac_toe/logic/validators.py",
        "if TYPE_CHECKING:\n    from tic_tac_toe.logic.models import Grid",
    ),
    "the solver when it is wanted": (
        "tic_tac_toe/game/moments.py",
        "def fast():\n    from tic_tac_toe.solver import solve",
    ),
    "numbers in the solver": ("tic_tac_toe/solver/kernel.py", "import numpy"),
    "anything in an adapter": ("tic_tac_toe/adapters/pettingzoo.py", "import pettingzoo"),
    "the library in a front end": (
        "tic_tac_toe_frontends/console/cli.py",
        "from tic_tac_toe.game.engine import TicTacToe",
    ),
    "a shared piece in a front end": (
        "tic_tac_toe_frontends/console/cli.py",
        "from ..words import game_text",
    ),
    "a front end when the command wants it": (
        "tic_tac_toe_frontends/command/cli.py",
        "def console():\n    from ..console import cli",
    ),
    "the command in the launcher of the full screen": (
        "tic_tac_toe_frontends/tui/__main__.py",
        "from tic_tac_toe_frontends.command.tui import main",
    ),
}

FORBIDDEN = {
    "a package of others in logic": ("tic_tac_toe/logic/models.py", "import numpy.linalg"),
    "a clock in logic": ("tic_tac_toe/logic/search/mcts.py", "from time import monotonic"),
    "the game in logic": ("tic_tac_toe/logic/models.py", "import tic_tac_toe.game.engine"),
    "the game in logic, relatively": ("tic_tac_toe/logic/models.py", "from ..game import engine"),
    "the whole library in logic": ("tic_tac_toe/logic/models.py", "from tic_tac_toe import play"),
    "a higher room of logic": ("tic_tac_toe/logic/rules/line.py", "from .. import models"),
    "a higher room, lazily": (
        "tic_tac_toe/logic/shapes.py",
        "def f():\n    from tic_tac_toe.logic.rules import line",
    ),
    "a higher room, by name": (
        "tic_tac_toe/logic/shapes.py",
        "importlib.import_module('tic_tac_toe.logic.rules')",
    ),
    "models in validators at run time": (
        "tic_tac_toe/logic/validators.py",
        "from tic_tac_toe.logic.models import Grid",
    ),
    "the solver at import time": (
        "tic_tac_toe/game/moments.py",
        "from tic_tac_toe.solver import solve",
    ),
    "the solver elsewhere in the game": (
        "tic_tac_toe/game/match.py",
        "def fast():\n    from tic_tac_toe.solver import solve",
    ),
    "a package of others in the game": ("tic_tac_toe/game/match.py", "import requests"),
    "the game in an adapter": ("tic_tac_toe/adapters/gym.py", "import tic_tac_toe.game.match"),
    "a front end in the library": ("tic_tac_toe/game/match.py", "import tic_tac_toe_frontends"),
    "a room without a row": ("tic_tac_toe/utils.py", "import tic_tac_toe.logic.models"),
    "a front end in another": ("tic_tac_toe_frontends/window/cli.py", "from ..console import cli"),
    "a front end in another, lazily": (
        "tic_tac_toe_frontends/window/cli.py",
        "def f():\n    import tic_tac_toe_frontends.console.cli",
    ),
    "the command in the rest of the full screen": (
        "tic_tac_toe_frontends/tui/cli.py",
        "from ..command.tui import main",
    ),
    "a front end in a shared piece": (
        "tic_tac_toe_frontends/words/game_text.py",
        "from ..console.cli import main",
    ),
    "a front end in the command at import time": (
        "tic_tac_toe_frontends/command/cli.py",
        "from ..console import cli",
    ),
}

HOUSE = dict.fromkeys(
    [
        "tic_tac_toe/__init__.py",
        "tic_tac_toe/game/__init__.py",
        "tic_tac_toe/game/engine.py",
        "tic_tac_toe/logic/__init__.py",
        "tic_tac_toe/logic/models.py",
        "tic_tac_toe/logic/rules/__init__.py",
        "tic_tac_toe/logic/rules/line.py",
        "tic_tac_toe/logic/search/__init__.py",
        "tic_tac_toe/logic/search/table.py",
        "tic_tac_toe/solver/__init__.py",
        "tic_tac_toe_frontends/__init__.py",
        "tic_tac_toe_frontends/command/__init__.py",
        "tic_tac_toe_frontends/command/tui.py",
        "tic_tac_toe_frontends/console/__init__.py",
        "tic_tac_toe_frontends/console/cli.py",
        "tic_tac_toe_frontends/words/game_text.py",
    ],
    "",
)

UNWANTED = {
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


@pytest.mark.tooling
def test_every_module_imports_only_whom_its_room_may() -> None:
    sources = read_sources()

    assert {"tic_tac_toe/logic/models.py", "tic_tac_toe_frontends/__init__.py"} <= sources.keys()
    assert find_violations(sources) == []


@pytest.mark.parametrize(("path", "text"), ALLOWED.values(), ids=ALLOWED.keys())
def test_an_allowed_import_is_no_violation(path: str, text: str) -> None:
    assert find_violations(HOUSE | {path: text}) == []


@pytest.mark.parametrize(("path", "text"), FORBIDDEN.values(), ids=FORBIDDEN.keys())
def test_a_forbidden_import_is_one_violation_at_its_line(path: str, text: str) -> None:
    last_line = text.count("\n") + 1

    (violation,) = find_violations(HOUSE | {path: text})

    assert violation.startswith(f"{path}:{last_line}: ")


def test_importing_the_library_loads_no_front_end_and_nothing_heavy() -> None:
    script = "import sys; old = {*sys.modules}; import tic_tac_toe; print(*{*sys.modules} - old)"

    output = subprocess.run(
        [sys.executable, "-I", "-c", script], capture_output=True, check=True, text=True
    ).stdout

    loaded = {name.split(".")[0] for name in output.split()}
    assert "tic_tac_toe" in loaded
    assert loaded.isdisjoint(UNWANTED), loaded & UNWANTED
