"""The command line of the window."""

from __future__ import annotations

import os
from collections.abc import Sequence
from dataclasses import dataclass

from ..program.options import Parser, from_options
from ..table.driver import DELAY_SECONDS
from ..table.setup import PlayArgs, opponents_of_options, setup_of_options
from ..words.translation import N_, load
from .palettes import AUTOMATIC, THEMES


@dataclass(frozen=True)
class Args(PlayArgs):
    """The options of the window.

    Attributes:
        delay: the minimum time of a computer's move in seconds.
        theme: of `THEMES`.
        animated: whether to animate marks and lines.
    """

    delay: float = DELAY_SECONDS
    theme: str = AUTOMATIC
    animated: bool = True


def parse_args(argv: Sequence[str] | None = None, prog: str = "python -m window") -> Args:
    """Return the parsed command line; end with status 2 if it is wrong."""
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
    about_delay = _("how long a computer's move takes at least (0.25 unless given)")
    parser.add_delay(about_delay, usual=DELAY_SECONDS)
    about_animation = _("show nothing in motion: marks do not fall, lines do not grow")
    parser.add_flag("--no-animation", about_animation)
    found = parser.read()
    # A window can show letters that the terminal may lack.
    language = load(found.lang, os.environ)
    setup, opponents = setup_of_options(found), opponents_of_options(found)
    return from_options(
        Args,
        found,
        setup=setup,
        opponents=opponents,
        language=language,
        animated=not found.no_animation,
    )
