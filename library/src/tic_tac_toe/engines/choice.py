"""Which engine plays which game, and whether its machine code is ready on this machine.

Numba takes some seconds for each kernel when it is first used on a machine. A person who plays must
not wait for that: until the code is there plain Python plays, and another process makes it. Each
process decides once for each game, so that in one process the same seed gives the same game.

``python -m tic_tac_toe.engines.choice NAME...`` makes the code for games by name, now.
"""

from __future__ import annotations

import os
import subprocess
import sys
import threading
from collections.abc import Mapping, Sequence
from functools import lru_cache
from pathlib import Path
from random import Random
from typing import TYPE_CHECKING, Protocol

from tic_tac_toe.engines.plain import LookingAhead, PlainLines, PlainPlayouts
from tic_tac_toe.limits import Limits
from tic_tac_toe.logic.exceptions import InvalidVariant
from tic_tac_toe.logic.positions import Position
from tic_tac_toe.logic.rules import Rules
from tic_tac_toe.logic.rules.catalogue import find_rules, variant_name
from tic_tac_toe.logic.rules.line import LineRules
from tic_tac_toe.logic.rules.traits import traits_of
from tic_tac_toe.logic.rules.ultimate import Ultimate
from tic_tac_toe.logic.rules.wrappers import Pie, without_misere, without_pie
from tic_tac_toe.logic.search.deepening import can_evaluate
from tic_tac_toe.logic.search.evaluation import Evaluation
from tic_tac_toe.solver.support import is_fast, is_installed

if TYPE_CHECKING:
    from tic_tac_toe.engines.lines import CompiledLines
    from tic_tac_toe.engines.playouts import CompiledPlayouts

#: The environment variable that says which code plays: ``plain`` for plain Python alone.
CODE_VARIABLE = "TICTACTOE_CODE"
PLAIN = "plain"
#: By how much the making of machine code steps back behind other processes.
NICENESS = 10


class Engine(Protocol):
    """Thinks about the positions of one game."""

    def think(self, position: Position, limits: Limits, rng: Random) -> Evaluation:
        """Return what looks best within the limits; all chance comes from ``rng``.

        At least one move looks best. A win in one is never missed, and a loss in the next ply is
        stopped wherever it can be, however little the work. Engines for large boards of lines stop
        an open three, too.

        Args:
            limits: the work and the time; whether to stop is asked every few milliseconds.

        Raises:
            ValueError: the game is over.
        """
        ...


def engine_for(rules: Rules) -> Engine:
    """Return the strongest engine for a game that is ready on this machine.

    Which one that is was found out by matches at equal times; see the page of computer players.
    """
    if isinstance(rules, Pie):
        return AfterSwap(rules, engine_for(rules.rules))
    return (is_ready(rules) and _compiled_engine(rules)) or _plain_engine(rules)


class AfterSwap:
    """Looks ahead while a mark can be taken over, and then plays like the engine of the plain game.

    Args:
        rules: the game.
        plain: the engine of the game without the pie rule.
    """

    def __init__(self, rules: Pie, plain: Engine) -> None:
        self.rules = rules
        self._plain = plain

    def think(self, position: Position, limits: Limits, rng: Random) -> Evaluation:
        """Return the moves that look best; see `Engine`."""
        if not position.marks or self.rules.can_swap(position):
            return LookingAhead(self.rules).think(position, limits, rng)
        return self._plain.think(position._replace(memory=0), limits, rng)


@lru_cache(maxsize=32)
def _plain_engine(rules: Rules) -> Engine:
    if isinstance(rules, LineRules) and not rules.gravity:
        return PlainLines(rules)
    if isinstance(without_misere(rules), Ultimate) or not can_evaluate(rules):
        return PlainPlayouts(rules)
    return LookingAhead(rules)


@lru_cache(maxsize=32)
def _compiled_engine(rules: Rules) -> CompiledLines | CompiledPlayouts | None:
    """Return the strongest engine in machine code, or ``None`` where plain Python plays better."""
    from tic_tac_toe.engines.lines import CompiledLines
    from tic_tac_toe.engines.lines.position import supports
    from tic_tac_toe.engines.playouts import CompiledPlayouts

    if supports(rules):
        return CompiledLines(rules)
    if isinstance(rules, LineRules) and not rules.gravity and traits_of(rules).layered:
        return None  # rows as long as the board: threats decide, which random games do not see
    return CompiledPlayouts(rules) if CompiledPlayouts.supports(rules) else None


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
        aside = threading.Thread(
            target=_prepare_elsewhere, args=(name, dict(os.environ)), daemon=True
        )
        aside.start()
    return False


def is_compiled(rules: Rules) -> bool:
    """Return whether all compiled code that plays a game is there; Numba must be installed."""
    return all(part.is_ready() for part in parts_of(rules))


def parts_of(rules: Rules) -> Sequence[Preparable]:
    """Return what is compiled to play and to explain a game; Numba must be installed."""
    from tic_tac_toe.solver.answers import SolverCode
    from tic_tac_toe.solver.certificates.plan_search import PlanCode
    from tic_tac_toe.solver.certificates.plans import has_plans

    parts: list[Preparable] = [SolverCode(rules)] if is_fast(rules) else []
    if has_plans(without_pie(rules)):
        parts.append(PlanCode())
    engine = _compiled_engine(without_pie(rules))
    return parts if engine is None else [*parts, engine]


def prepare(rules: Rules) -> None:
    """Make all compiled code that plays a game; this can take a minute."""
    for part in parts_of(rules):
        if not part.is_ready():
            part.prepare()


def _prepare_elsewhere(name: str, environment: Mapping[str, str]) -> None:
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
