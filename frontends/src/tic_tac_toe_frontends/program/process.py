"""The exit of every program: a status, and never a traceback."""

from __future__ import annotations

import contextlib
import errno
import json
import os
import signal
import sys
import threading
import time
from collections.abc import Callable, Iterable, Iterator, Mapping
from gettext import NullTranslations

from ..words.translation import N_
from .terminal import NO_BREAK, OutputLost, in_lines, screen_width

#: Exit statuses; argparse itself ends with 2 on wrong usage.
DONE, REFUSED, INTERRUPTED, CLOSED_PIPE = 0, 1, 130, 141

#: The reasons for failed system calls, by ``errno``.
SYSTEM_REASONS: Mapping[int | None, str] = {
    errno.EACCES: N_("Permission denied"),
    errno.EPERM: N_("Operation not permitted"),
    errno.ENOENT: N_("No such file or directory"),
    errno.ENOTDIR: N_("Not a directory"),
    errno.EISDIR: N_("It is a folder"),
    errno.EEXIST: N_("It exists already; choose another name"),
    errno.ENAMETOOLONG: N_("File name too long"),
    errno.ENOSPC: N_("No space left on device"),
    errno.EROFS: N_("Read-only file system"),
    errno.EIO: N_("Input/output error"),
    errno.EADDRINUSE: N_("Address already in use"),
    errno.ECONNREFUSED: N_("Connection refused"),
}


class Refused(Exception):
    """A refused request; the message is one line for people.

    Args:
        code: of the error, for programs.
    """

    def __init__(self, message: str, code: str = "refused") -> None:
        super().__init__(message)
        self.code = code


def run(program: Callable[[], int], *, as_json: bool = False) -> int:
    """Run a program and return its exit status; print an error in one line.

    Args:
        as_json: print a refusal on standard output too; see `error_object`.

    Status 0 is success, 1 a refused request, 2 wrong usage, 130 an interruption (Ctrl-C), 141 a
    closed output pipe, as in a shell. SIGTERM, and SIGHUP of a closed terminal, end the program
    cleanly, so that it can save its work.
    """
    with _handling(("SIGTERM", "SIGHUP"), _leave):
        try:
            status = _status_of(program, as_json=as_json)
            if sys.stdout is not None:
                sys.stdout.flush()
        except KeyboardInterrupt:
            return INTERRUPTED
        except BrokenPipeError:
            _discard_output()
            return CLOSED_PIPE
        except (OSError, OutputLost) as error:
            _discard_output()
            name = getattr(error, "filename", None)
            done = "write the output" if name is None else f"use {name}"
            print_error(f"cannot {done}: {reason_of(error)}")
            return REFUSED
        return status


@contextlib.contextmanager
def postponed_signals() -> Iterator[list[int]]:
    """Handle signals that arrive inside the block only at its end, so that it is completed.

    Yields the list of signals that have arrived.

    A closed terminal causes both the end of the input and a signal: the signal must not interrupt
        the saving after the end of the input.
    """
    arrived: list[int] = []
    with _handling(("SIGINT", "SIGTERM", "SIGHUP"), lambda number, _frame: arrived.append(number)):
        yield arrived
    for number in arrived[:1]:
        signal.raise_signal(number)


def reason_of(error: Exception, language: NullTranslations | None = None) -> str:
    """Return the reason for a failed system call, without the file's name.

    Args:
        language: the reader's, by default English. Reasons that `SYSTEM_REASONS` lacks are in the
            system's words.
    """
    if not isinstance(error, OSError):
        return str(error)
    known = SYSTEM_REASONS.get(error.errno)
    if known is not None:
        return known if language is None else language.gettext(known)
    return error.strerror or str(error)


def print_error(message: str) -> None:
    """Write an error to standard error, unless that is closed."""
    print_note(f"tic-tac-toe: {message}")


def print_note(line: str) -> None:
    """Write a line to standard error, unless it is closed; on a screen the line is wrapped."""
    if sys.stderr is not None:
        with contextlib.suppress(OSError, ValueError):
            encoding = sys.stderr.encoding or "ascii"
            if sys.stderr.isatty():
                line = "\n".join(in_lines(line, screen_width(), hanging=2))
            else:  # a log has one line for each message
                line = line.replace(NO_BREAK, " ")
            sys.stderr.write(f"{line}\n".encode(encoding, "backslashreplace").decode(encoding))
            sys.stderr.flush()


def error_object(message: str, code: str) -> dict[str, object]:
    """Return a failure as a JSON object."""
    return {"error": {"code": code, "message": message.replace(NO_BREAK, " ")}}


def end_with_parent(parent: int) -> None:
    """End this process within a second after its parent, even if that was killed.

    Args:
        parent: the id of that process.
    """

    def watch() -> None:
        while os.getppid() == parent:
            time.sleep(1)
        os._exit(0)

    threading.Thread(target=watch, daemon=True).start()


def _status_of(program: Callable[[], int], *, as_json: bool) -> int:
    try:
        return program()
    except Refused as refusal:
        print_error(str(refusal))
        if as_json and sys.stdout is not None:
            print(json.dumps(error_object(str(refusal), refusal.code)))
        return REFUSED
    except SystemExit as end:  # of argparse, or of a signal
        return end.code if isinstance(end.code, int) else DONE


@contextlib.contextmanager
def _handling(names: Iterable[str], handler: Callable[[int, object], None]) -> Iterator[None]:
    """Handle signals by a function inside the block; do nothing outside the main thread."""
    before = {}
    for name in names:
        number = getattr(signal, name, None)  # Windows has no SIGHUP
        if number is not None and threading.current_thread() is threading.main_thread():
            before[number] = signal.signal(number, handler)
    try:
        yield
    finally:
        for number, old_handler in before.items():
            signal.signal(number, old_handler)


def _leave(number: int, _frame: object) -> None:
    sys.exit(128 + number)


def _discard_output() -> None:
    """Discard the buffered output: flushing it at exit would fail again, with a traceback."""
    with contextlib.suppress(AttributeError, OSError, ValueError):  # perhaps closed
        nowhere = os.open(os.devnull, os.O_WRONLY)
        os.dup2(nowhere, sys.stdout.fileno())
        os.close(nowhere)
