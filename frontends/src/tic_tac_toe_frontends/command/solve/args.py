"""The input of ``tic-tac-toe solve``: the command line, and the file of ``--file``.

Each line of the file is a position or a list of moves. Lines of test sets of Connect Four have
moves and a score. The scale is Pascal Pons's: the score of a win is the number of marks that the
winner has left, the last one included, so that a win with the last possible mark scores 1; losses
are negative likewise, and a draw is 0.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import replace
from gettext import NullTranslations
from typing import BinaryIO, NamedTuple

from tic_tac_toe.limits import MEBIBYTE, MOST_THREADS
from tic_tac_toe.logic.models import GameState
from tic_tac_toe.logic.rules.traits import traits_of
from tic_tac_toe.logic.search.evaluation import Evaluation
from tic_tac_toe.solver.support import Scale

from ...program.files import decode, opened, reading, refuse_foreign
from ...program.options import Parser, PositionArgs, add_position, from_options, position_of
from ...program.process import Refused
from ...words.translation import N_

#: The maximum limits: a year and a day, and more memory than machines have.
MOST_SECONDS = 366 * 24 * 3600
MOST_NODES = 10**18
MOST_MEGABYTES = 1 << 22


class SolveArgs(NamedTuple):
    """The options; their help describes each.

    Attributes:
        outcome: find only the outcome, without distances; a proof has none.
        time_limit: in seconds.
        memory: in bytes.
        save_interval: of the checkpoint in seconds; ``None``, as on the command line, for
            `INTERVAL_SECONDS`.
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
    """Return the parsed command line; end with status 2 if it is wrong."""
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
    return from_options(
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


#: The maximum length of a line in bytes; the rest of a longer one is skipped.
LINE_LIMIT = 4_096

_MOVES_AND_NUMBER = re.compile(r"(\S+)[ \t]+([+-]?\d+)")


class Line(NamedTuple):
    """A line of the file.

    Attributes:
        number: counted from 1.
        state: the described state, or the error.
        score: the score in the line, if any.
    """

    number: int
    state: GameState | Refused
    score: int | None = None


def read_lines(name: str, args: PositionArgs) -> Iterator[Line]:
    """Yield the lines, without empty ones and comments.

    Each is yielded as soon as it is read, so that a program may wait for the answer before it
    writes the next line. Lists of moves contain digits, positions do not. A number after several
    joined moves is a score.

    Raises:
        Refused: the file cannot be read.
    """
    with reading(name, args.language), opened(name) as file:
        for number, content in enumerate(_lines(file), start=1):
            if number == 1:
                refuse_foreign(content, args.language)
            line = _read_line(number, content, args)
            if line is not None:
                yield line


def score_of(state: GameState, found: Evaluation) -> int | None:
    """Return the score of a state on the scale of the test sets; ``None`` if unknown."""
    scale, score = Scale.of(state.rules, state.position), found.score
    return None if score is None else scale.to_marks(score)


def _read_line(number: int, content: bytes, args: PositionArgs) -> Line | None:
    """Return a parsed line, perhaps with its error; ``None`` for a comment."""
    try:
        text = decode(content, LINE_LIMIT, args.language).strip()
        return Line(number, *_read(text, args)) if text and text[0] != "#" else None
    except Refused as refusal:
        return Line(number, refusal)


def _read(text: str, args: PositionArgs) -> tuple[GameState, int | None]:
    if not any(sign.isdecimal() for sign in text):
        return replace(args, position=text).state(), None
    if match := _MOVES_AND_NUMBER.fullmatch(text):
        try:
            state = replace(args, moves=match[1]).state()
        except Refused:
            pass  # the parser below finds the same error
        else:
            if state.position.marks > 1:
                return state, _read_score(match[2], args)
    return replace(args, moves=text).state(), None


def _read_score(text: str, args: PositionArgs) -> int:
    _, rules = args.language.gettext, args.rules
    if tuple(traits_of(rules).flags) != ("gravity",):
        raise Refused(
            _(
                "a number behind moves that are run together is a score, which only games such as "
                "connect-four have: write all moves together, or part all of them by blanks"
            )
        )
    score, most = int(text), (rules.shape.cells + 1) // 2
    if abs(score) > most:
        message = _(
            "{number}, behind moves that are run together, is no score on this board: expected "
            "-{most} to {most}"
        )
        raise Refused(message.format(number=text, most=most))
    return score


def _lines(file: BinaryIO) -> Iterator[bytes]:
    """Yield the lines; too long ones are cut to one byte more than the maximum."""
    while line := file.readline(LINE_LIMIT + 1):
        piece = line
        while len(piece) > LINE_LIMIT and not piece.endswith(b"\n"):
            piece = file.readline(LINE_LIMIT + 1)
        yield line
