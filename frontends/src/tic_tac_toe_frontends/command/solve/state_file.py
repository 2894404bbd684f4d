"""The file of ``tic-tac-toe solve --file``: in each line a position or a list of moves.

Test sets of Connect Four have ``MOVES SCORE`` in a line. The scale is Pascal Pons's: a win counts
the marks that the winner has left, the last one included, so that a win with the last possible mark
is worth 1; a loss is as much below 0, and a draw is 0.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import replace
from typing import BinaryIO, NamedTuple

from tic_tac_toe.logic.models import GameState
from tic_tac_toe.logic.rules.traits import traits_of
from tic_tac_toe.logic.search.evaluation import Evaluation
from tic_tac_toe.solver.scale import Scale

from ...program.files import decode, opened, reading, refuse_foreign
from ...program.options import PositionArgs
from ...program.process import Refused

#: The most bytes in a line; what follows them in a longer one is passed over.
LINE_LIMIT = 4_096

_MOVES_AND_NUMBER = re.compile(r"(\S+)[ \t]+([+-]?\d+)")


class Line(NamedTuple):
    """A line of the file.

    Attributes:
        number: counted from 1.
        state: what it describes, or what is wrong in it.
        score: what it says that the state is worth, if it does.
    """

    number: int
    state: GameState | Refused
    score: int | None = None


def read_lines(name: str, args: PositionArgs) -> Iterator[Line]:
    """Yield the lines except empty ones and comments.

    Each is yielded as soon as it is read, so that a program may wait for the answer before it
    writes the next line. A list of moves has a digit in it, and a position has none. A number
    behind several moves that are run together is a score.

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
    """Return what a state is worth on the scale of the test sets, ``None`` if it is not known."""
    scale, score = Scale.of(state.rules, state.position), found.score
    return None if score is None else scale.to_marks(score)


def _read_line(number: int, content: bytes, args: PositionArgs) -> Line | None:
    """Return what a line says or what is wrong in it; ``None`` for a comment."""
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
            pass  # the same fault is found below
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
    """Yield the lines; of those that are too long one byte more than is accepted."""
    while line := file.readline(LINE_LIMIT + 1):
        piece = line
        while len(piece) > LINE_LIMIT and not piece.endswith(b"\n"):
            piece = file.readline(LINE_LIMIT + 1)
        yield line
