"""The real command between pipes: whole games in words, every language, and polite endings."""

from __future__ import annotations

import ast
import os
import random
import re
import signal
import subprocess
from pathlib import Path

import pytest

from tests.frontends.programs import (
    FRONTENDS,
    PATIENCE,
    Screen,
    bare,
    command,
    environment,
    finish,
    run,
)
from tic_tac_toe.logic.records import parse_records
from tic_tac_toe_frontends.console.cli import main
from tic_tac_toe_frontends.program.process import postponed_signals
from tic_tac_toe_frontends.words.translation import load

#: Each case starts programs.
pytestmark = pytest.mark.medium

WHOLE_GAME = "B2\nA1\nfoo\nhint\nC1\nA3\nB1\nA2\nC2\nB3\nC3\n"


def test_a_whole_game_is_told_in_words_and_without_escape_sequences() -> None:
    ended = run("-O", "minimax", "--seed", "1", typed=WHOLE_GAME)

    assert ended.returncode == 0
    assert ended.stderr == ""
    assert "\x1b" not in ended.stdout
    assert "X plays B2.\n" in ended.stdout
    assert ended.stdout.endswith(("No one wins this time 😐\n", "O wins 🎉\n"))
    assert "Another game" not in ended.stdout


def test_the_same_seed_gives_the_same_game_in_another_process_and_another_seed_another() -> None:
    options = ("-X", "mcts", "-O", "medium", "--starting", "random", "--seed")
    told = run(*options, "99").stdout

    assert run(*options, "99", env=environment(PYTHONHASHSEED="7")).stdout == told
    assert run(*options, "98").stdout != told


@pytest.mark.parametrize(
    ("encoding", "code", "spoken"),
    [
        ("ascii", "en", "en"),
        ("ascii", "es", "en"),
        ("latin-1", "es", "es"),
        ("latin-1", "zh", "en"),
        ("utf-8", "ru", "ru"),
    ],
)
def test_the_language_of_the_locale_is_spoken_where_the_output_has_its_letters(
    encoding: str, code: str, spoken: str
) -> None:
    env = environment(PYTHONIOENCODING=encoding, PYTHONUTF8="0", LC_ALL=code)
    words = command("-X", "random", "-O", "random", "--seed", "1")
    ended = finish(words, env=env, encoding=encoding)

    assert (ended.returncode, ended.stderr) == (0, "")
    assert "?" not in ended.stdout
    assert load(spoken, {}).gettext("{mark} plays {cell}.").split("{")[1][5:] in ended.stdout


def in_shell(script: str, *arguments: str) -> subprocess.CompletedProcess[str]:
    """Run a script of the shell that has the command with its arguments as ``$@``."""
    return finish(["sh", "-c", script, "sh", *command(*arguments)])


def test_closed_streams_end_politely() -> None:
    assert in_shell('exec "$@" <&- >&- 2>&-').returncode == 0


@pytest.mark.parametrize("arguments", ["-X random -O random", "variants", "--help", "bench --each"])
def test_a_reader_who_has_gone_is_no_traceback(arguments: str) -> None:
    shell = '{ "$@"; echo "status $?" >&2; } | :'
    ended = in_shell(shell, *arguments.split(), "--lang", "en")

    # A program that has written everything before the reader went ends with status 0.
    assert ended.stderr in ("status 141\n", "status 0\n")


def test_a_full_disk_is_one_line() -> None:
    ended = in_shell('exec "$@" >/dev/full', "-X", "random", "-O", "random")

    assert ended.returncode == 1
    assert ended.stderr == "tic-tac-toe: cannot write the output: No space left on device\n"


@pytest.mark.parametrize(
    ("number", "status"), [(signal.SIGINT, 130), (signal.SIGTERM, 143), (signal.SIGHUP, 129)]
)
def test_a_game_that_is_interrupted_is_recorded_without_a_traceback(
    number: int, status: int, tmp_path: Path
) -> None:
    path = tmp_path / "games.txt"
    process = subprocess.Popen(
        command("-X", "random", "-O", "random", "--delay", "0.2", "--record", str(path)),
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        encoding="utf-8",
        env=environment(),
    )
    assert process.stdout is not None
    for line in process.stdout:
        if " plays " in line:
            break
    process.send_signal(number)
    _, err = process.communicate(timeout=PATIENCE)

    assert process.returncode == status
    assert err == ""
    (record,) = parse_records(path.read_text(encoding="utf-8"))
    assert record.result == "*"
    assert record.moves


def test_an_interruption_while_the_computer_thinks_ends_politely() -> None:
    with Screen("analyse", "--variant", "ultimate", "--limit", "1000000000") as screen:
        screen.expect("Solving …\r\n")
        assert screen.interrupt() == 130
        assert screen.written in ("Solving …\r\n", "Solving …\r\n^C")


def test_bytes_that_are_no_text_end_without_a_traceback(tmp_path: Path) -> None:
    noise = random.Random(20).randbytes(30_000)
    typed = b"A1\n" + noise + b"\n\xff\xfe\n\0\nsave\n" + b"x" * 100_000
    words = command("-O", "human", "--variant", "mnk:26,26,26")
    # In Latin-1 every byte is a letter.
    ended = finish(words, typed.decode("latin-1"), cwd=tmp_path, encoding="latin-1")

    assert (ended.returncode, ended.stderr) == (0, "")
    assert "Traceback" not in ended.stdout
    assert "\x1b" not in ended.stdout


# -- with nothing installed ------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("program", "starter"),
    [("-m console -X human -O minimax --starting O", "O"), ("-m command", "X"), ("play.py", "X")],
)
def test_a_bare_checkout_plays(program: str, starter: str) -> None:
    ended = bare(*program.split(), typed="B2\nA1\n")  # the computer may have taken one of them

    assert (ended.returncode, ended.stderr) == (0, "")
    assert {*re.findall("([XO]) plays ", ended.stdout)} == {"X", "O"}
    assert ended.stdout.index(f"{starter} plays ") == ended.stdout.index(" plays ") - 1


def test_a_bare_checkout_speaks_other_languages() -> None:
    ended = bare("-m", "command", "variants", "-v", "--lang", "zh")

    assert load("zh", {}).gettext("who makes a line loses") in "".join(ended.stdout.split())


OLD = (
    "import runpy, sys\n"
    "sys.path.insert(0, '.')\n"
    "sys.version_info = (3, 9, 18, 'final', 0)\n"
    "runpy.run_module({module!r}, run_name='__main__')\n"
)


@pytest.mark.parametrize("module", ["console", "window", "tui", "command"])
def test_a_bare_checkout_says_in_one_line_that_python_is_too_old(module: str) -> None:
    ended = bare("-c", OLD.format(module=module))

    assert (ended.returncode, ended.stdout) == (1, "")
    assert ended.stderr == "This needs Python 3.10 or later, and this one is 3.9.\n"


def test_what_comes_before_that_line_can_be_read_by_python_3_6() -> None:
    for path in ("_checkout.py", "console/__main__.py"):
        ast.parse((FRONTENDS / path).read_text(encoding="utf-8"), feature_version=(3, 6))


def test_a_bare_checkout_uses_its_own_library() -> None:
    script = "import _checkout, tic_tac_toe, tic_tac_toe_frontends as f; print(tic_tac_toe, f)"
    ended = bare("-c", script)

    assert os.fspath(FRONTENDS) in ended.stdout
    assert os.fspath(FRONTENDS.parent / "library" / "src") in ended.stdout


# -- process ---------------------------------------------------------------------------------------


def test_a_signal_waits_for_the_end_of_what_must_not_be_half_done() -> None:
    steps = []

    def save_and_go_on() -> None:
        with postponed_signals() as arrived:
            signal.raise_signal(signal.SIGINT)
            assert arrived == [signal.SIGINT]
            steps.append("saved")
        steps.append("went on")

    with pytest.raises(KeyboardInterrupt):
        save_and_go_on()
    assert steps == ["saved"]


def test_a_signal_while_a_record_is_saved_does_not_lose_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path, fsync = tmp_path / "games.txt", os.fsync

    def interrupted_fsync(file: int) -> None:
        signal.raise_signal(signal.SIGTERM)
        fsync(file)

    monkeypatch.setattr(os, "fsync", interrupted_fsync)
    played = ["-X", "random", "-O", "human", "--delay", "0", "--record", str(path)]

    assert main(played) == 128 + signal.SIGTERM
    (record,) = parse_records(path.read_text(encoding="utf-8"))
    assert len(record.moves) == 1
