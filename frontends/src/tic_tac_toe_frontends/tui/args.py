"""Work before Textual is loaded: the command line, and the check of the terminal."""

from __future__ import annotations

import os
import sys
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from gettext import NullTranslations
from importlib import import_module

from ..program.extras import TUI, missing_text
from ..program.options import Parser, from_options
from ..table.setup import PlayArgs, opponents_of_options, setup_of_options
from ..words.foreign import escaped
from ..words.translation import N_


@dataclass(frozen=True, kw_only=True)
class Args(PlayArgs):
    """The options of the full screen.

    Attributes:
        theme: ``None`` for the default. Only Textual knows all themes.
        parser: refuses unknown themes.
    """

    theme: str | None
    parser: Parser


def parse_args(argv: Sequence[str] | None = None, prog: str = "python -m tui") -> Args:
    """Return the parsed command line; end with status 2 if it is wrong."""
    parser = Parser(prog, argv, N_("Play on the full screen of the terminal, by keys and mouse."))
    _ = parser.language.gettext
    parser.add_game()
    parser.add_seed()
    parser.add_delay(_("pause before a computer's move (0.25 unless given)"))
    parser.add_value("--theme", "NAME", _("the colours, such as textual-light or high-contrast"))
    found = parser.read()
    setup, opponents = setup_of_options(found), opponents_of_options(found)
    return from_options(
        Args, found, setup=setup, opponents=opponents, language=parser.language, parser=parser
    )


#: Characters of the board that the terminal's encoding must have.
SIGNS = "─┃╋█▀◆∞•●○"
FULL_SCREEN = N_("the full screen")


def find_hindrance(
    language: NullTranslations, environ: Mapping[str, str] | None = None
) -> str | None:
    """Return a sentence why the full screen is impossible; ``None`` if it is possible.

    Textual does not check: without a keyboard it would wait for ever, and it draws to any output,
        except on Windows to standard error.
    """
    environ = os.environ if environ is None else environ
    _ = language.gettext
    for stream, message in (
        (
            sys.stdin,
            _("the full screen needs a terminal to type at, and the input is not a terminal"),
        ),
        (
            sys.stdout,
            _("the full screen needs a terminal to draw on, and the output is not a terminal"),
        ),
        (sys.stderr, _("the full screen needs standard error to be the terminal too")),
    ):
        if stream is None or not stream.isatty():
            return message
    kind = environ.get("TERM") or environ.get("WT_SESSION")
    if not kind and sys.platform != "win32":
        return _("the full screen needs to know the terminal, and TERM is not set")
    if kind == "dumb":
        return _("the full screen needs a terminal that can be drawn on, and TERM is dumb")
    try:
        for stream in (sys.stdout, sys.stderr):
            SIGNS.encode(stream.encoding or "ascii")
    except UnicodeEncodeError:
        message = _("the full screen needs letters that {encoding} does not have")
        return message.format(encoding=escaped(stream.encoding))
    try:
        import_module("textual")
    except ImportError:
        return missing_text(language, FULL_SCREEN, TUI)
    return None
