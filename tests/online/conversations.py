"""``tic-tac-toe online`` with pipes, spoken with line by line while it runs."""

from __future__ import annotations

import subprocess
from contextlib import suppress

from tests.frontends.programs import Talk, command, environment


class Conversation(Talk):
    """A program whose input and output are pipes, and everything that it has written."""

    def __init__(self, *arguments: str, env: dict[str, str] | None = None) -> None:
        process = subprocess.Popen(
            command("online", *arguments),
            env=env or environment(),
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
        )
        assert process.stdin is not None
        assert process.stdout is not None
        super().__init__(process, process.stdout.fileno(), "surrogateescape")
        self._input, self._pipe = process.stdin, process.stdout

    def __exit__(self, *_: object) -> None:
        super().__exit__()
        self._pipe.close()
        with suppress(BrokenPipeError):
            self._input.close()

    def type(self, *lines: str) -> None:
        """Send lines."""
        self._input.write("".join(f"{line}\n" for line in lines).encode())
        self._input.flush()

    def end(self) -> int:
        """End the input, wait for the program, and return its exit status."""
        self._input.close()
        return super().end()
