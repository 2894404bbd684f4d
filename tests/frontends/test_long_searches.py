"""``tic-tac-toe solve`` loses nothing of what takes long: it is saved, proved, shared, stopped."""

from __future__ import annotations

import io
import re
import signal
import subprocess
import sys
import time
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from tests.frontends.programs import Screen
from tests.frontends.solving import LARGE, SMALL, Command
from tic_tac_toe import solver as fast
from tic_tac_toe.certificate_check import check
from tic_tac_toe.logic.positions import Position
from tic_tac_toe.logic.rules import Rules
from tic_tac_toe.logic.rules.catalogue import VARIANTS
from tic_tac_toe.logic.search.tables import small_table
from tic_tac_toe.solver import cluster
from tic_tac_toe.solver.certificates import write_certificate
from tic_tac_toe_frontends.command.progress import ProgressLine
from tic_tac_toe_frontends.command.solve.args import parse_args
from tic_tac_toe_frontends.command.solve.search import Search

#: One worker compiles the kernels, and the others need not wait for it.
pytestmark = [pytest.mark.xdist_group("solve"), pytest.mark.usefixtures("compiled")]


# -- checkpoints -----------------------------------------------------------------------------------


def test_a_search_goes_on_from_its_checkpoint(in_process: Command, tmp_path: Path) -> None:
    folder = str(tmp_path / "new" / "folder")
    for limit in ("20000", "40000"):
        ended = in_process("solve", *LARGE, "--json", "--checkpoint", folder, "--node-limit", limit)
        assert (ended.status, ended.err) == (0, "")
        assert ended.answers[0]["nodes"] == int(limit)


def test_a_finished_search_and_its_table_of_moves_are_remembered(
    in_process: Command, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    asked = ("solve", *SMALL, "--threads", "1", "--json", "--checkpoint", str(tmp_path))
    (found,) = in_process(*asked).answers
    (file,) = tmp_path.iterdir()
    written = file.stat().st_mtime_ns
    monkeypatch.setattr(
        "tic_tac_toe.solver.checkpoint.read_table", lambda *_: pytest.fail("the table is read")
    )

    (again,) = in_process(*asked, "--node-limit", "1").answers

    assert found["exact"] is True
    assert again | {"seconds": 0} == found | {"seconds": 0}
    assert [path.stat().st_mtime_ns for path in tmp_path.iterdir()] == [written]


def test_a_table_that_is_damaged_is_refused_when_it_is_needed(
    in_process: Command, tmp_path: Path
) -> None:
    asked = ("solve", *LARGE, "--outcome", "--checkpoint", str(tmp_path), "--node-limit")
    in_process(*asked, "10000")
    (file,) = tmp_path.iterdir()
    content = file.read_bytes()
    file.write_bytes(content[:-1] + bytes([content[-1] ^ 1]))

    assert in_process(*asked, "20000") == (
        1,
        "",
        f"tic-tac-toe: cannot go on from {tmp_path}: "
        f"{file.name} is damaged: its checksum is wrong\n",
    )
    assert [path.name for path in tmp_path.iterdir()] == [file.name]


def test_a_damaged_checkpoint_gives_way_to_the_older_one_and_serves_no_other_game(
    in_process: Command, tmp_path: Path
) -> None:
    asked = ("solve", *LARGE, "--outcome", "--checkpoint", str(tmp_path), "--node-limit")
    for limit in ("10000", "20000"):
        in_process(*asked, limit)
    newest, _ = sorted(tmp_path.iterdir(), key=lambda path: -path.stat().st_mtime_ns)
    newest.write_bytes(newest.read_bytes()[:-1])

    ended = in_process(*asked, "30000")
    other = in_process("solve", *SMALL, "--checkpoint", str(tmp_path))

    assert ended.status == 0
    assert ended.err == (
        f"tic-tac-toe: {newest.name} is cut off, or too long; the older state is used\n"
    )
    assert (other.status, other.out) == (1, "")
    assert other.err.startswith(f"tic-tac-toe: cannot go on from {tmp_path}: state-")
    assert 'belongs to another game: "connect-four", not "connect-four-5x4"\n' in other.err


@pytest.mark.usefixtures("full_disk")
def test_a_full_disk_at_the_end_keeps_the_answer(in_process: Command, tmp_path: Path) -> None:
    ended = in_process(
        "solve", *LARGE, "--json", "--checkpoint", str(tmp_path), "--node-limit", "10000"
    )

    assert ended.status == 1
    assert ended.answers[0]["bounds"]
    assert ended.err == f"tic-tac-toe: cannot write {tmp_path}: No space left on device\n"
    assert not [*tmp_path.iterdir()]


@pytest.mark.usefixtures("full_disk")
def test_a_full_disk_on_the_way_is_told_once_and_does_not_end_the_search(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    asked = [*SMALL, "--outcome", "--checkpoint", str(tmp_path), "--lang", "en"]
    args = parse_args(asked, "solve")._replace(save_interval=0.0)
    search = Search(args, ProgressLine(args.language))

    assert search.find(args.position.state()).evaluation.outcome == "draw"
    search.save()

    assert search.unsaved
    assert capsys.readouterr().err == (
        "tic-tac-toe: cannot save the search, which goes on: No space left on device\n"
        f"tic-tac-toe: cannot write {tmp_path}: No space left on device\n"
    )


# -- proofs ----------------------------------------------------------------------------------------


def test_a_proof_is_written_and_checked(in_process: Command, tmp_path: Path) -> None:
    path = tmp_path / "proof"
    (found,) = in_process("solve", "--certificate", str(path), "--json").answers

    assert found["certificate"] == {
        "file": str(path),
        "theorems": found["certificate"]["theorems"],
        "bytes": path.stat().st_size,
    }
    assert in_process("check", str(path)).status == 0
    assert f"\nproof: {path}; theorems: " in in_process("solve", "--certificate", str(path)).out


@pytest.mark.parametrize("as_json", [False, True])
def test_a_proof_that_a_limit_kept_back_leaves_the_answer(
    as_json: bool, in_process: Command, tmp_path: Path
) -> None:
    path = tmp_path / "proof"
    options = ["--certificate", str(path), "--node-limit", "5000", *["--json"] * as_json]
    ended = in_process("solve", *LARGE, *options)

    assert ended.status == 1
    assert ended.err.startswith("tic-tac-toe: no proof is written: no answer after 5,000 positions")
    assert ended.err.count("\n") == 1
    assert not path.exists()
    if as_json:
        assert ended.answers[0]["certificate"] is None


# -- clusters --------------------------------------------------------------------------------------


@pytest.mark.parametrize("breaks", [False, True])
def test_a_cluster_answers_or_fails_in_one_line(
    breaks: bool, in_process: Command, monkeypatch: pytest.MonkeyPatch
) -> None:
    closed: list[bool] = []
    client = SimpleNamespace(close=lambda: closed.append(True))

    class FakeSolver(fast.FastSolver):
        def __init__(self, rules: Rules, client: object, limits: fast.Limits) -> None:
            super().__init__(rules, limits)

        def score(self, position: Any) -> int:
            if breaks:
                raise cluster.ClusterError("the cluster has had no worker for 30 seconds")
            return super().score(position)

    monkeypatch.setattr(cluster, "connect", lambda address: client)
    monkeypatch.setattr(cluster, "ClusterSolver", FakeSolver)
    ended = in_process("solve", *SMALL, "--moves", "33", "--json", "--scheduler", "tcp://x:1")

    assert closed
    if breaks:
        assert ended.status == 1
        assert ended.err == "tic-tac-toe: the cluster has had no worker for 30 seconds\n"
        assert "error" in ended.answers[0]
    else:
        assert (ended.status, ended.answers[0]["plies"]) == (0, 18)


# -- Ctrl-C ----------------------------------------------------------------------------------------


@pytest.mark.slow
def test_ctrl_c_saves_the_search_first(in_process: Command, tmp_path: Path) -> None:
    with Screen("solve", *LARGE, "--checkpoint", str(tmp_path)) as screen:
        screen.expect(" nodes; ")
        screen.type("\x03")  # once, for a second one ends the saving, which a busy disk makes slow
        assert screen.end() == 130
        assert "Traceback" not in screen.written
        assert "\x1b[?25h" in screen.written.rpartition(" nodes; ")[2]  # the cursor is back
    assert [path.name for path in tmp_path.iterdir()] == ["state-b.checkpoint"]
    told = re.findall(r"([0-9,]+) nodes", screen.written)[-1]

    ended = in_process(
        "solve", *LARGE, "--outcome", "--json", "--checkpoint", str(tmp_path), "--node-limit", "1"
    )

    assert ended.answers[0]["nodes"] >= int(told.replace(",", ""))


# -- plan command ----------------------------------------------------------------------------------


#: One worker compiles the kernels, and the others need not wait for it.
pytestmark = [pytest.mark.xdist_group("solve"), pytest.mark.usefixtures("compiled")]

SIX = ("--variant", "mnk:6,4,4,gravity")
#: O, to move, wins.
WON = "....../....../..O.../..OXXX o"


def test_a_plan_is_told_as_an_object_and_as_a_picture(in_process: Command) -> None:
    (plan,) = in_process("plan", *SIX, WON, "--json").answers
    assert (plan["position"], plan["goal"]) == (WON, "win")
    assert set(plan["signs"]) >= {"A1", "A4", "F1", "C2"}
    assert plan["positions"] > 1

    drawn = in_process("plan", *SIX, WON, "--svg")
    assert (drawn.status, drawn.out[:5]) == (0, "<svg ")
    assert drawn.out.count('class="ttt-value"') == 19


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
    game = ("--variant", "mnk:4,4,4,gravity", "--threads", "1")
    command = ("solve", *game, "--certificate", str(tmp_path / "proof"))

    stopped = in_process(*command, "--node-limit", "2000")
    ended = in_process(*command)

    assert stopped.status == 1
    assert "; what is found is in" in stopped.err
    assert (ended.status, check(tmp_path / "proof").outcome) == (0, "draw")
    assert "going on from" in ended.err


# -- check -----------------------------------------------------------------------------------------


def test_standard_input_is_read_and_may_be_closed(in_process: Command) -> None:
    stream, rules = io.BytesIO(), VARIANTS["misere-tic-tac-toe"]
    write_certificate(rules, Position(), small_table(rules), stream)

    proved = in_process("check", "-", typed=stream.getvalue())
    closed = in_process("check", "-", typed=None)

    assert proved.out == "-: Misère tic-tac-toe, .../.../... x: draw, proved by 64 theorems\n"
    assert closed.err == (
        "tic-tac-toe: - proves nothing: line 1: the file ends before its closing line\n"
    )
