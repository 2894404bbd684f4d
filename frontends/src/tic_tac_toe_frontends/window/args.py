"""The command line of the window."""

from __future__ import annotations

import os
from collections.abc import Sequence
from gettext import NullTranslations
from typing import NamedTuple

from ..program.options import Parser
from ..table.driver import DELAY_SECONDS
from ..table.setup import Setup, setup_of_options
from ..words.translation import N_, load
from .palettes import AUTOMATIC, THEMES


class Args(NamedTuple):
    """The options of the window.

    Attributes:
        setup: the first game.
        language: the messages to speak with.
        seed: the seed of all chance, if it is to be repeatable.
        theme: the colours, of `THEMES`.
        delay: how long a computer's move takes at least, in seconds.
        animated: whether marks fall and lines are drawn in.
    """

    setup: Setup
    language: NullTranslations
    seed: int | None = None
    theme: str = AUTOMATIC
    delay: float = DELAY_SECONDS
    animated: bool = True


def parse_args(argv: Sequence[str] | None = None, prog: str = "python -m window") -> Args:
    """Return what the command line asks for; end the program with status 2 where it is wrong.

    Args:
        argv: the arguments, those of the process unless given.
        prog: what the program is called in its help.
    """
    found = _parser(argv, prog).read()
    return Args(
        setup=setup_of_options(found),
        # A window has the letters that the terminal it is started from may lack.
        language=load(found.lang, os.environ),
        seed=found.seed,
        theme=found.theme,
        delay=DELAY_SECONDS if found.delay is None else found.delay,
        animated=not found.no_animation,
    )


def _parser(argv: Sequence[str] | None, prog: str) -> Parser:
    parser = Parser(prog, argv, N_("Play tic-tac-toe and its relatives in a window."))
    _ = parser.language.gettext
    parser.add_game()
    parser.add_choice(
        "--theme",
        THEMES,
        _("the colours (auto unless given: those of the desktop)"),
        usual=AUTOMATIC,
    )
    parser.add_seed()
    parser.add_delay(_("how long a computer's move takes at least (0.25 unless given)"))
    about_animation = _("show nothing in motion: marks do not fall, lines do not grow")
    parser.add_flag("--no-animation", about_animation)
    return parser
