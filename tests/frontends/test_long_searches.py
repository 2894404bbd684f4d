"""``tic-tac-toe solve`` loses nothing of what takes long: it is saved, proved, shared, stopped."""

from __future__ import annotations

import re
import sys
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from tests.frontends.programs import Screen
from tests.frontends.solving import LARGE, SMALL, Command
from tic_tac_toe import solver as fast
from tic_tac_toe.logic.rules import Rules
from tic_tac_toe.solver import cluster
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


def test_a_folder_that_cannot_be_written_is_refused(in_process: Command, tmp_path: Path) -> None:
    file = tmp_path / "file"
    file.touch()

    for folder in (file, file / "below"):
        assert in_process("solve", *SMALL, "--checkpoint", str(folder)) == (
            1,
            "",
            f"tic-tac-toe: cannot write {folder}: Not a directory\n",
        )


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


def test_where_no_proof_can_be_written_nothing_is_searched(
    in_process: Command, tmp_path: Path
) -> None:
    ended = in_process("solve", "--certificate", str(tmp_path / "none" / "proof"))

    assert (ended.status, ended.out) == (1, "")
    assert ended.err.endswith("proof: No such file or directory\n")
    assert in_process("solve", "--certificate", str(tmp_path)).err.endswith(": It is a folder\n")


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


def test_without_dask_or_a_scheduler_people_are_told_what_is_missing(
    in_process: Command, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert in_process("solve", *SMALL, "--scheduler", "nowhere") == (
        1,
        "",
        'tic-tac-toe: no Dask scheduler answers at "nowhere"\n',
    )
    monkeypatch.setitem(sys.modules, "distributed", None)
    assert in_process("solve", *SMALL, "--scheduler", "nowhere") == (
        1,
        "",
        "tic-tac-toe: the cluster solver needs packages that are not installed; "
        'in a checkout: pip install "./library[cluster]"\n',
    )


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
