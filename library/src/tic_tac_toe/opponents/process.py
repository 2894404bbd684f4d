"""A program at the other end of pipes: lines in and out, with limits, and an end in any case."""

from __future__ import annotations

import contextlib
import os
import queue
import re
import signal
import subprocess
import sys
import threading
from collections.abc import Sequence
from pathlib import Path

from tic_tac_toe.protocols.gomocup.texts import LINE_END, LONGEST_LINE

#: Seconds that a program has to end after ``END``.
PATIENCE = 1.0
#: The lines that may wait to be read; a program that writes more has to wait.
MOST_LINES = 256
#: Seconds after which a thread that waits for room looks whether the program has been ended.
_WAIT = 0.05
#: Bytes that are read at once.
_CHUNK = 4_096
_LINE_ENDS = re.compile(rb"[\r\n]+")
#: Windows has neither process groups nor pipes that a program can be handed by their number.
_IS_POSIX = os.name == "posix"


class Unended(Exception):
    """A program that has written the beginning of a line, and not its end."""


class Process:
    """A program that reads and writes lines; `end` has to be called.

    Its process group is killed at the end, and also soon after this process has ended in whatever
    way. What it writes to standard error is dropped.

    Raises:
        OSError: it cannot be started.
    """

    def __init__(self, command: Sequence[str]) -> None:
        lifeline, self._lifeline = os.pipe() if _IS_POSIX else (-1, -1)
        if _IS_POSIX:
            keeper = Path(__file__).with_name("keeper.py")
            command = [sys.executable, "-I", "-S", str(keeper), str(lifeline), *command]
        try:
            self._process = subprocess.Popen(
                command,
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=subprocess.DEVNULL,
                bufsize=0,
                pass_fds=[lifeline] if _IS_POSIX else (),
                start_new_session=_IS_POSIX,
            )
        except OSError:
            self._cut_lifeline()
            raise
        finally:
            if _IS_POSIX:
                os.close(lifeline)
        assert self._process.stdin is not None
        assert self._process.stdout is not None
        self._input, self._output = self._process.stdin, self._process.stdout
        self._lines: queue.Queue[str | None] = queue.Queue(MOST_LINES)
        self._rest = b""
        self._has_ended = False
        self._texts: queue.SimpleQueue[bytes | None] = queue.SimpleQueue()
        self._lock = threading.Lock()
        self._reader = threading.Thread(target=self._collect, name="brain", daemon=True)
        self._reader.start()
        threading.Thread(target=self._write, name="brain", daemon=True).start()

    def send(self, lines: Sequence[str]) -> None:
        """Write lines, as soon as the program reads them; the caller does not wait for that."""
        self._texts.put("".join(line + LINE_END for line in lines).encode("ascii", "replace"))

    def unread(self) -> list[str]:
        """Return the lines that the program has written and nobody has read."""
        lines = list[str]()
        while not self._lines.empty():
            line = self._lines.get()
            if line is None:
                self._lines.put(None)
                break
            lines.append(line)
        return lines

    def read(self, seconds: float) -> str | None:
        """Return the next line that the program writes; ``None`` once it has ended.

        Raises:
            TimeoutError: none came in time.
            Unended: the end of a line did not come in time, or the line is too long.
        """
        try:
            line = self._lines.get(timeout=max(0.0, seconds))
        except queue.Empty:
            if self._rest:
                raise Unended from None
            raise TimeoutError from None
        if line is None:
            self._lines.put(None)  # for whoever reads next
            if len(self._rest) > LONGEST_LINE:
                raise Unended
        return line

    def end(self, patience: float = PATIENCE) -> None:
        """Ask the program to end, and kill it with all that it has started after some seconds."""
        with self._lock:
            if self._has_ended:
                return
            self._has_ended = True
        if patience:
            self.send(["END"])
        self._texts.put(None)
        with contextlib.suppress(subprocess.TimeoutExpired):
            self._process.wait(patience)
        self._kill()
        self._process.wait()
        self._cut_lifeline()
        self._reader.join(PATIENCE)  # longer only if a program that left its group has the pipe

    def _cut_lifeline(self) -> None:
        if _IS_POSIX:
            os.close(self._lifeline)

    def _kill(self) -> None:
        with contextlib.suppress(OSError):
            if _IS_POSIX:
                os.killpg(self._process.pid, signal.SIGKILL)
            else:
                self._process.kill()

    def _write(self) -> None:
        """Write what there is to send, in a thread; then the program's standard input ends."""
        with contextlib.suppress(OSError), self._input as stream:
            while (text := self._texts.get()) is not None:
                stream.write(text)

    def _collect(self) -> None:
        """Collect the lines that the program writes, in a thread."""
        with self._output as stream, contextlib.suppress(OSError):
            while chunk := os.read(stream.fileno(), _CHUNK):
                *lines, self._rest = _LINE_ENDS.split(self._rest + chunk)
                for line in lines:
                    self._put(line.decode("ascii", "replace"))
                if len(self._rest) > LONGEST_LINE or self._has_ended:
                    break
        self._put(None)

    def _put(self, line: str | None) -> None:
        """Let a line be read, as soon as there is room; after the end it does not matter."""
        while not self._has_ended:
            with contextlib.suppress(queue.Full):
                self._lines.put(line, timeout=_WAIT)
                return
        with contextlib.suppress(queue.Full):
            self._lines.put_nowait(line)
