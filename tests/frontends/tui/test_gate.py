"""The real command on real terminals and pipes: the full screen where there is one, else words."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from tests.frontends.programs import FRONTENDS, PATIENCE, Screen, command, environment, run

INSTEAD = "; here is the plain console"
ENTERED, LEFT = "\x1b[?1049h", "\x1b[?1049l"
ENDLESS_THOUGHT = """
import time
from tic_tac_toe.logic.search import mcts
mcts.monte_carlo = lambda *_, **__: time.sleep(3600)
"""
GAME = ("--seed", "1", "-O", "rules", "--variant", "4x4")


def left(screen: Screen) -> int:
    """Leave the full screen, and return the exit status.

    What a program writes at its end has to be read, or it waits for that.
    """
    screen.type("q")
    screen.expect(LEFT)
    return screen.end()


def test_on_a_terminal_a_game_is_played_on_the_full_screen() -> None:
    with Screen("tui", "--seed", "1", "--delay", "0") as screen:
        screen.expect("X to move.")
        screen.type("5")
        screen.expect("O plays A1.")
        assert left(screen) == 0
        assert ENTERED in screen.written
        assert "Traceback" not in screen.written


def test_a_click_of_a_real_mouse_plays() -> None:
    with Screen("tui", "-O", "human", "--variant", "mnk:1,1,1") as screen:
        screen.expect("X to move.")
        screen.type("\x1b[<0;24;13M\x1b[<0;24;13m")
        screen.expect("X wins")
        assert left(screen) == 0


@pytest.mark.parametrize(
    ("changes", "reason"),
    [
        ({"TERM": "dumb"}, "a terminal that can be drawn on, and TERM is dumb"),
        ({"TERM": ""}, "to know the terminal, and TERM is not set"),
        (
            {"PYTHONUTF8": "0", "PYTHONIOENCODING": "latin-1"},
            "letters that iso8859-1 does not have",
        ),
    ],
    ids=["dumb", "unknown", "letters"],
)
def test_on_a_terminal_that_cannot_be_drawn_on_the_console_plays_the_same_game(
    changes: dict[str, str], reason: str
) -> None:
    with Screen("tui", *GAME, env=environment(**changes)) as screen:
        screen.expect(f"tic-tac-toe: the full screen needs {reason}{INSTEAD}\r\n")
        screen.expect("X: Person, O: Simple rules.")
        screen.expect("move: ")
        screen.type("D4\n")
        screen.expect("X plays D4.")
        screen.expect("O plays ")
        screen.type("quit\n")

        assert screen.end() == 0
        assert ENTERED not in screen.written


def test_without_textual_the_console_plays(tmp_path: Path) -> None:
    (tmp_path / "textual.py").write_text("raise ImportError('there is none')\n", "utf-8")

    with Screen("tui", env=environment(PYTHONPATH=os.fspath(tmp_path))) as screen:
        screen.expect("the full screen needs packages that are not installed: pip install textual")
        screen.expect("X's move: ")
        screen.type("quit\n")

        assert screen.end() == 0


def test_between_pipes_the_console_plays_to_the_end() -> None:
    ended = run("tui", "-X", "minimax", "-O", "random", "--seed", "2", "--starting", "O")

    assert ended.returncode == 0
    assert ended.stderr == (
        "tic-tac-toe: the full screen needs a terminal to type at, and the input is not a terminal"
        f"{INSTEAD}\n"
    )
    assert ended.stdout.endswith("X wins 🎉\n")
    assert "\x1b" not in ended.stdout


@pytest.mark.parametrize(
    ("redirected", "reason"),
    [
        ("stdout", "a terminal to draw on, and the output is not a terminal"),
        ("stderr", "standard error to be the terminal too"),
    ],
)
def test_with_one_end_redirected_the_console_plays(redirected: str, reason: str) -> None:
    keyboard, terminal = os.openpty()
    try:
        with subprocess.Popen(
            command("tui"),
            stdin=terminal,
            stdout=subprocess.PIPE if redirected == "stdout" else terminal,
            stderr=subprocess.PIPE,
            env=environment(),
            encoding="utf-8",
            start_new_session=True,
        ) as process:
            os.write(keyboard, b"quit\n")
            _, told = process.communicate(timeout=PATIENCE)
    finally:
        os.close(keyboard)
        os.close(terminal)

    assert process.returncode == 0
    assert told == f"tic-tac-toe: the full screen needs {reason}{INSTEAD}\n"


def test_leaving_ends_at_once_while_a_computer_thinks(tmp_path: Path) -> None:
    # Python reads this file when it starts; a thought that ends could end before the leaving.
    (tmp_path / "sitecustomize.py").write_text(ENDLESS_THOUGHT, "utf-8")
    options = ("-X", "mcts", "--variant", "gomoku", "--delay", "0")

    with Screen("tui", *options, env=environment(PYTHONPATH=os.fspath(tmp_path))) as screen:
        screen.expect("X is thinking …")
        assert left(screen) == 0
        assert "plays" not in screen.written


def test_ctrl_c_leaves_and_puts_the_terminal_in_order() -> None:
    with Screen("tui") as screen:
        screen.expect("X to move.")

        screen.type("\x03")
        screen.expect(LEFT)

        assert screen.end() == 130
        assert "Traceback" not in screen.written


def test_a_request_to_end_puts_the_terminal_in_order() -> None:
    with Screen("tui") as screen:
        screen.expect("X to move.")
        screen.process.send_signal(signal.SIGTERM)
        screen.expect(LEFT)

        assert screen.end() == 128 + signal.SIGTERM


def test_a_terminal_that_is_closed_ends_the_program() -> None:
    with Screen("tui") as screen:
        screen.expect("X to move.")
        screen.hang_up()

        assert screen.process.wait(PATIENCE) == -signal.SIGHUP


def test_no_color_means_none_at_all() -> None:
    with Screen("tui", env=environment(NO_COLOR="1", TERM="xterm-256color")) as screen:
        screen.expect("X to move.")
        screen.type("5")
        screen.expect("O plays A1.")
        screen.type("h")
        screen.expect("Best for")
        left(screen)

    colours = {"38;", "48;", "[31m", "[34m", "[44m", ";34", ";44"}
    assert [sign for sign in colours if sign in screen.written] == []


def test_an_unknown_theme_is_refused_with_those_there_are() -> None:
    with Screen("tui", "--theme", "mauve\x1b") as screen:
        assert screen.end() == 2

    assert "no theme is called 'mauve\\x1b'; choose from ansi-dark, " in screen.written
    assert "high-contrast" in screen.written


def test_a_theme_can_be_asked_for() -> None:
    with Screen("tui", "--theme", "high-contrast-light", "--lang", "es") as screen:
        screen.expect("3 × 3")
        assert left(screen) == 0


def test_help_tells_the_options_of_this_program() -> None:
    ended = run("tui", "--help")

    assert ended.returncode == 0
    assert "usage: tic-tac-toe tui" in ended.stdout
    for option in ("-X", "-O", "--starting", "--variant", "--lang", "--seed", "--delay", "--theme"):
        assert option in ended.stdout


def test_it_starts_from_a_bare_checkout() -> None:
    ended = subprocess.run(
        [sys.executable, "-m", "tui", "-X", "random", "-O", "random"],
        stdin=subprocess.DEVNULL,
        capture_output=True,
        check=False,
        cwd=FRONTENDS,
        encoding="utf-8",
        env=environment(PYTHONDONTWRITEBYTECODE="1"),
        timeout=PATIENCE,
    )

    assert ended.returncode == 0
    assert ended.stderr.endswith(f"{INSTEAD}\n")
    assert "X: Random moves, O: Random moves." in ended.stdout
