"""Whether the machine code of the fast solver is there, and making it."""

from __future__ import annotations

from contextlib import suppress
from dataclasses import dataclass

from tic_tac_toe.logic.exceptions import SearchLimitReached
from tic_tac_toe.logic.positions import Position
from tic_tac_toe.logic.rules import Rules
from tic_tac_toe.logic.rules.line import LineRules
from tic_tac_toe.logic.rules.wrappers import Misere, without_misere, without_pie


@dataclass(frozen=True)
class SolverCode:
    """The machine code that solves a game which the fast solver supports."""

    rules: Rules

    @property
    def nodes_a_second(self) -> float:
        """How many positions it looks at in a second of an ordinary machine, at least about."""
        inner = without_misere(without_pie(self.rules))
        assert isinstance(inner, LineRules), "nothing else is supported"
        if inner.gravity or isinstance(without_pie(self.rules), Misere):
            return 5_000_000
        return 60_000_000 / max(20, len(inner.lines.places))

    def is_ready(self) -> bool:
        """Return whether it is there."""
        from tic_tac_toe.solver.kernel_factory import kernel_type
        from tic_tac_toe.solver.kernels.compiling import Compiled

        code = kernel_type(without_pie(self.rules)).machine_code
        parts = (code.begin, code.narrow)
        return all(part.is_ready() for part in parts if isinstance(part, Compiled))

    def prepare(self) -> None:
        """Make it; this takes some seconds."""
        from tic_tac_toe.limits import LEAST_MEMORY, Limits
        from tic_tac_toe.solver.session import FastSolver

        limits = Limits(node_limit=1, memory=LEAST_MEMORY, threads=1)
        with suppress(SearchLimitReached):
            FastSolver(without_pie(self.rules), limits).score(Position())
