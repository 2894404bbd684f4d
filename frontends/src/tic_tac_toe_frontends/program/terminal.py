"""The input and output of a program: a terminal, or plain streams of lines."""

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

from ..words.foreign import escaped

#: The maximum length of an input line; the rest is skipped.
LINE_LIMIT = 4_096
#: A line of more pieces of `LINE_LIMIT` characters counts as the end of the input.
PIECE_LIMIT = 4_096

NO_BREAK = "\N{NO-BREAK SPACE}"
CLEAR = "\033[2J\033[H"
STAND_OUT = "\033[1;5;7m"  # bold, blinking, reversed: every terminal shows at least one
UNDERLINED = "\033[1;4m"
PALE = "\033[2m"
NORMAL = "\033[0m"

#: Replacements for letters that an encoding lacks.
_STAND_INS = {
    **str.maketrans("│┆┃╎─━┼┿╂╋·×–—“”«»\u2019", '||||-=++##.x--""""\'', "🎉😐"),
    ord("…"): "...",
}


#: Wide East Asian letters, and punctuation that stays with the next or the previous letter.
_WIDE = (
    "\u1100-\u115f\u2e80-\u303e\u3041-\ua4cf\uac00-\ud7a3\uf900-\ufaff\ufe30-\ufe6f\uff00-\uff60"
    "\uffe0-\uffe6"
)
_OPENING, _CLOSING = "“‘（《【「『", "”’、。，．：；？！…％）》】」』"  # noqa: RUF001  # wide on purpose
#: The unbreakable parts of a text: a word, a wide letter, a gap.
_PARTS = re.compile(rf" +|[{_OPENING}]*(?:[{_WIDE}]|[^ {_WIDE}]+)[{_CLOSING}]*")
_OTHER_GAPS = re.compile(r"[\t-\r]+")
#: With fewer columns left, a text goes to the next line.
_LEAST_ROOM = 20


class OutputLost(Exception):
    """Standard output cannot be written: a full disk, a closed terminal."""


def screen_width() -> int:
    """Return the maximum width of a line: one column less than the screen, 79 without a screen."""
    return max(_LEAST_ROOM, shutil.get_terminal_size().columns - 1)


def columns_of(text: str) -> int:
    """Return the width of a text in columns; a Chinese letter takes two."""
    return len(text) + sum(unicodedata.east_asian_width(sign) in "WF" for sign in text)


def unbroken(text: str) -> str:
    """Return a text, such as a command to copy, that `in_lines` does not break."""
    return text.replace(" ", NO_BREAK)


def in_lines(text: str, width: int, hanging: int = 0) -> list[str]:
    """Return a text as lines of at most ``width`` columns of the screen.

    Words, such as paths and addresses, stay whole even if one alone is wider. A no-break space does
    not break, and becomes a plain space. Chinese breaks between any two letters.

    Args:
        hanging: the indentation of the other lines relative to the first.
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
    """Return rows of texts as lines with aligned columns.

    Args:
        width: if given, the maximum width; last columns are then wrapped in place.
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
    """Return headings and rows of short texts as lines that fit a width.

    Long headings are broken. Columns that still do not fit follow below, after the first one again.
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
        stdin, stdout: ``None``, which `sys` has for a closed stream, counts as an empty stream.
        environ: has ``TERM``. ``NO_COLOR`` changes nothing: there are no colours, only bold, dim,
            underlined and reversed text.
        plain: send no escape sequences.

    Attributes:
        interactive: whether both streams are terminals.
        fancy: whether escape sequences and drawings are allowed.
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
                import_module("readline")  # gives input() line editing

    @classmethod
    def standard(cls, *, plain: bool = False) -> Terminal:
        """Return the terminal of this process."""
        return cls(sys.stdin, sys.stdout, plain=plain)

    @property
    def size(self) -> tuple[int, int]:
        """The columns and lines of the screen, by default 80 and 24."""
        return shutil.get_terminal_size()

    def can_show(self, text: str) -> bool:
        """Return whether the output can encode a text."""
        try:
            text.encode(self._stdout.encoding or "utf-8")
        except UnicodeEncodeError:
            return False
        return True

    def show(self, text: str = "", *, styled: bool = False, end: str = "\n") -> None:
        """Write a line or more.

        Args:
            styled: keep the escape sequences of the text; otherwise they are escaped.

        Raises:
            BrokenPipeError: the reader closed the pipe.
            OutputLost: the output cannot be written.
        """
        if not styled:
            text = "\n".join(map(escaped, text.split("\n")))
        try:
            self._stdout.write(self._encodable(text) + end)
            self._stdout.flush()
        except BrokenPipeError:
            raise
        except OSError as error:
            raise OutputLost(error.strerror or str(error)) from error

    def show_wrapped(self, *paragraphs: str) -> None:
        """Write paragraphs wrapped to the screen; empty ones are left out."""
        for line in self.wrapped(paragraphs):
            self.show(line)

    def wrapped(self, paragraphs: Iterable[str]) -> list[str]:
        """Return paragraphs wrapped to the screen; see `in_lines`."""
        width = screen_width()
        return [line for text in paragraphs if text.strip() for line in in_lines(text, width)]

    def show_lines(self, lines: Iterable[str]) -> None:
        """Write the lines of a report; long lines are wrapped and indented."""
        for text in "\n".join(lines).split("\n"):
            for line in in_lines(text, screen_width(), hanging=2):
                self.show(line)

    def show_entry(self, text: str) -> None:
        """Write a text that programs may read: in one line, wrapped only on a screen."""
        if self._stdout.isatty():
            self.show_lines([text])
        else:
            self.show(text.replace(NO_BREAK, " "))

    def clear(self) -> None:
        """Clear the screen, if there is one."""
        if self.fancy:
            self.show(CLEAR, styled=True, end="")

    def ask(self, prompt: str) -> str:
        """Return the next input line without its end.

        Raises:
            EOFError: the input has ended.
        """
        if self.interactive and self._stdin is sys.stdin and self._stdout is sys.stdout:
            try:
                if self.fancy:
                    return input(self._encodable(escaped(prompt)))
                self.show(prompt, end="")  # input() would write the prompt to standard error
                return input()
            except (EOFError, KeyboardInterrupt):
                self.show()  # both leave the cursor after the prompt
                raise
        # Piped input is not echoed: without this an answer would continue the prompt's line.
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
    """Return whether the terminal has escape sequences."""
    return (environ.get("TERM") or environ.get("WT_SESSION") or "dumb") != "dumb"
