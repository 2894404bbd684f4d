r"""Records as text that people can read, write and keep: one game a block, in the manner of PGN.

A game is lines of tags, its moves, and its result, ``X``, ``O``, ``draw`` or ``*`` for one that is
not finished; games may follow each other, with blank lines between::

    [Variant "tic-tac-toe"]
    [X "Ann"]
    [O "minimax"]
    [Starting "X"]
    [Result "*"]

    1. B2 A1 {a corner holds} 2. C3 *

``Variant`` is the name of the rules and ``Starting`` the mark that moved first. ``Position`` is
the text of the position that the game began from, unless that was the empty board. ``Result``
repeats the result. Where a player gave up, ``Termination`` is ``X resigns`` or ``O resigns``, and
``PlyCount`` the number of moves, by which a record that was cut short is told from a whole one.
Other tags are free. A game that is read may lack any tag: it is then tic-tac-toe, begun by X from
the empty board.

Moves are written as players write them, numbered by pairs; the numbers may be missing when read.
A comment stands in braces after the move that it speaks of. In comments and in the values of tags
a backslash comes before a backslash, a quotation mark or a brace that is meant itself; ``\n`` is a
new line and ``\t`` a tab. The end of a line within a comment is a space.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from typing import NamedTuple

from tic_tac_toe.logic.exceptions import InvalidMove, InvalidNotation, quoted
from tic_tac_toe.logic.models import MARKS, GameState, Mark
from tic_tac_toe.logic.notation import (
    cell_of_move,
    fault_in_move,
    format_state,
    move_name,
    parse_state,
)
from tic_tac_toe.logic.positions import Position
from tic_tac_toe.logic.records import (
    RESERVED_TAGS,
    RESULTS,
    Record,
    at_line,
    check_tag,
    first_state,
    plain_text,
    play_legal,
    rules_named,
)
from tic_tac_toe.logic.rules import Rules
from tic_tac_toe.logic.rules.catalogue import TIC_TAC_TOE, variant_name

WIDTH = 80

_ESCAPED = {"\\": "\\\\", '"': '\\"', "{": "\\{", "}": "\\}", "\n": "\\n", "\t": "\\t"}
_IN_TAGS = str.maketrans({sign: _ESCAPED[sign] for sign in '\\"'})
_IN_COMMENTS = str.maketrans({sign: _ESCAPED[sign] for sign in "\\{}\n\t"})
_UNESCAPED = {escaped: sign for sign, escaped in _ESCAPED.items()}

#: A space between other signs: whichever editor the text goes through, a line may end here.
_BREAK = re.compile("(?<=[^ ]) (?=[^ ])")

_TAG = re.compile(r'\[([A-Za-z][A-Za-z0-9_]*)[ \t]+"(.*)"[ \t]*\][ \t]*')
_SPECIAL = re.compile(r'\\.?|["\n]')
_TERMINATIONS = {f"{mark} resigns": mark for mark in MARKS}
_TOKEN = re.compile(
    r"(?P<blank>[ \t\n]+)"
    r"|(?P<tag>\[[^\n]*)"
    r"|(?P<comment>\{)"
    r"|(?P<number>[0-9]+\.+)"
    r"|(?P<word>[A-Za-z0-9]+|\*)"
)


# -- writing ---------------------------------------------------------------------------------------


def format_records(records: Iterable[Record]) -> str:
    """Return games as text, from which `parse_records` makes the same games.

    Raises:
        InvalidVariant: the rules are a user's own and have no name.
    """
    return "\n".join(_format_record(record) for record in records)


def _format_record(record: Record) -> str:
    tags = [("Variant", variant_name(record.rules)), *record.tags]
    tags.append(("Starting", record.starting_mark.value))
    if record.start:
        tags.append(("Position", format_state(record.start)))
    tags.append(("Result", record.result))
    if record.resigned:
        tags.append(("Termination", f"{record.resigned} resigns"))
        tags.append(("PlyCount", str(len(record.moves))))
    lines = [f'[{name} "{value.translate(_IN_TAGS)}"]' for name, value in tags]
    return "\n".join([*lines, "", *_wrapped(_pieces(record)), ""])


def _pieces(record: Record) -> Iterator[str]:
    """Yield what a line of moves may end after."""
    comments: dict[int, list[str]] = {}
    for ply, text in record.comments:
        comments.setdefault(ply, []).append(text)
    for ply in range(len(record.moves) + 1):
        if ply:
            name = move_name(record.initial_state, record.moves[ply - 1])
            yield f"{ply // 2 + 1}. {name}" if ply % 2 else name
        for text in comments.get(ply, ()):
            yield from _BREAK.split(f"{{{text.translate(_IN_COMMENTS)}}}")
    yield record.result


def _wrapped(pieces: Iterable[str]) -> Iterator[str]:
    line = ""
    for piece in pieces:
        if line and len(line) + 1 + len(piece) > WIDTH:
            yield line
            line = ""
        line += f" {piece}" if line else piece
    yield line


# -- reading ---------------------------------------------------------------------------------------


class _Token(NamedTuple):
    kind: str
    text: str
    line: int


class _Tag(NamedTuple):
    value: str
    line: int


def parse_records(text: str) -> tuple[Record, ...]:
    """Return the games that a text tells: the inverse of `format_records`.

    Time and memory grow with the length of the text and with nothing else; reading stops at the
    first fault, the first illegal move included.

    Raises:
        InvalidNotation: anything is wrong; ``line`` and the message say where and what.
    """
    tokens = _tokens(plain_text(text))
    records = []
    token = next(tokens)
    while token.kind != "end":
        records.append(_read_record(token, tokens))
        token = next(tokens)
    return tuple(records)


def _read_record(token: _Token, tokens: Iterator[_Token]) -> Record:
    tags: dict[str, _Tag] = {}
    while token.kind == "tag":
        with at_line(token.line):
            name, value = _read_tag(token.text, token.line)
            if name in tags:
                raise InvalidNotation(f"the tag {name} is given twice")
        tags[name] = _Tag(value, token.line)
        token = next(tokens)
    start = _read_start(tags)
    position = start.position
    moves: list[int] = []
    comments: list[tuple[int, str]] = []
    while token.text not in RESULTS:
        with at_line(token.line):
            if token.kind == "comment":
                comments.append((len(moves), _unescaped(token.text[1:-1], token.line)))
            elif token.kind == "number":
                _check_number(token.text, len(moves))
            elif token.kind == "word":
                cell, position = _read_move(start.rules, position, token.text, len(moves) + 1)
                moves.append(cell)
            else:
                results = ", ".join(RESULTS)
                raise InvalidNotation(
                    f"the game before this breaks off: it ends in none of {results}"
                )
        token = next(tokens)
    resigned = _read_resignation(tags)
    with at_line(token.line):
        record = Record(
            start.rules,
            start.starting_mark,
            tuple(moves),
            tuple((name, tag.value) for name, tag in tags.items() if name not in RESERVED_TAGS),
            tuple(comments),
            start if "Position" in tags else None,
            resigned,
        )
        if token.text != record.result:
            raise InvalidNotation(f"the result {token.text} should be {record.result}")
    for name, value in (("Result", record.result), ("PlyCount", str(len(moves)))):
        if name in tags and tags[name].value != value:
            raise InvalidNotation(f"the tag {name} should be {value}", line=tags[name].line)
    return record


def _tokens(text: str) -> Iterator[_Token]:
    """Yield the tags, comments, numbers and words of a text, and an end."""
    line, start = 1, 0
    while start < len(text):
        match = _TOKEN.match(text, start)
        if match is None:
            raise InvalidNotation(f"unexpected {quoted(text[start])}", line=line)
        kind, end = str(match.lastgroup), match.end()
        if kind == "comment":
            end = _end_of_comment(text, start)
            if not end:
                raise InvalidNotation("a comment begins that does not end", line=line)
        if kind != "blank":
            yield _Token(kind, text[start:end], line)
        line += text.count("\n", start, end)
        start = end
    yield _Token("end", "", line)


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


def _read_tag(text: str, line: int) -> tuple[str, str]:
    match = _TAG.fullmatch(text)
    if not match:
        raise InvalidNotation(f'{quoted(text)} is no tag: expected a line like [X "Ann"]')
    name, value = match[1], _unescaped(match[2], line, is_tag=True)
    if name not in RESERVED_TAGS:
        check_tag(name, value)
    return name, value


def _read_start(tags: dict[str, _Tag]) -> GameState:
    rules: Rules = TIC_TAC_TOE
    starting_mark = None
    if tag := tags.get("Variant"):
        with at_line(tag.line):
            rules = rules_named(tag.value)
    if tag := tags.get("Starting"):
        if tag.value not in ("X", "O"):
            raise InvalidNotation("the tag Starting should be X or O", line=tag.line)
        starting_mark = Mark(tag.value)
    if tag := tags.get("Position"):
        with at_line(tag.line):
            return parse_state(tag.value, rules, starting_mark)
    return first_state(rules, starting_mark or Mark.CROSS)


def _read_resignation(tags: dict[str, _Tag]) -> Mark | None:
    tag = tags.get("Termination")
    if tag is None:
        return None
    if tag.value not in _TERMINATIONS:
        raise InvalidNotation("the tag Termination should be X resigns or O resigns", line=tag.line)
    return _TERMINATIONS[tag.value]


def _read_move(rules: Rules, position: Position, word: str, number: int) -> tuple[int, Position]:
    try:
        cell = cell_of_move(rules, position, word)
        return cell, play_legal(rules, position, cell)
    except (InvalidMove, InvalidNotation) as error:
        raise fault_in_move(error, number, word) from None


def _check_number(text: str, moves: int) -> None:
    expected = str(moves // 2 + 1)
    if text.rstrip(".") != expected:
        raise InvalidNotation(f"{quoted(text)} stands where the moves have the number {expected}")


def _unescaped(text: str, line: int, is_tag: bool = False) -> str:
    """Return what was meant by a text that starts on this line, with backslashes and line ends."""

    def meaning(match: re.Match[str]) -> str:
        sign = match[0]
        if sign in _UNESCAPED:
            return _UNESCAPED[sign]
        if sign == "\n":
            return " "
        if sign == '"' and not is_tag:
            return sign
        if sign == '"':
            reason = "a quotation mark within a tag needs a backslash before it"
        else:
            reason = f'a backslash before {quoted(sign[1:])}: expected one of \\ " {{ }} n t there'
        raise InvalidNotation(reason, line=line + text.count("\n", 0, match.start()))

    return _SPECIAL.sub(meaning, text)
