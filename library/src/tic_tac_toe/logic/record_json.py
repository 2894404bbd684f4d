"""Records as JSON Lines: one object a line, for programs.

An object has these fields, of which ``position``, ``resigned``, ``tags`` and ``comments`` may be
missing when read, and no others::

    {"format": "tic-tac-toe-record", "version": 1, "variant": "tic-tac-toe", "starting": "X",
     "position": null, "moves": [4, 0, 8], "result": "*", "resigned": null,
     "tags": {"X": "Ann", "O": "minimax"}, "comments": [{"ply": 2, "text": "a corner holds"}]}

``moves`` are cells, counted from 0 in reading order; ``position`` is the text of the position that
the game began from, or null for the empty board; a comment's ``ply`` is the number of moves before
it. All signs beyond ASCII are written as escapes, so that no reader can take one for a line's end.
"""

from __future__ import annotations

import json
import math
from collections.abc import Iterable

from tic_tac_toe.logic.exceptions import (
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

FORMAT = "tic-tac-toe-record"
VERSION = 1

_REQUIRED = ("format", "version", "variant", "starting", "moves", "result")
_OPTIONAL = ("position", "resigned", "tags", "comments")
_KINDS = {
    dict: "an object",
    list: "a list",
    str: "a text",
    bool: "true or false",
    int: "a whole number",
    float: "a fraction or an immense number",
    type(None): "null",
}


def records_to_json(records: Iterable[Record]) -> str:
    """Return games as JSON Lines, from which `records_from_json` makes the same games.

    Raises:
        InvalidVariant: the rules are a user's own and have no name.
    """
    return "".join(json.dumps(_to_object(record)) + "\n" for record in records)


def records_from_json(text: str) -> tuple[Record, ...]:
    """Return the games that JSON Lines tell: the inverse of `records_to_json`.

    Blank lines are passed over. Time and memory grow with the length of the text and with nothing
    else; reading stops at the first fault, the first illegal move included.

    Raises:
        InvalidNotation: anything is wrong; ``line`` and the message say where and what, with the
            path to the field, such as ``moves[3]``.
    """
    records = []
    for number, line in enumerate(plain_text(text).split("\n"), start=1):
        if line.strip(" \t"):
            with at_line(number):
                records.append(_from_object(_parse(line)))
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


def _from_object(value: object) -> Record:
    fields = _object(value, "the record")
    if fields.get("format") != FORMAT:
        raise InvalidNotation(f'format: expected "{FORMAT}"')
    version = _whole(fields.get("version"), "version")
    if version != VERSION:
        raise InvalidNotation(f"version: {version} is unknown here, expected {VERSION}")
    _check_names(fields, "the record", _REQUIRED, _OPTIONAL)
    start = _read_start(fields)
    moves = _read_moves(fields["moves"], start)
    tags = _object(fields.get("tags", {}), "tags")
    comments = _list(fields.get("comments", []), "comments")
    resigned = fields.get("resigned")
    record = Record(
        start.rules,
        start.starting_mark,
        moves,
        tuple((name, _text(tags[name], f"tags.{quoted(name)}")) for name in tags),
        tuple(_read_comment(entry, f"comments[{i}]", moves) for i, entry in enumerate(comments)),
        None if fields.get("position") is None else start,
        None if resigned is None else _read_mark(resigned, "resigned"),
    )
    if _text(fields["result"], "result") != record.result:
        raise InvalidNotation(f'result: the moves make it "{record.result}"')
    return record


def _read_start(fields: dict[str, object]) -> GameState:
    variant = _text(fields["variant"], "variant")
    starting_mark = _read_mark(fields["starting"], "starting")
    try:
        rules = rules_named(variant)
    except InvalidVariant as error:
        raise InvalidNotation(f"variant: {error}") from error
    if fields.get("position") is None:
        return first_state(rules, starting_mark)
    position = _text(fields["position"], "position")
    try:
        return parse_state(position, rules, starting_mark)
    except (InvalidGameState, InvalidNotation) as error:
        raise InvalidNotation(f"position: {error}") from error


def _read_moves(value: object, start: GameState) -> tuple[int, ...]:
    moves: list[int] = []
    position = start.position
    try:
        for entry in _list(value, "moves"):
            cell = _whole(entry, f"moves[{len(moves)}]")
            position = play_legal(start.rules, position, cell)
            moves.append(cell)
    except InvalidMove as error:
        raise InvalidNotation(f"moves[{len(moves)}]: {error}") from error
    return tuple(moves)


def _read_comment(value: object, path: str, moves: tuple[int, ...]) -> tuple[int, str]:
    fields = _object(value, path)
    _check_names(fields, path, ("ply", "text"))
    ply, text = _whole(fields["ply"], f"{path}.ply"), _text(fields["text"], f"{path}.text")
    if not 0 <= ply <= len(moves):
        raise InvalidNotation(f"{path}.ply: expected 0 to {len(moves)}")
    check_comment(text, f"{path}.text")
    return ply, text


def _read_mark(value: object, path: str) -> Mark:
    if value not in ("X", "O"):
        raise InvalidNotation(f'{path}: expected "X" or "O"')
    return Mark(value)


# -- JSON, strictly --------------------------------------------------------------------------------


def _parse(text: str) -> object:
    """Return what a text of JSON says; names given twice and NaN are no JSON here."""
    try:
        value: object = json.loads(
            text,
            object_pairs_hook=_without_repetition,
            parse_int=_parse_whole,
            parse_constant=_refuse_constant,
        )
    except json.JSONDecodeError as error:
        raise InvalidNotation(f"no JSON: {error.msg}, column {error.colno}") from None
    except RecursionError:
        raise InvalidNotation("lists or objects are nested too deeply") from None
    return value


def _without_repetition(pairs: list[tuple[str, object]]) -> dict[str, object]:
    fields: dict[str, object] = {}
    for name, value in pairs:
        if name in fields:
            raise InvalidNotation(f"the field {quoted(name)} is given twice")
        fields[name] = value
    return fields


def _parse_whole(digits: str) -> int | float:
    # To read thousands of digits takes long, and some Pythons refuse to.
    return int(digits) if len(digits) <= 18 else math.inf


def _refuse_constant(name: str) -> object:
    raise InvalidNotation(f"{name} is no JSON")


def _check_names(
    fields: dict[str, object], path: str, required: tuple[str, ...], optional: tuple[str, ...] = ()
) -> None:
    for name in required:
        if name not in fields:
            raise InvalidNotation(f"{path}: the field {name} is missing")
    for name in fields:
        if name not in required and name not in optional:
            raise InvalidNotation(f"{path}: {quoted(name)} is no field of it")


def _object(value: object, path: str) -> dict[str, object]:
    if not isinstance(value, dict):
        raise _wrong_kind(value, path, "an object")
    return value


def _list(value: object, path: str) -> list[object]:
    if not isinstance(value, list):
        raise _wrong_kind(value, path, "a list")
    return value


def _text(value: object, path: str) -> str:
    if not isinstance(value, str):
        raise _wrong_kind(value, path, "a text")
    return value


def _whole(value: object, path: str) -> int:
    if not isinstance(value, int) or isinstance(value, bool):
        raise _wrong_kind(value, path, "a whole number")
    return value


def _wrong_kind(value: object, path: str, expected: str) -> InvalidNotation:
    return InvalidNotation(f"{path}: expected {expected}, got {_KINDS[type(value)]}")
