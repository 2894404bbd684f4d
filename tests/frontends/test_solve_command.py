"""``tic-tac-toe solve`` answers exactly, says how far it got, and always ends in order."""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path

import pytest

from tests.frontends.programs import PATIENCE, Screen, command, environment
from tests.frontends.solving import LARGE, SMALL, Command
from tic_tac_toe import solver as fast
from tic_tac_toe.logic.exceptions import message
from tic_tac_toe.logic.models import GameState
from tic_tac_toe.logic.rules.catalogue import find_rules
from tic_tac_toe.logic.search.evaluation import Evaluation
from tic_tac_toe.logic.search.exact import AlphaBeta, analyse_moves, find_verdict
from tic_tac_toe_frontends.command.progress import ProgressLine, fitting
from tic_tac_toe_frontends.command.verdicts import Found, one_line, result_text
from tic_tac_toe_frontends.words.translation import load

#: One worker compiles the kernels, and the others need not wait for it.
pytestmark = [pytest.mark.xdist_group("solve"), pytest.mark.usefixtures("compiled")]

ENGLISH = load("en", {})


# -- answers ---------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "asked", [("--moves", "333322"), ("...../...../...../.OXO. x", "--starting", "O")]
)
def test_the_answer_is_that_of_analyse_and_the_effort(
    asked: tuple[str, ...], in_process: Command
) -> None:
    (plain,) = in_process("analyse", *SMALL, *asked, "--json").answers
    (found,) = in_process("solve", *SMALL, *asked, "--json").answers
    text = in_process("analyse", *SMALL, *asked).out
    ended = in_process("solve", *SMALL, *asked)

    assert (ended.status, ended.err) == (0, "")
    assert found.items() >= plain.items()
    assert {*found} - {*plain} == {"nodes", "seconds"}
    assert (found["to_move"], found["exact"]) == ("X", True)
    assert found["nodes"] > 0 <= found["seconds"]
    assert ended.out.startswith(text)
    assert re.fullmatch(r"\nnodes: [0-9,]+; seconds: [0-9.]+\n", ended.out[len(text) :])


@pytest.mark.parametrize(("moves", "outcome"), [("33", "draw"), ("243", "win"), ("1215", "loss")])
def test_the_outcome_alone_is_the_same(moves: str, outcome: str, in_process: Command) -> None:
    (found,) = in_process("solve", *SMALL, "--moves", moves, "--json", "--outcome").answers

    assert found["outcome"] == outcome
    assert {*found} == {*("variant", "position", "to_move", "outcome", "nodes", "seconds", "exact")}


# -- limits ----------------------------------------------------------------------------------------


@pytest.mark.parametrize("limit", [("--node-limit", "5000"), ("--outcome", "--time-limit", ".1")])
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
    told = in_process("solve", *LARGE, *limit).out
    assert "The search ended early: no answer after " in told


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
    unknown = [move for move in found["moves"] if move["plies"] is None]
    assert unknown
    assert ended.status == 0
    assert len(re.findall(r"(?m)^[* ] [1-5] +[a-z]+ \?$", ended.out)) == len(unknown)
    assert "what is marked with ? is not known.\n" in ended.out


@pytest.mark.medium
@pytest.mark.parametrize(
    ("variant", "moves"),
    [
        ("4x4", ""),  # a draw by every move
        ("connect-four-5x4", "3"),
        ("mnk:4,4,3,misere", "A1 B2 C3 A4"),  # a loss
        ("mnk:5,4,4,gravity", "332"),  # a win
        ("mnk:5,4,4,gravity,pie", ""),
        ("mnk:5,4,4,gravity,pie", "2"),
    ],
)
def test_whatever_the_limit_only_what_is_proved_is_told_and_no_best_move_is_unknown(
    variant: str, moves: str, in_process: Command
) -> None:
    game = ("--variant", variant, "--moves", moves, "--threads", "1", "--memory", "4", "--json")
    (whole,) = in_process("solve", *game).answers
    cut, order = 0, ["loss", "draw", "win"]
    for part in range(1, 20):
        limit = ("--node-limit", str(max(1, whole["nodes"] * part // 20)))
        (found,) = in_process("solve", *game, *limit).answers
        worst, best = map(order.index, found.get("bounds", [whole["outcome"]] * 2))
        assert worst <= order.index(whole["outcome"]) <= best
        if found["best"] is None:
            continue
        assert found["best"] == whole["best"]
        for told, true in zip(found["moves"], whole["moves"], strict=True):
            assert told["outcome"] in (None, true["outcome"])
            assert told["plies"] in (None, true["plies"])
            assert told["cell"] not in found["best"] or told == true
        cut += found["nodes"] < whole["nodes"]
    assert cut, "no limit fell into the table of moves"


@pytest.mark.parametrize(
    ("found", "told"),
    [
        (Evaluation.exact(997, (1,), (1, 2, 3)), "X wins in 2 moves"),
        (Evaluation.exact(0), "draw"),
        (Evaluation(low=0), "at least a draw"),
        (Evaluation(high=0), "at most a draw"),
        (Evaluation(), "the outcome is open"),
        (Evaluation(low=1), "X wins"),
        (Evaluation(low=995), "X wins in 3 moves at most"),
        (Evaluation(high=-1), "O wins"),
        (Evaluation(high=-996), "O wins in 2 moves at most"),
        (Evaluation.exact(-998), "O wins in 1 move"),
        (Evaluation(chance=0.62), "not proved; an estimate of its chances: 62 %"),
        (
            Evaluation(low=0, chance=0.62),
            "at least a draw; not proved; an estimate of its chances: 62 %",
        ),
    ],
)
def test_each_state_of_knowledge_has_its_words(found: Evaluation, told: str) -> None:
    assert result_text(GameState.new(), found, ENGLISH) == told


def test_a_limit_is_told_in_the_one_line_of_an_answer() -> None:
    limit = message("no answer after {count:,} positions", "node_limit", count=7)
    found = Found(Evaluation(low=0), limit)

    assert one_line(GameState.new(), found, load("es", {})) == (
        ".../.../... x: al menos empate; sin respuesta después de 7 posiciones"
    )


# -- files -----------------------------------------------------------------------------------------


def test_a_file_is_answered_in_json_lines(in_process: Command, tmp_path: Path) -> None:
    path = tmp_path / "positions"
    path.write_bytes(b"# first\r\n33\r\n\r\n39\r\n333322\r\n")

    ended = in_process("solve", *SMALL, "--json", "--file", str(path))
    alone = in_process("solve", *SMALL, "--json", "--moves", "333322").answers[0]

    assert ended.status == 1
    first, wrong, last = ended.answers
    assert [answer["number"] for answer in ended.answers] == [2, 4, 5]
    assert "error" not in first
    assert wrong["error"]["code"] == "unknown_move"
    effort = {"nodes": 0, "seconds": 0}
    assert last | effort == alone | effort | {"number": 5}


SCORED = b"""2252576253462244111563365343671351441 -1
7422341735647741166133573473242566 1
23163416124767223154467471272416755633 1
"""


def test_a_long_line_of_a_file_is_refused(in_process: Command) -> None:
    ended = in_process("solve", *SMALL, "--file", "-", typed=b"1" * 10_000 + b"\n33\n")

    assert (ended.status, len(ended.out.splitlines())) == (1, 1)
    assert ended.err == "tic-tac-toe: line 1: larger than 4,096 bytes\n"


def test_scores_are_compared_in_json(in_process: Command) -> None:
    ended = in_process("solve", "--variant", "connect-four", "--file", "-", "--json", typed=SCORED)
    *answers, summary = ended.answers

    assert ended.status == 1
    compared = [(told["score"], told["expected_score"], told["agrees"]) for told in answers]
    assert compared == [(-1, -1, True), (1, 1, True), (0, 1, False)]
    assert summary == {"scores": {"count": 3, "agree": 2, "not_compared": 0}}


def test_limits_are_for_all_lines_together(in_process: Command) -> None:
    game = ("--variant", "connect-four", "--threads", "1", "--memory", "4")
    limits = ("--node-limit", "5000", "--json", "--file", "-")
    ended = in_process("solve", *game, *limits, typed=b"121156665\n121156555\n")

    assert ended.status == 0
    assert [answer["exact"] for answer in ended.answers] == [False, False]
    assert sum(answer["nodes"] for answer in ended.answers) == 5000


@pytest.mark.medium
def test_answers_come_before_the_input_ends() -> None:
    with subprocess.Popen(
        command("solve", *SMALL, "--file", "-"),
        env=environment(),
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
    ) as process:
        assert process.stdin is not None
        assert process.stdout is not None
        for moves in (b"3333\n", b"33\n"):
            process.stdin.write(moves)
            process.stdin.flush()
            assert b"draw" in process.stdout.readline()
            assert process.poll() is None
        process.stdin.close()
        assert process.wait(PATIENCE) == 0


# -- what cannot be done ---------------------------------------------------------------------------


def test_more_memory_than_there_is_is_refused(
    in_process: Command, monkeypatch: pytest.MonkeyPatch
) -> None:
    def refuse(*_: object, **__: object) -> None:
        raise MemoryError

    monkeypatch.setattr(fast, "FastSolver", refuse)

    assert in_process("solve", *SMALL) == (
        1,
        "",
        "tic-tac-toe: there is not enough memory: see --memory\n",
    )


# -- the live line ---------------------------------------------------------------------------------


#: Who wins is found in minutes at the earliest.
SEARCH = ("solve", "--variant", "8x8x5", "--threads", "1", "--memory", "4", "--time-limit", "1")


@pytest.mark.slow
@pytest.mark.parametrize("colour", [True, False])
def test_the_live_line_tells_how_far_the_search_has_got_on_any_screen(colour: bool) -> None:
    env = environment() if colour else environment(NO_COLOR="1")
    with Screen(*SEARCH, size=(80 if colour else 50, 24), env=env) as screen:
        screen.expect("at least a draw; ")
        screen.expect(" nodes")
        assert screen.end() == 0
    lines = re.findall(r"(?:the outcome is open|at least a draw)[^\r\n\x1b]*", screen.written)

    if colour:
        assert re.search(r" nodes; .* a second; table .*% full", screen.written)
        assert "X to move: " in screen.written.rpartition("% full")[2]
        assert "\x1b[2K" in screen.written.rpartition("% full")[2]  # it leaves nothing behind
    else:
        assert all(len(line) < 50 for line in lines)
        assert not re.search(r"\x1b\[[0-9;]*m", screen.written)


@pytest.mark.medium
@pytest.mark.parametrize(
    "asked",
    [
        pytest.param(("analyse", "--variant", "mnk:26,26,5,wild"), marks=pytest.mark.slow),
        ("analyse", "--variant", "8x8x5", "--limit", "1000000000"),
        ("balance", "--variant", "order-and-chaos"),
    ],
)
def test_a_search_of_all_moves_has_the_live_line_too(asked: tuple[str, ...]) -> None:
    with Screen(*asked) as screen:
        screen.expect("Solving …; ")
        screen.expect(" nodes")
        assert screen.interrupt() == 130


@pytest.mark.parametrize(
    ("terminal", "on_screen", "active"),
    [("xterm", True, True), ("dumb", True, False), ("", True, False), ("xterm", False, False)],
)
def test_only_a_screen_that_can_take_a_line_back_has_the_live_line(
    terminal: str, on_screen: bool, active: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("TERM", terminal)
    monkeypatch.delenv("WT_SESSION", raising=False)
    monkeypatch.setattr(sys.stdout, "isatty", lambda: on_screen)
    monkeypatch.setattr(sys.stderr, "isatty", lambda: True)

    assert ProgressLine(ENGLISH).active is active


def test_without_rich_there_is_one_hint_and_no_line(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(sys.modules, "rich", None)
    line = ProgressLine(ENGLISH)
    line.active = True
    line.show(["one"])
    line.show(["two"])
    line.hide()

    assert capsys.readouterr().err == (
        "tic-tac-toe: the live progress line needs packages that are not installed; "
        'in a checkout: pip install "./library[fast]" "./frontends[solve]"\n'
    )


def test_without_a_screen_lines_that_stay_tell_how_far_it_has_got_fewer_and_fewer(
    capsys: pytest.CaptureFixture[str],
) -> None:
    now = 0.0
    line = ProgressLine(ENGLISH, lambda: now)
    for second in range(500):
        now = second
        line.show([f"at {second}", "7 nodes"])

    assert capsys.readouterr().err.splitlines() == [
        "tic-tac-toe: at 60; 7 nodes",
        "tic-tac-toe: at 180; 7 nodes",
        "tic-tac-toe: at 420; 7 nodes",
    ]


@pytest.mark.medium
def test_a_game_that_was_never_solved_here_is_told_before_the_search() -> None:
    with subprocess.Popen(
        command("solve", "--variant", "qubic", "--threads", "1", "--memory", "4"),
        env=environment(),
        stdout=subprocess.DEVNULL,
        stderr=subprocess.PIPE,
    ) as process:
        assert process.stderr is not None
        told = process.stderr.readline().decode()
        process.terminate()

    assert told == (
        "tic-tac-toe: solving Qubic: no search of this program is known to have solved it, so that "
        "this one may never end; stop it with Ctrl-C, or give --time-limit\n"
    )


def test_as_many_parts_are_shown_as_fit() -> None:
    assert fitting(["win", "7 nodes", "3 a second"], 80) == "win; 7 nodes; 3 a second"
    assert fitting(["win", "7 nodes", "3 a second"], 12) == "win; 7 nodes"
    assert fitting(["胜", "7 nodes"], 10) == "胜"
    assert fitting(["a\x1bb"], 1) == "a\\x1bb"


# -- analyse ---------------------------------------------------------------------------------------


#: Of a game without an opening book.
WON = ("analyse", "--variant", "mnk:7,7,4,gravity", "--moves", "4455", "--limit", "20000")


@pytest.mark.medium
def test_without_the_fast_solver_analyse_says_the_same_or_less(
    in_process: Command, monkeypatch: pytest.MonkeyPatch
) -> None:
    small = ("analyse", *SMALL, "--moves", "332245", "--json")
    quick = in_process(*small)
    monkeypatch.setitem(sys.modules, "numba", None)
    ended = in_process(*WON, "--json")
    (found,) = ended.answers

    assert in_process(*small) == quick
    assert (found["outcome"], found["plies"], found["exact"]) == ("win", 3, True)
    assert len(found["line"]) == 3
    for move in found["moves"]:
        if move["name"] in "36":
            assert move["cell"] in found["best"]
            assert (move["outcome"], move["plies"]) == ("win", 3)
        else:
            assert (move["outcome"], move["plies"]) == (None, None)
            assert 0 < move["chance"] < 1
    assert (ended.status, found["error"]["code"]) == (1, "search_limit")


def test_without_the_fast_solver_no_line_is_searched_from_what_the_book_holds(
    in_process: Command, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(sys.modules, "numba", None)
    monkeypatch.setattr(AlphaBeta, "score", lambda *_: pytest.fail("plain Python searches"))
    monkeypatch.setattr(AlphaBeta, "reaches", lambda *_: pytest.fail("plain Python searches"))
    ended = in_process("analyse", "--variant", "connect-four", "--moves", "44444")

    assert (ended.status, ended.err) == (0, "")
    assert "O to move: X wins in 18 moves\nbest: 1 2 3 4 5 6 7\n\n" in ended.out


@pytest.mark.medium
def test_what_is_not_proved_is_called_an_estimate(
    in_process: Command, monkeypatch: pytest.MonkeyPatch
) -> None:
    fast = in_process(*WON).out
    monkeypatch.setitem(sys.modules, "numba", None)
    won = in_process(*WON).out
    told = in_process(*WON[:3], "--moves", "44444", "--limit", "10").out

    assert "X to move: X wins in 2 moves\nbest: 3 6\nline: 3 4 2\n" in won
    assert len(re.findall(r"(?m)^\* [36] +win 2$", won)) == 2
    assert re.search(r"\nO to move: not proved; an estimate of its chances: [0-9]+ %\n", told)
    for text, count in ((fast, 5), (won, 5), (told, 7)):
        assert len(re.findall(r"(?m)^[* ] [1-7] +about [0-9]+ %$", text)) == count
        assert "A number of percent is an estimate of a move that is not proved.\n" in text
