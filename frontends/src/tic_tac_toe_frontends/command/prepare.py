"""``tic-tac-toe prepare``: compiles the code of computer players before a game needs it."""

from __future__ import annotations

from collections.abc import Sequence

from tic_tac_toe.engines.choice import is_compiled, prepare
from tic_tac_toe.extras import missing_packages
from tic_tac_toe.logic.rules.catalogue import VARIANTS
from tic_tac_toe.solver import PACKAGES

from ..program.extras import FAST_SOLVER, SOLVE, missing_text
from ..program.options import Parser
from ..program.process import DONE, REFUSED, Refused
from ..program.terminal import Terminal
from ..words.rules_text import variant_title
from ..words.translation import N_


def main(arguments: Sequence[str], prog: str) -> int:
    """Compile the code that is not compiled yet, and return the exit status of the process."""
    parser = Parser(
        prog,
        arguments,
        N_(
            "Compile the code of strong computer players, once for each machine and version. "
            "Without this it happens beside the first games."
        ),
    )
    _ = parser.language.gettext
    parser.add_language()
    parser.read()
    if missing_packages(PACKAGES):
        raise Refused(missing_text(parser.language, FAST_SOLVER, SOLVE))
    from tic_tac_toe.solver.kernels.compiling import can_keep_code

    terminal = Terminal.standard()
    for rules in VARIANTS.values():
        if not is_compiled(rules):
            if not can_keep_code():  # which says so
                return REFUSED
            title = variant_title(rules, parser.language)
            text = _("Compiling the computer players of {variant} …")
            terminal.show_wrapped(text.format(variant=title))
            prepare(rules)
    terminal.show(_("All computer players are compiled."))
    return DONE
