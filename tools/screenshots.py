"""Pictures of the screens: console, full screen, window, page, online play and notebook.

`tools.pictures` writes them. Each game comes from a seed, so that much the same picture comes out
again: letters look as the machine's fonts have them. It takes Chromium, Xvfb, and ImageMagick,
which keeps the files small.
"""

from __future__ import annotations

import asyncio
import atexit
import gc
import os
import pty
import random
import re
import select
import struct
import subprocess
import sys
import tempfile
import termios
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import ExitStack, contextmanager
from fcntl import ioctl
from functools import cache, partial
from html import escape
from io import StringIO
from pathlib import Path
from typing import TYPE_CHECKING, Final, Literal, NamedTuple

from playwright.sync_api import Browser, Page, expect, sync_playwright

from tic_tac_toe.game.strategies import play_by_rules
from tic_tac_toe.logic.rules.catalogue import find_rules
from tic_tac_toe_frontends.browser.build import build
from tic_tac_toe_frontends.browser.server import Server
from tic_tac_toe_frontends.table.table import Setup
from tic_tac_toe_frontends.words.rules_text import HUMAN
from tic_tac_toe_frontends.words.translation import load
from tools.chromium import MISSING, find_chromium, launch
from tools.virtual_display import virtual_display

if TYPE_CHECKING:
    import pyte
    from rich.text import Text

    from tic_tac_toe_frontends.tui.app import GameApp

#: How long a slow machine may take for one step of a picture, in seconds.
PATIENCE: Final = 60.0
#: Fonts of the reader's own, for a picture asks no other host for one.
FONTS: Final = 'ui-monospace, Menlo, Consolas, "DejaVu Sans Mono", monospace'


def _wait(condition: Callable[[], bool], between: Callable[[], object]) -> None:
    deadline = time.monotonic() + PATIENCE
    while not condition():
        if time.monotonic() > deadline:
            raise TimeoutError("The picture was not ready within a minute")
        between()
        time.sleep(0.01)


# The console runs behind a pseudo-terminal, and a terminal emulator keeps its screen.

CONSOLE_TITLE: Final = "A game of tic-tac-toe on the console, with a hint"
CONSOLE_OPTIONS: Final = ("--seed", "4", "--delay", "0")
CONSOLE_LINES: Final = ("B2", "hint")
CONSOLE_SIZE: Final = (24, 66)
#: How the questions of the console end.
PROMPT_ENDS: Final = (b": ", b") ")
#: An SVG of rich's, but without the fonts that it would fetch from elsewhere.
CONSOLE_SVG: Final = """\
<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" role="img">
<title>TITLE</title>
<style>
.{unique_id}-matrix {{
  font-family: FONTS;
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


def take_console(path: Path) -> Path:
    """Play on the console, each line once the program asks for it, and keep its last screen."""
    import pyte

    lines, columns = CONSOLE_SIZE
    screen = pyte.Screen(columns, lines)
    stream = pyte.ByteStream(screen)
    child, terminal = pty.fork()
    if child == 0:
        environment = {**os.environ, "TERM": "xterm-256color", "LANG": "C.UTF-8", "LC_ALL": ""}
        environment.pop("NO_COLOR", None)
        command = [sys.executable, "-m", "tic_tac_toe_frontends.console", *CONSOLE_OPTIONS]
        os.execve(sys.executable, command, environment)
    ioctl(terminal, termios.TIOCSWINSZ, struct.pack("HHHH", lines, columns, 0, 0))
    for line in ["", *CONSOLE_LINES]:
        if line:
            os.write(terminal, f"{line}\n".encode())
        stream.feed(_read_until_asked(terminal))
    os.close(terminal)
    os.waitpid(child, 0)
    return _written(path.with_suffix(".svg"), _draw(screen))


def _read_until_asked(terminal: int) -> bytes:
    """Return what the program writes until it asks for input or ends, however long it thinks."""
    output, deadline = b"", time.monotonic() + PATIENCE
    while time.monotonic() < deadline:
        if select.select([terminal], [], [], 0.5)[0]:
            try:
                output += os.read(terminal, 65536)
            except OSError:  # the program has ended
                return output
        elif output.endswith(PROMPT_ENDS):
            return output
    raise TimeoutError("The program neither asked for anything nor ended within a minute")


def _draw(screen: pyte.Screen) -> str:
    """Return a screen as SVG, without its empty last lines."""
    from rich.console import Console

    console = Console(record=True, width=screen.columns, file=StringIO())
    rows = [_line(screen, row) for row in range(screen.lines)]
    while rows and not rows[-1].plain.strip():
        rows.pop()
    for row in rows:
        console.print(row, no_wrap=True, overflow="crop")
    form = CONSOLE_SVG.replace("TITLE", escape(CONSOLE_TITLE)).replace("FONTS", FONTS)
    return console.export_svg(code_format=form, unique_id="screen")


def _line(screen: pyte.Screen, row: int) -> Text:
    from rich.style import Style
    from rich.text import Text

    text = Text()
    for column in range(screen.columns):
        cell = screen.buffer[row][column]
        text.append(
            cell.data, Style(bold=cell.bold, reverse=cell.reverse, underline=cell.underscore)
        )
    text.rstrip()
    return text


def _written(path: Path, text: str) -> Path:
    path.write_text(text, encoding="utf-8")
    return path


# The full screen, of which Textual makes an SVG.

TUI_SIZE: Final = (88, 27)
TUI_TITLE: Final = (
    "A game of Connect Four on the full screen: the board with a hint, the score and the moves"
)
#: What is pressed, each key once the one before it has been answered.
TUI_KEYS: Final = ("4", "4", "5", "3", "h", "h", "h")


def draw_tui() -> str:
    """Return the picture of the full screen as SVG."""
    from tic_tac_toe_frontends.tui.app import GameApp

    setup = Setup(find_rules("connect-four-5x4"), HUMAN, "easy")
    app = GameApp(setup, rng=random.Random(5), delay=0, theme="textual-dark")
    svg = asyncio.run(_play(app))
    svg = re.sub(r"\s*@font-face \{.*?\n    \}", "", svg, flags=re.DOTALL)
    svg = re.sub(r"font-family: (Fira Code, monospace|arial);", f"font-family: {FONTS};", svg)
    svg = re.sub(r"\bterminal-\d+-", "terminal-", svg)
    svg = re.sub(r"\s*<!-- .*? -->", "", svg)
    head, end, rest = svg.partition(">")
    lines = f'{head} role="img"{end}\n<title>{TUI_TITLE}</title>{rest}'.splitlines()
    return "\n".join(line.rstrip() for line in lines) + "\n"


async def _play(app: GameApp) -> str:
    deadline = time.monotonic() + PATIENCE
    async with app.run_test(size=TUI_SIZE) as pilot:
        await pilot.pause()
        for key in TUI_KEYS:
            await pilot.press(key)
            while app.table.thinker is not None or app.advice.is_seeking_hint:
                if time.monotonic() > deadline:
                    raise TimeoutError("The game was not ready for its picture within a minute")
                await pilot.pause(0.05)
        await pilot.pause()
        return app.export_screenshot(title="tic-tac-toe tui")


def take_tui(path: Path) -> Path:
    """Play on the full screen and keep its picture."""
    return _written(path.with_suffix(".svg"), draw_tui())


class Window(NamedTuple):
    """A game in a window.

    Attributes:
        variant: the game by its name.
        x, o: who plays.
        theme: the colours.
        size: width and height of the window in pixels.
        cells: what people play; computers answer in between.
        moves: how many moves are played for people by a computer player before that.
        seed: where chance comes from.
        actions: what else is done at the end, by the names of the commands.
    """

    variant: str
    x: str
    o: str
    theme: str
    size: tuple[int, int]
    cells: Sequence[int] = ()
    moves: int = 0
    seed: int = 1
    actions: Sequence[str] = ()


WINDOWS: Final = {
    "window": Window(
        "tic-tac-toe", "human", "minimax", "light", (560, 620), (4, 2), actions=["hint"] * 3
    ),
    "window-dark": Window(
        "connect-four", "medium", "easy", "dark", (620, 640), seed=11, actions=["moves"]
    ),
    "window-gomoku": Window(
        "gomoku", "human", "human", "light", (1000, 620), moves=23, seed=3, actions=["moves"]
    ),
    "window-ultimate": Window("ultimate", "human", "human", "light", (620, 700), moves=39, seed=6),
}


def take_window(window: Window, path: Path) -> Path:
    """Play a game in a window on a virtual display, and keep a picture of it."""
    path = path.with_suffix(".png")
    _photograph(window, path, _display())
    gc.collect()  # the window's remains, which no thread that thinks may collect
    return path


@cache
def _display() -> str:
    """Return a display for the rest of the process: Tk never leaves one that it has opened."""
    stack = ExitStack()
    atexit.register(stack.close)
    return stack.enter_context(virtual_display("1000x900"))


def _photograph(window: Window, path: Path, display: str) -> None:
    import tkinter as tk

    from tic_tac_toe_frontends.window.app import App
    from tic_tac_toe_frontends.window.args import Args

    width, height = window.size
    root = tk.Tk(screenName=display)
    setup = Setup(find_rules(window.variant), window.x, window.o)
    args = Args(setup, load("en", {}), window.seed, delay=0.0, theme=window.theme, animated=False)
    app = App(root, args)
    root.geometry(f"{width}x{height}+0+0")
    rng = random.Random(window.seed)
    for _ in range(window.moves):
        move = play_by_rules(app.table.state, rng)
        assert move is not None
        app.desk.play_cell(move.number)
    for cell in window.cells:
        _wait(lambda: app.table.thinker is None, root.update)
        app.desk.play_cell(cell)
    _wait(lambda: app.table.thinker is None, root.update)
    for action in window.actions:
        app.desk.do(action)
        _wait(lambda: "…" not in app.view.detail.cget("text"), root.update)
    root.update()
    screen = subprocess.run(
        ["import", "-display", display, "-window", "root", "png:-"], capture_output=True, check=True
    ).stdout
    crop = ["-crop", f"{width}x{height + root.winfo_rooty()}+0+0", "+repage", "+dither"]
    subprocess.run(
        ["convert", "png:-", *crop, "-strip", "-colors", "64", f"png8:{path}"],
        check=True,
        input=screen,
    )
    app.close()


@contextmanager
def _chromium() -> Iterator[Browser]:
    if find_chromium() is None:
        sys.exit(MISSING)
    with sync_playwright() as playwright:
        expect.set_options(timeout=1000 * PATIENCE)
        browser = launch(playwright)
        yield browser
        browser.close()


class View(NamedTuple):
    """What the page shows: a game, how large, and in which colours.

    Attributes:
        fragment: the game, as a link has it.
        analysed: whether the value of each move stands in its cell.
    """

    fragment: str
    width: int
    height: int
    scheme: Literal["light", "dark"] = "light"
    analysed: bool = False


PEOPLE: Final = "#x=human&o=human"
ULTIMATE: Final = f"{PEOPLE}&game=ultimate&moves=E5.D4.A1.B2.D5.B4.D1.B1.E2.D6.A7.B3.D8"
CONNECT_FOUR: Final = f"{PEOPLE}&game=connect-four&moves=4.4.3.5.5.2.3.3.6"
VIEWS: Final = {
    "browser": View(ULTIMATE, 1160, 800),
    "browser-dark": View(CONNECT_FOUR, 1160, 800, "dark"),
    "browser-phone": View(f"{PEOPLE}&moves=B2.A1.C3", 390, 700, analysed=True),
}


def take_view(view: View, path: Path) -> Path:
    """Keep a picture of the page."""
    is_phone = view.width < 600
    path = path.with_suffix(".png")
    with Server(build(), 0) as server, server.answering(), _chromium() as browser:
        page = browser.new_page(
            viewport={"width": view.width, "height": view.height},
            color_scheme=view.scheme,
            has_touch=is_phone,
            is_mobile=is_phone,
            device_scale_factor=2 if is_phone else 1,
            locale="en-GB",
        )
        page.set_default_timeout(1000 * PATIENCE)
        page.goto(server.url + view.fragment)
        page.wait_for_selector("html[data-ready]", state="attached")
        if view.analysed:
            page.evaluate("document.getElementById('analysis').click()")  # behind “More” on phones
            page.wait_for_selector("#picture .ttt-value")
        page.evaluate("document.activeElement.blur(); scrollTo(0, 0)")
        page.screenshot(path=path, animations="disabled")
    return path


#: The columns that two play online, from 0: Ann first.
ONLINE_MOVES: Final = (3, 3, 2, 4, 4, 2, 5)


def take_online(path: Path) -> Path:
    """Play a part of a game on a real server, and keep a picture of it."""
    path = path.with_suffix(".png")
    build()
    with tempfile.TemporaryDirectory() as folder, _chromium() as browser:
        data = str(Path(folder, "games.sqlite"))
        command = [sys.executable, "-m", "tic_tac_toe_frontends.command", "serve"]
        server = subprocess.Popen(
            [*command, "--port", "0", "--data", data], stdout=subprocess.PIPE, text=True
        )
        try:
            assert server.stdout is not None
            address = next(word for word in server.stdout.readline().split() if "//" in word)
            _play_online(browser, address).screenshot(path=path, animations="disabled")
        finally:
            server.terminate()
            server.wait()
    return path


def _open_page(browser: Browser, address: str) -> Page:
    """Return a page at the lobby, in a browser of its own."""
    page = browser.new_page(viewport={"width": 1160, "height": 860}, locale="en-GB")
    page.set_default_timeout(1000 * PATIENCE)
    page.goto(address)
    page.wait_for_selector("#online", state="attached")
    page.click("#way-friend")
    page.click("#friend-lobby")
    expect(page.locator("#connection")).to_be_empty()
    return page


def _play_online(browser: Browser, address: str) -> Page:
    """Play, and return the page of the player who is to move."""
    ann, bob = _open_page(browser, address), _open_page(browser, address)
    ann.fill("#name", "Ann")
    ann.evaluate("document.getElementById('create-more').open = true")
    ann.select_option("#visible", "open")
    ann.select_option("#online-variant", "connect-four")
    ann.select_option("#seat", "X")
    ann.select_option("#clock", "600+5")
    ann.click("#create")
    bob.fill("#name", "Bob")
    bob.click("#open-games [data-action=join]")
    for count, cell in enumerate(ONLINE_MOVES, start=1):
        mover = bob if count % 2 == 0 else ann
        expect(mover.locator("#online-status")).to_contain_text("Your turn")
        mover.click(f"#online-cells [data-cell='{cell}']")
        expect(mover.locator("#online-moves button")).to_have_count(count)
    for number, (page, text) in enumerate(((ann, "Good luck!"), (bob, "You too.")), start=1):
        page.fill("#chat-line", text)
        page.click("#chat-form button")
        expect(bob.locator("#chat p")).to_have_count(number)
    expect(bob.locator("#online-moves button")).to_have_count(len(ONLINE_MOVES))
    bob.evaluate("document.activeElement.blur(); scrollTo(0, 0)")
    bob.wait_for_function("document.getAnimations().every(each => each.playState === 'finished')")
    return bob


NOTEBOOK_CELLS: Final = (
    "from tic_tac_toe_frontends.notebook import Game\n\n"
    'game = Game("tic-tac-toe", o="minimax", analyse=True, lang="en")\ngame',
    "game.verdict.outcome, game.record.moves",
)


def take_notebook(path: Path) -> Path:
    """Play two moves in a real JupyterLab and keep a picture of the notebook."""
    from tests.frontends.notebook.lab import Notebook, jupyter_lab, write_notebook

    path = path.with_suffix(".png")
    with tempfile.TemporaryDirectory() as name, _chromium() as browser:
        write_notebook(Path(name) / "game.ipynb", NOTEBOOK_CELLS)
        with jupyter_lab(Path(name), "JupyterLab Light") as address:
            page = browser.new_page(viewport={"width": 800, "height": 960}, locale="en")
            notebook = Notebook(page, address, "game.ipynb")
            notebook.run(0)
            notebook.cell("B1: empty, draw").click()
            notebook.game.locator(".ttt-value").first.wait_for()
            notebook.game.get_by_role("gridcell", name=": O").wait_for()
            notebook.run(1)
            page.keyboard.press("Escape")
            page.keyboard.press("Control+b")  # the list of files steps aside
            page.locator(".jp-WindowedPanel-outer").evaluate("panel => { panel.scrollTop = 0 }")
            page.locator(".jp-Notebook").screenshot(path=path)
    return path


#: The pictures of screens, by the names of their files; each takes a path without its ending.
TAKEN: Final[Mapping[str, Callable[[Path], Path]]] = {
    "console": take_console,
    "tui": take_tui,
    **{name: partial(take_window, window) for name, window in WINDOWS.items()},
    **{name: partial(take_view, view) for name, view in VIEWS.items()},
    "browser-online": take_online,
    "notebook": take_notebook,
}
