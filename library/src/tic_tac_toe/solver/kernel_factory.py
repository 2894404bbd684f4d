"""Which kernel solves a game."""

from __future__ import annotations

from tic_tac_toe.logic.exceptions import InvalidVariant
from tic_tac_toe.logic.rules import Rules
from tic_tac_toe.logic.rules.catalogue import CONNECT_FOUR
from tic_tac_toe.logic.rules.line import LineRules
from tic_tac_toe.logic.rules.wrappers import Misere, Pie, without_misere
from tic_tac_toe.solver.kernels.gravity.kernel import ConnectFourKernel, GravityKernel
from tic_tac_toe.solver.kernels.kernel import Kernel
from tic_tac_toe.solver.kernels.misere.kernel import MisereKernel
from tic_tac_toe.solver.kernels.mnk.kernel import MnkKernel
from tic_tac_toe.solver.support import check_support


def kernel_for(rules: Rules, memory: int) -> Kernel:
    """Return the kernel of a game.

    Args:
        memory: the most bytes for its table.

    Raises:
        InvalidVariant: the fast solver does not solve the game.
    """
    check_support(rules)
    kernel = kernel_type(rules)
    inner = without_misere(rules)
    assert isinstance(inner, LineRules), "nothing else is supported"
    if issubclass(kernel, ConnectFourKernel):
        return kernel(memory)
    return kernel(inner, memory)


def kernel_type(rules: Rules) -> type[ConnectFourKernel | GravityKernel | MisereKernel | MnkKernel]:
    """Return the class of the kernel of a game that the fast solver supports.

    Raises:
        InvalidVariant: the game has the pie rule, which a kernel does not know.
    """
    if isinstance(rules, Pie):
        raise InvalidVariant("a kernel searches the game without the pie rule", "fast_pie")
    if isinstance(rules, Misere):
        return MisereKernel
    inner = without_misere(rules)
    if isinstance(inner, LineRules) and not inner.gravity:
        return MnkKernel
    return ConnectFourKernel if inner == CONNECT_FOUR else GravityKernel
