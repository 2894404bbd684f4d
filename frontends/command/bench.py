"""``tic-tac-toe bench``: the search signature."""

from __future__ import annotations

from collections.abc import Sequence

from tic_tac_toe.logic.search.bench import counts

from ..options import Parser, language_of
from ..process import DONE, run
from ..terminal import Terminal


def main(arguments: Sequence[str], prog: str) -> int:
    """Print the signature and return the exit status of the process."""
    return run(lambda: _bench(arguments, prog))


def _bench(arguments: Sequence[str], prog: str) -> int:
    language = language_of(arguments)
    _ = language.gettext
    parser = Parser(
        prog,
        language,
        _("Print how many positions the searches of fixed tasks look at: the same everywhere."),
    )
    parser.options.add_argument(
        "--each", action="store_true", help=_("print the count of each task, too")
    )
    parser.add_language()
    options = parser.parse_args(arguments)
    terminal, total = Terminal.standard(), 0
    for task, nodes in counts():
        total += nodes
        if options.each:
            moves = " ".join(map(str, task.moves))
            terminal.show(f"{nodes:>9}  {task.variant} [{moves}] {task.depth}")
    terminal.show(str(total))
    return DONE
