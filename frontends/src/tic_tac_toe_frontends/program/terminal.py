"""The input and output of a program: a terminal with a screen, or plain streams of lines."""

from __future__ import annotations

import contextlib
import io
import os
import re
import shutil
import sys
import textwrap
import unicodedata
from collections.abc import Iterable, Mapping, Sequence
from importlib import import_module
from typing import TextIO

from ..words.foreign import harmless
from .process import OutputLost, reason_of

#: The letters of a line that are read; the rest of it is skipped.
LINE_LIMIT = 4_096
#: A line longer than this number of pieces of `LINE_LIMIT` letters counts as the end of the input.
PIECE_LIMIT = 4_096

NO_BREAK = "\N{NO-BREAK SPACE}"
CLEAR = "\033[2J\033[H"
STAND_OUT = "\033[1;5;7m"  # bold, blinking, reversed: one of them at least shows
UNDERLINED = "\033[1;4m"
PALE = "\033[2m"
NORMAL = "\033[0m"

#: What is shown in an encoding that lacks a letter.
_STAND_INS = {
    **str.maketrans("│┆┃╎─━┼┿╂╋·×–—“”«»\u2019", '||||-=++##.x--""""\'', "🎉😐"),
    ord("…"): "...",
}


def columns_of(text: str) -> int:
    """Return the number of columns that a text takes on the screen; a Chinese letter takes two."""
    return len(text) + sum(unicodedata.east_asian_width(sign) in "WF" for sign in text)


def in_columns(rows: Iterable[Sequence[str]]) -> list[str]:
    """Return rows of texts as lines, in which the texts of each column begin below each other."""
    table = [*rows]
    widths = [max(map(columns_of, column)) for column in zip(*table)]
    padded = (
        [text + " " * (width - columns_of(text)) for text, width in zip(row, widths)]
        for row in table
    )
    return ["  ".join(row).rstrip() for row in padded]


class Terminal:
    """An input and an output stream.

    Args:
        stdin, stdout: ``None``, as `sys` has it for a closed stream, counts as an empty one.
        environ: has ``TERM``. ``NO_COLOR`` changes nothing: marks are bold, dim, underlined or
            reversed, and nothing has a colour.
        plain: send no escape sequences.

    Attributes:
        interactive: whether both streams are terminals.
        fancy: whether escape sequences and drawings may be shown.
    """

    def __init__(
        self,
        stdin: TextIO | None = None,
        stdout: TextIO | None = None,
        environ: Mapping[str, str] | None = None,
        *,
        plain: bool = False,
    ) -> None:
        environ = os.environ if environ is None else environ
        self._stdin = stdin or io.StringIO()
        self._stdout = stdout or io.StringIO()
        for stream in (self._stdin, self._stdout):
            if isinstance(stream, io.TextIOWrapper):
                stream.reconfigure(errors="replace")
        on_screen = self._stdout.isatty()
        self.interactive = on_screen and self._stdin.isatty()
        self.fancy = on_screen and not plain and has_escapes(environ)
        if self.fancy and self.interactive:
            with contextlib.suppress(ImportError):
                import_module("readline")  # input() edits lines once this is imported

    @classmethod
    def standard(cls, *, plain: bool = False) -> Terminal:
        """Return the terminal of this process."""
        return cls(sys.stdin, sys.stdout, plain=plain)

    @property
    def size(self) -> tuple[int, int]:
        """The columns and lines of the screen; 80 and 24 if they are unknown."""
        return shutil.get_terminal_size()

    def can_show(self, text: str) -> bool:
        """Return whether the output has all letters of a text."""
        try:
            text.encode(self._stdout.encoding or "utf-8")
        except UnicodeEncodeError:
            return False
        return True

    def show(self, text: str = "", *, styled: bool = False, end: str = "\n") -> None:
        """Write a line or more.

        Args:
            styled: the text holds escape sequences that are meant; any others are made harmless.

        Raises:
            BrokenPipeError: the reader has closed the pipe.
            OutputLost: it cannot be written.
        """
        if not styled:
            text = "\n".join(map(harmless, text.split("\n")))
        try:
            self._stdout.write(self._encodable(text) + end)
            self._stdout.flush()
        except BrokenPipeError:
            raise
        except OSError as error:
            raise OutputLost(reason_of(error)) from error

    def show_wrapped(self, *paragraphs: str) -> None:
        """Write paragraphs in lines no longer than the screen is wide."""
        for line in self.wrapped(paragraphs):
            self.show(line)

    def wrapped(self, paragraphs: Iterable[str]) -> list[str]:
        """Return paragraphs as lines no longer than the screen is wide.

        What a no-break space joins stays in one line; it is shown as a plain space.
        """
        width = max(20, self.size[0] - 1)
        return [line for text in paragraphs for line in _lines(text, width)]

    def clear(self) -> None:
        """Clear the screen, if there is one."""
        if self.fancy:
            self.show(CLEAR, styled=True, end="")

    def ask(self, prompt: str) -> str:
        """Return the next line of the input, without its end.

        Raises:
            EOFError: the input has ended.
        """
        if self.interactive and self._stdin is sys.stdin and self._stdout is sys.stdout:
            try:
                if self.fancy:
                    return input(self._encodable(harmless(prompt)))
                self.show(prompt, end="")  # input() would write it to standard error
                return input()
            except (EOFError, KeyboardInterrupt):
                self.show()  # both leave the cursor behind the prompt
                raise
        # What comes through a pipe is not seen: an answer would run on in the line of the prompt.
        self.show(prompt.rstrip(), end="\n")
        return self._read_line()

    def _read_line(self) -> str:
        try:
            line = piece = self._stdin.readline(LINE_LIMIT)
            for _ in range(PIECE_LIMIT):
                if not piece or piece.endswith("\n"):
                    break
                piece = self._stdin.readline(LINE_LIMIT)
            else:
                line = ""
        except OSError:
            line = ""
        if not line:
            raise EOFError
        return line.rstrip("\r\n")

    def _encodable(self, text: str) -> str:
        if self.can_show(text):
            return text
        encoding = self._stdout.encoding or "utf-8"
        plain = text.replace(" 🎉", "!").translate(_STAND_INS)
        return plain.encode(encoding, "replace").decode(encoding)


def _lines(text: str, width: int) -> list[str]:
    if text.isascii() or columns_of(text) == len(text):
        return [line.replace(NO_BREAK, " ") for line in textwrap.wrap(text, width)]
    lines, line = [], ""  # Chinese, which may be broken anywhere but within words of other scripts
    for part in re.findall(rf"[!-~{NO_BREAK}]{{1,{width}}}|.", text):
        if columns_of(line + part) > width:
            lines.append(line.rstrip())
            line = ""
        line += part if line else part.lstrip()
    return [one.replace(NO_BREAK, " ") for one in (*lines, line)]


def has_escapes(environ: Mapping[str, str]) -> bool:
    """Return whether the terminal has escape sequences, such as one that takes a line back."""
    return (environ.get("TERM") or environ.get("WT_SESSION") or "dumb") != "dumb"
