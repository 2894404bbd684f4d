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
from pathlib import Path

import pytest

from tests.frontends.desk import Later, played
from tests.frontends.programs import PATIENCE, command, environment
from tests.opponents.brains import text_of
from tic_tac_toe.game.strategies import STRATEGIES
from tic_tac_toe.logic.exceptions import BrainError
from tic_tac_toe.logic.models import GameState
from tic_tac_toe.logic.records import Record, format_records, parse_records
from tic_tac_toe.logic.rules.catalogue import find_rules
from tic_tac_toe.logic.rules.gomoku import Gomoku
from tic_tac_toe.logic.shapes import Shape
from tic_tac_toe.opponents import Opponents
from tic_tac_toe.opponents.brain import BrainPlayer
from tic_tac_toe_frontends.browser.page.links import read_link
from tic_tac_toe_frontends.command.brain import BrainProgram, warm_up
from tic_tac_toe_frontends.notebook.widget import chosen_setup
from tic_tac_toe_frontends.program.process import Refused
from tic_tac_toe_frontends.table.driver import Driver
from tic_tac_toe_frontends.table.queries import ChooseMove, ask_here
from tic_tac_toe_frontends.table.setup import opponents_for, setup_of_record
from tic_tac_toe_frontends.table.table import Setup, Table
from tic_tac_toe_frontends.table.telling import status_text
from tic_tac_toe_frontends.words.game_text import player_title, setup_menus
from tic_tac_toe_frontends.words.rules_text import HUMAN
from tic_tac_toe_frontends.words.translation import load


@contextmanager
def program(think: Callable[..., int]) -> Iterator[Callable[[str], Iterator[str]]]:
    """Run a brain in a thread; give what sends it lines and waits for answers one by one."""
    lines: queue.Queue[str] = queue.Queue()
    answers: queue.Queue[str] = queue.Queue()

    def write(texts: Sequence[str]) -> None:
        for text in texts:
            answers.put(text)

    def send(text: str) -> Iterator[str]:
        for line in text.split(" | "):
            lines.put(line)
        return iter(lambda: answers.get(timeout=PATIENCE), None)

    brain = BrainProgram(write, think, warm_up=warm_up)
    threading.Thread(target=brain.read, args=[iter(lines.get, "")], daemon=True).start()
    runner = threading.Thread(target=brain.run, daemon=True)
    runner.start()
    yield send
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


def fail(*_arguments: object) -> int:
    raise ZeroDivisionError


#: Four in a row of the other side, open at one end, where ``3,7`` stops it.
FOUR = "BOARD | 3,3,2 | 3,4,2 | 3,5,2 | 3,6,2 | 3,2,1 | 9,9,1 | 11,3,1 | DONE"
#: An open three of the other side. In Caro a stone two cells away stops it, too.
THREE = "BOARD | 7,7,1 | 5,5,2 | 7,6,1 | 7,5,2 | 8,6,1 | 6,5,2 | DONE"
ABOUT, NEAR_7_7 = 'name="Tic-tac-toe", version=".*', "[5-9],[5-9]"


@pytest.mark.slow
@pytest.mark.parametrize(
    ("think", "talk"),
    [
        (never, [("START 15 | INFO timeout_turn 300", ["OK"]), (FOUR, ["3,7"])]),
        *(
            (
                never,
                [(f"START 15 | INFO rule {rule} | INFO timeout_turn 0 | {THREE}", ["OK", ends])],
            )
            for rule, ends in ((0, "[48],5"), (1, "[48],5"), (4, "[48],5"), (8, "[3489],5"))
        ),
        (
            fail,
            [("START 15", ["OK"]), (FOUR, ["DEBUG the search failed: ZeroDivisionError", "3,7"])],
        ),
        (until_stopped, [("START 15 | INFO timeout_turn 2000", ["OK"]), ("BEGIN", ["14,14"])]),
        (
            until_stopped,
            [
                (
                    "START 15 | INFO timeout_turn 3600000 | BEGIN | RESTART | ABOUT",
                    ["OK", "OK", ABOUT],
                ),
                ("INFO timeout_turn 0 | TURN 7,7", [NEAR_7_7]),
            ],
        ),
        (never, [("START 15 | INFO max_memory 1000 | TURN 7,7", ["OK", NEAR_7_7])]),
        *(
            (
                until_stopped,
                [(f"INFO {limit} {10**20} | START 15 | BEGIN", ["OK"]), ("ABOUT", [ABOUT])],
            )
            for limit in ("timeout_turn", "timeout_match", "time_left")
        ),
    ],
    ids=[
        "a search that does not end makes no move late",
        *(f"without time an open three is stopped by rule {rule}" for rule in (0, 1, 4, 8)),
        "a search that fails is told of and the game goes on",
        "a search ends before the deadline",
        "a new command ends a thought whose answer is dropped",
        "a quick move is played where memory does not suffice",
        *(f"an immense {limit} is waited for in parts" for limit in ("turn", "match", "rest")),
    ],
)
def test_a_manager_that_sends_lines_has_these_answers(
    think: Callable[..., int], talk: list[tuple[str, list[str]]]
) -> None:
    with program(think) as send:
        for lines, expected in talk:
            answers = send(lines)
            for pattern in expected:
                answer = next(answers)
                assert re.fullmatch(pattern, answer), (pattern, answer)


def test_the_program_warms_up_before_its_first_game_and_not_for_questions_about_it() -> None:
    written, calls = list[str](), list[int]()
    program = BrainProgram(written.extend, never, warm_up=lambda: calls.append(len(written)))
    program.read(iter(["ABOUT", "rectstart 20,15", "START 15", "END"]))
    program.run()
    assert calls == [1]
    assert written[1:] == ["OK", "OK"]


@pytest.mark.medium
def test_three_stones_of_swap2_are_near_the_middle_and_five_are_answered() -> None:
    with program(never) as send:
        answers = send("START 15 | INFO timeout_turn 200 | SWAP2BOARD | DONE")
        assert next(answers) == "OK"
        stones = next(answers).split(" ")
        assert len({*stones}) == 3
        choice = next(send(" | ".join(["SWAP2BOARD", *stones, "9,3", "3,9", "DONE"])))
        assert choice == "SWAP" or "," in choice


def start(stdin: int = subprocess.PIPE) -> subprocess.Popen[bytes]:
    """Start the program with pipes that nothing buffers."""
    return subprocess.Popen(
        command("brain"),
        stdin=stdin,
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


@pytest.mark.medium
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


@pytest.mark.skipif(os.name != "posix", reason="signals of POSIX")
@pytest.mark.parametrize(
    ("act", "status"),
    [
        (lambda process: process.stdin.write(b"END\n"), 0),
        (lambda process: process.send_signal(signal.SIGTERM), 143),
        (lambda process: process.send_signal(signal.SIGINT), 130),
    ],
    ids=["END", "SIGTERM", "SIGINT"],
)
def test_it_ends_in_the_middle_of_a_thought(
    act: Callable[[subprocess.Popen[bytes]], object], status: int
) -> None:
    process = start()
    assert process.stdin is not None
    process.stdin.write(b"START 15\nINFO timeout_turn 3600000\n")
    assert read_line(process) == b"OK\r\n"
    process.stdin.write(b"TURN 7,7\nABOUT\n")
    assert read_line(process).startswith(b"name=")
    act(process)
    out, errors = process.communicate(timeout=PATIENCE)
    assert (process.returncode, out, errors) == (status, b"", b"")


@pytest.mark.medium
def test_a_thought_is_finished_when_the_input_has_ended() -> None:
    process = start()
    told = b"START 15\nINFO rule 0\nINFO timeout_turn 300\nBOARD\n7,7,2\nDONE"  # and no newline
    out, errors = process.communicate(told, timeout=PATIENCE)
    assert (process.returncode, errors) == (0, b"")
    assert re.fullmatch(rb"OK\r\n[0-9]+,[0-9]+\r\n", out)


@pytest.mark.medium
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


@pytest.mark.medium
@pytest.mark.skipif(os.name != "posix", reason="a pseudo-terminal of POSIX")
def test_a_terminal_that_goes_away_ends_it() -> None:
    screen, terminal = os.openpty()
    process = start(terminal)
    os.close(terminal)
    os.write(screen, b"START 15\n")
    assert read_line(process) == b"OK\r\n"
    os.close(screen)
    _, errors = process.communicate(timeout=PATIENCE)
    told = b"tic-tac-toe: cannot read -: Input/output error\n"
    assert (process.returncode, errors) in ((1, told), (0, b""))  # the system says which it is


@pytest.mark.medium
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


@pytest.mark.medium
def test_games_on_small_and_rectangular_boards_are_played_without_a_fault() -> None:
    shapes = (Shape(5, 5), Shape(6, 9))
    play_games([GameState.new(kind.on(shape)) for shape in shapes for kind in Gomoku], 8, 0.01)


# -- programs as players ---------------------------------------------------------------------------


ENGLISH = load("en", {})
GOMOKU = find_rules("gomoku")


def table_against(text: str) -> Table:
    """Return a table at which a person plays X against a program."""
    return Table(Setup(GOMOKU, HUMAN, text), opponents=opponents_for([text], 0.5))


def test_a_program_answers_at_a_table_and_the_record_has_no_folders() -> None:
    table = table_against(text_of("honest"))
    driver = Driver(table, lambda: None, ask_here)
    driver.start()
    table.place(112)
    assert [move.number for move in table.match.history] == [112, 0]
    table.take_back()
    table.place(0)
    assert [move.number for move in table.match.history] == [0, 1]
    assert "/" not in dict(table.record.tags)["O"]
    table.opponents.close()


def test_what_is_wrong_with_a_program_is_told_until_the_game_changes() -> None:
    table = table_against(text_of("outside"))
    driver = Driver(table, lambda: None, ask_here)
    driver.start()
    table.place(112)
    assert (
        status_text(table, ENGLISH)
        == 'brains.py outside played "15,3", which is outside the board.'
    )
    assert table.thinker is not None
    table.change_players(table.setup._replace(o="random"))
    assert status_text(table, ENGLISH) == "Your turn."
    assert table.match.ply == 2
    table.opponents.close()


def test_a_failure_that_comes_after_an_undo_is_dropped() -> None:
    table, later = table_against(text_of("outside")), Later()
    driver = Driver(table, lambda: None, later.ask)
    driver.start()
    table.place(112)
    table.take_back()
    later.answer()
    assert table.problem is None
    table.opponents.close()


def test_a_program_ends_when_it_is_not_seated_any_more(monkeypatch: pytest.MonkeyPatch) -> None:
    table = table_against(text_of("honest"))
    (brain,) = table.opponents.own.values()
    left: list[bool] = []
    monkeypatch.setattr(brain, "leave", lambda: left.append(True))
    table.new_game()
    assert not left
    table.change_players(table.setup._replace(o="easy"))
    assert left == [True]


def test_the_console_tells_what_is_wrong_and_goes_on_after_undo() -> None:
    said = played(
        *("-O", text_of("occupied"), "--variant", "gomoku", "--plain"), typed="H8\nI9\nundo\nquit\n"
    )
    assert 'brains.py occupied played "7,7", which is not empty.' in said
    assert "Type undo to take back a move and go on from there, or quit." in said
    assert "It's the other player's turn" in said
    assert "Taken back: X H8." in said


def test_two_programs_of_which_one_fails_end_the_console_with_its_sentence() -> None:
    with pytest.raises(Refused, match="is outside the board"):
        played("-X", text_of("honest"), "-O", text_of("outside"), "--variant", "gomoku", "--plain")


@pytest.mark.medium
def test_two_programs_play_a_game_at_the_console() -> None:
    said = played(
        *("-X", text_of("honest"), "-O", text_of("honest", "again")),
        *("--variant", "gomoku", "--plain", "--think", "5"),
    )
    assert "X wins" in said


def test_menus_list_a_program_by_its_file() -> None:
    menu = dict(setup_menus(ENGLISH, ["gomocup:/opt/games/pbrain-x"])["o"])
    assert menu["gomocup:/opt/games/pbrain-x"] == "pbrain-x"
    assert player_title("gomocup:/opt/games/pbrain-x", ENGLISH) == "pbrain-x"


# -- a path that nobody here has typed is not run ------------------------------------------------


@pytest.fixture
def trap(tmp_path: Path) -> str:
    """Return the text of a program that leaves a file where it has run."""
    path = tmp_path / "trap"
    path.write_text(f"#!/bin/sh\ntouch {tmp_path}/run\n", encoding="utf-8")
    path.chmod(0o755)
    return f"gomocup:{path}"


def test_a_record_seats_no_program(trap: str) -> None:
    text = format_records([Record(GOMOKU, moves=(112,), tags=(("X", trap), ("O", trap)))])
    (record,) = parse_records(text)
    assert dict(record.tags)["O"] == trap
    setup = setup_of_record(record, Setup(GOMOKU, HUMAN, "easy"))
    assert (setup.x, setup.o) == (HUMAN, "easy")


def test_a_link_to_the_page_names_no_program(trap: str) -> None:
    for part in (f"o={trap}", f"x={trap}"):
        with pytest.raises(Refused, match="This link asks for"):
            read_link(f"game=gomoku&{part}", Setup(), ENGLISH)


def test_the_page_in_a_notebook_seats_only_programs_that_python_has_named(trap: str) -> None:
    chosen: dict[str, object] = {"variant": "", "x": trap, "o": HUMAN, "starting": "X"}
    assert chosen_setup(chosen, GOMOKU, Opponents()) is None
    known = opponents_for([trap], None)
    setup = chosen_setup(chosen, GOMOKU, known)
    assert setup is not None
    assert setup.x == trap


def test_a_query_about_a_name_runs_only_what_its_opponents_have(trap: str, tmp_path: Path) -> None:
    state = GameState.new(GOMOKU)
    with pytest.raises(KeyError):
        ChooseMove(state, trap, random.Random(1))()
    assert not (tmp_path / "run").exists()
    opponents = opponents_for([trap], 0.1)
    assert isinstance(ChooseMove(state, trap, random.Random(1), opponents)(), BrainError)
    assert (tmp_path / "run").exists()
