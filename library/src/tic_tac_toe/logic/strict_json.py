"""JSON, strictly: what it may hold is checked field by field, and each fault has a path."""

from __future__ import annotations

import json
import math

from tic_tac_toe.logic.exceptions import InvalidNotation, quoted

_KINDS = {
    dict: "an object",
    list: "a list",
    str: "a text",
    bool: "true or false",
    int: "a whole number",
    float: "a fraction or an immense number",
    type(None): "null",
}


def parse(text: str) -> object:
    """Return what a text of JSON says; names given twice and NaN are no JSON here.

    Raises:
        InvalidNotation: it is no JSON, or nested too deeply.
    """
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


def check_names(
    fields: dict[str, object], path: str, required: tuple[str, ...], optional: tuple[str, ...] = ()
) -> None:
    """Raise `InvalidNotation` where a field is missing, or is none of those allowed."""
    for name in required:
        if name not in fields:
            raise InvalidNotation(f"{path}: the field {name} is missing")
    for name in fields:
        if name not in required and name not in optional:
            raise InvalidNotation(f"{path}: {quoted(name)} is no field of it")


def read_object(value: object, path: str) -> dict[str, object]:
    """Return a value that must be an object; the path says in the message where it stands."""
    if not isinstance(value, dict):
        raise _wrong_kind(value, path, "an object")
    return value


def read_list(value: object, path: str) -> list[object]:
    """Return a value that must be a list."""
    if not isinstance(value, list):
        raise _wrong_kind(value, path, "a list")
    return value


def read_text(value: object, path: str) -> str:
    """Return a value that must be a text."""
    if not isinstance(value, str):
        raise _wrong_kind(value, path, "a text")
    return value


def read_whole(value: object, path: str) -> int:
    """Return a value that must be a whole number, not true or false."""
    if not isinstance(value, int) or isinstance(value, bool):
        raise _wrong_kind(value, path, "a whole number")
    return value


def _wrong_kind(value: object, path: str, expected: str) -> InvalidNotation:
    return InvalidNotation(f"{path}: expected {expected}, got {_KINDS[type(value)]}")
