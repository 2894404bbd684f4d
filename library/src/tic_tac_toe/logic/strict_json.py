"""JSON, strictly: values are read by the types of dataclasses, and each fault has a path."""

from __future__ import annotations

import json
import math
from collections.abc import Callable, Mapping
from dataclasses import MISSING, fields
from types import MappingProxyType, NoneType, UnionType
from typing import Annotated, Any, TypeVar, Union, get_args, get_origin, get_type_hints

from tic_tac_toe.logic.exceptions import InvalidNotation, Message, message, quoted

T = TypeVar("T")
#: Returns what a value stands for; the path says in messages where the value stands.
Reader = Callable[[object, str], Any]

_OBJECT = message("an object", "json_object")
_LIST = message("a list", "json_list")
_TEXT = message("a text", "json_text")
_WHOLE = message("a whole number", "json_whole")
_KINDS = {
    dict: _OBJECT,
    list: _LIST,
    str: _TEXT,
    bool: message("true or false", "json_true_or_false"),
    int: _WHOLE,
    float: message("a fraction or an immense number", "json_fraction"),
    NoneType: message("null", "json_null"),
}


def parse(text: str) -> object:
    """Return the value that a text of JSON stands for; names given twice and NaN are refused.

    Raises:
        InvalidNotation: the text is not JSON, or is nested too deeply.
    """
    try:
        # `json.loads` makes a decoder each time, but it tells what a byte order mark is.
        value: object = json.loads(text) if text.startswith("\ufeff") else _DECODER.decode(text)
    except json.JSONDecodeError as error:
        raise InvalidNotation(
            "no JSON: {detail}, column {column}",
            "json_syntax",
            detail=error.msg,
            column=error.colno,
        ) from None
    except RecursionError:
        raise InvalidNotation("lists or objects are nested too deeply", "json_depth") from None
    return value


def _without_repetition(pairs: list[tuple[str, object]]) -> dict[str, object]:
    values: dict[str, object] = {}
    for name, value in pairs:
        if name in values:
            raise InvalidNotation(
                "the field {text} is given twice", "json_repeated", text=quoted(name)
            )
        values[name] = value
    return values


def _parse_whole(digits: str) -> int | float:
    # Thousands of digits take long to read, and some versions of Python refuse to.
    return int(digits) if len(digits) <= 18 else math.inf


def _refuse_constant(name: str) -> object:
    raise InvalidNotation("{text} is no JSON", "json_constant", text=name)


_DECODER = json.JSONDecoder(
    object_pairs_hook=_without_repetition,
    parse_int=_parse_whole,
    parse_constant=_refuse_constant,
)


# -- readers of values -----------------------------------------------------------------------------


def read_object(value: object, path: str) -> dict[str, object]:
    """Return a value that must be an object."""
    if not isinstance(value, dict):
        raise _wrong_kind(value, path, _OBJECT)
    return value


def read_list(value: object, path: str) -> list[object]:
    """Return a value that must be a list."""
    if not isinstance(value, list):
        raise _wrong_kind(value, path, _LIST)
    return value


def read_text(value: object, path: str) -> str:
    """Return a value that must be a text."""
    if not isinstance(value, str):
        raise _wrong_kind(value, path, _TEXT)
    return value


def read_whole(value: object, path: str) -> int:
    """Return a value that must be a whole number, not true or false."""
    if not isinstance(value, int) or isinstance(value, bool):
        raise _wrong_kind(value, path, _WHOLE)
    return value


def read_boolean(value: object, path: str) -> bool:
    """Return a value that must be true or false."""
    if not isinstance(value, bool):
        raise InvalidNotation("{path}: expected true or false", "json_boolean", path=path)
    return value


def _wrong_kind(value: object, path: str, expected: Message) -> InvalidNotation:
    return InvalidNotation(
        "{path}: expected {expected}, got {found}",
        "json_kind",
        path=path,
        expected=expected,
        found=_KINDS[type(value)],
    )


#: How values of these types are read, unless `object_reader` is given other readers.
READERS: Mapping[Any, Reader] = MappingProxyType(
    {
        str: read_text,
        int: read_whole,
        bool: read_boolean,
        dict[str, object]: read_object,
        list[object]: read_list,
    }
)
#: What is read where a field of these types is missing, if `object_reader` is lenient.
_BLANKS: Mapping[Any, object] = MappingProxyType({str: "", int: 0, bool: False, tuple: []})


# -- readers of dataclasses ------------------------------------------------------------------------


def object_reader(
    kind: Callable[..., T],
    what: str = "",
    *,
    readers: Mapping[Any, Reader] = READERS,
    lenient: bool = False,
) -> Callable[[object, str], T]:
    """Return a reader of objects that makes a dataclass of them.

    A field is read by its annotation: by the reader in ``Annotated[type, reader]`` or in
    ``readers``; a dataclass, ``X | None`` and ``tuple[X, ...]`` by those of their parts.

    Args:
        kind: the dataclass.
        what: the name of the object in messages about missing and unknown fields; without it the
            path is its name, and stands before the names of fields.
        readers: for types that are written differently, and for other checks.
        lenient: whether missing fields without a default are blank (an empty text, 0, false, an
            empty list, ``None``), and unknown fields are passed over.

    Raises:
        InvalidNotation: (the reader) something is wrong; the message begins with the path.
    """
    hints = get_type_hints(kind, include_extras=True)
    parts = [
        (each.name, _reader_of(hints[each.name], readers, lenient), each.default)
        for each in fields(kind)  # type: ignore[arg-type]  # a dataclass
    ]
    blanks = {name: _blank(hint) for name, hint in hints.items()} if lenient else {}
    known = {name for name, _, _ in parts}

    def read(value: object, path: str) -> T:
        values = read_object(value, path)
        if not lenient:
            _refuse_others(values, known, what or path)
        prefix = f"{path}." if path and not what else ""
        arguments: dict[str, Any] = {}
        for name, reader, default in parts:
            if name in values or (lenient and default is MISSING):
                arguments[name] = reader(values.get(name, blanks.get(name)), prefix + name)
            elif default is MISSING:
                raise InvalidNotation(
                    "{path}: the field {field} is missing",
                    "json_missing_field",
                    path=what or path,
                    field=name,
                )
            else:
                arguments[name] = default
        return kind(**arguments)

    return read


def _refuse_others(values: Mapping[str, object], known: set[str], what: str) -> None:
    for name in values:
        if name not in known:
            raise InvalidNotation(
                "{path}: {text} is no field of it",
                "json_unknown_field",
                path=what,
                text=quoted(name),
            )


def _blank(hint: Any) -> object:
    if get_origin(hint) is Annotated:
        hint = get_args(hint)[0]
    return _BLANKS.get(get_origin(hint) or hint)


def _reader_of(hint: Any, readers: Mapping[Any, Reader], lenient: bool) -> Reader:
    """Return the reader of values that are annotated in one way."""
    arguments = get_args(hint)
    if get_origin(hint) is Annotated:
        return next(each for each in arguments[1:] if callable(each))  # type: ignore[no-any-return]  # a `Reader`
    if hint in readers:
        return readers[hint]
    if get_origin(hint) in (Union, UnionType):
        inner = next(each for each in arguments if each is not NoneType)
        return _or_null(_reader_of(inner, readers, lenient))
    if get_origin(hint) is tuple:
        return _each(_reader_of(arguments[0], readers, lenient))
    return object_reader(hint, readers=readers, lenient=lenient)


def _or_null(read: Reader) -> Reader:
    return lambda value, path: None if value is None else read(value, path)


def _each(read: Reader) -> Reader:
    def read_each(value: object, path: str) -> tuple[Any, ...]:
        return tuple(
            read(entry, f"{path}[{number}]") for number, entry in enumerate(read_list(value, path))
        )

    return read_each
