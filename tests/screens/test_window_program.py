"""The window as a program: how it starts and ends, and a monkey before it."""

from __future__ import annotations

import ctypes
import random
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import partial
from pathlib import Path
from tkinter import filedialog

import pytest

from tests.frontends.desk import answer_soon
from tests.frontends.programs import FRONTENDS, PATIENCE, environment, run
from tests.machine import needs
from tests.screens.window import Open, RealWindow, xdotool
from tic_tac_toe.game.looks import looks_for
from tic_tac_toe.logic.rules.catalogue import VARIANTS
from tic_tac_toe_frontends.table.telling import tell_status
from tic_tac_toe_frontends.window.args import parse_args
from tic_tac_toe_frontends.window.commands import COMMANDS, GAME_MENU, MOVES_MENU
from tic_tac_toe_frontends.window.dialogs import Dialog, SizeDialog
from tic_tac_toe_frontends.window.palettes import THEMES
from tic_tac_toe_frontends.window.view import plain
from tic_tac_toe_frontends.words.rules_text import STARTERS, variant_title
from tic_tac_toe_frontends.words.translation import LANGUAGES

#: A computer player thinks for minutes here.
ENDLESS = ("--variant", "mnk:26,26,6", "-X", "mcts", "-O", "mcts")

on_display = needs("Xvfb", "xdotool")


def wait_until(condition: Callable[[], object]) -> None:
    deadline = time.monotonic() + PATIENCE
    while not condition():
        assert time.monotonic() < deadline
        time.sleep(0.05)


@contextmanager
def window(display: str, *arguments: str) -> Iterator[subprocess.Popen[str]]:
    """Run the program from a bare checkout until it is on the screen."""
    process = subprocess.Popen(
        [sys.executable, "-m", "window", "--lang", "en", *arguments],
        cwd=FRONTENDS,
        encoding="utf-8",
        env=environment(DISPLAY=display),
        stderr=subprocess.PIPE,
        stdout=subprocess.PIPE,
    )
    try:
        wait_until(lambda: process.poll() is not None or shown(display))
        yield process
    finally:
        if process.poll() is None:
            process.kill()
        process.communicate()


def shown(display: str, *which: str) -> list[str]:
    """Return windows of the program that are on the screen, the main one unless asked for."""
    wanted = which or ("--class", "tic-tac-toe")
    try:
        return xdotool(display, "search", "--onlyvisible", *wanted).split()
    except subprocess.CalledProcessError:  # it has found none
        return []


def close(display: str, process: subprocess.Popen[str]) -> tuple[int, str, str]:
    """Close the window as its frame's button does; return how the program ended."""
    for name in shown(display):
        press_close_button(display, int(name))
    return end_of(process)


def end_of(process: subprocess.Popen[str]) -> tuple[int, str, str]:
    """Wait for a program, and return its exit status and what it has said."""
    out, err = process.communicate(timeout=PATIENCE)
    return process.returncode, out, err


@pytest.mark.once
@on_display
@pytest.mark.parametrize(
    "arguments",
    [
        ("--variant", "connect-four"),
        (*ENDLESS, "--delay", "0"),
        ("-X", "rules", "-O", "medium", "--delay", "0"),
    ],
    ids=["person", "thinking", "playing"],
)
def test_closing_the_window_ends_the_program_at_once_and_without_a_word(
    display: str, arguments: tuple[str, ...]
) -> None:
    with window(display, *arguments) as process:
        titles = {xdotool(display, "getwindowname", name).strip() for name in shown(display)}

        assert close(display, process) == (0, "", "")
    assert ("Connect Four" in titles) == ("connect-four" in arguments)


@pytest.mark.once
@on_display
@pytest.mark.parametrize(("number", "status"), [(signal.SIGINT, 130), (signal.SIGHUP, 129)])
def test_a_signal_ends_the_program_in_order_also_in_mid_thought(
    display: str, number: signal.Signals, status: int
) -> None:
    with window(display, *ENDLESS) as process:
        process.send_signal(number)

        assert end_of(process) == (status, "", "")


def ask_for_file(display: str, process: subprocess.Popen[str]) -> None:
    """Have the program ask which file to open, and wait until it does."""
    (window,) = shown(display)

    def asks() -> bool:
        if shown(display, "--class", "TkFDialog"):
            return True
        xdotool(display, "mousemove", 300, 400, "windowfocus", window, "key", "ctrl+o")
        assert process.poll() is None
        return False

    wait_until(asks)


@pytest.mark.once
@on_display
@pytest.mark.parametrize("status", [0, 128 + signal.SIGTERM])
def test_closing_and_a_signal_while_a_file_is_asked_for_end_the_program(
    display: str, status: int
) -> None:
    with window(display) as process:
        ask_for_file(display, process)
        if status:
            process.terminate()
            ended = end_of(process)
        else:
            ended = close(display, process)

        assert ended == (status, "", "")


def name_file(display: str, name: str) -> bool:
    """Type a name into the dialog; return whether it has gone.

    A dialog that has just come on the screen may still change its size, and keys and clicks go
    astray: so this is done until it has gone.
    """
    dialogs = shown(display, "--class", "TkFDialog")
    if not dialogs:
        return True
    try:
        geometry = xdotool(display, "getwindowgeometry", "--shell", dialogs[0])
        size = dict(line.split("=") for line in geometry.split())
        x, y = int(size["WIDTH"]) // 2, int(size["HEIGHT"]) * 8 // 10
        xdotool(display, "mousemove", "--window", dialogs[0], x, y, "click", "--repeat", 3, 1)
        xdotool(display, "type", name)
        xdotool(display, "key", "Return")
    except subprocess.CalledProcessError:  # it has gone meanwhile
        pass
    return False


@pytest.mark.once
@on_display
def test_a_file_is_named_in_the_dialog_and_refused_in_the_window(display: str) -> None:
    with window(display) as process:
        ask_for_file(display, process)
        wait_until(partial(name_file, display, "play.py"))

        assert close(display, process) == (0, "", "")


@pytest.mark.skipif(sys.platform in ("win32", "darwin"), reason="these desktops need no DISPLAY")
def test_without_a_screen_it_says_so_in_one_line() -> None:
    ended = run("window", env=environment(DISPLAY=""))

    assert (ended.returncode, ended.stdout) == (1, "")
    assert ended.stderr.startswith("tic-tac-toe: there is no screen to open a window on")
    assert ended.stderr.count("\n") == 1


@pytest.mark.parametrize("module", ["tkinter", "_tkinter"])
def test_without_tkinter_it_says_in_one_line_what_to_install(module: str, tmp_path: Path) -> None:
    (tmp_path / f"{module}.py").write_text(f"raise ImportError(name={module!r})\n", "utf-8")

    ended = run("window", env=environment(PYTHONPATH=str(tmp_path)))

    assert (ended.returncode, ended.stdout) == (1, "")
    assert "apt-get install python3-tk" in ended.stderr
    assert ended.stderr.count("\n") == 1


def test_options_say_what_the_window_is_to_be(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("LANGUAGE", raising=False)
    monkeypatch.setenv("LC_ALL", "es_ES.UTF-8")

    options = "--variant 4x4 --starting random --seed 3 --theme dark --delay 2 --no-animation"
    args = parse_args(options.split())

    assert (args.setup.rules.shape, args.setup.starting) == ((4, 4), "random")
    assert (args.seed, args.theme, args.delay, args.animated) == (3, "dark", 2.0, False)
    assert args.language.info()["language"] == "es"


_CLIENT_MESSAGE = 33


class _ClientMessage(ctypes.Structure):
    """An XClientMessageEvent, padded to the size of an XEvent."""

    _fields_ = (
        ("type", ctypes.c_int),
        ("serial", ctypes.c_ulong),
        ("send_event", ctypes.c_int),
        ("display", ctypes.c_void_p),
        ("window", ctypes.c_ulong),
        ("message_type", ctypes.c_ulong),
        ("format", ctypes.c_int),
        ("data", ctypes.c_long * 5),
        ("padding", ctypes.c_long * 24),
    )


def press_close_button(display: str, window: int) -> None:
    """Ask a window to close, by the message that window managers send."""
    x11 = ctypes.CDLL("libX11.so.6")
    x11.XOpenDisplay.restype = ctypes.c_void_p
    x11.XInternAtom.restype = ctypes.c_ulong
    connection = ctypes.c_void_p(x11.XOpenDisplay(display.encode()))
    assert connection, display
    protocols, delete = (
        x11.XInternAtom(connection, name, 0) for name in (b"WM_PROTOCOLS", b"WM_DELETE_WINDOW")
    )
    event = _ClientMessage(
        type=_CLIENT_MESSAGE, window=window, message_type=protocols, format=32, data=(delete,)
    )
    x11.XSendEvent(connection, ctypes.c_ulong(window), 0, ctypes.c_long(0), ctypes.byref(event))
    x11.XCloseDisplay(connection)


# -- a monkey --------------------------------------------------------------------------------------

EVENTS = 5_000

#: Everything but closing the window; what takes it away and makes it anew comes up less often.
ACTIONS = [name for name in COMMANDS if name != "quit"]

PLAYERS = ("human", "human", "random", "easy", "rules", "medium")

OPTIONS = {
    "x": PLAYERS,
    "o": PLAYERS,
    "variant": tuple(VARIANTS),
    "starting": STARTERS,
    "look": (),
    "theme": THEMES[1:],
    "language": tuple(LANGUAGES),
}

KEYS = (
    *("Left", "Right", "Up", "Down", "Return", "space", "Escape", "Tab", "BackSpace", "F1", "h"),
    *"0123456789xo",
    "adiaeresis",
    "ssharp",
    *("Control-n", "Control-z", "Control-y", "Control-Shift-Z", "Control-l", "Control-o"),
    *("a", "c", "p", "Home", "End", "Prior", "Next"),
    *("Control-s", "Control-Cyrillic_ya", "Control-Cyrillic_te", "Cyrillic_er", "Prior", "Menu"),
)


class Monkey:
    """Random clicks, keys and choices, the same ones for the same seed."""

    def __init__(self, stage: RealWindow, seed: int) -> None:
        self.stage = stage
        self.rng = random.Random(seed)

    def act(self) -> None:
        """Click, press a key, or choose something."""
        dialogs = [child for child in self.stage.root.winfo_children() if isinstance(child, Dialog)]
        if dialogs and isinstance(dialogs[-1], SizeDialog):
            self._answer(dialogs[-1])
        elif dialogs:
            dialogs[-1].event_generate("<Escape>")
        else:
            acts = (self._click, self._press, self._push, self._choose, self._do)
            self.rng.choices(acts, weights=(55, 30, 12, 2, 1))[0]()

    def _click(self) -> None:
        board = self.stage.board
        if self.rng.random() < 0.7:  # where it matters
            x, y = self.stage.centre_of(self.rng.choice(self.stage.table.state.legal_cells or (0,)))
        else:
            x = self.rng.randrange(-5, board.winfo_width() + 5)
            y = self.rng.randrange(-5, board.winfo_height() + 5)
        board.event_generate("<Motion>", x=x, y=y)
        if self.rng.random() < 0.1:
            board.event_generate(self.rng.choice(("<Button-4>", "<Button-5>")), x=x, y=y)
        board.event_generate("<Button-1>", x=x, y=y)
        board.event_generate("<ButtonRelease-1>", x=x, y=y)

    def _press(self) -> None:
        focused = self.stage.root.focus_get() or self.stage.root
        focused.event_generate(f"<{_event(self.rng.choice(KEYS))}>")

    def _push(self) -> None:
        view = self.stage.app.view
        buttons = [*view.buttons.values(), *view.move_choice.specials.values()]
        pushes = [button.invoke for button in buttons]
        pushes += [letter.invoke for letter in view.move_choice.letters.values()]
        self.rng.choice(pushes)()

    def _do(self) -> None:
        name = self.rng.choice(ACTIONS)
        menus = self.stage.app.view.menus
        if name in GAME_MENU:
            menus.game.invoke(GAME_MENU.index(name))
        elif name in MOVES_MENU:
            menus.moves.invoke(MOVES_MENU.index(name))
        else:
            self.stage.app.actions[name]()

    def _choose(self) -> None:
        name = self.rng.choice(list(OPTIONS))
        offered = looks_for(self.stage.table.setup.rules) if name == "look" else OPTIONS[name]
        self.stage.app.choose(name, self.rng.choice(offered))
        if self.rng.random() < 0.3:
            width, height = self.rng.randrange(200, 900), self.rng.randrange(200, 800)
            self.stage.root.geometry(f"{width}x{height}")

    def _answer(self, dialog: SizeDialog) -> None:
        for box in dialog.numbers:
            box.set(self.rng.choice(["", "x", "0", "27", *map(str, range(1, 27))]))
        for flag in dialog.flags.values():
            if self.rng.random() < 0.3:
                flag.invoke()
        if self.rng.random() < 0.2:
            dialog.event_generate("<Escape>")
        else:
            dialog.begin()


def _event(key: str) -> str:
    *modifiers, name = key.split("-")
    return "-".join([*modifiers, "Key", name])


def check(stage: RealWindow) -> None:
    """The game is one that the rules allow, and the window shows that very game."""
    table = stage.table
    record = table.record
    assert record.final_position == table.state.position
    assert len(record.moves) == table.match.ply
    view = stage.app.view
    if table.replay.ply is None:
        status = tell_status(
            table, stage.app.language, stage.app.settings.looks.of(table.state.rules)
        )
        assert view.status.cget("text") == plain(status)
    assert stage.board.picture.state is table.replay.state(table.match)
    assert view.choices["variant"].box.get() == variant_title(table.setup.rules, stage.app.language)
    assert stage.desktop.errors == []


@pytest.mark.once
@on_display
@pytest.mark.slow
def test_thousands_of_random_clicks_and_keys_end_in_no_error(
    open_window: Open, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    names = [str(tmp_path / name) for name in ("a.txt", "b.json", "no/such", "c", "")]
    dice = random.Random(1)
    for name in ("askopenfilename", "asksaveasfilename"):
        monkeypatch.setattr(filedialog, name, lambda **_options: dice.choice(names))
    stage = open_window(animated=True, answer=answer_soon)
    monkey = Monkey(stage, 1)
    games = counted = moves = ply = 0

    for count in range(EVENTS):
        monkey.act()
        stage.desktop.root.update()
        moves, ply = moves + max(0, stage.table.match.ply - ply), stage.table.match.ply
        total = stage.table.score.total()  # which other players and games set back to 0
        games, counted = games + max(0, total - counted), total
        if count % 25 == 0:
            check(stage)

    check(stage)
    assert games >= 5
    assert moves >= 50
