"""JSON, strictly: values are read and written by the types of dataclasses; a fault has a path."""

from __future__ import annotations

import json
import math
from collections.abc import Callable, Collection, Mapping
from dataclasses import MISSING, dataclass, fields, is_dataclass
from types import MappingProxyType, NoneType, UnionType
from typing import Annotated, Any, NamedTuple, TypeVar, Union, get_args, get_origin, get_type_hints

from tic_tac_toe.logic.exceptions import InvalidNotation, Message, message, quoted

T = TypeVar("T")
#: Returns what a value stands for; the path says in messages where the value stands.
Reader = Callable[[object, str], Any]
#: Returns what stands for a value in JSON.
Writer = Callable[[Any], object]

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
_BLANKS: Mapping[Any, object] = MappingProxyType({str: "", int: 0, bool: False})


# -- dataclasses -----------------------------------------------------------------------------------


class As(NamedTuple):
    """How a field is written, where that differs: ``text: Annotated[str, As(always=True)]``.

    Args:
        name: its name in JSON; empty if that is the name of the field.
        always: ``True``: even if it has its default; ``False``: unless it is blank (an empty text,
            0, false, an empty list, ``None``); ``None``: unless it has its default.
        hidden: whether only those read and write it who ask for hidden fields.
        inline: whether the fields of its value stand in the same object, which its writer begins;
            for lenient readers.
    """

    name: str = ""
    always: bool | None = None
    hidden: bool = False
    inline: bool = False


@dataclass(frozen=True, eq=False)
class Bound:
    """What a value must be beside its type: ``cell: Annotated[int, Bound(read_count, schema)]``.

    Args:
        read: refuses other values; strict readers use it, lenient ones pass over it.
        schema: says the same as a JSON Schema.
    """

    read: Reader
    schema: Mapping[str, Any]


class Written(NamedTuple):
    """A field of a dataclass, as it is declared: with its annotation and its marks.

    Attributes:
        left_out: the value that is not written; `MISSING` if all are.
        about: what it means: the last text in the annotation.
    """

    name: str
    json_name: str
    hint: Any
    default: Any
    left_out: Any
    way: As
    about: str


def written_fields(kind: Any, with_hidden: bool = False) -> list[Written]:
    """Return how the fields of a dataclass are written; without hidden ones, unless asked for."""
    hints = get_type_hints(kind, include_extras=True)
    found = []
    for each in fields(kind):
        hint = hints[each.name]
        marks = get_args(hint)[1:] if get_origin(hint) is Annotated else ()
        way = next((mark for mark in marks if isinstance(mark, As)), As())
        about = [mark for mark in marks if isinstance(mark, str)]
        left_out = {None: each.default, True: MISSING, False: _blank(hint)}[way.always]
        if with_hidden or not way.hidden:
            name = way.name or each.name
            found.append(
                Written(each.name, name, hint, each.default, left_out, way, "".join(about[-1:]))
            )
    return found


def object_writer(
    kind: type[T],
    writers: Mapping[Any, Writer] = MappingProxyType({}),
    *,
    with_hidden: bool = False,
    **begin: object,
) -> Callable[[T], dict[str, object]]:
    """Return a writer of a dataclass: the object that `object_reader` reads again.

    Args:
        writers: for types that are written differently.
        with_hidden: whether hidden fields are written as well.
        begin: what the object begins with.
    """
    parts = []
    inline = ""
    write_inline: Any = None
    for each in written_fields(kind, with_hidden):
        write_part: Any = _writer_of(each.hint, writers, with_hidden)
        if each.way.inline:
            inline, write_inline = each.name, write_part
        else:
            parts.append((each.name, each.json_name, each.left_out, write_part))

    def write(value: T) -> dict[str, object]:
        values = write_inline(getattr(value, inline)) if inline else begin.copy()
        for name, json_name, left_out, write_part in parts:
            part = getattr(value, name)
            if left_out is MISSING or part != left_out:
                values[json_name] = part if write_part is None else write_part(part)
        return values

    return write


def object_reader(
    kind: Callable[..., T],
    what: str = "",
    *,
    readers: Mapping[Any, Reader] = READERS,
    lenient: bool = False,
    with_hidden: bool = False,
    first: Collection[str] = (),
) -> Callable[[object, str], T]:
    """Return a reader of objects that makes a dataclass of them.

    A field is read by its annotation: by the reader or the `Bound` in ``Annotated[type, reader]``,
    or by one of ``readers``; a dataclass, ``X | None`` and ``tuple[X, ...]`` by those of their
    parts.

    Args:
        kind: the dataclass.
        what: the name of the object in messages about missing and unknown fields; without it the
            path is its name, and stands before the names of fields.
        readers: for types that are written differently, and for other checks.
        lenient: whether missing fields are blank (an empty text, 0, false, an empty list, ``None``)
            that have no default or are written always, and unknown fields and bounds are passed
            over.
        with_hidden: whether hidden fields are read; otherwise they are unknown.
        first: the fields that are read before the others: their faults are the ones that are told.

    Raises:
        InvalidNotation: (the reader) something is wrong; the message begins with the path.
    """
    declared = sorted(written_fields(kind, with_hidden), key=lambda each: each.name not in first)
    parts = [
        (
            each.name,
            None if each.way.inline else each.json_name,
            _reader_of(each.hint, readers, lenient),
            MISSING if each.way.always and lenient else each.default,
            _blank(each.hint),
        )
        for each in declared
    ]
    known = {each.json_name for each in declared}

    def read(value: object, path: str) -> T:
        values = read_object(value, path)
        if not lenient:
            _refuse_others(values, known, what or path)
        prefix = f"{path}." if path and not what else ""
        arguments: dict[str, Any] = {}
        for name, json_name, reader, default, blank in parts:
            if json_name is None:
                arguments[name] = reader(values, path)
            elif json_name in values:
                arguments[name] = reader(values[json_name], prefix + json_name)
            elif default is not MISSING:
                arguments[name] = default
            elif lenient:
                arguments[name] = reader(blank, prefix + json_name)
            else:
                raise InvalidNotation(
                    "{path}: the field {field} is missing",
                    "json_missing_field",
                    path=what or path,
                    field=json_name,
                )
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


def _bare(hint: Any) -> Any:
    """Return an annotation without its marks."""
    return get_args(hint)[0] if get_origin(hint) is Annotated else hint


def _inner(hint: Any) -> Any:
    """Return the X of ``X | None``; ``None`` for other annotations."""
    is_union = get_origin(hint) in (Union, UnionType)
    return next(each for each in get_args(hint) if each is not NoneType) if is_union else None


def _blank(hint: Any) -> object:
    hint = _bare(hint)
    return [] if ... in get_args(hint) else _BLANKS.get(hint)


def _reader_of(hint: Any, readers: Mapping[Any, Reader], lenient: bool) -> Reader:
    """Return the reader of values that are annotated in one way."""
    arguments = get_args(hint)
    if get_origin(hint) is Annotated:
        for mark in arguments[1:]:
            if isinstance(mark, Bound):
                if not lenient:
                    return mark.read
            elif callable(mark):
                reader: Reader = mark
                return reader
        return _reader_of(arguments[0], readers, lenient)
    if hint in readers:
        return readers[hint]
    if inner := _inner(hint):
        return _or_null(_reader_of(inner, readers, lenient))
    if get_origin(hint) is tuple:
        return _each(_reader_of(arguments[0], readers, lenient))
    return object_reader(hint, readers=readers, lenient=lenient)


def _writer_of(hint: Any, writers: Mapping[Any, Writer], with_hidden: bool) -> Writer | None:
    """Return the writer of values that are annotated in one way; ``None`` if JSON has them."""
    hint = _bare(hint)
    if hint in writers:
        return writers[hint]
    if is_dataclass(hint) and isinstance(hint, type):
        return object_writer(hint, writers, with_hidden=with_hidden)
    if inner := _inner(hint):
        return _writer_of(inner, writers, with_hidden)  # `None` is a default, and is not written
    if get_origin(hint) is tuple and (write := _writer_of(get_args(hint)[0], writers, with_hidden)):
        return lambda parts: [None if part is None else write(part) for part in parts]
    return None


def _or_null(read: Reader) -> Reader:
    return lambda value, path: None if value is None else read(value, path)


def _each(read: Reader) -> Reader:
    def read_each(value: object, path: str) -> tuple[Any, ...]:
        return tuple(
            read(entry, f"{path}[{number}]") for number, entry in enumerate(read_list(value, path))
        )

    return read_each
