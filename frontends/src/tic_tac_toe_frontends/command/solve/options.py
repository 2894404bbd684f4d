"""The options of ``tic-tac-toe solve``."""

from __future__ import annotations

import argparse
import math
from collections.abc import Callable, Sequence
from gettext import NullTranslations

from tic_tac_toe.solver.limits import MOST_THREADS

from ...program.options import Parser
from ..position_args import add_first_moves, add_position

#: Larger limits mean nothing: more than a year, and more memory than machines have.
MOST_SECONDS = 366 * 24 * 3600
MOST_NODES = 10**18
MOST_MEGABYTES = 1 << 22


def read_options(
    arguments: Sequence[str], language: NullTranslations, prog: str
) -> argparse.Namespace:
    """Return the options, or end with status 2 where some do not go together."""
    parser = make_parser(language, prog)
    options = parser.parse_args(arguments)
    given = {name for name, value in vars(options).items() if value not in (None, False)}
    for one, others in {
        "file": ("position", "moves", "certificate"),
        "scheduler": ("checkpoint",),
        "outcome": ("certificate",),
    }.items():
        for other in others:
            if {one, other} <= given:
                message = language.gettext("{one} and {other} do not go together")
                parser.error(message.format(one=_written(one), other=_written(other)))
    return options


def make_parser(language: NullTranslations, prog: str) -> Parser:
    """Return the parser."""
    _ = language.gettext
    parser = Parser(
        prog,
        language,
        _("Solve a position with the fast solver: what it is worth, and each of its moves."),
        _(
            "A search that a limit ends tells what it has proved until then, such as “at least\n"
            "a draw”; in JSON it has “exact”: false, “bounds”: the worst and the best outcome\n"
            "that are left, and null for what is not known. It ends with status 0 all the same.\n"
            "\n"
            "A line of a file is a list of moves if it has a digit in it, else a position; empty\n"
            "lines and those that begin with # are passed over. The answers come one by one: a\n"
            "line each, which in JSON has the “number” of the line that it answers. Lines that\n"
            "are wrong are told of, and the status is 1 at the end."
        ),
    )
    add_position(parser)
    parser.add_variant()
    add_first_moves(parser)
    add = parser.options.add_argument
    add(
        "--file",
        metavar="FILE",
        help=_("solve each line of this file; - is standard input"),
    )
    add("--json", action="store_true", help=_("print one JSON object"))
    add("--outcome", action="store_true", help=_("win, draw or loss only, which is faster"))
    add(
        "--time-limit",
        metavar="SECONDS",
        type=_seconds(language),
        help=_("stop after this many seconds in all, including reading and saving a checkpoint"),
    )
    add(
        "--node-limit",
        metavar="NUMBER",
        type=_whole_number(language, MOST_NODES),
        help=_("stop after this many positions in all"),
    )
    add(
        "--threads",
        metavar="NUMBER",
        type=_whole_number(language, MOST_THREADS),
        help=_("how many searches share the work (one for each processor unless given)"),
    )
    add(
        "--memory",
        metavar="MB",
        type=_whole_number(language, MOST_MEGABYTES),
        help=_("the size of the table (a quarter of the free memory, at most 1024, unless given)"),
    )
    add(
        "--checkpoint",
        metavar="DIR",
        help=_(
            "save the search in this folder at intervals and at the end, and continue from there; "
            "the folder takes up to twice --memory, and three times while it is written"
        ),
    )
    add(
        "--scheduler",
        metavar="ADDRESS",
        help=_("let the cluster of this Dask scheduler solve it, such as tcp://127.0.0.1:8786"),
    )
    add(
        "--certificate",
        metavar="FILE",
        help=_("write a proof of the outcome to this file, for “tic-tac-toe check”"),
    )
    parser.add_language()
    return parser


def _written(name: str) -> str:
    return "POSITION" if name == "position" else f"--{name}"


def _whole_number(language: NullTranslations, most: int) -> Callable[[str], int]:
    """Return the type of options that are a whole number from 1 to ``most``."""

    def read(text: str) -> int:
        try:
            number = int(text) if len(text) < 30 else 0
        except ValueError:
            number = 0
        if not 1 <= number <= most:
            message = language.gettext("a whole number from 1 to {most} is needed")
            raise argparse.ArgumentTypeError(message.format(most=most))
        return number

    return read


def _seconds(language: NullTranslations) -> Callable[[str], float]:
    """Return the type of options that are a time."""

    def read(text: str) -> float:
        try:
            seconds = float(text)
        except ValueError:
            seconds = math.nan
        if not 0 < seconds <= MOST_SECONDS:
            message = language.gettext("a number of seconds above 0, and {most} at most, is needed")
            raise argparse.ArgumentTypeError(message.format(most=MOST_SECONDS))
        return seconds

    return read
