"""``tic-tac-toe online`` with pipes, spoken with line by line while it runs."""

from __future__ import annotations

import contextlib
import os
import queue
import signal
import subprocess
import threading
import time
from types import TracebackType

from tests.frontends.programs import command, environment
from tests.online.processes import PATIENCE


class Conversation:
    """A program whose input and output are pipes, and everything that it has said."""

    def __init__(self, *arguments: str, env: dict[str, str] | None = None) -> None:
        self.said = ""
        self._seen = 0
        self._pieces: queue.Queue[str] = queue.Queue()
        self.process = subprocess.Popen(
            command("online", *arguments),
            env=env or environment(),
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            encoding="utf-8",
            errors="surrogateescape",
        )
        self._reader = threading.Thread(target=self._read, daemon=True)
        self._reader.start()

    def __enter__(self) -> Conversation:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        if self.process.poll() is None:
            self.process.kill()
        self.process.wait()
        self._reader.join()
        assert self.process.stdin is not None
        assert self.process.stdout is not None
        for stream in (self.process.stdin, self.process.stdout):
            with contextlib.suppress(BrokenPipeError):
                stream.close()

    def type(self, *lines: str) -> None:
        """Send lines."""
        assert self.process.stdin is not None
        self.process.stdin.write("".join(f"{line}\n" for line in lines))
        self.process.stdin.flush()

    def expect(self, text: str) -> str:
        """Wait until something is said after all that was waited for; return what came before.

        Raises:
            AssertionError: it is not said.
        """
        end = time.monotonic() + PATIENCE
        while (found := self.said.find(text, self._seen)) < 0:
            try:
                self.said += self._pieces.get(timeout=max(0.0, end - time.monotonic()))
            except queue.Empty:
                raise AssertionError(f"{text!r} did not come after: {self.said}") from None
            if self.said.endswith("\0"):
                raise AssertionError(f"{text!r} did not come before the end of: {self.said}")
        before = self.said[self._seen : found]
        self._seen = found + len(text)
        return before

    def end(self) -> int:
        """End the input, wait for the program, and return its exit status."""
        assert self.process.stdin is not None
        self.process.stdin.close()
        status = self.process.wait(PATIENCE)
        self._reader.join(PATIENCE)
        while not self._pieces.empty():
            self.said += self._pieces.get()
        return status

    def signal(self, number: signal.Signals) -> int:
        """Send a signal, wait for the program, and return its exit status."""
        os.kill(self.process.pid, number)
        return self.process.wait(PATIENCE)

    def _read(self) -> None:
        assert self.process.stdout is not None
        for line in self.process.stdout:
            self._pieces.put(line)
        self._pieces.put("\0")
