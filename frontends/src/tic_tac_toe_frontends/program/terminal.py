"""The input and output of a program: a terminal with a screen, or plain streams of lines."""

from __future__ import annotations

import contextlib
import io
import os
import re
import shutil
import sys
import unicodedata
from collections.abc import Iterable, Mapping, Sequence
from importlib import import_module
from typing import TextIO

from ..words.foreign import escape_hidden

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


#: The wide letters of East Asia, and the signs that stay with what follows, or with what precedes.
_WIDE = (
    "\u1100-\u115f\u2e80-\u303e\u3041-\ua4cf\uac00-\ud7a3\uf900-\ufaff\ufe30-\ufe6f\uff00-\uff60"
    "\uffe0-\uffe6"
)
_OPENING, _CLOSING = "“‘（《【「『", "”’、。，．：；？！…％）》】」』"  # noqa: RUF001
#: What is never parted: a word, a wide letter, a gap.
_PARTS = re.compile(rf" +|[{_OPENING}]*(?:[{_WIDE}]|[^ {_WIDE}]+)[{_CLOSING}]*")
_OTHER_GAPS = re.compile(r"[\t-\r]+")
#: With less room than this beside what precedes it, a text stands below.
_LEAST_ROOM = 20


class OutputLost(Exception):
    """Standard output cannot be written: a full disk, a terminal that is closed."""


def screen_width() -> int:
    """Return how many columns a line may take: one less than the screen has, 79 where none is."""
    return max(_LEAST_ROOM, shutil.get_terminal_size().columns - 1)


def columns_of(text: str) -> int:
    """Return the number of columns that a text takes on the screen; a Chinese letter takes two."""
    return len(text) + sum(unicodedata.east_asian_width(sign) in "WF" for sign in text)


def unbroken(text: str) -> str:
    """Return a text, such as a command to copy, that `in_lines` keeps in one line."""
    return text.replace(" ", NO_BREAK)


def in_lines(text: str, width: int, hanging: int = 0) -> list[str]:
    """Return a text as lines of at most ``width`` columns of the screen.

    Words stay whole, as paths and addresses are, even where one alone takes more; so does what a
    no-break space joins, which becomes a plain space. Chinese is broken between any two letters.

    Args:
        hanging: by how much more than the first line the others are indented.
    """
    text = _OTHER_GAPS.sub(" ", text)
    body = text.lstrip(" ")
    lines, indent = [], len(text) - len(body)
    line = " " * indent
    for part in _PARTS.findall(body):
        if part[0] != " " and line.strip(" ") and columns_of(line + part) > width:
            lines.append(line.rstrip(" "))
            line = " " * (indent + hanging)
        line += part
    return [one.replace(NO_BREAK, " ") for one in (*lines, line.rstrip(" "))]


def in_columns(rows: Iterable[Sequence[str]], width: int | None = None) -> list[str]:
    """Return rows of texts as lines, in which the texts of each column begin below each other.

    Args:
        width: of the screen, if lines must not take more: last texts go on below themselves then.
    """
    table = [*rows]
    widths = [max(map(columns_of, column)) for column in zip(*table)]
    lines = []
    for row in table:
        *others, last = (text + " " * (wide - columns_of(text)) for text, wide in zip(row, widths))
        head, last = "  ".join([*others, ""]), last.rstrip()
        if width is None or columns_of(head + last) <= width:
            lines.append((head + last).rstrip())
            continue
        indent = columns_of(head)
        if width - indent < _LEAST_ROOM:
            lines.append(head.rstrip())
            head, indent = "", len(head) - len(head.lstrip()) + 4
        first, *more = in_lines(last, width - indent)
        lines.append((head or " " * indent) + first)
        lines += [" " * indent + line for line in more]
    return lines


def in_table(rows: Sequence[Sequence[str]], width: int) -> list[str]:
    """Return a row of headings and rows of short texts as lines that a screen is wide enough for.

    Headings are broken where the lines would be too long. The columns that do not fit even so
    follow below, behind the first one again.
    """
    whole = in_columns(rows)
    if max(map(columns_of, whole)) <= width:
        return whole
    broken = [in_lines(head, max(map(columns_of, column))) for head, *column in zip(*rows)]
    height = max(map(len, broken))
    columns = [
        [*[""] * (height - len(head)), *head, *column]
        for head, (_, *column) in zip(broken, zip(*rows))
    ]
    lines, block = list[str](), columns[:1]
    for column in columns[1:]:
        if len(block) > 1 and max(map(columns_of, in_columns(zip(*block, column)))) > width:
            lines += [*in_columns(zip(*block)), ""]
            block = columns[:1]
        block.append(column)
    return [*lines, *in_columns(zip(*block))]


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
            text = "\n".join(map(escape_hidden, text.split("\n")))
        try:
            self._stdout.write(self._encodable(text) + end)
            self._stdout.flush()
        except BrokenPipeError:
            raise
        except OSError as error:
            raise OutputLost(error.strerror or str(error)) from error

    def show_wrapped(self, *paragraphs: str) -> None:
        """Write paragraphs in lines no longer than the screen is wide; empty ones are left out."""
        for line in self.wrapped(paragraphs):
            self.show(line)

    def wrapped(self, paragraphs: Iterable[str]) -> list[str]:
        """Return paragraphs as lines no longer than the screen is wide; see `in_lines`."""
        width = screen_width()
        return [line for text in paragraphs if text.strip() for line in in_lines(text, width)]

    def show_lines(self, lines: Iterable[str]) -> None:
        """Write the lines of a report; what is too long for the screen goes on below, indented."""
        for text in "\n".join(lines).split("\n"):
            for line in in_lines(text, screen_width(), hanging=2):
                self.show(line)

    def show_entry(self, text: str) -> None:
        """Write what a program may read line by line: in one line, unless a person sees it."""
        if self._stdout.isatty():
            self.show_lines([text])
        else:
            self.show(text.replace(NO_BREAK, " "))

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
                    return input(self._encodable(escape_hidden(prompt)))
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


def has_escapes(environ: Mapping[str, str]) -> bool:
    """Return whether the terminal has escape sequences, such as one that takes a line back."""
    return (environ.get("TERM") or environ.get("WT_SESSION") or "dumb") != "dumb"
