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
from tic_tac_toe.logic.strict_json import (
    check_names,
    parse,
    read_list,
    read_object,
    read_text,
    read_whole,
)

FORMAT = "tic-tac-toe-record"
VERSION = 1

_REQUIRED = ("format", "version", "variant", "starting", "moves", "result")
_OPTIONAL = ("position", "resigned", "tags", "comments")


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


def _from_object(value: object) -> Record:
    fields = read_object(value, "the record")
    if fields.get("format") != FORMAT:
        raise InvalidNotation(f'format: expected "{FORMAT}"')
    version = read_whole(fields.get("version"), "version")
    if version != VERSION:
        raise InvalidNotation(f"version: {version} is unknown here, expected {VERSION}")
    check_names(fields, "the record", _REQUIRED, _OPTIONAL)
    start = _read_start(fields)
    moves = _read_moves(fields["moves"], start)
    tags = read_object(fields.get("tags", {}), "tags")
    comments = read_list(fields.get("comments", []), "comments")
    resigned = fields.get("resigned")
    record = Record(
        start.rules,
        start.starting_mark,
        moves,
        tuple((name, read_text(tags[name], f"tags.{quoted(name)}")) for name in tags),
        tuple(_read_comment(entry, f"comments[{i}]", moves) for i, entry in enumerate(comments)),
        None if fields.get("position") is None else start,
        None if resigned is None else _read_mark(resigned, "resigned"),
    )
    if read_text(fields["result"], "result") != record.result:
        raise InvalidNotation(f'result: the moves make it "{record.result}"')
    return record


def _read_start(fields: dict[str, object]) -> GameState:
    variant = read_text(fields["variant"], "variant")
    starting_mark = _read_mark(fields["starting"], "starting")
    try:
        rules = rules_named(variant)
    except InvalidVariant as error:
        raise InvalidNotation(f"variant: {error}") from error
    if fields.get("position") is None:
        return first_state(rules, starting_mark)
    position = read_text(fields["position"], "position")
    try:
        return parse_state(position, rules, starting_mark)
    except (InvalidGameState, InvalidNotation) as error:
        raise InvalidNotation(f"position: {error}") from error


def _read_moves(value: object, start: GameState) -> tuple[int, ...]:
    moves: list[int] = []
    position = start.position
    try:
        for entry in read_list(value, "moves"):
            cell = read_whole(entry, f"moves[{len(moves)}]")
            position = play_legal(start.rules, position, cell)
            moves.append(cell)
    except InvalidMove as error:
        raise InvalidNotation(f"moves[{len(moves)}]: {error}") from error
    return tuple(moves)


def _read_comment(value: object, path: str, moves: tuple[int, ...]) -> tuple[int, str]:
    fields = read_object(value, path)
    check_names(fields, path, ("ply", "text"))
    ply, text = read_whole(fields["ply"], f"{path}.ply"), read_text(fields["text"], f"{path}.text")
    if not 0 <= ply <= len(moves):
        raise InvalidNotation(f"{path}.ply: expected 0 to {len(moves)}")
    check_comment(text, f"{path}.text")
    return ply, text


def _read_mark(value: object, path: str) -> Mark:
    if value not in ("X", "O"):
        raise InvalidNotation(f'{path}: expected "X" or "O"')
    return Mark(value)
