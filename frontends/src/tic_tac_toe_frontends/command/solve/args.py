"""The command line of ``tic-tac-toe solve``."""

from __future__ import annotations

from collections.abc import Sequence
from gettext import NullTranslations
from typing import NamedTuple

from tic_tac_toe.limits import MEBIBYTE, MOST_THREADS

from ...program.options import Parser, PositionArgs, add_position, position_of, taken_as
from ...words.translation import N_

#: The largest limits: a year and a day, and more memory than machines have.
MOST_SECONDS = 366 * 24 * 3600
MOST_NODES = 10**18
MOST_MEGABYTES = 1 << 22


class SolveArgs(NamedTuple):
    """What is to be solved and how; the options' help says what each means.

    Attributes:
        outcome: whether distances are not asked for; a proof has none.
        time_limit: in seconds.
        memory: in bytes.
        save_interval: of the checkpoint, in seconds; `INTERVAL_SECONDS` if ``None``, which it is
            on the command line.
    """

    language: NullTranslations
    position: PositionArgs
    file: str | None
    json: bool
    outcome: bool
    time_limit: float | None
    node_limit: int | None
    threads: int | None
    memory: int | None
    checkpoint: str | None
    scheduler: str | None
    certificate: str | None
    save_interval: float | None


def parse_args(arguments: Sequence[str], prog: str) -> SolveArgs:
    """Return what the command line asks for; end with status 2 where it is wrong."""
    parser = _parser(arguments, prog)
    options, language = parser.read(), parser.language
    given = {name for name, value in vars(options).items() if value not in (None, False)}
    for one, others in {
        "file": ("position", "moves", "certificate"),
        "scheduler": ("checkpoint",),
    }.items():
        for other in others:
            if {one, other} <= given:
                message = language.gettext("{one} and {other} do not go together")
                parser.error(message.format(one=_written(one), other=_written(other)))
    return taken_as(
        SolveArgs,
        options,
        language=language,
        position=position_of(options, language),
        memory=options.memory and options.memory * MEBIBYTE,
        outcome=options.outcome or options.certificate is not None,
        save_interval=None,
    )


def _parser(arguments: Sequence[str], prog: str) -> Parser:
    about = N_("Solve a position with the fast solver: what it is worth, and each of its moves.")
    parser = Parser(prog, arguments, about)
    _, add_value = parser.language.gettext, parser.add_value
    parser.epilog = _(
        "A search that a limit ends tells what it has proved until then, such as “at least\n"
        "a draw”; in JSON it has “exact”: false, “bounds”: the worst and the best outcome\n"
        "that are left, and null for what is not known. It ends with status 0 all the same.\n"
        "\n"
        "A line of a file is a list of moves if it has a digit in it, else a position; empty\n"
        "lines and those that begin with # are passed over. The answers come one by one: a\n"
        "line each, which in JSON has the “number” of the line that it answers. Lines that\n"
        "are wrong are told of, and the status is 1 at the end."
    )
    parser.epilog += "\n\n" + _(
        "In games with gravity a line such as “4455 18”, moves that are run together and one\n"
        "number, is a position with its score, as test sets of Connect Four have them. The\n"
        "score is compared with the answer, in its sign only with --outcome: 0 for a draw;\n"
        "for a win of the side to move the marks that it has left, the last one included, so\n"
        "that a win with its last possible mark is 1; for a loss as much below 0. How many\n"
        "agree is told at the end; the status is 1 unless all do."
    )
    add_position(parser)
    add_value("--file", "FILE", _("solve each line of this file; - is standard input"))
    parser.add_flag("--json", _("print one JSON object"))
    parser.add_flag("--outcome", _("win, draw or loss only, which is faster"))
    add_value(
        "--time-limit",
        "SECONDS",
        _("stop after this many seconds in all, including reading and saving a checkpoint"),
        parser.seconds(MOST_SECONDS, or_zero=False),
    )
    about_nodes = _("stop after this many positions in all")
    add_value("--node-limit", "NUMBER", about_nodes, parser.number(1, MOST_NODES))
    add_value(
        "--threads",
        "NUMBER",
        _("how many searches share the work (one for each processor unless given)"),
        parser.number(1, MOST_THREADS),
    )
    add_value(
        "--memory",
        "MB",
        _("the size of the table (a quarter of the free memory, at most 1024, unless given)"),
        parser.number(1, MOST_MEGABYTES),
    )
    add_value(
        "--checkpoint",
        "DIR",
        _(
            "save the search in this folder at intervals and at the end, and continue from there; "
            "the folder takes up to twice --memory, and three times while it is written"
        ),
    )
    add_value(
        "--scheduler",
        "ADDRESS",
        _("let the cluster of this Dask scheduler solve it, such as tcp://127.0.0.1:8786"),
    )
    add_value(
        "--certificate",
        "FILE",
        _(
            "write a proof of the outcome to this file, for “tic-tac-toe check”; what is found on "
            "the way is in FILE.part, and the same command continues from there; implies --outcome"
        ),
    )
    parser.add_language()
    return parser


def _written(name: str) -> str:
    return "POSITION" if name == "position" else f"--{name}"
