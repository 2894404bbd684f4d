"""The file of ``tic-tac-toe solve --file``: in each line a position or a list of moves."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from typing import BinaryIO

from tic_tac_toe.logic.models import GameState

from ...program.files import decode, opened, reading
from ...program.position_args import PositionArgs
from ...program.process import Refused

#: The most bytes in a line; what follows them in a longer one is passed over.
LINE_LIMIT = 4_096


def read_states(name: str, args: PositionArgs) -> Iterator[tuple[int, GameState | Refused]]:
    """Yield the number of each line with the state that it describes, or with what is wrong in it.

    Each is yielded as soon as its line is read, so that a program may wait for the answer before it
    writes the next line. A list of moves has a digit in it, and a position has none.

    Raises:
        Refused: the file cannot be read.
    """
    with reading(name, args.language), opened(name) as file:
        for number, content in enumerate(_lines(file), start=1):
            state = _read_state(content, args)
            if state is not None:
                yield number, state


def _read_state(content: bytes, args: PositionArgs) -> GameState | Refused | None:
    """Return the state that a line describes or what is wrong in it; ``None`` for a comment."""
    try:
        text = decode(content, LINE_LIMIT, args.language).rstrip("\r\n")
        if not text.strip() or text.lstrip().startswith("#"):
            return None
        has_digit = any(sign.isdecimal() for sign in text)
        moves, position = (text, None) if has_digit else (None, text)
        return replace(args, moves=moves, position=position).state()
    except Refused as refusal:
        return refusal


def _lines(file: BinaryIO) -> Iterator[bytes]:
    """Yield the lines; of those that are too long one byte more than is accepted."""
    while line := file.readline(LINE_LIMIT + 1):
        piece = line
        while len(piece) > LINE_LIMIT and not piece.endswith(b"\n"):
            piece = file.readline(LINE_LIMIT + 1)
        yield line
