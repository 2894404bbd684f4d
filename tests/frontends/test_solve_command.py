"""``tic-tac-toe solve`` answers exactly, says how far it got, and always ends in order."""

from __future__ import annotations

import contextlib
import errno
import io
import json
import os
import re
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any, NamedTuple

import pytest

from tests.frontends.programs import PATIENCE, Screen, command, environment, run
from tic_tac_toe import solver as fast
from tic_tac_toe.logic.exceptions import SearchLimitReached
from tic_tac_toe.logic.models import GameState
from tic_tac_toe.logic.rules import Rules
from tic_tac_toe.logic.rules.catalogue import find_rules
from tic_tac_toe.logic.search.verdict import analyse_moves, find_verdict
from tic_tac_toe_frontends.command import analyse, solve_checkpoint, solve_progress
from tic_tac_toe_frontends.command.cli import main
from tic_tac_toe_frontends.command.solve_progress import ProgressLine, fitting
from tic_tac_toe_frontends.command.verdicts import Answer, in_one_line, tell
from tic_tac_toe_frontends.translation import load

pytest.importorskip("numba")

#: One worker compiles the kernels, and the others need not wait for it.
pytestmark = pytest.mark.xdist_group("solve")

SMALL = ("--variant", "connect-four-5x4")
LARGE = ("--variant", "connect-four", "--threads", "1", "--memory", "4")
ENGLISH = load("en", {})


class Ended(NamedTuple):
    """How a command ended."""

    status: int
    out: str
    err: str

    @property
    def answers(self) -> list[dict[str, Any]]:
        """The JSON objects that it printed."""
        return [json.loads(line) for line in self.out.splitlines()]


Command = Callable[..., Ended]


@pytest.fixture
def in_process(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> Command:
    """Return the command, run in this process."""
    monkeypatch.setenv("LC_ALL", "C.UTF-8")
    monkeypatch.setenv("COLUMNS", "80")
    monkeypatch.delenv("LANGUAGE", raising=False)

    def call(*arguments: str, typed: bytes = b"") -> Ended:
        monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(typed)))
        status = main(arguments)
        out, err = capsys.readouterr()
        return Ended(status, out, err)

    return call


@pytest.fixture(scope="module", autouse=True)
def compiled() -> None:
    """Compile what these tests need before the clock of any of them runs."""
    for name in ("connect-four-5x4", "connect-four"):
        rules = find_rules(name)
        limits = fast.Limits(node_limit=20_000, memory=1 << 20, threads=1)
        with contextlib.suppress(SearchLimitReached):
            fast.FastSolver(rules, limits).score(GameState.new(rules).position)


# -- answers ---------------------------------------------------------------------------------------


@pytest.mark.parametrize("moves", ["33", "333322", "3333"])
def test_json_is_that_of_analyse_and_the_effort(moves: str, in_process: Command) -> None:
    (plain,) = in_process("analyse", *SMALL, "--moves", moves, "--json").answers
    ended = in_process("solve", *SMALL, "--moves", moves, "--json")
    (found,) = ended.answers

    assert (ended.status, ended.err) == (0, "")
    assert found.items() >= plain.items()
    assert {*found} - {*plain} == {"nodes", "seconds", "exact"}
    assert found["exact"] is True
    assert found["nodes"] > 0 <= found["seconds"]


def test_text_is_that_of_analyse_and_the_effort(in_process: Command) -> None:
    plain = in_process("analyse", *SMALL, "--moves", "33332").out
    ended = in_process("solve", *SMALL, "--moves", "33332")

    assert (ended.status, ended.err) == (0, "")
    assert ended.out.startswith(plain)
    assert re.fullmatch(r"\nnodes: [0-9,]+; seconds: [0-9.]+\n", ended.out[len(plain) :])


def test_a_position_and_the_starter_are_taken_as_analyse_takes_them(in_process: Command) -> None:
    position = "...../...../...../.OXO. x"
    (found,) = in_process("solve", *SMALL, position, "--starting", "O", "--json").answers

    assert (found["position"], found["to_move"]) == (position, "X")


def test_a_finished_game_needs_no_search(in_process: Command) -> None:
    ended = in_process("solve", "XXX/OO./...", "--json")

    (found,) = ended.answers
    assert (found["outcome"], found["plies"], found["moves"]) == ("loss", 0, [])
    assert "The game is over.\n" in in_process("solve", "XXX/OO./...").out


@pytest.mark.parametrize(("moves", "outcome"), [("33", "draw"), ("1122", "win"), ("1215", "loss")])
def test_the_outcome_alone_is_the_same(moves: str, outcome: str, in_process: Command) -> None:
    (whole,) = in_process("analyse", *SMALL, "--moves", moves, "--json").answers
    (found,) = in_process("solve", *SMALL, "--moves", moves, "--json", "--outcome").answers

    assert found["outcome"] == whole["outcome"]
    assert {*found} == {
        *("variant", "position", "to_move", "outcome", "nodes", "seconds", "exact"),
    }
    text = in_process("solve", *SMALL, "--moves", moves, "--outcome").out
    assert f"to move: {found['outcome']}\n" in text


# -- limits ----------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "limit",
    [("--node-limit", "5000"), ("--time-limit", "0.1"), ("--outcome", "--time-limit", ".1")],
)
def test_a_limit_leaves_bounds_and_no_guess(limit: tuple[str, ...], in_process: Command) -> None:
    ended = in_process("solve", *LARGE, *limit, "--json")

    (found,) = ended.answers
    assert (ended.status, ended.err) == (0, "")
    assert found["exact"] is False
    assert found["outcome"] is None
    worst, best = found["bounds"]
    order = ["loss", "draw", "win"]
    assert order.index(worst) < order.index(best)
    if "--outcome" not in limit:
        assert found["plies"] is found["best"] is found["line"] is None
        assert [move["outcome"] for move in found["moves"]] == [None] * 7


def test_people_are_told_what_a_limit_left_open(in_process: Command) -> None:
    ended = in_process("solve", *LARGE, "--node-limit", "1000")

    assert ended.status == 0
    assert "X to move: the outcome is open\n" in ended.out
    assert "The search ended early: no answer after 1,000 positions.\n" in ended.out


def test_moves_that_a_limit_kept_back_are_marked_unknown(in_process: Command) -> None:
    rules = find_rules("connect-four-5x4")
    solver = fast.FastSolver(rules, fast.Limits(memory=4 << 20, threads=1))
    start = GameState.new(rules).position
    find_verdict(rules, start, solver)
    before = solver.nodes
    analyse_moves(rules, start, solver)
    limit = str((before + solver.nodes) // 2)
    options = (*SMALL, "--node-limit", limit, "--threads", "1", "--memory", "4")

    (found,) = in_process("solve", *options, "--json").answers
    ended = in_process("solve", *options)

    assert (found["outcome"], found["plies"], found["exact"]) == ("draw", 20, True)
    known = [move for move in found["moves"] if move["outcome"] is not None]
    assert 0 < len(known) < 5
    assert ended.status == 0
    assert len(re.findall(r"(?m)^[* ] [1-5] +\? +\?$", ended.out)) == 5 - len(known)
    assert "what is marked with ? is not known.\n" in ended.out


@pytest.mark.parametrize(
    ("answer", "told"),
    [
        (Answer("win", 3, (1,), (1, 2, 3)), "win, 3 plies to the end"),
        (Answer("draw"), "draw"),
        (Answer(None, bounds=("draw", "win")), "at least a draw"),
        (Answer(None, bounds=("loss", "draw")), "at most a draw"),
        (Answer(None, bounds=("loss", "win")), "the outcome is open"),
        (Answer("win", bounds=("win", "win")), "a win, but not how soon"),
        (Answer("loss", bounds=("loss", "loss")), "a loss, but not how late"),
        (Answer("draw", bounds=("draw", "draw")), "draw"),
        (Answer("loss", 1, bounds=("loss", "loss")), "loss, 1 ply to the end"),
    ],
)
def test_each_state_of_knowledge_has_its_words(answer: Answer, told: str) -> None:
    assert tell(answer, ENGLISH) == told


def test_a_limit_is_told_in_the_one_line_of_an_answer() -> None:
    answer = Answer(None, bounds=("draw", "win"), limit="no answer after 7 positions")

    assert in_one_line(GameState.new(), answer, load("es", {})) == (
        ".../.../... x: al menos empate; sin respuesta después de 7 posiciones"
    )


@pytest.mark.parametrize(
    "arguments",
    [
        ["--threads", "0"],
        ["--threads", "257"],
        ["--threads", "two"],
        ["--memory", "0"],
        ["--memory", "-5"],
        ["--memory", "9" * 5000],
        ["--node-limit", "-1"],
        ["--node-limit", "1.5"],
        ["--time-limit", "-1"],
        ["--time-limit", "0"],
        ["--time-limit", "nan"],
        ["--time-limit", "inf"],
        ["--time-limit", "soon"],
        ["--file", "-", "--moves", "1"],
        ["--file", "-", "XXX/OO./..."],
        ["--file", "-", "--certificate", "proof"],
        ["--outcome", "--certificate", "proof"],
        ["--scheduler", "tcp://127.0.0.1:1", "--checkpoint", "folder"],
        ["--variant", "chess"],
    ],
)
def test_senseless_options_are_wrong_usage(arguments: list[str], in_process: Command) -> None:
    ended = in_process("solve", *arguments)

    assert (ended.status, ended.out) == (2, "")
    assert len(ended.err.splitlines()) == 2
    assert ended.err.endswith("For help: tic-tac-toe solve --help\n")


# -- files -----------------------------------------------------------------------------------------

LINES = b"""# two ways to say the same
3 3
...../...../..O../..X..

XXX
\xff
3 9
...../...../...../.XXO. o
"""


def test_each_line_of_a_file_is_answered_or_refused(in_process: Command) -> None:
    ended = in_process("solve", *SMALL, "--file", "-", typed=LINES)

    assert ended.status == 1
    assert ended.out.splitlines() == [
        "...../...../..O../..X.. x: draw, 18 plies to the end; best: 3",
        "...../...../..O../..X.. x: draw, 18 plies to the end; best: 3",
        "...../...../...../.XXO. o: win, 17 plies to the end; best: 2 3 4",
    ]
    assert ended.err.splitlines() == [
        "tic-tac-toe: line 5: expected 20 cells, got 3",
        "tic-tac-toe: line 6: byte 1 is no UTF-8 text",
        'tic-tac-toe: line 7: move 2 "9": expected a column from 1 to 5, or a cell from A1 to E4',
    ]


def test_a_file_is_answered_in_json_lines(in_process: Command, tmp_path: Path) -> None:
    path = tmp_path / "positions"
    path.write_bytes(b"# first\r\n33\r\n\r\n333322\r\n")

    ended = in_process("solve", *SMALL, "--json", "--file", str(path))
    alone = in_process("solve", *SMALL, "--json", "--moves", "333322").answers[0]

    assert (ended.status, ended.err) == (0, "")
    assert [answer["number"] for answer in ended.answers] == [2, 4]
    changing = {"nodes", "seconds", "number"}
    last = ended.answers[1]
    assert {k: v for k, v in last.items() if k not in changing} == {
        k: v for k, v in alone.items() if k not in changing
    }


def test_lines_that_are_too_long_are_passed_over(in_process: Command) -> None:
    ended = in_process("solve", *SMALL, "--file", "-", typed=b"1" * 10_000 + b"\n33\n")

    assert ended.status == 1
    assert ended.err == "tic-tac-toe: line 1: larger than 4,096 bytes\n"
    assert len(ended.out.splitlines()) == 1


def test_limits_are_for_all_lines_together(in_process: Command) -> None:
    ended = in_process(
        "solve", *LARGE, "--node-limit", "5000", "--json", "--file", "-", typed=b"4\n3\n"
    )

    assert ended.status == 0
    assert [answer["exact"] for answer in ended.answers] == [False, False]
    assert sum(answer["nodes"] for answer in ended.answers) == 5000


def test_a_file_that_cannot_be_read_is_refused(in_process: Command, tmp_path: Path) -> None:
    ended = in_process("solve", *SMALL, "--file", str(tmp_path / "none"))

    assert (ended.status, ended.out) == (1, "")
    assert ended.err.endswith("none: No such file or directory\n")


@pytest.mark.parametrize("as_json", [False, True])
def test_answers_come_before_the_input_ends(as_json: bool) -> None:
    arguments = (*SMALL, "--file", "-", *(["--json"] if as_json else []))
    with subprocess.Popen(
        command("solve", *arguments),
        env=environment(),
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
    ) as process:
        assert process.stdin is not None
        assert process.stdout is not None
        assert process.stderr is not None
        for moves in (b"3333\n", b"33\n"):
            process.stdin.write(moves)
            process.stdin.flush()
            assert b"draw" in process.stdout.readline()
            assert process.poll() is None
        process.stdin.close()
        assert process.wait(PATIENCE) == 0
        assert process.stderr.read() == b""


# -- what cannot be done ---------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("arguments", "reason"),
    [
        (
            ["--variant", "gomoku"],
            "the fast solver takes boards of 64 cells at most, not 225",
        ),
        (
            ["--variant", "mnk:9,8,4,gravity"],
            "the fast solver needs columns x (rows + 1) <= 64 under gravity, "
            "and 9 columns with 8 rows make 81",
        ),
        (
            ["--variant", "mnk:5,5,4,exact"],
            "the fast solver does not know lines of an exact length",
        ),
        (["--variant", "ultimate"], "the fast solver does not know the rules Ultimate"),
        (["XXX/XXX/XXX"], "Wrong number of Xs and Os"),
        ([*SMALL, "...../..X../...../....."], "A mark floats above an empty cell"),
        (["--moves", "5 5"], 'move 2 "5": Cell is not empty'),
    ],
)
def test_what_cannot_be_solved_is_refused_in_one_line(
    arguments: list[str], reason: str, in_process: Command
) -> None:
    assert in_process("solve", *arguments) == (1, "", f"tic-tac-toe: {reason}\n")


def test_without_the_extra_people_are_told_what_to_install_and_what_works(
    in_process: Command, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(fast, "is_installed", lambda: False)

    assert in_process("solve", *SMALL) == (
        1,
        "",
        "tic-tac-toe: the fast solver needs NumPy and Numba: "
        "pip install 'tictactoe-engine[fast]'; "
        "the slower “tic-tac-toe analyse” needs nothing\n",
    )


def test_more_memory_than_there_is_is_refused(
    in_process: Command, monkeypatch: pytest.MonkeyPatch
) -> None:
    def refuse(*_: object, **__: object) -> None:
        raise MemoryError

    monkeypatch.setattr("tic_tac_toe.solver.session.kernel_for", refuse)

    assert in_process("solve", *SMALL) == (
        1,
        "",
        "tic-tac-toe: there is not so much memory: see --memory\n",
    )


# -- checkpoints -----------------------------------------------------------------------------------


def test_a_search_goes_on_from_its_checkpoint(in_process: Command, tmp_path: Path) -> None:
    folder = str(tmp_path / "new" / "folder")
    for limit in ("20000", "40000"):
        ended = in_process("solve", *LARGE, "--json", "--checkpoint", folder, "--node-limit", limit)
        assert (ended.status, ended.err) == (0, "")
        assert ended.answers[0]["nodes"] == int(limit)


def make_checkpoint(in_process: Command, folder: Path) -> None:
    for limit in ("10000", "20000"):
        in_process("solve", *LARGE, "--outcome", "--checkpoint", str(folder), "--node-limit", limit)
    assert len([*folder.glob("*.checkpoint")]) == 2


def test_a_damaged_checkpoint_gives_way_to_the_older_one(
    in_process: Command, tmp_path: Path
) -> None:
    make_checkpoint(in_process, tmp_path)
    newest = max(tmp_path.glob("*.checkpoint"), key=lambda path: path.stat().st_mtime_ns)
    newest.write_bytes(newest.read_bytes()[:-1])

    ended = in_process(
        "solve", *LARGE, "--outcome", "--checkpoint", str(tmp_path), "--node-limit", "30000"
    )

    assert ended.status == 0
    assert ended.err == (
        f"tic-tac-toe: {newest.name} is cut off, or too long; the older state is used\n"
    )


def test_a_checkpoint_of_another_game_is_refused(in_process: Command, tmp_path: Path) -> None:
    make_checkpoint(in_process, tmp_path)

    ended = in_process("solve", *SMALL, "--checkpoint", str(tmp_path))

    assert (ended.status, ended.out) == (1, "")
    assert ended.err.startswith(f"tic-tac-toe: cannot go on from {tmp_path}: state-")
    assert 'belongs to another game: "connect-four", not "connect-four-5x4"\n' in ended.err


def test_a_folder_that_cannot_be_written_is_refused(in_process: Command, tmp_path: Path) -> None:
    file = tmp_path / "file"
    file.touch()

    for folder in (file, file / "below"):
        assert in_process("solve", *SMALL, "--checkpoint", str(folder)) == (
            1,
            "",
            f"tic-tac-toe: cannot write {folder}: Not a directory\n",
        )


@pytest.fixture
def full_disk(monkeypatch: pytest.MonkeyPatch) -> None:
    def fsync(_: int) -> None:
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))

    monkeypatch.setattr(os, "fsync", fsync)


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
def test_a_full_disk_on_the_way_does_not_end_the_search(
    in_process: Command, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(solve_checkpoint, "INTERVAL_SECONDS", 0.0)

    ended = in_process("solve", *SMALL, "--json", "--checkpoint", str(tmp_path))

    assert ended.status == 0
    assert ended.answers[0]["outcome"] == "draw"
    assert ended.err == (
        "tic-tac-toe: cannot save the search, which goes on: No space left on device\n"
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
    assert in_process("solve", "--certificate", str(tmp_path)).err.endswith(": Is a directory\n")


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


def test_without_dask_people_are_told_what_to_install(
    in_process: Command, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(sys.modules, "distributed", None)
    ended = in_process("solve", *SMALL, "--scheduler", "tcp://127.0.0.1:1")

    assert (ended.status, ended.out) == (1, "")
    assert ended.err == (
        "tic-tac-toe: the cluster solver needs Dask: pip install 'tictactoe-engine[cluster]'\n"
    )


def test_a_scheduler_that_does_not_answer_is_named(in_process: Command) -> None:
    pytest.importorskip("distributed")
    ended = in_process("solve", *SMALL, "--scheduler", "nowhere")

    assert (ended.status, ended.out) == (1, "")
    assert ended.err == 'tic-tac-toe: no Dask scheduler answers at "nowhere"\n'


class FakeClient:
    """A client of a cluster that is this process."""

    closed = False

    def close(self) -> None:
        self.closed = True


@pytest.mark.parametrize("breaks", [False, True])
def test_a_cluster_answers_or_fails_in_one_line(
    breaks: bool, in_process: Command, monkeypatch: pytest.MonkeyPatch
) -> None:
    cluster = pytest.importorskip("tic_tac_toe.solver.cluster")
    client = FakeClient()

    class FakeSolver(fast.FastSolver):
        def __init__(self, rules: Rules, client: object, limits: fast.Limits) -> None:
            super().__init__(rules, limits)

        def score(self, position: Any) -> int:
            if breaks:
                raise cluster.ClusterError("the connection to the cluster is lost")
            return super().score(position)

    monkeypatch.setattr(cluster, "connect", lambda address: client)
    monkeypatch.setattr(cluster, "ClusterSolver", FakeSolver)
    ended = in_process("solve", *SMALL, "--moves", "33", "--json", "--scheduler", "tcp://x:1")

    assert client.closed
    if breaks:
        assert ended == (1, "", "tic-tac-toe: the connection to the cluster is lost\n")
    else:
        assert (ended.status, ended.answers[0]["plies"]) == (0, 18)


# -- the live line ---------------------------------------------------------------------------------

SECOND = ("solve", *LARGE, "--time-limit", "1.5")


def test_the_live_line_tells_how_far_the_search_has_got() -> None:
    pytest.importorskip("rich")
    with Screen(*SECOND) as screen:
        screen.expect("the outcome is open; ")
        screen.expect(" nodes; ")
        screen.expect(" a second; table ")
        screen.expect("% full")
        assert screen.end() == 0
        assert "X to move: " in screen.written.rpartition("% full")[2]
        assert "\x1b[2K" in screen.written.rpartition("% full")[2]  # it leaves nothing behind


@pytest.mark.parametrize("columns", [30, 50])
def test_the_live_line_fits_the_screen(columns: int) -> None:
    pytest.importorskip("rich")
    with Screen(*SECOND, size=(columns, 24), env=environment(NO_COLOR="1")) as screen:
        assert screen.end() == 0
    lines = re.findall(r"the outcome is open; [^\r\n\x1b]*", screen.written)

    assert lines or columns < 45
    assert all(len(line) < columns for line in lines)
    assert not re.search(r"\x1b\[[0-9;]*m", screen.written)


@pytest.mark.parametrize("changes", [{"TERM": "dumb"}, {"TERM": ""}])
def test_a_dumb_terminal_has_no_live_line(changes: dict[str, str]) -> None:
    with Screen(*SECOND, env=environment(**changes)) as screen:
        assert screen.end() == 0
        assert screen.written.startswith("connect-four: ")
        assert "\x1b" not in screen.written


@pytest.mark.parametrize("as_json", [False, True])
def test_a_pipe_has_no_live_line(as_json: bool) -> None:
    ended = run(*SECOND, *["--json"] * as_json)

    assert (ended.returncode, ended.stderr) == (0, "")
    assert "\x1b" not in ended.stdout
    assert "a second" not in ended.stdout


def test_without_rich_there_is_one_hint_and_no_line(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(solve_progress, "find_spec", lambda name: None)
    line = ProgressLine(ENGLISH, wanted=True, environ={"TERM": "xterm"})
    line.active = True
    line.show(["one"])
    line.show(["two"])
    line.hide()

    assert capsys.readouterr().err == (
        "tic-tac-toe: for a live progress line: pip install 'tictactoe-frontends[solve]'\n"
    )


def test_as_many_parts_are_shown_as_fit() -> None:
    assert fitting(["win", "7 nodes", "3 a second"], 80) == "win; 7 nodes; 3 a second"
    assert fitting(["win", "7 nodes", "3 a second"], 12) == "win; 7 nodes"
    assert fitting(["胜", "7 nodes"], 10) == "胜"
    assert fitting(["a\x1bb"], 1) == "a\\x1bb"


# -- Ctrl-C ----------------------------------------------------------------------------------------


def test_ctrl_c_ends_a_search_at_once() -> None:
    pytest.importorskip("rich")
    with Screen("solve", *LARGE) as screen:
        screen.expect(" nodes; ")
        pressed = time.monotonic()
        assert screen.interrupt() == 130
        assert time.monotonic() - pressed < 30  # a tenth of a second where nothing else runs
        assert "Traceback" not in screen.written
        assert "\x1b[?25h" in screen.written.rpartition(" nodes; ")[2]  # the cursor is back


def test_ctrl_c_saves_the_search_first(in_process: Command, tmp_path: Path) -> None:
    pytest.importorskip("rich")
    with Screen("solve", *LARGE, "--checkpoint", str(tmp_path)) as screen:
        screen.expect(" nodes; ")
        assert screen.interrupt() == 130
        assert "Traceback" not in screen.written
    assert [path.name for path in tmp_path.iterdir()] == ["state-b.checkpoint"]
    told = re.findall(r"([0-9,]+) nodes", screen.written)[-1]

    ended = in_process(
        "solve", *LARGE, "--outcome", "--json", "--checkpoint", str(tmp_path), "--node-limit", "1"
    )

    assert ended.answers[0]["nodes"] >= int(told.replace(",", ""))


# -- analyse ---------------------------------------------------------------------------------------


def plain_nodes(monkeypatch: pytest.MonkeyPatch, nodes: int) -> None:
    monkeypatch.setattr(analyse, "PLAIN_NODES", nodes)


def test_analyse_says_the_same_with_the_fast_solver_and_without(
    in_process: Command, monkeypatch: pytest.MonkeyPatch
) -> None:
    made: list[object] = []
    original = fast.FastSolver

    def noted(*arguments: Any, **options: Any) -> object:
        made.append(arguments)
        return original(*arguments, **options)

    monkeypatch.setattr(fast, "FastSolver", noted)
    arguments = ("analyse", *SMALL, "--moves", "332245")
    plain_nodes(monkeypatch, 10)
    quick = in_process(*arguments)
    assert made
    monkeypatch.setattr(fast, "is_installed", lambda: False)

    assert in_process(*arguments) == quick
    assert len(made) == 1


def test_analyse_keeps_its_limit_with_the_fast_solver(
    in_process: Command, monkeypatch: pytest.MonkeyPatch
) -> None:
    plain_nodes(monkeypatch, 10)
    ended = in_process("analyse", "--variant", "connect-four", "--limit", "3000")

    assert (ended.status, ended.out) == (1, "")
    assert ended.err == (
        "tic-tac-toe: too large to solve: no answer after 3,000 positions; "
        "the outcome is open (see --limit)\n"
    )


@pytest.mark.parametrize("arguments", [[], ["--json"]])
def test_analyse_tells_a_person_what_would_be_faster(arguments: list[str], tmp_path: Path) -> None:
    # As where the extra is not installed: Python reads this file when it starts.
    (tmp_path / "sitecustomize.py").write_text("import sys; sys.modules['numba'] = None\n")
    env = environment(PYTHONPATH=str(tmp_path))
    with Screen("analyse", *SMALL, "--moves", "3322", *arguments, env=env) as screen:
        assert screen.end() == 0
    hints = screen.written.count("this would be faster: the fast solver needs NumPy and Numba")

    assert hints == (0 if arguments else 1)


def test_a_pipe_is_not_told_what_would_be_faster(
    in_process: Command, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(fast, "is_installed", lambda: False)

    assert in_process("analyse", *SMALL, "--moves", "3322").err == ""
