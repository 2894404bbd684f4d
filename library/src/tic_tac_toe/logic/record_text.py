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
    fault_in_move,
    format_state,
    move_meant,
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


WIDTH = 80

#: A space between other signs: whichever editor the text goes through, a line may end here.
_BREAK = re.compile("(?<=[^ ]) (?=[^ ])")

_TAG = re.compile(r'\[([A-Za-z][A-Za-z0-9_]*)[ \t]+"(.*)"[ \t]*\][ \t]*')
_TERMINATIONS = {f"{mark} resigns": mark for mark in MARKS}


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
    lines = [f'[{name} "{value.translate(IN_TAGS)}"]' for name, value in tags]
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
            yield from _BREAK.split(f"{{{text.translate(IN_COMMENTS)}}}")
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
    rest = tokens(plain_text(text))
    records = []
    token = next(rest)
    while token.kind != "end":
        records.append(_read_record(token, rest))
        token = next(rest)
    return tuple(records)


def _read_record(token: Token, rest: Iterator[Token]) -> Record:
    tags: dict[str, _Tag] = {}
    while token.kind == "tag":
        with at_line(token.line):
            name, value = _read_tag(token.text, token.line)
            if name in tags:
                raise InvalidNotation("the tag {tag} is given twice", "repeated_tag", tag=name)
        tags[name] = _Tag(value, token.line)
        token = next(rest)
    start = _read_start(tags)
    position = start.position
    moves: list[int] = []
    comments: list[tuple[int, str]] = []
    while token.text not in RESULTS:
        with at_line(token.line):
            if token.kind == "comment":
                comments.append((len(moves), unescaped(token.text[1:-1], token.line)))
            elif token.kind == "number":
                _check_number(token.text, len(moves))
            elif token.kind == "word":
                is_guess = not moves and "Variant" not in tags
                cell, position = _read_move(
                    start.rules, position, token.text, len(moves) + 1, is_guess=is_guess
                )
                moves.append(cell)
            else:
                raise InvalidNotation(
                    "the game before this breaks off: it ends in none of {results}",
                    "no_result",
                    results=", ".join(RESULTS),
                )
        token = next(rest)
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
            raise InvalidNotation(
                "the result {text} should be {result}",
                "other_result",
                text=token.text,
                result=record.result,
            )
    for name, value in (("Result", record.result), ("PlyCount", str(len(moves)))):
        if name in tags and tags[name].value != value:
            raise InvalidNotation(
                "the tag {tag} should be {value}",
                "other_tag",
                line=tags[name].line,
                tag=name,
                value=value,
            )
    return record


def _read_tag(text: str, line: int) -> tuple[str, str]:
    match = _TAG.fullmatch(text)
    if not match:
        raise InvalidNotation(
            '{text} is not a tag: expected a line like [X "Ann"]', "no_tag", text=quoted(text)
        )
    name, value = match[1], unescaped(match[2], line, is_tag=True)
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
            raise InvalidNotation("the tag Starting should be X or O", "no_starter", line=tag.line)
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
        raise InvalidNotation(
            "the tag Termination should be X resigns or O resigns", "no_termination", line=tag.line
        )
    return _TERMINATIONS[tag.value]


def _read_move(
    rules: Rules, position: Position, word: str, number: int, *, is_guess: bool
) -> tuple[int, Position]:
    """Return a move and the position after it.

    Args:
        is_guess: whether nothing but this move can show which game it is.
    """
    try:
        cell = move_meant(rules, position, word)
        return cell, play_legal(rules, position, cell)
    except (InvalidMove, InvalidNotation) as error:
        fault = fault_in_move(error, number, word)
        if is_guess and isinstance(error, InvalidNotation):
            raise InvalidNotation(
                "{reason}; without a tag such as {tag} a game is tic-tac-toe",
                "untagged_game",
                reason=fault.message,
                tag='[Variant "gomoku"]',
            ) from None
        raise fault from None


def _check_number(text: str, moves: int) -> None:
    expected = str(moves // 2 + 1)
    if text.rstrip(".") != expected:
        raise InvalidNotation(
            "{text} stands where the moves have the number {number}",
            "other_number",
            text=quoted(text),
            number=int(expected),
        )
