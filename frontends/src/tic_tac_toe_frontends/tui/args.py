"""The command line of the full screen."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from ..program.options import Parser, taken_as
from ..table.setup import PlayArgs, opponents_of_options, setup_of_options
from ..words.translation import N_


@dataclass(frozen=True, kw_only=True)
class Args(PlayArgs):
    """The options of the full screen.

    Attributes:
        theme: the colours, ``None`` for the usual ones. Only Textual knows which there are.
        parser: refuses a theme that does not exist.
    """

    theme: str | None
    parser: Parser


def parse_args(argv: Sequence[str] | None = None, prog: str = "python -m tui") -> Args:
    """Return what the command line asks for; end the program with status 2 where it is wrong."""
    parser = Parser(prog, argv, N_("Play on the full screen of the terminal, by keys and mouse."))
    _ = parser.language.gettext
    parser.add_game()
    parser.add_seed()
    parser.add_delay(_("pause before a computer's move (0.25 unless given)"))
    parser.add_value("--theme", "NAME", _("the colours, such as textual-light or high-contrast"))
    found = parser.read()
    setup, opponents = setup_of_options(found), opponents_of_options(found)
    return taken_as(
        Args, found, setup=setup, opponents=opponents, language=parser.language, parser=parser
    )
