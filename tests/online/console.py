"""``tic-tac-toe online``, spoken with line by line: in the test's own loop, or as a process."""

from __future__ import annotations

import asyncio
import io
import os
import re
import signal
import subprocess
import threading
from contextlib import suppress
from pathlib import Path

from tests.frontends.programs import Talk, command, environment
from tests.online.processes import PATIENCE
from tic_tac_toe_frontends.console.online.args import parse_args
from tic_tac_toe_frontends.console.online.cli import play
from tic_tac_toe_frontends.console.online.terminal import OnlineTerminal
from tic_tac_toe_frontends.program.process import REFUSED, Refused

#: Options of somebody who creates a game.
CREATE = ("--create", "tic-tac-toe", "--seat", "X")
GAME = re.compile(r"/games/([A-Za-z0-9_-]{22})")


class Stream(io.StringIO):
    """What stands in for standard input and output; sets an event at each piece of text."""

    def __init__(self, handle: int, *, is_terminal: bool) -> None:
        super().__init__()
        self._handle, self._is_terminal = handle, is_terminal
        self.changed = asyncio.Event()

    def fileno(self) -> int:
        """Return what is read from."""
        return self._handle

    def isatty(self) -> bool:
        """Whether a person sits there."""
        return self._is_terminal

    def write(self, text: str) -> int:
        """Keep a text."""
        self.changed.set()
        return super().write(text)


class Console:
    """A program that plays, and everything that it has written.

    Args:
        on_terminal: whether it takes its pipes for the keyboard and the screen of a terminal.
    """

    def __init__(self, *arguments: str, on_terminal: bool = False) -> None:
        self.typed, self._keyboard = os.pipe()
        self._shown = Stream(self.typed, is_terminal=on_terminal)
        self._seen = 0
        self.playing = asyncio.create_task(self._play([*arguments, "--lang", "en"]))

    async def _play(self, arguments: list[str]) -> int:
        args = parse_args(arguments)
        try:
            return await play(args, OnlineTerminal(self._shown, self._shown, plain=args.plain))
        except Refused as refusal:
            self._shown.write(f"tic-tac-toe: {refusal}\n")
            return REFUSED

    @property
    def written(self) -> str:
        """Everything that it has written."""
        return self._shown.getvalue()

    @property
    def game(self) -> str:
        """The last game whose address it has written."""
        return str(GAME.findall(self.written)[-1])

    async def expect(self, *texts: str) -> None:
        """Wait until texts are written one after the other, after all that was waited for before.

        Raises:
            AssertionError: one of them does not come.
        """
        for text in texts:
            await self._expect(text)

    async def _expect(self, text: str) -> None:
        while (found := self.written.find(text, self._seen)) < 0:
            self._shown.changed.clear()
            waiting = asyncio.create_task(self._shown.changed.wait())
            works = (self.playing, waiting)
            await asyncio.wait(works, timeout=PATIENCE, return_when=asyncio.FIRST_COMPLETED)
            has_come = waiting.done()
            waiting.cancel()
            assert has_come, f"{text!r} did not come after: {self.written!r}"
        self._seen = found + len(text)

    def press(self, keys: str) -> None:
        """Type something; control characters are the keys that send them."""
        os.write(self._keyboard, keys.encode())

    def type(self, *lines: str) -> None:
        """Type lines."""
        self.press("".join(f"{line}\n" for line in lines))

    async def end(self) -> int:
        """End the input, wait for the program, and return its exit status."""
        self.hang_up()
        return await asyncio.wait_for(self.playing, PATIENCE)

    def hang_up(self) -> None:
        """End the input."""
        if self._keyboard >= 0:
            os.close(self._keyboard)
        self._keyboard = -1


class Consoles:
    """Starts consoles of people with a file of seats each.

    Attributes:
        address: of the server where they play.
    """

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._consoles: list[Console] = []
        self._signals = {
            number: signal.getsignal(number)
            for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP, signal.SIGCONT)
        }
        self.address = ""

    def go_to(self, url: str) -> None:
        """Play at the server with this WebSocket from now on."""
        self.address = url.replace("ws", "http", 1).removesuffix("/ws")

    def seats(self, person: str) -> Path:
        """Return the file of somebody's seats."""
        return self._folder / f"{person}.json"

    def lock(self, person: str) -> Path:
        """Return what keeps others from writing the file of somebody's seats."""
        return self._folder / f"{person}.json.lock"

    def __call__(
        self, person: str, *options: str, game: str = "", on_terminal: bool = False
    ) -> Console:
        """Let somebody begin, at a game or in the lobby."""
        place = f"{self.address}/games/{game}" if game else self.address
        return self.at(place, *options, person=person, on_terminal=on_terminal)

    def at(
        self, place: str, *options: str, person: str = "Ann", on_terminal: bool = False
    ) -> Console:
        """Let somebody begin at any address."""
        seats = ("--seat-file", str(self.seats(person)))
        console = Console(place, "--name", person, *seats, *options, on_terminal=on_terminal)
        self._consoles.append(console)
        return console

    async def invited(self, creator: Console) -> str:
        """Return the address of the game that somebody has just created."""
        await creator.expect("Whoever has this address can take the other seat:")
        await creator.expect("Waiting for somebody to join.")
        return creator.game

    async def two(self, *create: str) -> tuple[Console, Console]:
        """Let Ann create a game as X, and Bob join it."""
        ann = self("Ann", "--create", *(create or ("tic-tac-toe",)), "--seat", "X")
        return ann, self("Bob", game=await self.invited(ann))

    async def close(self) -> None:
        """See that what still runs ends in order, and give back what was taken."""
        running = [console for console in self._consoles if not console.playing.done()]
        try:
            assert [await console.end() for console in running] == [0] * len(running)
            assert not any("Traceback" in console.written for console in self._consoles)
        finally:
            self._let_go()

    def _let_go(self) -> None:
        for console in self._consoles:
            console.hang_up()
            console.playing.cancel()
        for thread in threading.enumerate():
            if "_read_input" in thread.name:  # it sees the end of what is typed
                thread.join(PATIENCE)
        for console in self._consoles:
            os.close(console.typed)
        for number, handler in self._signals.items():
            signal.signal(number, handler)


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
