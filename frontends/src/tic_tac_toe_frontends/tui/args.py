"""The command line of the full screen."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from gettext import NullTranslations
from typing import NamedTuple

from ..program.options import Parser, language_of
from ..table.setup import Setup, setup_of_options


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
    arguments = sys.argv[1:] if argv is None else list(argv)
    language = language_of(arguments)
    _ = language.gettext
    parser = Parser(
        prog, language, _("Play on the full screen of the terminal, by keys and mouse.")
    )
    parser.add_players()
    parser.add_starting()
    parser.add_variant()
    parser.add_language()
    parser.add_seed()
    parser.add_delay(_("pause before a computer's move (0.25 unless given)"))
    parser.options.add_argument(
        "--theme", metavar="NAME", help=_("the colours, such as textual-light or high-contrast")
    )
    found = parser.parse_args(arguments)
    return Args(
        setup_of_options(found),
        found.starting,
        language,
        found.seed,
        found.delay,
        found.theme,
        parser,
    )
