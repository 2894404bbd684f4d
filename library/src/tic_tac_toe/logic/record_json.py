"""Records as JSON Lines: one object a line, for programs.

An object has these fields, of which ``position``, ``resigned``, ``tags`` and ``comments`` may be
missing when read, and no others::

    {"format": "tic-tac-toe-record", "version": 1, "variant": "tic-tac-toe", "starting": "X",
     "position": null, "moves": [4, 0, 8], "result": "*", "resigned": null,
     "tags": {"X": "Ann", "O": "minimax"}, "comments": [{"ply": 2, "text": "a corner holds"}]}

``moves`` are cells, counted from 0 in reading order; ``position`` is the text of the position that
the game began from, or null for the empty board; a comment's ``ply`` is the number of moves before
it. Characters beyond ASCII are written as escapes, so that no reader takes one for a line's end.
"""

from __future__ import annotations

import json
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Annotated

from tic_tac_toe.logic.exceptions import (
    GameError,
    InvalidGameState,
    InvalidMove,
    InvalidNotation,
    InvalidVariant,
    quoted,
)
from tic_tac_toe.logic.models import GameState, Mark
from tic_tac_toe.logic.notation import format_state, parse_state
from tic_tac_toe.logic.records import (
    Record,
    at_line,
    check_comment,
    first_state,
    plain_text,
    play_legal,
    rules_named,
)
from tic_tac_toe.logic.rules.catalogue import variant_name
from tic_tac_toe.logic.strict_json import (
    object_reader,
    parse,
    read_object,
    read_text,
    read_whole,
)

FORMAT = "tic-tac-toe-record"
VERSION = 1


def records_to_json(records: Iterable[Record]) -> str:
    """Return games as JSON Lines, from which `records_from_json` makes the same games.

    Raises:
        InvalidVariant: the rules are a user's own and have no name.
    """
    return "".join(json.dumps(_to_object(record)) + "\n" for record in records)


def records_from_json(text: str) -> tuple[Record, ...]:
    """Return the games in JSON Lines: the inverse of `records_to_json`.

    Blank lines are passed over. Time and memory are linear in the length of the text; reading stops
    at the first fault, the first illegal move included.

    Raises:
        InvalidNotation: anything is wrong; ``line`` and the message say where and what, with the
            path to the field, such as ``moves[3]``.
    """
    records = []
    for number, line in enumerate(plain_text(text).split("\n"), start=1):
        if line.strip(" \t"):
            with at_line(number):
                records.append(_from_object(parse(line)))
    return tuple(records)


def _to_object(record: Record) -> dict[str, object]:
    return {
        "format": FORMAT,
        "version": VERSION,
        "variant": variant_name(record.rules),
        "starting": record.starting_mark.value,
        "position": format_state(record.start) if record.start else None,
        "moves": record.moves,
        "result": record.result,
        "resigned": record.resigned.value if record.resigned else None,
        "tags": dict(record.tags),
        "comments": [{"ply": ply, "text": text} for ply, text in record.comments],
    }


def read_mark(value: object, path: str) -> Mark:
    """Return the mark of a letter in JSON; raise `InvalidNotation` if it is another value."""
    if value not in ("X", "O"):
        raise InvalidNotation('{path}: expected "X" or "O"', "json_mark", path=path)
    return Mark(value)


def _read_tags(value: object, path: str) -> tuple[tuple[str, str], ...]:
    tags = read_object(value, path)
    return tuple((name, read_text(tags[name], f"{path}.{quoted(name)}")) for name in tags)


@dataclass(frozen=True)
class _Comment:
    """A comment as it is written."""

    ply: int
    text: str


@dataclass(frozen=True)
class _Written:
    """A record as it is written; its moves and comments are read once the game is known."""

    format: str
    version: int
    variant: str
    starting: Annotated[Mark, read_mark]
    moves: list[object]
    result: str
    position: str | None = None
    resigned: Annotated[Mark, read_mark] | None = None
    tags: Annotated[tuple[tuple[str, str], ...], _read_tags] = ()
    comments: tuple[_Comment, ...] = ()


_read_written = object_reader(_Written, "the record")


def _from_object(value: object) -> Record:
    values = read_object(value, "the record")
    if values.get("format") != FORMAT:
        raise InvalidNotation('format: expected "{format}"', "record_format", format=FORMAT)
    version = read_whole(values.get("version"), "version")
    if version != VERSION:
        raise InvalidNotation(
            "version: {version} is unknown here, expected {known}",
            "record_version",
            version=version,
            known=VERSION,
        )
    written = _read_written(values, "")
    start = _start_of(written)
    moves = _legal_moves(written.moves, start)
    for number, comment in enumerate(written.comments):
        check_comment(comment.text, f"comments[{number}].text")
        if not 0 <= comment.ply <= len(moves):
            raise InvalidNotation(
                "{path}.ply: expected 0 to {last}",
                "json_range",
                path=f"comments[{number}]",
                last=len(moves),
            )
    record = Record(
        start.rules,
        start.starting_mark,
        moves,
        written.tags,
        tuple((comment.ply, comment.text) for comment in written.comments),
        None if written.position is None else start,
        written.resigned,
    )
    if written.result != record.result:
        raise InvalidNotation(
            'result: the moves make it "{result}"', "record_result", result=record.result
        )
    return record


def _start_of(written: _Written) -> GameState:
    try:
        rules = rules_named(written.variant)
    except InvalidVariant as error:
        raise _at("variant", error) from error
    if written.position is None:
        return first_state(rules, written.starting)
    try:
        return parse_state(written.position, rules, written.starting)
    except (InvalidGameState, InvalidNotation) as error:
        raise _at("position", error) from error


def _legal_moves(entries: list[object], start: GameState) -> tuple[int, ...]:
    moves: list[int] = []
    position = start.position
    try:
        for entry in entries:
            cell = read_whole(entry, f"moves[{len(moves)}]")
            position = play_legal(start.rules, position, cell)
            moves.append(cell)
    except InvalidMove as error:
        raise _at(f"moves[{len(moves)}]", error) from error
    return tuple(moves)


def _at(path: str, error: GameError) -> InvalidNotation:
    return InvalidNotation("{path}: {reason}", "json_at", path=path, reason=error.message)
