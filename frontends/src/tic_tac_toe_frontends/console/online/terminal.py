"""A terminal that shows news while a person is typing.

A thread reads the lines. On a screen with escape sequences the unfinished line is erased before
each output and redrawn after it; elsewhere the system edits the line, and output begins on a new
line.
"""

from __future__ import annotations

import asyncio
import codecs
import contextlib
import os
import threading
from collections.abc import Iterator
from typing import Any, TextIO

from ...program.terminal import LINE_LIMIT, Terminal, columns_of
from ...words.foreign import escaped

try:
    import termios
    import tty
except ImportError:  # on Windows the system always edits the line
    termios = None  # type: ignore[assignment]  # a module where there is one

PROMPT = "> "
_WIPE = "\r\x1b[K"


class OnlineTerminal(Terminal):
    """A terminal with asynchronous input.

    Attributes:
        lines: the typed lines, and ``None`` at the end of the input.
        has_bell: whether `ring` makes a sound.
    """

    def __init__(self, stdin: TextIO | None, stdout: TextIO | None, *, plain: bool = False) -> None:
        super().__init__(stdin, stdout, plain=plain)
        self.lines: asyncio.Queue[str | None] = asyncio.Queue()
        self.has_bell = True
        self._editor = LineEditor()
        self._edits = self.fancy and self.interactive and termios is not None
        self._loop: asyncio.AbstractEventLoop | None = None
        self._begun = ""
        self._prompting = self._waiting = False
        self._modes: Any = None

    @contextlib.contextmanager
    def reading(self) -> Iterator[None]:
        """Read lines until the end of the block, which restores the terminal's mode."""
        self._loop = asyncio.get_running_loop()
        try:
            handle = self._stdin.fileno()
        except (OSError, ValueError):
            self.lines.put_nowait(None)
            yield
            return
        self._take_keyboard(handle)
        threading.Thread(target=self._read_input, args=(handle, self._loop), daemon=True).start()
        try:
            yield
        finally:
            self.stop()
            if self._modes is not None:
                with contextlib.suppress(termios.error):
                    termios.tcsetattr(handle, termios.TCSADRAIN, self._modes)

    def resume(self) -> None:
        """Set the terminal's mode again after the program was suspended."""
        if self._modes is not None:
            self._take_keyboard(self._stdin.fileno())
            self._draw_prompt()

    def wait_for_line(self) -> None:
        """Show a prompt from now on."""
        self._waiting = True
        self._prompt_soon()

    def stop(self) -> None:
        """Hide the prompt for good."""
        self._hide_prompt()
        self._waiting = False

    def show(self, text: str = "", *, styled: bool = False, end: str = "\n") -> None:
        """Write lines above the unfinished line."""
        self._hide_prompt()
        super().show(text, styled=styled, end=end)
        self._prompt_soon()

    def ring(self) -> None:
        """Ring the bell of an interactive terminal."""
        if self.has_bell and self.interactive:
            super().show("\a", styled=True, end="")

    def clear(self) -> None:
        """Do nothing: the screen has other people's lines."""

    def _take_keyboard(self, handle: int) -> None:
        if self._edits:
            with contextlib.suppress(termios.error):
                if self._modes is None:
                    self._modes = termios.tcgetattr(handle)
                tty.setcbreak(handle, termios.TCSADRAIN)

    def _read_input(self, handle: int, loop: asyncio.AbstractEventLoop) -> None:
        """Pass the input to the event loop.

        It is read without Python's buffer: a waiting thread would hold its lock at the program's
        end.
        """
        decoder = codecs.getincrementaldecoder(self._stdin.encoding or "utf-8")("replace")
        while True:
            try:
                piece = os.read(handle, 4_096)
            except OSError:
                piece = b""
            with contextlib.suppress(RuntimeError):  # the loop may be closed
                loop.call_soon_threadsafe(self._add_input, decoder.decode(piece), not piece)
            if not piece:
                return

    def _add_input(self, text: str, ended: bool) -> None:
        lines = self._editor.feed(text) if self._edits else self._split(text, ended)
        for line in lines:
            if self._edits:  # keep the line on the screen
                super().show(_WIPE + escaped(PROMPT + line), styled=True)
            self._prompting = False
            self.lines.put_nowait(line)
        if ended or self._editor.ended:
            self.lines.put_nowait(None)
        elif self._edits:
            self._draw_prompt()
        elif lines:
            self._prompt_soon()

    def _split(self, text: str, ended: bool) -> list[str]:
        """Return the finished lines of the input; long ones are cut."""
        *lines, self._begun = (self._begun + text).split("\n")
        self._begun = self._begun[:LINE_LIMIT]
        if ended and self._begun:
            lines.append(self._begun)
            self._begun = ""
        return [line.rstrip("\r")[:LINE_LIMIT] for line in lines]

    def _hide_prompt(self) -> None:
        if self._prompting:
            self._prompting = False
            if self._edits:
                super().show(_WIPE, styled=True, end="")
            else:
                super().show()

    def _prompt_soon(self) -> None:
        """Show the prompt after all present output."""
        if self._waiting and self.interactive and self._loop is not None:
            self._loop.call_soon(self._show_prompt)

    def _show_prompt(self) -> None:
        if self._waiting and not self._prompting:
            self._draw_prompt()

    def _draw_prompt(self) -> None:
        if not self._waiting:
            return
        self._prompting = True
        if not self._edits:
            super().show(PROMPT, end="")
            return
        typed = escaped(self._editor.text)
        room = self.size[0] - len(PROMPT) - 2
        if columns_of(typed) > room:
            while columns_of(typed) > room - 1:
                typed = typed[1:]
            typed = f"…{typed}"
        super().show(f"{_WIPE}{PROMPT}{typed}", styled=True, end="")


_BACKSPACE = "\b\x7f"
_ENTER = "\r\n"
_END = "\x04"  # Ctrl-D
_CLEAR = "\x15"  # Ctrl-U
_WORD = "\x17"  # Ctrl-W
_ESCAPE = "\x1b"


class LineEditor:
    """The unfinished input line.

    Attributes:
        ended: whether Ctrl-D was pressed in an empty line.
    """

    def __init__(self) -> None:
        self.text = ""
        self.ended = False
        self._escape = ""

    def feed(self, keys: str) -> list[str]:
        """Add keys, and return the lines that they finish."""
        lines = []
        for key in keys:
            if self._escape:
                self._continue_escape(key)
            elif key in _ENTER:
                lines.append(self.text)
                self.text = ""
            elif key in _BACKSPACE:
                self.text = self.text[:-1]
            elif key == _CLEAR:
                self.text = ""
            elif key == _WORD:
                self.text = self.text.rstrip().rpartition(" ")[0]
                self.text += " " if self.text else ""
            elif key == _END:
                self.ended = self.ended or not self.text
            elif key == _ESCAPE:
                self._escape = key
            elif key.isprintable() and len(self.text) < LINE_LIMIT:
                self.text += key
        return lines

    def _continue_escape(self, key: str) -> None:
        """Skip the escape sequence of an arrow or another special key."""
        begun = self._escape + key
        is_sequence = len(begun) == 2 and key in "[O"
        within = len(begun) > 2 and not "@" <= key <= "~" and len(begun) < 32
        self._escape = begun if is_sequence or within else ""
