"""The command line of the console game."""

from __future__ import annotations

from collections.abc import Sequence
from gettext import NullTranslations
from typing import NamedTuple

from ..program.options import Parser
from ..table.setup import Setup, setup_of_options
from ..words.players import RANDOM
from ..words.translation import N_


class Args(NamedTuple):
    """The options of the console.

    Attributes:
        setup: the game and its players.
        starting: ``X``, ``O``, ``random``, or ``None``: X, unless a position says otherwise.
        language: the messages to speak with.
        seed: the seed of all chance, if it is to be repeatable.
        delay: the pause before a computer's move in seconds, ``None`` for the usual one.
        plain: use words only.
        record: the file that games are added to, if any.
        position: where the game begins, unless on the empty board.
        moves: moves made from there before the first prompt.
    """

    setup: Setup
    starting: str | None
    language: NullTranslations
    seed: int | None = None
    delay: float | None = None
    plain: bool = False
    record: str | None = None
    position: str | None = None
    moves: str | None = None


def parse_args(
    argv: Sequence[str] | None = None, prog: str = "python -m console", epilog: str | None = None
) -> Args:
    """Return what the command line asks for; end the program with status 2 where it is wrong.

    Args:
        argv: the arguments, those of the process unless given.
        prog: what the program is called in its help.
        epilog: what else its help tells.
    """
    parser = _parser(argv, prog)
    parser.epilog = epilog
    found = parser.read()
    if found.starting == RANDOM and found.position is not None:
        parser.error(parser.language.gettext("--starting random goes with the empty board only"))
    values = vars(found) | {"setup": setup_of_options(found), "language": parser.language}
    return Args(**{name: values[name] for name in Args._fields})


def _parser(argv: Sequence[str] | None, prog: str) -> Parser:
    parser = Parser(
        prog,
        argv,
        N_("Play tic-tac-toe and its relatives: you are X, and the computer does not lose."),
    )
    _ = parser.language.gettext
    parser.add_game()
    parser.add_seed()
    parser.add_delay(_("pause before a computer's move (0.25 on a terminal, else 0)"))
    parser.add_plain()
    parser.add_value("--record", "FILE", _("add each game to this file"))
    parser.options.add_argument(
        "--from",
        dest="position",
        metavar="POSITION",
        help=_("begin from a position: a character a cell, rows parted by /, as in XXO/O.X/.O."),
    )
    parser.add_moves()
    return parser
