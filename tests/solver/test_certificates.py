"""Certificates and their plans are accepted by the checker, true, and the same after a kill."""

from __future__ import annotations

import io
import random
import subprocess
import sys
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.logic.played_games import marks, played_on
from tests.solver.late_positions import as_lines, wrapping_words
from tests.theorems import sealed, stones_of
from tic_tac_toe.certificate_check import Game, InvalidCertificate, Proof, check
from tic_tac_toe.logic.exceptions import InvalidGameState, InvalidVariant, SearchLimitReached
from tic_tac_toe.logic.models import GameState
from tic_tac_toe.logic.notation import parse_state
from tic_tac_toe.logic.positions import Position
from tic_tac_toe.logic.rules import Rules
from tic_tac_toe.logic.rules.catalogue import CONNECT_FOUR, VARIANTS, find_rules
from tic_tac_toe.logic.rules.line import LineRules
from tic_tac_toe.logic.rules.wrappers import without_misere
from tic_tac_toe.logic.search.evaluation import result_of
from tic_tac_toe.logic.search.exact import AlphaBeta, Solver
from tic_tac_toe.logic.search.tables import small_table, solve_table
from tic_tac_toe.logic.shapes import Symmetry, layout
from tic_tac_toe.solver import FastSolver, Limits
from tic_tac_toe.solver.certificates import InvalidJournal, Written, plan_search, write_certificate
from tic_tac_toe.solver.certificates.plan_search import Effort, PlanSearch, plans_for
from tic_tac_toe.solver.certificates.plans import Answer, Rule, answer, signs_of
from tic_tac_toe.solver.certificates.proving import Board, Key
from tic_tac_toe.solver.kernel import gravity_game
from tic_tac_toe.solver.kernels.gravity.plans import (
    HOLDS,
    LEVEL,
    OTHER,
    OWN,
    POSITIONS,
    RESULTS,
    Aim,
    mend,
    play_out,
    shrink,
)
from tools import certificates
from tools.certificates import main

TIC_TAC_TOE = VARIANTS["tic-tac-toe"]
CERTIFICATES = Path(__file__).parents[1] / "data" / "certificates"
ONE_THREAD = Limits(threads=1, memory=1 << 22)


def certificate(
    rules: Rules, position: Position, solver: Solver, target: Path | None = None, **more: Any
) -> tuple[bytes, Written]:
    stream = io.BytesIO()
    written = write_certificate(rules, position, solver, target or stream, **more)
    return stream.getvalue(), written


class Outcomes:
    """A solver that tells outcomes, counts the questions, and has no idea of distances."""

    def __init__(self, solver: Solver) -> None:
        self._solver = solver
        self.asked = 0

    def score(self, position: Position) -> int:
        raise AssertionError("a distance is asked for")

    def reaches(self, position: Position, bound: int) -> bool:
        assert bound in (0, 1)
        self.asked += 1
        return self._solver.reaches(position, bound)


class Liar(Outcomes):
    """A solver that says yes to everything, or no."""

    def __init__(self, answer: bool) -> None:
        super().__init__(small_table(TIC_TAC_TOE))
        self._answer = answer

    def reaches(self, position: Position, bound: int) -> bool:
        return self._answer


# -- round trips -----------------------------------------------------------------------------------


@pytest.mark.medium
@pytest.mark.parametrize(
    ("game", "outcome"),
    [
        *((game, "win") for game in ("4,3,3", "1,1,1", "4,3,3,gravity", "3,3,3,gravity,misere")),
        *((game, "draw") for game in ("3,3,3", "4,4,4", "3,3,3,misere")),
        *((game, "draw") for game in ("4,4,4,gravity", "3,4,3,gravity")),
        *((game, "loss") for game in ("2,2,2,misere", "2,1,1,misere")),
    ],
)
def test_the_empty_board_is_proved(game: str, outcome: str) -> None:
    rules = find_rules(f"mnk:{game}")
    solver = Outcomes(AlphaBeta(rules))

    content, written = certificate(rules, Position(), solver)
    claim = check(io.BytesIO(content))

    assert claim.game == game
    assert claim.outcome == written.outcome == outcome
    assert (claim.theorems, len(content)) == (written.theorems, written.size)
    if game == "4,4,4":
        assert solver.asked == 2  # who wins; that it is a draw shows without a search


@pytest.mark.medium
@pytest.mark.parametrize("name", ["tic-tac-toe", "misere-tic-tac-toe"])
@pytest.mark.parametrize("starter", [0, 1])
def test_positions_of_the_small_games_are_proved_as_their_table_has_them(
    name: str, starter: int
) -> None:
    rules = VARIANTS[name]
    table = small_table(rules, starter)
    outcomes = set()

    for position in list(table)[:: 19 - starter]:
        content, written = certificate(rules, position, table)
        assert check(io.BytesIO(content)).outcome == result_of(table.score(position))
        outcomes.add(written.outcome)

    assert outcomes == {"win", "draw", "loss"}


GAMES = ["4,3,3", "4,3,4", "3,4,3,misere", "4,3,3,misere", "3,4,3,gravity", "4,4,3,gravity"]
GAMES += ["4,4,4,gravity", "4,3,3,gravity,misere", "7,2,3,gravity", "4,4,4", "5,1,3,misere"]


@st.composite
def late_positions(draw: st.DrawFn) -> tuple[Rules, str, Position]:
    """Return a position with at most eight empty cells, from a random game."""
    game = draw(st.sampled_from(GAMES))
    rules = find_rules(f"mnk:{game}")
    start, plies = GameState.new(rules, draw(marks)), rules.shape.cells
    state = played_on(start, draw(st.integers(plies - 8, plies)), draw(st.integers(0, 2**32)))
    return rules, game, state.position


@pytest.mark.medium
@settings(max_examples=80)
@given(late_positions())
def test_random_late_positions_are_proved_as_textbook_minimax_has_them(
    found: tuple[Rules, str, Position],
) -> None:
    rules, game, position = found

    content, _ = certificate(rules, position, AlphaBeta(rules))
    claim = check(io.BytesIO(content))

    assert claim.game == game
    assert parse_state(claim.position, rules).position == position
    assert claim.outcome == result_of(solve_table(rules, position).score(position))


@pytest.mark.medium
@settings(max_examples=40)
@given(late_positions(), st.sampled_from(["win", "draw", "loss"]))
def test_the_theorems_of_one_claim_prove_no_other(
    found: tuple[Rules, str, Position], outcome: str
) -> None:
    rules, _, position = found
    content, written = certificate(rules, position, AlphaBeta(rules))
    lines = content.decode().splitlines()[:-1]
    theorems = [line for line in lines[4:] if not line.startswith("proof ")]
    mover, waiter = ("X", "O") if position.turn == 0 else ("O", "X")
    proofs = {"win": [f"proof {mover} wins"], "loss": [f"proof {waiter} wins"]}
    halves = proofs.get(outcome, ["proof X does not lose", "proof O does not lose"])
    claimed = [*lines[:3], f"claim {outcome}"]

    if outcome != written.outcome:
        for kept in (theorems, []):
            with pytest.raises(InvalidCertificate):
                check(io.BytesIO(sealed([*claimed, halves[0], *kept, *halves[1:]])))


# -- the same from every solver --------------------------------------------------------------------


@pytest.mark.medium
@pytest.mark.parametrize(
    ("game", "others"),
    [
        *((game, (solve_table, small_table)) for game in ("3,3,3", "3,3,3,misere")),
        ("3,4,3,gravity", (solve_table,)),
        *(
            pytest.param(game, (FastSolver,), marks=pytest.mark.slow)
            for game in ("4,3,3", "4,4,4,gravity", "4,3,3,misere")
        ),
    ],
)
def test_every_exact_solver_leads_to_the_same_file(
    game: str, others: Sequence[Callable[[Rules], Solver]]
) -> None:
    rules = find_rules(f"mnk:{game}")
    solvers = [make(rules) for make in (AlphaBeta, *others)]

    assert len({certificate(rules, Position(), Outcomes(one))[0] for one in solvers}) == 1


def test_what_any_solver_is_asked_about_is_reached_from_the_start_up_to_symmetry() -> None:
    rules = find_rules("mnk:3,4,3,gravity")
    table, mirror = solve_table(rules), Symmetry(layout(rules.shape).mirror)

    class Recorder(Outcomes):
        def reaches(self, position: Position, bound: int) -> bool:
            crosses, naughts = map(mirror, position.stones)
            assert position in table or Position((crosses, naughts), position.turn) in table
            return super().reaches(position, bound)

    certificate(rules, Position(), Recorder(AlphaBeta(rules)))


@pytest.mark.parametrize("answer", [True, False])
def test_a_solver_that_contradicts_itself_is_found_out(answer: bool, tmp_path: Path) -> None:
    path = tmp_path / "certificate"

    with pytest.raises(RuntimeError, match="the solver contradicts itself"):
        write_certificate(TIC_TAC_TOE, Position(), Liar(answer), path)

    assert list(tmp_path.iterdir()) == []


# -- reasons ---------------------------------------------------------------------------------------


@st.composite
def positions(draw: st.DrawFn) -> tuple[str, Position]:
    """Return any position of a random game that goes on."""
    game = draw(st.sampled_from([*GAMES, "5,5,4", "8,1,4", "7,6,4,gravity", "5,4,4,gravity"]))
    start = GameState.new(find_rules(f"mnk:{game}"))
    plies, seed = draw(st.integers(1, start.rules.shape.cells)), draw(st.integers(0, 2**32))
    states = [played_on(start, count, seed) for count in range(plies + 1)]
    return game, [state for state in states if not state.game_over][-1].position


def board_of(game: str) -> Board:
    rules = without_misere(find_rules(f"mnk:{game}"))
    assert isinstance(rules, LineRules)
    return Board(rules, misere=game.endswith("misere"))


@pytest.mark.slow
@settings(max_examples=400)
@given(positions(), st.booleans())
def test_a_reason_that_is_found_is_accepted_and_one_that_is_accepted_is_found(
    found: tuple[str, Position], must_win: bool
) -> None:
    game, position = found
    board = board_of(game)
    proof = Proof(Game(game), "X", must_win=must_win)
    own, other = position.stones if position.turn == 1 else position.stones[::-1]

    def accepted(reason: str) -> bool:
        try:
            proof._check_reason(own, other, *reason.split(" "))
        except InvalidCertificate:
            return False
        return True

    quick = board.reason(own, other, must_win)
    pairs = None if must_win else board.pairs(own, other)

    assert quick is None or accepted(quick)
    assert pairs is None or accepted(pairs)
    assert quick is not None or not any(map(accepted, ["closed", "potential", "follow"]))


@pytest.mark.parametrize(
    ("game", "rows", "pairs"),
    [
        ("8,1,4", "X..O....", "pairs E1-F1"),
        ("8,1,4", ".XX.....", None),
        ("5,1,3,misere", "O...X", "pairs B1-C1"),
        ("4,4,4,gravity", "..../..../..../X...", None),
    ],
)
def test_pairs_are_found_where_they_are_enough(game: str, rows: str, pairs: str | None) -> None:
    crosses, naughts = stones_of(rows)

    assert board_of(game).pairs(naughts, crosses) == pairs


@pytest.mark.medium
def test_certificates_use_every_reason() -> None:
    used = set()
    for game in ("3,3,3", "3,4,3,gravity", "3,3,3,misere", "5,3,4"):
        rules = find_rules(f"mnk:{game}")
        lines = certificate(rules, Position(), AlphaBeta(rules))[0].decode().splitlines()
        theorems = [line.split(" ") for line in lines if "/" in line.split(" ")[0]]
        used |= {words[2] for words in theorems if len(words) > 2}

    assert used == {"closed", "potential", "pairs", "follow"}


# -- what has no certificate -----------------------------------------------------------------------


@pytest.mark.parametrize(
    ("name", "sentence"),
    [
        ("ultimate", "Ultimate rules have no certificates"),
        ("gomoku-standard", "lines of an exact length have no certificates"),
        ("mnk:3,3,3,exact,misere", "lines of an exact length have no certificates"),
        ("wild", "Wild rules have no certificates"),
        ("mnk:4,3,3,pie", "Pie rules have no certificates"),
        ("mnk:3,3,3,torus", "only games on flat boards have certificates"),
        ("3x3x3", "only games on flat boards have certificates"),
    ],
)
def test_other_games_are_refused(name: str, sentence: str, tmp_path: Path) -> None:
    with pytest.raises(InvalidVariant, match=f"^{sentence}$"):
        write_certificate(find_rules(name), Position(), Liar(True), tmp_path / "certificate")

    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize(
    "position", [Position((3, 0)), Position((7, 56)), Position((1, 1)), Position((1, 0), 2)]
)
def test_a_position_that_no_game_comes_to_is_refused(position: Position) -> None:
    with pytest.raises(InvalidGameState):
        certificate(TIC_TAC_TOE, position, Liar(True))


# -- files -----------------------------------------------------------------------------------------


def test_a_file_appears_whole(tmp_path: Path) -> None:
    path = tmp_path / "certificate"

    written = write_certificate(TIC_TAC_TOE, Position(), small_table(TIC_TAC_TOE), path)

    assert check(path).theorems == written.theorems
    assert path.stat().st_size == written.size
    assert list(tmp_path.iterdir()) == [path]


def test_a_search_that_stops_leaves_the_old_file_as_it_was(tmp_path: Path) -> None:
    path = tmp_path / "certificate"
    path.write_text("old", encoding="utf-8")
    rules = find_rules("mnk:5,4,4")

    with pytest.raises(SearchLimitReached):
        write_certificate(rules, Position(), AlphaBeta(rules, node_limit=5_000), path)

    assert path.read_text(encoding="utf-8") == "old"
    assert list(tmp_path.iterdir()) == [path]


@pytest.mark.parametrize("name", ["missing/certificate", ""])
def test_a_place_where_no_file_can_be_is_told_before_the_search(name: str, tmp_path: Path) -> None:
    solver = Outcomes(small_table(TIC_TAC_TOE))

    with pytest.raises(OSError, match="directory"):
        write_certificate(TIC_TAC_TOE, Position(), solver, tmp_path / name)

    assert solver.asked == 0


@pytest.mark.medium
def test_certificates_load_nothing_heavy() -> None:
    code = "import sys, tic_tac_toe.solver.certificates;print({'numpy', 'numba'} & {*sys.modules})"

    ended = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)

    assert ended.stdout == "set()\n"


# -- the documented command ------------------------------------------------------------------------


def test_the_command_proves_what_it_is_asked_for(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    status = main(["3,3,3", "2,1,1,misere", "--folder", str(tmp_path / "new")])
    out, err = capsys.readouterr()

    assert (status, err) == (0, "")
    assert [line.split()[:3] for line in out.splitlines()[1:]] == [
        ["3,3,3", "draw", "25"],
        ["2,1,1,misere", "loss", "0"],
    ]
    assert check(tmp_path / "new" / "3-3-3.certificate").outcome == "draw"


@pytest.mark.parametrize("name", ["3,3,4", "chess", "3,3,3,exact"])
def test_the_command_refuses_what_has_no_certificate(
    name: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main([name]) == 1
    assert capsys.readouterr().err.startswith(f"{name}: ")


def test_the_command_notices_a_known_value_that_comes_out_wrong(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(certificates, "KNOWN", {"3,3,3": "win"})

    with pytest.raises(RuntimeError, match="3,3,3: draw is not what it is known to be"):
        certificates.prove("3,3,3", tmp_path / "certificate", Limits())


@pytest.mark.slow
@pytest.mark.parametrize("name", certificates.QUICK)
def test_the_known_games_are_proved(name: str, tmp_path: Path) -> None:
    proved = certificates.prove(name, tmp_path / "certificate", Limits(threads=1))

    assert proved.outcome == certificates.QUICK[name]
    assert proved.size < 10_000 or "gravity" not in name
    assert proved.size < 1 << 20


# -- plans, played out -----------------------------------------------------------------------------


def accepted(rules: LineRules, key: Key, prover: int, must_win: bool, plan: Sequence[int]) -> bool:
    """Return whether the checker of certificates accepts a plan."""
    board = Board(rules, misere=False)
    text = board.plan(key[::-1] if prover else key, plan)
    try:
        Proof(Game(board.name), "XO"[prover], must_win=must_win).add(text)
    except InvalidCertificate:
        return False
    return True


@st.composite
def plans(draw: st.DrawFn) -> tuple[LineRules, Position, list[int]]:
    """Return a game, a position of it, and the empty cells in any order."""
    games = ("4,4,4", "5,4,4", "4,5,4", "6,4,4", "4,4,3", "3,4,3", "7,6,4", "6,5,5")
    rules = as_lines(f"mnk:{draw(st.sampled_from(games))},gravity")
    position, rng = Position(), random.Random(draw(st.integers(0, 1 << 32)))
    for _ in range(draw(st.integers(max(0, rules.shape.cells - 16), rules.shape.cells - 2))):
        after = rules.play(position, rng.choice(rules.moves(position)))
        if rules.outcome(after) is not None:
            break
        position = after
    empty = [cell for cell in range(rules.shape.cells) if not position.occupied >> cell & 1]
    return rules, position, rng.sample(empty, len(empty))


def bit_of(rules: LineRules, cell: int) -> int:
    """Return the bit of the kernel's board that a cell is."""
    row, column = divmod(cell, rules.shape.columns)
    return 1 << column * (rules.shape.rows + 1) + rules.shape.rows - 1 - row


@pytest.mark.medium
@settings(max_examples=150)
@given(plans(), st.booleans())
def test_the_kernel_plays_a_plan_out_as_the_checker_does(
    found: tuple[LineRules, Position, list[int]], must_win: bool
) -> None:
    rules, position, order = found
    own, other = position.stones[position.turn], position.stones[1 - position.turn]
    path = np.zeros(LEVEL * (rules.shape.cells + 2), np.uint64)
    for at, stones in (OWN, own), (OTHER, other):
        path[at] = sum(
            bit_of(rules, cell) for cell in range(rules.shape.cells) if stones >> cell & 1
        )
    seen, stamps = np.zeros(1 << 17, np.uint64), np.zeros(1 << 17, np.int64)
    words = np.array([bit_of(rules, cell) for cell in order], np.uint64)
    result = np.zeros(RESULTS, np.int64)

    with wrapping_words():
        aim = Aim(np.uint64(must_win), np.uint64(40_000))
        status = play_out(words, path, seen, stamps, result, gravity_game(rules), aim, 1)

    assert (status == HOLDS) == accepted(rules, (own, other), position.turn, must_win, order)
    assert result[POSITIONS] >= 0


@pytest.mark.medium
@settings(max_examples=100)
@given(plans(), st.integers(0, 1 << 32))
def test_who_follows_a_plan_that_holds_reaches_the_goal(
    found: tuple[LineRules, Position, list[int]], seed: int
) -> None:
    rules, position, order = found
    prover, rng = position.turn, random.Random(seed)
    own, other = position.stones[prover], position.stones[1 - prover]
    if not accepted(rules, (own, other), prover, False, order):
        return

    while (outcome := rules.outcome(position)) is None:
        if position.turn == prover:
            found_answer = answer(rules, position, order)
            assert found_answer is not None
            position = rules.play(position, found_answer.cell)
        else:
            position = rules.play(position, rng.choice(rules.moves(position)))

    assert outcome.winner != 1 - prover


def test_cells_share_a_sign_where_reading_order_says_the_rest() -> None:
    assert signs_of([]) == {}
    assert signs_of([3, 5, 8, 1, 2, 0]) == {3: "a", 5: "a", 8: "a", 1: "b", 2: "b", 0: "c"}


def test_a_plan_answers_by_the_first_rule_that_applies() -> None:
    rules = as_lines("mnk:6,4,4,gravity")

    def answered(rows: str, *order: int) -> Answer | None:
        return answer(rules, parse_state(rows, rules).position, order)

    assert answered("....../....../OOO.../XXX... x", 9) == (21, Rule.COMPLETE)
    assert answered("....../....../XX..../OOO.X. x", 22) == (21, Rule.STOP)
    assert answered("....../....../....../XO.... x", 23, 20) == (23, Rule.WANT)
    assert answered("....../....../O.OOOX/X.XOXX x", 19, 6) == (6, Rule.WANT)  # not below B3
    assert answered("....../....../.XX.../.OOO.X x", 22) is None  # of two cells it stops one
    assert answered("....../....../....../...... x") is None


# -- looking for plans -----------------------------------------------------------------------------


def search(game: str, *, must_win: bool) -> PlanSearch:
    return PlanSearch(as_lines(f"mnk:{game}"), must_win, 20_000, memory=1 << 20)


#: Positions of Connect Four that X, to move, wins by a plan.
WON = (
    "......./...X.../...X.../..XOO../.OOXX.O/XXOXO.O",
    "......./......./..O..../..X.X../.OXOX../XXOXOOO",
    "......./....X../...XX../...OO../.X.XO.O/.XOXO.O",
)


@pytest.mark.medium
@pytest.mark.parametrize("rows", WON)
def test_a_plan_that_is_found_is_accepted_and_found_again(rows: str) -> None:
    key, effort = stones_of(rows), Effort(20, 300)
    finder = search("7,6,4,gravity", must_win=True)

    plan = finder.find(*key, effort)
    others = [finder.find(*stones_of(one), effort) for one in WON if one != rows]

    assert plan is not None
    assert all(others)
    assert accepted(CONNECT_FOUR, key, 0, True, plan)
    assert finder.find(*key, effort) == plan
    assert search("7,6,4,gravity", must_win=True).find(*key, effort) == plan
    positions = finder.positions(*key, plan)
    assert positions is not None
    assert positions <= 20_000


#: Positions of Connect Four on 5x4 in which X, to move, does not lose.
HELD = (
    "...../...../.O.../.XO.X",
    "...../..X../..OO./.XXOO",
    "O..../X..../O.X../XOX.O",
)


@pytest.mark.medium
def test_machine_code_looks_for_plans_as_the_functions_do_as_they_stand(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    keys, effort = [stones_of(rows) for rows in HELD], Effort(3, 40)

    def found() -> list[tuple[int, ...] | None]:
        finder = search("5,4,4,gravity", must_win=False)
        return [finder.find(*key, effort) for key in keys]

    monkeypatch.setattr(plan_search, "TRIES", 30)
    compiled = found()
    for name, function in ("MEND", mend), ("SHRINK", shrink), ("PLAY_OUT", play_out):
        monkeypatch.setattr(plan_search, name, function)

    with wrapping_words():
        assert found() == compiled
    assert any(compiled)


def test_a_search_that_is_stopped_ends_without_a_plan() -> None:
    finder = search("7,6,4,gravity", must_win=True)
    finder.stop()

    assert finder.find(*stones_of(WON[0]), Effort(1_000_000, 1_000_000)) is None


# -- certificates with plans -----------------------------------------------------------------------


def planned(game: str, threads: int = 1, limits: Limits | None = None, **more: Any) -> bytes:
    """Return the certificate of an empty board, with plans."""
    rules = as_lines(f"mnk:{game}")
    plans = plans_for(rules, limits or Limits(threads=threads))
    solver = FastSolver(rules, ONE_THREAD)
    return certificate(rules, Position(), solver, plans=plans, **more)[0]


@pytest.mark.medium
@pytest.mark.parametrize("threads", [1, 2])
@pytest.mark.parametrize("game", ["4,4,4", "4,5,4", pytest.param("6,4,4", marks=pytest.mark.slow)])
def test_the_same_certificate_is_written_again(game: str, threads: int) -> None:
    path = CERTIFICATES / f"{game.replace(',', '-')}-gravity.certificate"

    assert planned(f"{game},gravity", threads) == path.read_bytes()


class Stopped(Exception):
    """What ends a writer in the middle, as a kill would."""


@pytest.mark.slow
def test_a_writer_that_was_killed_anywhere_goes_on_to_the_same_certificate(tmp_path: Path) -> None:
    game = "5,4,4,gravity"
    journal, counts = tmp_path / "proof.part", list[int]()
    whole = planned(game, journal=journal, progress=counts.append)
    rng = random.Random(game)
    assert counts == list(range(1, len(counts) + 1))

    for kill_at in sorted(rng.sample(counts[:-1], 2)):

        def kill(count: int, kill_at: int = kill_at) -> None:
            if count >= kill_at:
                raise Stopped

        for _ in range(2):  # what is begun again is killed at once
            with pytest.raises(Stopped):
                planned(game, journal=journal, progress=kill)
        journal.write_bytes(journal.read_bytes() + b"X leaf a"[: rng.randrange(8)])
        again = list[int]()

        assert planned(game, journal=journal, progress=again.append) == whole
        assert again == list(range(kill_at + 2, len(counts) + 1))
        assert not journal.exists()


@pytest.mark.parametrize(
    ("content", "line"),
    [
        (b"hello", 1),
        (b"\xff\n", 1),
        (b"tic-tac-toe proof in progress 1 5,4,4,gravity ...../...../...../..... x\n", 1),
        (b"{head}\nX leaf\n", 2),
        (b"{head}\nX node ..../..../..../.... D4 follow\n", 2),
        (b"{head}\nX none ..../..../..../....\n\n", 3),
    ],
)
def test_a_journal_of_something_else_is_refused_and_left_as_it_is(
    content: bytes, line: int, tmp_path: Path
) -> None:
    journal = tmp_path / "proof.part"
    head = b"tic-tac-toe proof in progress 1 4,4,4,gravity ..../..../..../.... x"
    journal.write_bytes(content := content.replace(b"{head}", head))

    with pytest.raises(InvalidJournal, match=f"line {line} of proof.part is not of this proof"):
        planned("4,4,4,gravity", journal=journal)

    assert journal.read_bytes() == content


@pytest.mark.medium
def test_findings_that_prove_nothing_are_refused_and_left_as_they_are(tmp_path: Path) -> None:
    target, journal = tmp_path / "proof", tmp_path / "proof.part"
    head = "tic-tac-toe proof in progress 1 5,4,4,gravity ...../...../...../..... x"
    journal.write_text(content := f"{head}\nX leaf aaaaa/bbbbb/ccccc/ddddd\n", encoding="ascii")

    with pytest.raises(InvalidJournal, match=r"proof.part holds proves nothing \(the plan fails"):
        planned("5,4,4,gravity", limits=ONE_THREAD, target=target, journal=journal)

    assert not target.exists()
    assert journal.read_text(encoding="ascii").startswith(content)


@pytest.mark.medium
def test_a_limit_ends_the_search_for_plans_and_leaves_the_journal(tmp_path: Path) -> None:
    journal, found = tmp_path / "proof.part", list[int]()
    limits = Limits(threads=2, cancelled=lambda: len(found) > 3)

    with pytest.raises(SearchLimitReached, match="the search was cancelled"):
        planned("6,4,4,gravity", limits=limits, journal=journal, progress=found.append)

    assert journal.read_bytes().count(b"\n") > 3


@pytest.mark.parametrize("name", ["mnk:4,4,4", "mnk:4,4,4,gravity,misere", "gomoku", "ultimate"])
def test_plans_are_for_games_with_gravity(name: str) -> None:
    assert plans_for(find_rules(name), ONE_THREAD) is None
