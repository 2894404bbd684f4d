"""Programs play like strategies, whatever they do; and they are gone when they should be."""

from __future__ import annotations

import os
import shlex
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from tests.opponents import brains
from tic_tac_toe.game.strategies import STRATEGIES
from tic_tac_toe.logic.exceptions import BrainError, InvalidStrategy
from tic_tac_toe.logic.models import GameState, Move
from tic_tac_toe.logic.rules.catalogue import find_rules
from tic_tac_toe.opponents import Opponents, find_strategy, public_name
from tic_tac_toe.opponents.brain import BrainPlayer, Process

GOMOKU = GameState.new(find_rules("gomoku"))
#: Seconds: for a move, and more until a program is given up.
THINK, GRACE = 0.2, 0.3


@contextmanager
def playing(kind: str, *arguments: str, start: float = 30.0) -> Iterator[BrainPlayer]:
    """Give a program of a kind that has little time."""
    command = shlex.split(brains.text_of(kind, *arguments).removeprefix("gomocup:"))
    player = BrainPlayer(command, THINK, grace=GRACE, start=start, name="p")
    try:
        yield player
    finally:
        player.close()


def play_twice(player: BrainPlayer) -> Move | None:
    """Let a player begin a game, and move again."""
    first = player(GOMOKU)
    assert first is not None
    return player(first.after_state.make_move_to(20).after_state)


def until(holds: Callable[[], bool]) -> None:
    """Wait until something holds."""
    end = time.monotonic() + 30
    while not holds():
        assert time.monotonic() < end
        time.sleep(0.02)


def has_ended(process: int) -> bool:
    """Return whether a process has ended; one that nobody has waited for counts."""
    try:
        status = Path(f"/proc/{process}/stat").read_text(encoding="ascii")
    except OSError:
        return True
    return status.rpartition(")")[2].split()[0] in "ZX"


def test_a_program_plays_a_game_takes_back_and_begins_another_one() -> None:
    first = GOMOKU.make_move_to(0).after_state
    states = [GOMOKU, *(first.make_move_to(cell).after_state for cell in (1, 20)), GOMOKU]
    with playing("honest") as player:
        moves = [player(state) for state in states]
    assert [move and move.number for move in moves] == [0, 2, 1, 0]


@pytest.mark.parametrize(
    ("kind", "code"),
    [
        *(("outside", "outside"), ("occupied", "occupied"), ("nonsense", "nonsense")),
        *(("refusing", "error"), ("crashing", "ended"), ("dead", "ended")),
        *(("flooding", "flood"), ("endless", "unended")),
    ],
)
def test_a_program_that_breaks_the_rules_is_told_of_and_ended(kind: str, code: str) -> None:
    state = GOMOKU.make_move_to(7).after_state
    with playing(kind) as player:
        for _attempt in range(2):  # it is started again
            with pytest.raises(BrainError) as caught:
                player(state)
            assert caught.value.code == f"brain_{code}"


@pytest.mark.slow
@pytest.mark.parametrize(
    ("kind", "code", "sentence"),
    [
        ("hanging", "late", "p did not answer in time"),
        ("unended", "unended", "p writes a line without end"),
        (
            "complaining and hanging",
            "late",
            'p did not answer in time; before that it wrote "UNKNOWN command"',
        ),
        (
            "complaining and crashing",
            "ended",
            'p has ended without an answer; before that it wrote "UNKNOWN command"',
        ),
    ],
)
def test_a_program_that_does_not_answer_is_told_of_with_what_it_wrote_before(
    kind: str, code: str, sentence: str
) -> None:
    with playing(kind) as player:
        for _attempt in range(2 if kind == "hanging" else 1):  # it is started again
            with pytest.raises(BrainError) as caught:
                play_twice(player)
            assert (caught.value.code, str(caught.value)) == (f"brain_{code}", sentence)


def test_a_program_may_complain_of_what_it_does_not_know_and_then_move() -> None:
    with playing("complaining") as player:
        assert play_twice(player) is not None


@pytest.mark.medium
def test_the_first_move_on_a_board_has_time_to_start() -> None:
    with playing("slow") as player:
        for _game in range(2):
            assert play_twice(player) is not None


@pytest.mark.medium
def test_a_program_that_answers_twice_is_given_up_at_its_next_move() -> None:
    with playing("doubling") as player:
        first = player(GOMOKU)
        assert first is not None
        time.sleep(1)  # the second answer came with the first, and has to be taken in by a thread
        with pytest.raises(BrainError, match="which is not an answer"):
            player(first.after_state.make_move_to(20).after_state)


def test_a_program_that_is_interrupted_begins_anew() -> None:
    times: Iterator[float] = iter([0.0] * 5)

    def clock() -> float:
        for moment in times:
            return moment
        raise KeyboardInterrupt

    command = shlex.split(brains.text_of("honest").removeprefix("gomocup:"))
    player = BrainPlayer(command, 60, clock=clock)
    try:
        move = player(GOMOKU)
        assert move is not None
        asked = move.after_state.make_move_to(20).after_state
        with pytest.raises(KeyboardInterrupt):
            player(asked)
        times = iter([0.0] * 20)
        again = player(asked)
        assert again is not None
        assert again.number == 1
    finally:
        player.close()


@pytest.mark.medium
def test_a_program_that_reads_nothing_holds_nobody_up() -> None:
    program = Process([sys.executable, "-I", "-S", "-c", "import time; time.sleep(3600)"])
    program.send(["x" * 1_000] * 1_000)
    with pytest.raises(TimeoutError):
        program.read(0.1)
    program.end(0.1)
    assert program.read(30) is None


@pytest.mark.medium
def test_a_program_that_does_not_start_is_given_up() -> None:
    with playing("silent", start=0.3) as player, pytest.raises(BrainError) as caught:
        player(GOMOKU)
    assert caught.value.code == "brain_late"


def test_a_file_that_is_no_program_cannot_be_used(tmp_path: Path) -> None:
    path = tmp_path / "not a program"
    path.write_bytes(b"\x7fnothing")
    path.chmod(0o755)
    player = find_strategy(f"gomocup:{path}")
    with pytest.raises(BrainError, match=r"not a program (has ended|cannot be started)"):
        player(GOMOKU)


def test_other_games_are_refused_before_a_program_is_started() -> None:
    player = BrainPlayer(["/does/not/exist"])
    with pytest.raises(BrainError, match="exist plays gomoku, standard gomoku, Caro and renju"):
        player(GameState.new(find_rules("connect-four")))


@pytest.mark.medium
@pytest.mark.skipif(sys.platform != "linux", reason="looks for processes in /proc")
def test_a_program_that_ignores_the_end_is_killed_with_its_children(tmp_path: Path) -> None:
    with playing("parent", str(tmp_path)) as player, pytest.raises(BrainError):
        play_twice(player)
    child = int((tmp_path / "child").read_text(encoding="ascii"))
    until(lambda: has_ended(child))


@pytest.mark.medium
@pytest.mark.skipif(sys.platform != "linux", reason="looks for processes in /proc")
def test_a_program_does_not_outlive_a_killed_front_end(tmp_path: Path) -> None:
    text = brains.text_of("parent", str(tmp_path))
    code = (
        "import sys; from tic_tac_toe import *; from tic_tac_toe.opponents import *\n"
        "player = find_strategy(sys.argv[1], think=3600)\n"
        "first = player(GameState.new(find_rules('gomoku')))\n"
        "player(first.after_state.make_move_to(20).after_state)"
    )
    front_end = subprocess.Popen([sys.executable, "-c", code, text])
    until(lambda: (tmp_path / "child").is_file() and bool((tmp_path / "child").read_text()))
    child = int((tmp_path / "child").read_text(encoding="ascii"))
    assert not has_ended(child)
    front_end.kill()
    front_end.wait()
    until(lambda: has_ended(child))


def test_a_program_is_found_by_its_path_with_blanks_and_by_its_name(tmp_path: Path) -> None:
    path = tmp_path / "my brain"
    path.write_text("#!/bin/sh\n", encoding="ascii")
    path.chmod(0o755)
    assert "my brain" in repr(find_strategy(f"gomocup:{path}"))
    assert "'--fast'" in repr(find_strategy(f'gomocup:"{path}" --fast'))
    assert os.sep in repr(find_strategy("gomocup:sh"))


@pytest.mark.parametrize(
    ("text", "code"),
    [
        *(("minimal", "misspelt_strategy"), ("zzz", "unknown_strategy"), ("", "unknown_strategy")),
        *(("gomocup:", "brain_path"), ("gomocup: ", "brain_path")),
        *(("gomocup:/no/such/file", "brain_missing"), ("gomocup:/", "brain_missing")),
        ("gomocup:~nobody-of-this-name/brain", "brain_missing"),
        *(("gomocup:'", "brain_missing"), (f"gomocup:{__file__}", "brain_not_executable")),
    ],
)
def test_a_text_that_names_no_player_is_refused(text: str, code: str) -> None:
    with pytest.raises(InvalidStrategy) as caught:
        find_strategy(text)
    assert caught.value.code == code


def test_strategies_are_found_by_name_and_think_by_the_clock_if_told() -> None:
    assert find_strategy("minimax") is STRATEGIES["minimax"]
    assert find_strategy("random", think=2) is STRATEGIES["random"]
    for name in ("hard", "mcts", "minimax", "trickster"):
        assert find_strategy(name, think=0.05) is not STRATEGIES[name]
        assert find_strategy(name, think=0.05)(GOMOKU) is not None


def test_only_programs_that_were_named_are_known_by_their_text() -> None:
    with pytest.raises(KeyError):
        Opponents().strategy(brains.text_of("honest"))


@pytest.mark.skipif(sys.platform != "linux", reason="looks for processes in /proc")
def test_programs_that_are_no_longer_seated_are_ended(tmp_path: Path) -> None:
    first, second = (tmp_path / name for name in ("first", "second"))
    with playing("numbered", str(first)) as one, playing("numbered", str(second)) as other:
        opponents = Opponents(own={"first": one, "second": other})
        for name in ("first", "second"):
            assert opponents.strategy(name)(GOMOKU) is not None
        numbers = [int(path.read_text(encoding="ascii")) for path in (first, second)]
        opponents.keep(["second"])
        until(lambda: has_ended(numbers[0]))
        assert not has_ended(numbers[1])
        opponents.close()
        until(lambda: has_ended(numbers[1]))


def test_the_folders_of_a_program_are_not_shown() -> None:
    assert public_name("gomocup:/opt/games/pbrain-x") == "pbrain-x"
    assert public_name("gomocup:C:\\games\\pbrain-x.exe") == "pbrain-x.exe"
    assert public_name("gomocup:/opt/games/a\nb\udcff") == "a?b?"
    assert public_name("minimax") == "minimax"
