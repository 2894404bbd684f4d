"""``tic-tac-toe brain`` plays with any manager: it hears while it thinks, and answers in time."""

from __future__ import annotations

import os
import queue
import random
import re
import select
import signal
import subprocess
import threading
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager

import pytest

from tests.frontends.programs import PATIENCE, command, environment
from tic_tac_toe.game.strategies import STRATEGIES
from tic_tac_toe.logic.models import GameState
from tic_tac_toe.logic.rules.catalogue import find_rules
from tic_tac_toe.logic.rules.gomoku import Gomoku
from tic_tac_toe.logic.shapes import Shape
from tic_tac_toe.opponents.brain import BrainPlayer
from tic_tac_toe_frontends.command.brain import BrainProgram, warm_up

Answers = Callable[[], str]


@contextmanager
def program(think: Callable[..., int]) -> Iterator[tuple[Callable[[str], None], Answers]]:
    """Run a brain in a thread; give what sends it a line, and what waits for its next line."""
    lines: queue.Queue[str] = queue.Queue()
    answers: queue.Queue[str] = queue.Queue()

    def write(texts: Sequence[str]) -> None:
        for text in texts:
            answers.put(text)

    brain = BrainProgram(write, think, warm_up=warm_up)
    threading.Thread(target=brain.read, args=[iter(lines.get, "")], daemon=True).start()
    runner = threading.Thread(target=brain.run, daemon=True)
    runner.start()
    yield lines.put, lambda: answers.get(timeout=PATIENCE)
    lines.put("END")
    lines.put("")
    runner.join(PATIENCE)
    assert not runner.is_alive()
    assert answers.empty()


def never(_state: GameState, _seconds: float, stop: Callable[[], bool]) -> int:
    """Think until told to stop, and for ever after."""
    del stop
    threading.Event().wait()
    return 0


def until_stopped(state: GameState, _seconds: float, stop: Callable[[], bool]) -> int:
    """Think until told to stop."""
    while not stop():
        threading.Event().wait(0.001)
    return state.legal_cells[-1]


#: Four in a row of the other side, open at one end, where ``3,7`` stops it.
FOUR = (*(f"3,{row},2" for row in range(3, 7)), "3,2,1", "9,9,1", "11,3,1")


def test_a_search_that_does_not_end_makes_no_move_late() -> None:
    with program(never) as (send, answer):
        send("START 15")
        send("INFO timeout_turn 300")
        assert answer() == "OK"
        for line in ("BOARD", *FOUR, "DONE"):
            send(line)
        assert answer() == "3,7"


@pytest.mark.parametrize("rule", [0, 1, 4, 8])
def test_without_time_for_a_search_an_open_three_is_stopped(rule: int) -> None:
    with program(never) as (send, answer):
        for line in ("START 15", f"INFO rule {rule}", "INFO timeout_turn 0", "BOARD"):
            send(line)
        for line in ("7,7,1", "5,5,2", "7,6,1", "7,5,2", "8,6,1", "6,5,2", "DONE"):
            send(line)
        assert answer() == "OK"
        # In Caro a stone two cells away stops a three, too: the other end closes the row.
        assert answer() in (["4,5", "8,5"] if rule != 8 else ["3,5", "4,5", "8,5", "9,5"])


def test_a_search_that_fails_is_told_of_and_the_game_goes_on() -> None:
    def fail(*_arguments: object) -> int:
        raise ZeroDivisionError

    with program(fail) as (send, answer):
        send("START 15")
        assert answer() == "OK"
        for line in ("BOARD", *FOUR, "DONE"):
            send(line)
        assert answer() == "DEBUG the search failed: ZeroDivisionError"
        assert answer() == "3,7"


def test_a_search_ends_before_the_deadline() -> None:
    with program(until_stopped) as (send, answer):
        send("START 15")
        send("INFO timeout_turn 2000")
        assert answer() == "OK"
        send("BEGIN")
        assert answer() == "14,14"


def test_a_new_command_ends_a_thought_whose_answer_is_dropped() -> None:
    with program(until_stopped) as (send, answer):
        for line in ("START 15", "INFO timeout_turn 3600000", "BEGIN", "RESTART", "ABOUT"):
            send(line)
        assert [answer(), answer()] == ["OK", "OK"]
        assert answer().startswith('name="Tic-tac-toe", version="')
        send("INFO timeout_turn 0")
        send("TURN 7,7")
        column, row = map(int, answer().split(","))
        assert max(abs(column - 7), abs(row - 7)) <= 2


def test_a_quick_move_is_played_where_memory_does_not_suffice() -> None:
    with program(never) as (send, answer):
        for line in ("START 15", "INFO max_memory 1000", "TURN 7,7"):
            send(line)
        assert answer() == "OK"
        column, row = map(int, answer().split(","))
        assert max(abs(column - 7), abs(row - 7)) <= 2


def test_the_program_warms_up_before_its_first_game_and_not_for_questions_about_it() -> None:
    written, calls = list[str](), list[int]()
    program = BrainProgram(written.extend, never, warm_up=lambda: calls.append(len(written)))
    program.read(iter(["ABOUT", "rectstart 20,15", "START 15", "END"]))
    program.run()
    assert calls == [1]
    assert written[1:] == ["OK", "OK"]


@pytest.mark.parametrize("limit", ["timeout_turn", "timeout_match", "time_left"])
def test_an_immense_limit_is_waited_for_in_parts(limit: str) -> None:
    with program(until_stopped) as (send, answer):
        for line in (f"INFO {limit} {10**20}", "START 15", "BEGIN"):
            send(line)
        assert answer() == "OK"
        send("ABOUT")
        assert "Tic-tac-toe" in answer()


def test_three_stones_of_swap2_are_near_the_middle_and_five_are_answered() -> None:
    with program(never) as (send, answer):
        for line in ("START 15", "INFO timeout_turn 500", "SWAP2BOARD", "DONE"):
            send(line)
        assert answer() == "OK"
        stones = answer().split(" ")
        assert len({*stones}) == 3
        for line in ("SWAP2BOARD", *stones, "9,3", "3,9", "DONE"):
            send(line)
        choice = answer()
        assert choice == "SWAP" or "," in choice


def start() -> subprocess.Popen[bytes]:
    """Start the program with pipes that nothing buffers."""
    return subprocess.Popen(
        command("brain"),
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        bufsize=0,
        env=environment(),
    )


def read_line(process: subprocess.Popen[bytes]) -> bytes:
    """Return the next line, which comes although nothing more is sent."""
    assert process.stdout is not None
    line = b""
    while not line.endswith(b"\n"):
        sign = process.stdout.read(1)
        assert sign
        line += sign
    return line


@pytest.mark.parametrize("end", [b"\r\n", b"\n", b"\r"])
def test_lines_may_end_as_they_like_and_answers_end_with_cr_lf(end: bytes) -> None:
    process = start()
    assert process.stdin is not None
    process.stdin.write(end.join([b"START 15", b"INFO timeout_turn 0", b"BEGIN", b""]))
    assert read_line(process) == b"OK\r\n"
    assert read_line(process) == b"7,7\r\n"
    process.stdin.write(b"\xff\xfe\0" * 3000 + end + b"END" + end)
    assert process.wait(PATIENCE) == 0
    assert process.communicate() == (b"UNKNOWN command\r\n", b"")


def finish_thinking(act: Callable[[subprocess.Popen[bytes]], object]) -> int:
    """Return the exit status after something that is done while the program thinks."""
    process = start()
    assert process.stdin is not None
    process.stdin.write(b"START 15\nINFO timeout_turn 3600000\n")
    assert read_line(process) == b"OK\r\n"
    process.stdin.write(b"TURN 7,7\nABOUT\n")
    assert read_line(process).startswith(b"name=")
    act(process)
    out, errors = process.communicate(timeout=PATIENCE)
    assert (out, errors) == (b"", b"")
    return process.returncode


def test_it_ends_at_end_in_the_middle_of_a_thought() -> None:
    assert finish_thinking(lambda process: process.stdin and process.stdin.write(b"END\n")) == 0


def test_a_thought_is_finished_when_the_input_has_ended() -> None:
    process = start()
    told = b"START 15\nINFO rule 0\nINFO timeout_turn 300\nBOARD\n7,7,2\nDONE"  # and no newline
    out, errors = process.communicate(told, timeout=PATIENCE)
    assert (process.returncode, errors) == (0, b"")
    assert re.fullmatch(rb"OK\r\n[0-9]+,[0-9]+\r\n", out)


@pytest.mark.skipif(not hasattr(select, "poll"), reason="asks whether anybody reads")
def test_a_thought_ends_when_nobody_writes_and_nobody_reads() -> None:
    with start() as process:
        assert process.stdin is not None
        assert process.stdout is not None
        process.stdin.write(b"START 15\nINFO timeout_turn 3600000\nTURN 7,7\n")
        assert read_line(process) == b"OK\r\n"
        process.stdin.close()
        process.stdout.close()
        assert process.wait(PATIENCE) == 0


@pytest.mark.skipif(os.name != "posix", reason="streams of POSIX shells")
@pytest.mark.parametrize(
    ("streams", "line"),
    [
        ("<&-", b"tic-tac-toe: cannot read -: Bad file descriptor\n"),
        ("0>/dev/null", b"tic-tac-toe: cannot read -: Bad file descriptor\n"),
        ("</dev/null >&-", b"tic-tac-toe: cannot write the output: Bad file descriptor\n"),
    ],
)
def test_streams_that_cannot_be_used_end_it_with_one_line(streams: str, line: bytes) -> None:
    shell = ["sh", "-c", f'exec "$@" {streams}', "sh", *command("brain")]
    ended = subprocess.run(
        shell, capture_output=True, env=environment(), timeout=PATIENCE, check=False
    )
    assert (ended.returncode, ended.stdout, ended.stderr) == (1, b"", line)


@pytest.mark.skipif(os.name != "posix", reason="a pseudo-terminal of POSIX")
def test_a_terminal_that_goes_away_ends_it() -> None:
    screen, terminal = os.openpty()
    process = subprocess.Popen(
        command("brain"),
        stdin=terminal,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        env=environment(),
    )
    os.close(terminal)
    os.write(screen, b"START 15\n")
    assert read_line(process) == b"OK\r\n"
    os.close(screen)
    _, errors = process.communicate(timeout=PATIENCE)
    told = b"tic-tac-toe: cannot read -: Input/output error\n"
    assert (process.returncode, errors) in ((1, told), (0, b""))  # the system says which it is


@pytest.mark.skipif(os.name != "posix", reason="signals of POSIX")
@pytest.mark.parametrize(("number", "status"), [(signal.SIGTERM, 143), (signal.SIGINT, 130)])
def test_it_ends_at_a_signal_in_the_middle_of_a_thought(number: int, status: int) -> None:
    assert finish_thinking(lambda process: process.send_signal(number)) == status


def play_games(variants: Sequence[GameState], count: int, seconds: float) -> None:
    """Play games that a manager referees; every answer has to be a legal move."""
    brain = BrainPlayer(command("brain"), seconds, grace=PATIENCE)
    try:
        for number in range(count):
            rng, start = random.Random(number), variants[number % len(variants)]
            other = STRATEGIES["rules" if number % 3 else "random"]
            state, ours = start, number // len(variants) % 2
            while not state.game_over:
                player = brain if state.position.turn == ours else other
                move = player(state, rng)
                assert move is not None
                state = move.after_state
    finally:
        brain.close()


FOUR_GAMES = [
    GameState.new(find_rules(name))
    for name in ("gomoku", "gomoku-standard", "gomoku-caro", "renju")
]


@pytest.mark.slow
def test_games_of_all_four_rules_are_played_without_a_fault() -> None:
    play_games(FOUR_GAMES, 48, 0.03)


def test_games_on_small_and_rectangular_boards_are_played_without_a_fault() -> None:
    shapes = (Shape(5, 5), Shape(6, 9))
    play_games([GameState.new(kind.on(shape)) for shape in shapes for kind in Gomoku], 8, 0.01)
