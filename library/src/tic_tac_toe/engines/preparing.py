"""Which compiled code is ready to play a game, and making what is not, aside.

Numba takes some seconds for each kernel when it is first used on a machine. A person who plays must
not wait for that: until the code is there plain Python plays, and another process makes it. Each
process decides once for each game, so that in one process the same seed gives the same game.

``python -m tic_tac_toe.engines.preparing NAME...`` makes the code for games by name, now.
"""

from __future__ import annotations

import os
import subprocess
import sys
import threading
from collections.abc import Mapping, Sequence
from functools import lru_cache
from pathlib import Path
from typing import Protocol

from tic_tac_toe.logic.exceptions import InvalidVariant
from tic_tac_toe.logic.rules import Rules
from tic_tac_toe.logic.rules.catalogue import find_rules, variant_name
from tic_tac_toe.logic.rules.wrappers import without_pie

#: The environment variable that says which code plays: ``plain`` for plain Python alone.
CODE_VARIABLE = "TICTACTOE_CODE"
PLAIN = "plain"
#: By how much the making of machine code steps back behind other processes.
NICENESS = 10


class Preparable(Protocol):
    """A part of an engine that is compiled when it is first used on a machine."""

    def is_ready(self) -> bool:
        """Return whether its machine code is there."""
        ...

    def prepare(self) -> None:
        """Make its machine code; this takes some seconds."""
        ...


def is_ready(rules: Rules) -> bool:
    """Return whether all compiled code that plays a game is ready, as decided when first asked.

    If it could be and is not, another process begins to make it, for the processes to come, unless
    it cannot be kept for them.
    """
    from tic_tac_toe.solver.support import is_installed

    return os.environ.get(CODE_VARIABLE) != PLAIN and is_installed() and _is_ready(rules)


@lru_cache(maxsize=64)
def _is_ready(rules: Rules) -> bool:
    if is_compiled(rules):
        return True
    try:
        name = variant_name(rules)
    except InvalidVariant:  # a user's own rules: nothing is known of them in another process
        prepare(rules)
        return True
    from tic_tac_toe.solver.kernels.compiling import can_keep_code

    if can_keep_code():  # else it would be made in vain
        _prepare_aside(name)
    return False


def is_compiled(rules: Rules) -> bool:
    """Return whether all compiled code that plays a game is there; Numba must be installed."""
    return all(part.is_ready() for part in parts_of(rules))


def parts_of(rules: Rules) -> Sequence[Preparable]:
    """Return what is compiled to play a game; Numba must be installed."""
    from tic_tac_toe.engines.compiled import compiled_engine
    from tic_tac_toe.solver.readiness import SolverCode
    from tic_tac_toe.solver.support import is_fast

    parts: list[Preparable] = [SolverCode(rules)] if is_fast(rules) else []
    engine = compiled_engine(without_pie(rules))
    return parts if engine is None else [*parts, engine]


def prepare(rules: Rules) -> None:
    """Make all compiled code that plays a game; this can take a minute."""
    for part in parts_of(rules):
        if not part.is_ready():
            part.prepare()


def _prepare_aside(name: str) -> None:
    """Let another process make the code for a game."""
    threading.Thread(target=_run, args=(name, dict(os.environ)), daemon=True).start()


def _run(name: str, environment: Mapping[str, str]) -> None:
    folders = [str(Path(__file__).parents[2]), environment.get("PYTHONPATH", "")]
    subprocess.run(
        [sys.executable, "-m", __name__, name],
        stdin=subprocess.DEVNULL,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
        env={**environment, "PYTHONPATH": os.pathsep.join(filter(None, folders))},
        start_new_session=True,
        check=False,
    )


def main(names: Sequence[str]) -> None:
    """Make the code for games, behind the other processes of the machine."""
    if hasattr(os, "nice"):
        os.nice(NICENESS)
    for name in names:
        prepare(find_rules(name))


if __name__ == "__main__":
    main(sys.argv[1:])
