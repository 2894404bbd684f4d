"""``tic-tac-toe bench``: the search signature."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from tic_tac_toe.solver import is_installed
from tic_tac_toe.solver.bench import FAST_TASKS, PLAIN_TASKS, counts

from ..program.options import Parser
from ..program.process import DONE, print_error
from ..program.terminal import Terminal
from ..words.translation import N_


def main(arguments: Sequence[str], prog: str) -> int:
    """Print the signature and return the exit status of the process."""
    about = N_("Print how many positions the searches of fixed tasks look at: the same everywhere.")
    parser = Parser(prog, arguments, about)
    _ = parser.language.gettext
    parser.add_flag("--each", _("print the count of each task, too"))
    parser.add_language()
    options = parser.read()
    terminal, total = Terminal.standard(), 0
    for name, nodes in _counts():
        total += nodes
        if options.each:
            terminal.show(f"{nodes:>9}  {name}")
    terminal.show(str(total))
    if not is_installed():
        print_error(_("without the fast solver, which is not installed"))
    return DONE


def _counts() -> Iterator[tuple[str, int]]:
    for task, nodes in counts(PLAIN_TASKS):
        yield f"{task.variant} [{_joined(task.moves)}] {task.depth}", nodes
    if is_installed():
        for task, nodes in counts(FAST_TASKS):
            yield f"{task.variant} [{_joined(task.moves)}] solver", nodes


def _joined(moves: Sequence[int]) -> str:
    return " ".join(map(str, moves))
