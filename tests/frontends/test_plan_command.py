"""``tic-tac-toe plan`` shows how a side plays without a search; proofs are made of plans."""

from __future__ import annotations

import re
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from tests.frontends.solving import Command
from tic_tac_toe.certificate_check import check

#: One worker compiles the kernels, and the others need not wait for it.
pytestmark = [pytest.mark.xdist_group("solve"), pytest.mark.usefixtures("compiled")]

SIX = ("--variant", "mnk:6,4,4,gravity")
#: O, to move, wins.
WON = "....../....../..O.../..OXXX o"
SHOWN = """\
  A B C D E F
1 a a c c b b
2 c c a a a c
3 b a O a a a
4 c c O X X X
  1 2 3 4 5 6

O wins by this plan, without any search, by the first rule that fits:
1. Complete a line.
2. Take the cell in which X could complete a line.
3. Take the playable cell with the first letter of the alphabet, of equal ones
the top left one; but never a cell right below one in which X would complete a
line.
Played out against every reply: 117 positions.
A game, with the rule behind each answer: C2 (3) C1 D3 (3) D2 E3 (2) F3 E2 (3)
E1 D1 (3) A4 A3 (3) A2 A1 (3) F2 F1 (1). For O that is a win.
"""


def test_a_plan_is_drawn_and_told_in_words(in_process: Command) -> None:
    ended = in_process("plan", *SIX, WON)

    assert (ended.status, ended.err) == (0, "")
    assert ended.out == SHOWN


def test_a_plan_is_printed_as_an_object(in_process: Command) -> None:
    (plan,) = in_process("plan", *SIX, WON, "--json").answers

    assert plan["position"] == WON
    assert plan["goal"] == "win"
    assert set(plan["signs"]) >= {"A1", "A4", "F1", "C2"}
    assert plan["positions"] > 1


def test_a_plan_is_drawn_as_a_picture(in_process: Command) -> None:
    ended = in_process("plan", *SIX, WON, "--svg")

    assert ended.status == 0
    assert ended.out.startswith("<svg ")
    assert ended.out.count('class="ttt-value"') == 19


@pytest.mark.parametrize(
    ("arguments", "reason"),
    [
        (SIX, "X loses, so only O can have a plan: make a move for X first"),
        (("--variant", "connect-four-5x4"), "no plan is found; some moves later there may be one"),
        (("--variant", "5x5x4"), "plans are for boards with gravity, such as connect-four"),
        (("--variant", "misere-connect-four"), "in normal play"),
        (("--variant", "connect-four,pie"), "without the pie rule"),
        (("--variant", "ultimate"), "plans are for boards with gravity"),
        ((*SIX, "....../....../OOO.../XXXX.. o"), "the game is over"),
    ],
)
def test_where_there_is_no_plan_people_are_told_why(
    arguments: tuple[str, ...], reason: str, in_process: Command
) -> None:
    ended = in_process("plan", *arguments)

    assert (ended.status, ended.out) == (1, "")
    assert reason in ended.err
    assert ended.err.count("\n") == 1


def test_a_game_that_is_shown_is_not_broken_within_a_move(in_process: Command) -> None:
    game = ("--variant", "mnk:4,4,4,gravity", "--lang", "zh")
    shown = in_process("plan", *game).out

    moves = [line.split("。")[0] for line in shown[shown.index("一局") :].splitlines()]
    assert len(moves) > 1
    assert all(re.match("一局|[A-D][1-4]( |$)", line) for line in moves)


# -- certificates ----------------------------------------------------------------------------------


@pytest.mark.slow
def test_a_proof_whose_writer_is_killed_again_and_again_is_written_in_the_end(
    tmp_path: Path,
) -> None:
    path, journal = tmp_path / "proof", tmp_path / "proof.part"
    command = [sys.executable, "-m", "tic_tac_toe_frontends.command", "solve", *SIX]
    command += ["--certificate", str(path), "--threads", "2"]

    for findings in (1, 20, 60):
        with subprocess.Popen(command, stdout=subprocess.DEVNULL) as program:
            while not journal.exists() or journal.read_bytes().count(b"\n") <= findings:
                assert program.poll() is None
                time.sleep(0.01)
            program.send_signal(signal.SIGKILL)
        assert not path.exists()
    subprocess.run(command, check=True, stdout=subprocess.DEVNULL)

    golden = Path(__file__).parents[1] / "data" / "certificates" / "6-4-4-gravity.certificate"
    assert path.read_bytes() == golden.read_bytes()
    assert check(path).outcome == "loss"
    assert sorted(tmp_path.iterdir()) == [path]


def test_what_is_found_of_a_proof_is_named_and_gone_on_from(
    in_process: Command, tmp_path: Path
) -> None:
    command = ("solve", *SIX, "--certificate", str(tmp_path / "proof"), "--threads", "1")

    stopped = in_process(*command, "--time-limit", "0.3")
    ended = in_process(*command)

    assert stopped.status == 1
    assert "; what is found is in" in stopped.err
    assert (ended.status, check(tmp_path / "proof").outcome) == (0, "loss")
    assert "going on from" in ended.err


@pytest.mark.parametrize(
    ("variant", "reason"),
    [
        ("connect-four,pie", "Pie rules have no certificates"),
        ("mnk:5,5,4,torus", "only games on flat boards have certificates"),
        ("connect-four", "line 1 of proof.part is not of this proof"),
    ],
)
def test_a_proof_that_there_cannot_be_is_refused_before_the_search(
    variant: str, reason: str, in_process: Command, tmp_path: Path
) -> None:
    (tmp_path / "proof.part").write_text("hello\n", encoding="ascii")

    ended = in_process("solve", "--variant", variant, "--certificate", str(tmp_path / "proof"))

    assert (ended.status, ended.out) == (1, "")
    assert reason in ended.err
