"""Pictures of the real thing for the README and the pages: console, full screen, game trees.

    make pictures
    python -m tools.pictures pruned-tree        # only those that are named

The console runs behind a pseudo-terminal, a terminal emulator keeps its screen, and the screen is
written as SVG. The game comes from a seed, so that the same picture comes out again. Game trees are
those of `tools.tree_pictures`, boards those of `tools.game_pictures`.
"""

import os
import pty
import select
import struct
import sys
import termios
import time
from collections.abc import Callable, Sequence
from fcntl import ioctl
from functools import partial
from html import escape
from io import StringIO
from pathlib import Path
from typing import NamedTuple

import pyte
from rich.console import Console
from rich.style import Style
from rich.text import Text

from tools import game_pictures, picture_tui, tree_pictures

PICTURES = Path(__file__).resolve().parents[1] / "docs" / "pictures"

#: How the questions of the console end.
PROMPT_ENDS = (b": ", b") ")

#: An SVG of rich's, but without the fonts that it would fetch from elsewhere.
SVG = """\
<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" role="img">
<title>TITLE</title>
<style>
.{unique_id}-matrix {{
  font-family: ui-monospace, Menlo, Consolas, "DejaVu Sans Mono", monospace;
  font-size: {char_height}px; line-height: {line_height}px;
}}
{styles}
</style>
<defs>
<clipPath id="{unique_id}-clip-terminal">
<rect x="0" y="0" width="{terminal_width}" height="{terminal_height}" />
</clipPath>
{lines}
</defs>
<rect width="{width}" height="{height}" rx="8" fill="#292929" />
<g transform="translate({terminal_x}, {terminal_y})" clip-path="url(#{unique_id}-clip-terminal)">
{backgrounds}
<g class="{unique_id}-matrix">
{matrix}
</g>
</g>
</svg>
"""


class Picture(NamedTuple):
    """A program on a screen of its own, and what is typed into it.

    Attributes:
        title: what the picture shows, for those who cannot see it.
        options: of the console.
        typed: lines to type, each once the program asks for it.
        size: lines and columns of the screen.
    """

    title: str
    options: str
    typed: Sequence[str]
    size: tuple[int, int]

    def take(self) -> str:
        """Run the program and return its last screen as SVG."""
        lines, columns = self.size
        screen = pyte.Screen(columns, lines)
        stream = pyte.ByteStream(screen)
        child, terminal = pty.fork()
        if child == 0:
            environment = {**os.environ, "TERM": "xterm-256color", "LANG": "C.UTF-8", "LC_ALL": ""}
            environment.pop("NO_COLOR", None)
            command = [sys.executable, "-m", "tic_tac_toe_frontends.console", *self.options.split()]
            os.execve(sys.executable, command, environment)
        ioctl(terminal, termios.TIOCSWINSZ, struct.pack("HHHH", lines, columns, 0, 0))
        for line in ["", *self.typed]:
            if line:
                os.write(terminal, f"{line}\n".encode())
            stream.feed(_read_until_asked(terminal))
        os.close(terminal)
        os.waitpid(child, 0)
        return _draw(screen, self.title)


CONSOLE = Picture(
    "A game of tic-tac-toe on the console, with a hint",
    "--seed 4 --delay 0",
    ("B2", "hint"),
    (24, 66),
)


def _read_until_asked(terminal: int) -> bytes:
    """Return what the program writes until it asks for input or ends, however long it thinks."""
    output, deadline = b"", time.monotonic() + 60
    while time.monotonic() < deadline:
        if select.select([terminal], [], [], 0.5)[0]:
            try:
                output += os.read(terminal, 65536)
            except OSError:  # the program has ended
                return output
        elif output.endswith(PROMPT_ENDS):
            return output
    raise TimeoutError("The program neither asked for anything nor ended within a minute")


def _draw(screen: pyte.Screen, title: str) -> str:
    """Return a screen as SVG, without its empty last lines."""
    console = Console(record=True, width=screen.columns, file=StringIO())
    rows = [_line(screen, row) for row in range(screen.lines)]
    while rows and not rows[-1].plain.strip():
        rows.pop()
    for row in rows:
        console.print(row, no_wrap=True, overflow="crop")
    return console.export_svg(code_format=SVG.replace("TITLE", escape(title)), unique_id="screen")


def _line(screen: pyte.Screen, row: int) -> Text:
    text = Text()
    for column in range(screen.columns):
        cell = screen.buffer[row][column]
        style = Style(bold=cell.bold, reverse=cell.reverse, underline=cell.underscore)
        text.append(cell.data, style)
    text.rstrip()
    return text


def main(names: Sequence[str]) -> None:
    """Take the pictures that are named, or every one."""
    takes: dict[str, Callable[[], str]] = {"console": CONSOLE.take, "tui": picture_tui.draw}
    takes |= {name: partial(tree_pictures.draw, name) for name in tree_pictures.TREES}
    takes |= {f"game-{name}": partial(game_pictures.draw, name) for name in game_pictures.GAMES}
    takes["plan"] = game_pictures.draw_plan
    PICTURES.mkdir(exist_ok=True)
    for name in names or takes:
        (PICTURES / f"{name}.svg").write_text(takes[name](), "utf-8")
        print(f"docs/pictures/{name}.svg")


if __name__ == "__main__":
    main(sys.argv[1:])
