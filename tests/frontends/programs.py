"""Running the real programs: with pipes, and on a real pseudo-terminal."""

from __future__ import annotations

import codecs
import contextlib
import fcntl
import os
import re
import select
import struct
import subprocess
import sys
import termios
import time
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from typing_extensions import Self

ROOT = Path(__file__).resolve().parents[2]
FRONTENDS = ROOT / "frontends"

#: How long a program may take to answer on a loaded machine, in seconds.
PATIENCE = 60.0

CLEAR = "\x1b[2J\x1b[H"
_ESCAPES = re.compile(r"\x1b\[[0-9;?]*[A-Za-z]|\x1b[=>]")
_OTHER_LANGUAGES = ("LANGUAGE", "LC_ALL", "LC_MESSAGES", "LANG")
_OTHER_SCREENS = ("COLUMNS", "LINES", "NO_COLOR", "PYTHONIOENCODING", "WT_SESSION")
#: Opens the terminal anew, so that it becomes the controlling one, to which Ctrl-C is sent.
_ON_TERMINAL = 'exec "$@" <"$TERMINAL" >"$TERMINAL" 2>"$TERMINAL"'


def without_escapes(text: str) -> str:
    """Return a text without its escape sequences."""
    return _ESCAPES.sub("", text)


def environment(**changes: str) -> dict[str, str]:
    """Return the environment of a program in English, on a screen, with changes."""
    kept = {
        name: value
        for name, value in os.environ.items()
        if name not in (*_OTHER_LANGUAGES, *_OTHER_SCREENS)
    }
    return kept | {"LC_ALL": "C.UTF-8", "TERM": "xterm", "PYTHONUTF8": "1"} | changes


def command(*arguments: str) -> list[str]:
    """Return the command line of ``tic-tac-toe`` with these arguments."""
    return [sys.executable, "-m", "tic_tac_toe_frontends.command", *arguments]


def finish(
    words: Sequence[str],
    typed: str = "",
    env: Mapping[str, str] | None = None,
    cwd: Path | None = None,
    encoding: str = "utf-8",
) -> subprocess.CompletedProcess[str]:
    """Run a command with pipes for standard input and output, and return how it ended."""
    return subprocess.run(
        words,
        input=typed,
        capture_output=True,
        check=False,
        cwd=cwd,
        encoding=encoding,
        env=dict(env or environment()),
        timeout=PATIENCE,
    )


def run(
    *arguments: str, typed: str = "", env: Mapping[str, str] | None = None
) -> subprocess.CompletedProcess[str]:
    """Run ``tic-tac-toe`` with these arguments, and return how it ended."""
    return finish(command(*arguments), typed, env)


def bare(*arguments: str, typed: str = "") -> subprocess.CompletedProcess[str]:
    """Run Python in the folder of the front ends, without any installed package."""
    env = environment(PYTHONDONTWRITEBYTECODE="1")
    env.pop("PYTHONPATH", None)
    return finish([sys.executable, "-S", *arguments], typed, env, FRONTENDS)


class Talk:
    """A program that runs, and everything that it has written.

    Args:
        output: the descriptor that what it writes is read from.
        errors: how what is no UTF-8 is decoded.
    """

    def __init__(
        self, process: subprocess.Popen[bytes], output: int, errors: str = "replace"
    ) -> None:
        self.process = process
        self._output = output
        self._decoder = codecs.getincrementaldecoder("utf-8")(errors)
        self._seen = 0
        self.written = ""

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        if self.process.poll() is None:
            self.process.kill()
        self.process.wait()

    def expect(self, text: str) -> None:
        """Wait until something is written after all that was waited for before.

        Raises:
            AssertionError: it does not come.
        """
        deadline = time.monotonic() + PATIENCE
        while (found := self.written.find(text, self._seen)) < 0:
            if not self._read(deadline):
                raise AssertionError(f"{text!r} did not come after: {self.written!r}")
        self._seen = found + len(text)

    def end(self) -> int:
        """Wait for the program to end, read all that it has left, and return its exit status."""
        status = self.process.wait(PATIENCE)
        while self._read(time.monotonic() + 0.1):
            pass
        return status

    def _read(self, deadline: float) -> bool:
        """Read some of what was written; return whether there was anything until the deadline."""
        while (remaining := deadline - time.monotonic()) > 0:
            ready, _, _ = select.select([self._output], [], [], min(remaining, 0.2))
            if ready:
                data = os.read(self._output, 65_536)
                self.written += self._decoder.decode(data)
                return bool(data)
            if self.process.poll() is not None:
                return False
        return False


class Screen(Talk):
    """A program on a terminal of its own, and everything that it has written there."""

    def __init__(
        self,
        *arguments: str,
        env: Mapping[str, str] | None = None,
        size: tuple[int, int] = (80, 24),
    ) -> None:
        keyboard, terminal = os.openpty()
        columns, lines = size
        fcntl.ioctl(terminal, termios.TIOCSWINSZ, struct.pack("HHHH", lines, columns, 0, 0))
        process = subprocess.Popen(
            ["sh", "-c", _ON_TERMINAL, "sh", *command(*arguments)],
            env=dict(env or environment()) | {"TERMINAL": os.ttyname(terminal)},
            start_new_session=True,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
        )
        super().__init__(process, keyboard)
        self._keyboard = keyboard
        self._terminal = terminal

    def __exit__(self, *_: object) -> None:
        super().__exit__()
        self.hang_up()
        os.close(self._terminal)

    @property
    def page(self) -> str:
        """The text since the screen was last cleared, without escape sequences."""
        return without_escapes(self.written.rpartition(CLEAR)[2]).replace("\r\n", "\n")

    def type(self, text: str) -> None:
        """Type something; control characters are the keys that send them."""
        os.write(self._keyboard, text.encode())

    def interrupt(self) -> int:
        """Press Ctrl-C, wait for the program to end, and return its exit status.

        Python misses the key in the moment between showing a prompt and waiting at it, until the
        next key comes. Nobody is that quick but a test, which therefore presses it again.
        """
        for _ in range(int(PATIENCE / 5)):
            self.type("\x03")
            with contextlib.suppress(subprocess.TimeoutExpired):
                self.process.wait(5)
                break
        return self.end()

    def echoes(self) -> bool:
        """Whether the terminal shows what is typed and waits for whole lines, as a shell's does."""
        modes = termios.tcgetattr(self._terminal)[3]
        return bool(modes & termios.ECHO and modes & termios.ICANON)

    def echo(self) -> None:
        """Let the terminal show what is typed and wait for whole lines."""
        modes = termios.tcgetattr(self._terminal)
        modes[3] |= termios.ECHO | termios.ICANON
        termios.tcsetattr(self._terminal, termios.TCSANOW, modes)

    def hang_up(self) -> None:
        """Take the terminal away, as when its window is closed."""
        if self._keyboard >= 0:
            os.close(self._keyboard)
        self._keyboard = -1
