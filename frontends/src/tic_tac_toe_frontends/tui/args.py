"""The command line of the full screen."""

from __future__ import annotations

from collections.abc import Sequence
from gettext import NullTranslations
from typing import NamedTuple

from ..program.options import Parser
from ..table.setup import Setup, setup_of_options
from ..words.translation import N_


class Args(NamedTuple):
    """The options of the full screen.

    Attributes:
        setup: the first game.
        starting: the mark that moves first, ``None`` unless given.
        language: the messages to speak with.
        seed: where all chance comes from, if it is to be the same again.
        delay: the pause before a computer's move in seconds, ``None`` for the usual one.
        theme: the colours, ``None`` for the usual ones. Only Textual knows which there are.
        parser: refuses a theme that does not exist.
    """

    setup: Setup
    starting: str | None
    language: NullTranslations
    seed: int | None
    delay: float | None
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
    return Args(
        setup_of_options(found),
        found.starting,
        parser.language,
        found.seed,
        found.delay,
        found.theme,
        parser,
    )
