"""The file of ``tic-tac-toe solve --file``: a position or a list of moves a line, as they come."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Iterator
from gettext import NullTranslations
from pathlib import Path
from typing import BinaryIO

from tic_tac_toe.logic.models import GameState

from ...program.process import Refused, reason_of
from ...program.record_files import STDIN
from ...program.terminal import harmless, shortened
from ..position_args import state_of

#: Longer lines are no positions; what is beyond is passed over.
LINE_LIMIT = 4_096


def read_states(
    options: argparse.Namespace, language: NullTranslations
) -> Iterator[tuple[int, GameState | Refused]]:
    """Yield the number of each line with the state that it describes, or with what is wrong in it.

    Each is yielded as soon as it is read, so that the answers may be waited for before more is
    written. A list of moves has a digit in it, and a position has none.

    Raises:
        Refused: the file cannot be read.
    """
    for number, content in _lines(options.file, language):
        state = _read_state(content, options, language)
        if state is not None:
            yield number, state


def _read_state(
    content: bytes, options: argparse.Namespace, language: NullTranslations
) -> GameState | Refused | None:
    """Return the state that a line describes, what is wrong in it, or nothing if it has none."""
    try:
        text = _decoded(content, language)
        if not text.strip() or text.lstrip().startswith("#"):
            return None
        return _state(text, options, language)
    except Refused as refusal:
        return refusal


def _state(text: str, options: argparse.Namespace, language: NullTranslations) -> GameState:
    as_moves = any(sign.isdecimal() for sign in text)
    line = {"moves": text, "position": None} if as_moves else {"moves": None, "position": text}
    return state_of(argparse.Namespace(**{**vars(options), **line}), language)


def _decoded(content: bytes, language: NullTranslations) -> str:
    if len(content) >= LINE_LIMIT:
        message = language.gettext("larger than {count} bytes")
        raise Refused(message.format(count=f"{LINE_LIMIT:,}"))
    try:
        return content.decode("utf-8-sig").rstrip("\r\n")
    except UnicodeDecodeError as error:
        message = language.gettext("byte {number} is no UTF-8 text")
        raise Refused(message.format(number=error.start + 1)) from None


def _lines(name: str, language: NullTranslations) -> Iterator[tuple[int, bytes]]:
    """Yield the lines by number, cut where they are too long."""
    try:
        if name == STDIN:
            if sys.stdin is not None:
                yield from enumerate(_pieces(sys.stdin.buffer), start=1)
        else:
            with Path(name).open("rb") as file:
                yield from enumerate(_pieces(file), start=1)
    except (OSError, ValueError) as error:
        message = language.gettext("cannot read {file}: {reason}")
        text = message.format(file=shortened(name), reason=reason_of(error))
        raise Refused(harmless(text)) from None


def _pieces(file: BinaryIO) -> Iterator[bytes]:
    while line := file.readline(LINE_LIMIT):
        piece = line
        while len(piece) == LINE_LIMIT and not piece.endswith(b"\n"):
            piece = file.readline(LINE_LIMIT)  # the rest of a line that is too long
        yield line
