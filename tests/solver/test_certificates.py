"""Certificates that are written are accepted by the checker, whole, and true."""

from __future__ import annotations

import io
import subprocess
import sys
from pathlib import Path
from typing import cast

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.logic.played_games import marks, played_on
from tests.theorems import sealed, stones_of
from tic_tac_toe import certificate_check
from tic_tac_toe.certificate_check import InvalidCertificate, check
from tic_tac_toe.limits import Limits
from tic_tac_toe.logic.exceptions import InvalidGameState, InvalidVariant, SearchLimitReached
from tic_tac_toe.logic.models import GameState
from tic_tac_toe.logic.notation import parse_state
from tic_tac_toe.logic.positions import Position
from tic_tac_toe.logic.rules import Rules
from tic_tac_toe.logic.rules.catalogue import VARIANTS, find_rules
from tic_tac_toe.logic.rules.line import LineRules
from tic_tac_toe.logic.rules.misere import without_misere
from tic_tac_toe.logic.search.alphabeta import AlphaBeta
from tic_tac_toe.logic.search.scores import result_of
from tic_tac_toe.logic.search.table import small_table, solve_table
from tic_tac_toe.logic.search.verdict import Solver
from tic_tac_toe.logic.shapes import Symmetry, layout
from tic_tac_toe.solver.certificates import Written, write_certificate
from tic_tac_toe.solver.certificates.reasons import Board
from tools import certificates
from tools.certificates import main

TIC_TAC_TOE = VARIANTS["tic-tac-toe"]


def certificate(rules: Rules, position: Position, solver: Solver) -> tuple[bytes, Written]:
    stream = io.BytesIO()
    written = write_certificate(rules, position, solver, stream)
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
@pytest.mark.parametrize("game", ["3,3,3", "3,3,3,misere", "3,4,3,gravity"])
def test_every_exact_solver_leads_to_the_same_file(game: str) -> None:
    rules = find_rules(f"mnk:{game}")
    solvers: list[Solver] = [AlphaBeta(rules), solve_table(rules)]
    if game != "3,4,3,gravity":
        solvers.append(small_table(rules))

    contents = {certificate(rules, Position(), Outcomes(solver))[0] for solver in solvers}

    assert len(contents) == 1


@pytest.mark.slow
@pytest.mark.parametrize("game", ["4,3,3", "4,4,4,gravity", "4,3,3,misere"])
def test_the_fast_solver_leads_to_the_same_file(game: str) -> None:
    from tic_tac_toe.solver import FastSolver

    rules = find_rules(f"mnk:{game}")
    solvers: list[Solver] = [FastSolver(rules), AlphaBeta(rules)]

    assert len({certificate(rules, Position(), solver)[0] for solver in solvers}) == 1


def test_what_any_solver_is_asked_about_is_reached_from_the_start_up_to_symmetry() -> None:
    rules = find_rules("mnk:3,4,3,gravity")
    table = solve_table(rules)

    class Recorder(Outcomes):
        def reaches(self, position: Position, bound: int) -> bool:
            assert position in table or mirrored(position) in table
            return super().reaches(position, bound)

    def mirrored(position: Position) -> Position:
        crosses, naughts = map(Symmetry(layout(rules.shape).mirror), position.stones)
        return Position((crosses, naughts), position.turn)

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


@pytest.mark.medium
@settings(max_examples=400)
@given(positions(), st.booleans())
def test_a_reason_that_is_found_is_accepted_and_one_that_is_accepted_is_found(
    found: tuple[str, Position], must_win: bool
) -> None:
    game, position = found
    rules = find_rules(f"mnk:{game}")
    board = Board(cast(LineRules, without_misere(rules)), rules is not without_misere(rules))
    proof = certificate_check.Proof(certificate_check.Game(game), "X", must_win=must_win)
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
    rules = find_rules(f"mnk:{game}")
    board = Board(cast(LineRules, without_misere(rules)), game.endswith("misere"))
    crosses, naughts = stones_of(rows)

    assert board.pairs(naughts, crosses) == pairs


def reasons_in(content: bytes) -> set[str]:
    lines = content.decode().splitlines()
    return {words[2] for line in lines if len(words := line.split(" ")) > 2 and "/" in words[0]}


@pytest.mark.medium
def test_certificates_use_every_reason() -> None:
    used = set()
    for game in ("3,3,3", "3,4,3,gravity", "3,3,3,misere", "5,3,4"):
        rules = find_rules(f"mnk:{game}")
        used |= reasons_in(certificate(rules, Position(), AlphaBeta(rules))[0])

    assert used == {"closed", "potential", "pairs", "follow"}


# -- what has no certificate -----------------------------------------------------------------------


@pytest.mark.parametrize(
    ("name", "kind"),
    [
        ("ultimate", "Ultimate rules"),
        ("gomoku-standard", "lines of an exact length"),
        ("mnk:3,3,3,exact,misere", "lines of an exact length"),
        ("wild", "Wild rules"),
        ("mnk:4,3,3,pie", "Pie rules"),
    ],
)
def test_other_games_are_refused(name: str, kind: str, tmp_path: Path) -> None:
    with pytest.raises(InvalidVariant, match=f"^{kind} have no certificates$"):
        write_certificate(find_rules(name), Position(), Liar(True), tmp_path / "certificate")

    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize("name", ["mnk:3,3,3,torus", "3x3x3"])
def test_boards_that_are_not_flat_have_no_certificates(name: str, tmp_path: Path) -> None:
    with pytest.raises(InvalidVariant, match=r"^only games on flat boards have certificates$"):
        write_certificate(find_rules(name), Position(), Liar(True), tmp_path / "certificate")


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
    script = (
        "import sys, tic_tac_toe.solver.certificates;print({'numpy', 'numba'} & {*sys.modules})"
    )

    ended = subprocess.run(
        [sys.executable, "-c", script], capture_output=True, check=True, encoding="utf-8"
    )

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
