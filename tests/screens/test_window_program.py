"""The window as a program: how it starts, how it ends, and what it says where it cannot start."""

from __future__ import annotations

import ctypes
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import partial
from pathlib import Path

import pytest

from tests.frontends.programs import FRONTENDS, PATIENCE, environment, run
from tests.machine import needs
from tests.screens.window import xdotool
from tic_tac_toe_frontends.window.args import parse_args

#: A computer player thinks for minutes here.
ENDLESS = ("--variant", "mnk:26,26,6", "-X", "mcts", "-O", "mcts")

#: Looks, twenty in a second, at a dialog that has been answered, before it is answered again.
SLOW = 60

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


@pytest.mark.medium
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


@pytest.mark.medium
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


@pytest.mark.medium
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

    A dialog that has just come on the screen may still change its size, and keys that asked for it
    twice have taken its focus; keys and clicks go astray: so this is done until it has gone.
    """
    dialogs = shown(display, "--class", "TkFDialog")
    if not dialogs:
        return True
    try:
        geometry = xdotool(display, "getwindowgeometry", "--shell", dialogs[0])
        size = dict(line.split("=") for line in geometry.split())
        x, y = int(size["WIDTH"]) // 2, int(size["HEIGHT"]) * 8 // 10
        xdotool(display, "windowfocus", dialogs[0], "mousemove", "--window", dialogs[0], x, y)
        xdotool(display, "click", "--repeat", 3, 1)
        xdotool(display, "type", name)
        xdotool(display, "key", "Return")
    except subprocess.CalledProcessError:  # it has gone meanwhile
        pass
    # A busy machine needs its time for these keys: more of them now would only mix with them.
    for _ in range(SLOW):
        if not shown(display, "--class", "TkFDialog"):
            return True
        time.sleep(0.05)
    return False


@pytest.mark.medium
@on_display
def test_a_file_is_named_in_the_dialog_and_refused_in_the_window(display: str) -> None:
    with window(display) as process:
        ask_for_file(display, process)
        wait_until(partial(name_file, display, "play.py"))

        assert close(display, process) == (0, "", "")


@pytest.mark.medium
@pytest.mark.skipif(sys.platform in ("win32", "darwin"), reason="these desktops need no DISPLAY")
def test_without_a_screen_it_says_so_in_one_line() -> None:
    ended = run("window", env=environment(DISPLAY=""))

    assert (ended.returncode, ended.stdout) == (1, "")
    assert ended.stderr.startswith("tic-tac-toe: there is no screen to open a window on")
    assert ended.stderr.count("\n") == 1


@pytest.mark.medium
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
