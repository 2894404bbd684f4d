"""The real command on real terminals and pipes: the full screen where there is one, else words."""

from __future__ import annotations

import os
import signal
import sys
from collections.abc import Callable
from pathlib import Path
from typing import NamedTuple

import pytest

from tests.frontends.programs import PATIENCE, Screen, bare, environment
from tic_tac_toe_frontends.tui.args import find_hindrance, parse_args
from tic_tac_toe_frontends.tui.cli import play
from tic_tac_toe_frontends.words.translation import load

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


def test_on_a_terminal_a_game_is_played_on_the_full_screen_by_keys_and_a_real_mouse() -> None:
    with Screen("tui", "--seed", "1", "--delay", "0", "--lang", "es", "-O", "human") as screen:
        screen.expect("3 × 3")
        screen.type("5")
        screen.expect("X juega B2.")
        screen.type("\x1b[<0;9;6M\x1b[<0;9;6m")
        screen.expect("O juega A1.")
        assert left(screen) == 0
        assert ENTERED in screen.written
        assert "Traceback" not in screen.written


class Terminal(NamedTuple):
    """A stream that is a terminal, or is not."""

    encoding: str = "utf-8"
    is_terminal: bool = True

    def isatty(self) -> bool:
        return self.is_terminal


FILE, XTERM = Terminal(is_terminal=False), {"TERM": "xterm"}


@pytest.mark.parametrize(
    ("streams", "environ", "reason"),
    [
        ({}, XTERM, None),
        ({}, {"TERM": "dumb"}, "a terminal that can be drawn on, and TERM is dumb"),
        ({}, {"TERM": ""}, "to know the terminal, and TERM is not set"),
        ({"stderr": Terminal("iso8859-1")}, XTERM, "letters that iso8859-1 does not have"),
        ({"stdin": FILE}, XTERM, "a terminal to type at, and the input is not a terminal"),
        ({"stdout": FILE}, XTERM, "a terminal to draw on, and the output is not a terminal"),
        ({"stderr": FILE}, XTERM, "standard error to be the terminal too"),
    ],
)
def test_what_the_full_screen_needs_is_said_in_a_sentence(
    streams: dict[str, Terminal],
    environ: dict[str, str],
    reason: str | None,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    for name in ("stdin", "stdout", "stderr"):
        monkeypatch.setattr(sys, name, streams.get(name, Terminal()))

    found = find_hindrance(load("en", {}), environ)

    assert found == (reason and f"the full screen needs {reason}")


@pytest.mark.parametrize(
    ("terminal", "reason"),
    [
        ("dumb", "a terminal that can be drawn on, and TERM is dumb"),
        (
            "xterm",
            "packages that are not installed; "
            'in a checkout: pip install "./library" "./frontends[tui]"',
        ),
    ],
)
def test_where_the_full_screen_cannot_be_the_console_plays_the_same_game(
    terminal: str, reason: str, tmp_path: Path
) -> None:
    (tmp_path / "textual.py").write_text("raise ImportError('not installed')\n", "utf-8")
    env = environment(TERM=terminal, PYTHONPATH=os.fspath(tmp_path))

    with Screen("tui", *GAME, env=env, size=(160, 24)) as screen:
        screen.expect(f"the full screen needs {reason}{INSTEAD}\r\n")
        screen.expect("X: Person, O: Simple rules.")
        screen.expect("move: ")
        screen.type("D4\n")
        screen.expect("O plays ")
        screen.type("quit\n")

        assert screen.end() == 0
        assert ENTERED not in screen.written


def test_leaving_ends_at_once_while_a_computer_thinks(tmp_path: Path) -> None:
    # Python reads this file when it starts; a thought that ends could end before the leaving.
    (tmp_path / "sitecustomize.py").write_text(ENDLESS_THOUGHT, "utf-8")
    options = ("-X", "mcts", "--variant", "gomoku", "--delay", "0")

    with Screen("tui", *options, env=environment(PYTHONPATH=os.fspath(tmp_path))) as screen:
        screen.expect("X is thinking …")
        assert left(screen) == 0
        assert "plays" not in screen.written


@pytest.mark.parametrize(
    ("ask_to_end", "status"),
    [
        (lambda screen: screen.type("\x03"), 130),
        (lambda screen: screen.process.send_signal(signal.SIGTERM), 143),
    ],
    ids=["Ctrl-C", "SIGTERM"],
)
def test_a_request_to_end_puts_the_terminal_in_order(
    ask_to_end: Callable[[Screen], None], status: int
) -> None:
    with Screen("tui") as screen:
        screen.expect("Your turn: you are X.")
        ask_to_end(screen)
        screen.expect(LEFT)

        assert screen.end() == status
        assert "Traceback" not in screen.written


def test_a_terminal_that_is_closed_ends_the_program() -> None:
    with Screen("tui") as screen:
        screen.expect("Your turn: you are X.")
        screen.hang_up()

        assert screen.process.wait(PATIENCE) == -signal.SIGHUP


def test_no_color_means_none_at_all() -> None:
    with Screen(
        "tui", "-O", "minimax", env=environment(NO_COLOR="1", TERM="xterm-256color")
    ) as screen:
        screen.expect("Your turn: you are X.")
        screen.type("5")
        screen.expect("O plays A1.")
        screen.type("h")
        screen.expect("Best for")
        left(screen)

    colours = {"38;", "48;", "[31m", "[34m", "[44m", ";34", ";44"}
    assert [sign for sign in colours if sign in screen.written] == []


def test_an_unknown_theme_is_refused_with_those_there_are(
    capsys: pytest.CaptureFixture[str],
) -> None:
    with pytest.raises(SystemExit) as end:
        play(parse_args(["--theme", "mauve\x1b", "--lang", "en"]))

    said = capsys.readouterr().err
    assert end.value.code == 2
    assert "no theme is called 'mauve\\x1b'; choose from ansi-dark, " in said
    assert "high-contrast" in said


def test_it_starts_from_a_bare_checkout() -> None:
    ended = bare("-m", "tui", "-X", "random", "-O", "random")

    assert ended.returncode == 0
    assert ended.stderr == (
        "tic-tac-toe: the full screen needs a terminal to type at, and the input is not a terminal"
        f"{INSTEAD}\n"
    )
    assert "X: Random moves, O: Random moves." in ended.stdout
    assert "\x1b" not in ended.stdout
