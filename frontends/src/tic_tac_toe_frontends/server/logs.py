r"""The server's log: one line an event, as JSON, or as plain text where a person looks at it.

    say("started", address="http://127.0.0.1:8765", games=3)

    {"time": "2026-01-31T12:00:00.250Z", "level": "info", "event": "started", "address": ...}
    2026-01-31 12:00:00 started address=http://127.0.0.1:8765 games=3

What clients send may stand in fields. It can neither begin a new line nor move the cursor of a
terminal: control characters, and everything else that cannot be printed, are escaped.

Nor can it fill the disk: of messages that are the same but for numbers, few are written in some
seconds, and how many were not is said with the next.
"""

from __future__ import annotations

import json
import logging
import re
import sys
import time
import traceback
from collections import OrderedDict
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from datetime import datetime, timezone
from typing import TextIO

from ..words.foreign import truncated

LOGGER = logging.getLogger("tictactoe.server")
#: Whose lines are written the same way: those of the server below.
_OTHERS = ("uvicorn", "asyncio")
#: The longest field and the longest traceback that are written, in characters.
FIELD_LENGTH, TRACE_LENGTH = 500, 8_000
#: Warnings and errors of one kind that are written in a number of seconds, and kinds that are told
#: apart.
AT_ONCE, SECONDS, KINDS = 5, 10.0, 200
_NUMBER = re.compile(r"0x[0-9a-f]+|\d+")
_KEPT = frozenset({"time", "level", "event"})


def configure(
    stream: TextIO | None = None, *, as_json: bool | None = None, level: int = logging.INFO
) -> None:
    """Send the log to a stream, in place of where it went before.

    Args:
        stream: standard error unless given.
        as_json: JSON or plain text; plain text for a terminal unless given.
    """
    stream = stream or sys.stderr
    if as_json is None:
        as_json = not stream.isatty()
    handler = logging.StreamHandler(stream)
    handler.setFormatter(JsonLines() if as_json else PlainLines())
    handler.addFilter(Sparing())
    logging.lastResort = handler  # for the loggers of all other packages
    for logger in (LOGGER, *map(logging.getLogger, _OTHERS)):
        logger.handlers[:] = [handler]
        logger.propagate = False
        logger.setLevel(level)
    # What uvicorn logs of every connection is only of use for finding faults in it.
    for name in ("uvicorn.error", "asyncio"):
        logging.getLogger(name).setLevel(max(level, logging.WARNING))


def say(
    event: str,
    /,
    *,
    level: int = logging.INFO,
    error: BaseException | None = None,
    **fields: object,
) -> None:
    """Write down that something has happened.

    Args:
        event: what, in a word or two that never change, so that they can be looked for.
        error: what it was caused by; its traceback is written too.
        fields: what else there is to know, but for those that are ``None``. Never a token.
    """
    LOGGER.log(level, event, exc_info=error, extra={"fields": fields})


class Sparing(logging.Filter):
    """Lets few warnings and errors of one kind pass in `SECONDS`; a later one tells how many not.

    Args:
        clock: seconds from any start.
    """

    def __init__(self, clock: Callable[[], float] = time.monotonic) -> None:
        super().__init__()
        self._clock = clock
        self._seen: OrderedDict[tuple[str, str], _Seen] = OrderedDict()

    def filter(self, record: logging.LogRecord) -> bool:
        """Return whether a line is written."""
        if record.levelno < logging.WARNING:
            return True
        now = self._clock()
        # asyncio names objects and files in its messages; their first lines say what has happened.
        first = str(record.msg).partition("\n")[0][:FIELD_LENGTH]
        kind = record.name, _NUMBER.sub("#", first)
        seen = self._seen.get(kind)
        if seen is not None and now - seen.since < SECONDS:
            seen.count += 1
            return seen.count <= AT_ONCE
        self._seen[kind] = _Seen(now)
        self._seen.move_to_end(kind)
        if len(self._seen) > KINDS:
            self._seen.popitem(last=False)
        if seen is not None and seen.count > AT_ONCE:
            fields = getattr(record, "fields", {})
            record.fields = {**fields, "left_out": seen.count - AT_ONCE}
        return True


@dataclass
class _Seen:
    """Since when, and how often, something was said."""

    since: float
    count: int = 1


class JsonLines(logging.Formatter):
    """Writes an event as one JSON object on a line."""

    def format(self, record: logging.LogRecord) -> str:
        """Return the line."""
        moment = datetime.fromtimestamp(record.created, timezone.utc)
        values: dict[str, object] = {
            "time": moment.isoformat(timespec="milliseconds").replace("+00:00", "Z"),
            "level": record.levelname.lower(),
            "event": truncated(record.getMessage(), FIELD_LENGTH),
        }
        for name, value in _fields_of(record):
            values[name + "_" if name in _KEPT else name] = value
        # JSON lets DEL pass; everything else that is not printable ASCII is escaped by it.
        return json.dumps(values).replace("\x7f", "\\u007f")


class PlainLines(logging.Formatter):
    """Writes an event as a line for people."""

    def format(self, record: logging.LogRecord) -> str:
        """Return the line; of an error, its traceback on further lines, which are indented."""
        moment = datetime.fromtimestamp(record.created).astimezone()
        parts = [f"{moment:%Y-%m-%d %H:%M:%S}"]
        if record.levelno >= logging.WARNING:
            parts.append(record.levelname.lower())
        parts.append(_printable(truncated(record.getMessage(), FIELD_LENGTH)))
        lines = []
        for name, value in _fields_of(record):
            if name == "traceback":
                lines = ["    " + _printable(line) for line in str(value).splitlines()]
            else:
                text = str(value).lower() if isinstance(value, bool) else _printable(str(value))
                parts.append(f"{name}={text}" if text and " " not in text else f'{name}="{text}"')
        return "\n".join([" ".join(parts), *lines])


def _fields_of(record: logging.LogRecord) -> Iterator[tuple[str, object]]:
    """Yield the names and values of a line's fields, those of its error last."""
    for name, value in getattr(record, "fields", {}).items():
        if value is None:
            continue
        if isinstance(value, bool | int | float):
            yield name, value
        else:
            yield name, truncated(str(value), FIELD_LENGTH)
    if record.exc_info and record.exc_info[1] is not None:
        error = record.exc_info[1]
        yield "error", truncated(f"{type(error).__name__}: {error}", FIELD_LENGTH)
        trace = "".join(traceback.format_exception(error))
        yield "traceback", trace[-TRACE_LENGTH:]


def _printable(text: str) -> str:
    r"""Return text with everything that cannot be printed as an escape such as ``\x1b``."""
    return "".join(
        sign if sign.isprintable() else sign.encode("unicode_escape").decode("ascii")
        for sign in text
    )
