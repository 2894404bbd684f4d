"""What every program of this package does at its end: an exit status, and never a traceback."""

from __future__ import annotations

import contextlib
import os
import signal
import sys
import threading
from collections.abc import Callable, Iterator

#: Exit statuses; argparse itself ends with 2 on wrong usage.
DONE, REFUSED, INTERRUPTED, CLOSED_PIPE = 0, 1, 130, 141


class Refused(Exception):
    """A request that cannot be granted; the message is one line for people."""


class OutputLost(Exception):
    """Standard output took no more: a full disk, a terminal that is gone."""


def run(program: Callable[[], int]) -> int:
    """Return the exit status of a program, having said in one line what kept it from its end.

    Status 0 is success, 1 a refused request, 2 wrong usage, 130 an interruption (Ctrl-C); 141 says
    like a shell does that nobody reads the output any more. A polite request to end, or a terminal
    that is closed, ends the program in order, so that what should be saved is saved.
    """
    with _orderly_signals():
        try:
            status = _status_of(program)
            if sys.stdout is not None:
                sys.stdout.flush()
        except KeyboardInterrupt:
            return INTERRUPTED
        except BrokenPipeError:
            _discard_output()
            return CLOSED_PIPE
        except (OSError, OutputLost) as error:
            _discard_output()
            complain(f"cannot write the output: {reason_of(error)}")
            return REFUSED
        return status


def reason_of(error: Exception) -> str:
    """Return why a system call failed, in the system's words and without the file's name."""
    return error.strerror or str(error) if isinstance(error, OSError) else str(error)


def complain(message: str) -> None:
    """Write a line to standard error, if there is anybody to read it."""
    if sys.stderr is not None:
        with contextlib.suppress(OSError, ValueError):
            encoding = sys.stderr.encoding or "ascii"
            line = f"tic-tac-toe: {message}\n".encode(encoding, "backslashreplace")
            sys.stderr.write(line.decode(encoding))
            sys.stderr.flush()


def _status_of(program: Callable[[], int]) -> int:
    try:
        return program()
    except Refused as refusal:
        complain(str(refusal))
        return REFUSED
    except SystemExit as end:  # of argparse, or of a signal
        return end.code if isinstance(end.code, int) else DONE


@contextlib.contextmanager
def _orderly_signals() -> Iterator[None]:
    """Turn signals that end a process into an exception, within the main thread."""
    before = {}
    for name in ("SIGTERM", "SIGHUP"):
        number = getattr(signal, name, None)
        if number is not None and threading.current_thread() is threading.main_thread():
            before[number] = signal.signal(number, _leave)
    try:
        yield
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)


def _leave(number: int, _frame: object) -> None:
    sys.exit(128 + number)


def _discard_output() -> None:
    """Send nowhere what is buffered: to write it at exit would fail again, with a traceback."""
    with contextlib.suppress(OSError, ValueError):
        nowhere = os.open(os.devnull, os.O_WRONLY)
        os.dup2(nowhere, sys.stdout.fileno())
        os.close(nowhere)
