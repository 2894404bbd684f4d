r"""The server's log: one line for each event, as JSON, or as plain text on a terminal.

    log("started", address="http://127.0.0.1:8765", games=3)

    {"time": "2026-01-31T12:00:00.250Z", "level": "info", "event": "started", "address": ...}
    2026-01-31 12:00:00 started address=http://127.0.0.1:8765 games=3

Fields may contain what clients send. Control characters, and everything else that cannot be
printed, are escaped: a client can neither start a new line nor move the cursor of a terminal.

Repeated warnings cannot fill the disk: of messages that differ only in numbers, a few are written
in some seconds, and the next one says how many were left out.
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
#: The longest field and the longest traceback that are written, in characters.
FIELD_LENGTH, TRACE_LENGTH = 500, 8_000
#: Warnings and errors of one kind that are written in `SECONDS`, and kinds that are remembered.
AT_ONCE, SECONDS, KINDS = 5, 10.0, 200
_NUMBER = re.compile(r"0x[0-9a-f]+|\d+")
_KEPT = frozenset({"time", "level", "event"})


def configure(
    stream: TextIO | None = None, *, as_json: bool | None = None, level: int = logging.INFO
) -> None:
    """Send the log to a stream, in place of where it went before.

    Args:
        stream: standard error unless given.
        as_json: JSON or plain text; unless given, plain text on a terminal.
    """
    stream = stream or sys.stderr
    if as_json is None:
        as_json = not stream.isatty()
    handler = logging.StreamHandler(stream)
    handler.setFormatter(JsonLines() if as_json else PlainLines())
    handler.addFilter(RateLimitFilter())
    logging.lastResort = handler  # for the loggers of all other packages
    for logger, least in ((LOGGER, level), (logging.getLogger("asyncio"), logging.WARNING)):
        logger.handlers[:] = [handler]
        logger.propagate = False
        logger.setLevel(max(level, least))


def log(
    event: str,
    /,
    *,
    level: int = logging.INFO,
    error: BaseException | None = None,
    **fields: object,
) -> None:
    """Log an event.

    Args:
        event: a word or two that never change, so that people can search for them.
        error: the exception that caused it; its traceback is logged too.
        fields: further values; ``None`` is left out. Never a token.
    """
    LOGGER.log(level, event, exc_info=error, extra={"fields": fields})


class RateLimitFilter(logging.Filter):
    """Passes `AT_ONCE` warnings and errors of a kind in `SECONDS`, and counts the others."""

    def __init__(self, clock: Callable[[], float] = time.monotonic) -> None:
        super().__init__()
        self._clock = clock
        self._seen: OrderedDict[tuple[str, str], _Seen] = OrderedDict()

    def filter(self, record: logging.LogRecord) -> bool:
        """Return whether a line is written."""
        if record.levelno < logging.WARNING:
            return True
        now = self._clock()
        # asyncio's messages contain objects and files; their first lines say what happened.
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
    since: float
    count: int = 1


class JsonLines(logging.Formatter):
    """Formats an event as one JSON object on a line."""

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
        # JSON escapes everything that is not printable ASCII, except DEL.
        return json.dumps(values).replace("\x7f", "\\u007f")


class PlainLines(logging.Formatter):
    """Formats an event as a line for people."""

    def format(self, record: logging.LogRecord) -> str:
        """Return the line; the traceback of an error follows on indented lines."""
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
    r"""Return text with unprintable characters as escapes such as ``\x1b``."""
    return "".join(
        sign if sign.isprintable() else sign.encode("unicode_escape").decode("ascii")
        for sign in text
    )
