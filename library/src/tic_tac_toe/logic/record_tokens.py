"""The words of records as text: tags, comments, numbers, moves, and what a backslash means."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import NamedTuple

from tic_tac_toe.logic.exceptions import InvalidNotation, quoted

_ESCAPED = {"\\": "\\\\", '"': '\\"', "{": "\\{", "}": "\\}", "\n": "\\n", "\t": "\\t"}
IN_TAGS = str.maketrans({sign: _ESCAPED[sign] for sign in '\\"'})
IN_COMMENTS = str.maketrans({sign: _ESCAPED[sign] for sign in "\\{}\n\t"})
_UNESCAPED = {escaped: sign for sign, escaped in _ESCAPED.items()}

_SPECIAL = re.compile(r'\\.?|["\n]')
_TOKEN = re.compile(
    r"(?P<blank>[ \t\n]+)"
    r"|(?P<tag>\[[^\n]*)"
    r"|(?P<comment>\{)"
    r"|(?P<number>[0-9]+\.+)"
    r"|(?P<word>[A-Za-z0-9]+|\*)"
)


class Token(NamedTuple):
    """A part of a record: its kind, a name of `_TOKEN` or ``end``, and the line it starts on."""

    kind: str
    text: str
    line: int


def tokens(text: str) -> Iterator[Token]:
    """Yield the tags, comments, numbers and words of a text, and an end.

    Raises:
        InvalidNotation: a sign that starts none of these, or a comment that does not end.
    """
    line, start = 1, 0
    while start < len(text):
        match = _TOKEN.match(text, start)
        if match is None:
            raise InvalidNotation(
                "unexpected {text}", "unexpected_sign", line=line, text=quoted(text[start])
            )
        kind, end = str(match.lastgroup), match.end()
        if kind == "comment":
            end = _end_of_comment(text, start)
            if not end:
                raise InvalidNotation(
                    "a comment begins that does not end", "open_comment", line=line
                )
        if kind != "blank":
            yield Token(kind, text[start:end], line)
        line += text.count("\n", start, end)
        start = end
    yield Token("end", "", line)


def _end_of_comment(text: str, start: int) -> int:
    """Return where the comment that starts here has ended, 0 if nowhere.

    One regular expression would say this too, and keep a note of each backslash that it passed.
    """
    end = text.find("}", start)
    while end > 0:
        before = end
        while text[before - 1] == "\\":
            before -= 1
        if (end - before) % 2 == 0:
            break
        end = text.find("}", end + 1)
    return end + 1


def unescaped(text: str, line: int, is_tag: bool = False) -> str:
    """Return a text that starts on this line without its escapes; line ends become spaces."""

    def meaning(match: re.Match[str]) -> str:
        sign = match[0]
        if sign in _UNESCAPED:
            return _UNESCAPED[sign]
        if sign == "\n":
            return " "
        if sign == '"' and not is_tag:
            return sign
        at = line + text.count("\n", 0, match.start())
        if sign == '"':
            raise InvalidNotation(
                "a quotation mark within a tag needs a backslash before it", "bare_quote", line=at
            )
        raise InvalidNotation(
            'a backslash before {text}: expected one of \\ " {{ }} n t there',
            "unknown_escape",
            line=at,
            text=quoted(sign[1:]),
        )

    return _SPECIAL.sub(meaning, text)
