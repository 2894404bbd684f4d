"""Where marks fall, what is said of moves in positions as people play them is true and proved."""

from __future__ import annotations

import io
from collections.abc import Callable, Iterable, Iterator
from random import Random

import pytest

from tic_tac_toe import Explanation, GameState, evaluate_moves, explain
from tic_tac_toe.certificate_check import check
from tic_tac_toe.engines.choice import CODE_VARIABLE, prepare
from tic_tac_toe.insight.facts import Fact, all_of
from tic_tac_toe.limits import Limits
from tic_tac_toe.logic.notation import parse_state
from tic_tac_toe.logic.rules.catalogue import CONNECT_FOUR
from tic_tac_toe.logic.search.evaluation import Evaluation, MoveEvaluation, back_up, final_score
from tic_tac_toe.solver import is_installed
from tic_tac_toe.solver.book import with_book
from tic_tac_toe.solver.certificates.plans import answer, has_plans
from tic_tac_toe.solver.session import FastSolver

needs_numba = pytest.mark.skipif(not is_installed(), reason="Numba is not installed")
#: How often a side makes a best move where people play, and the plies that are played.
GOOD, PLIES = 0.75, range(12, 35)
#: What a played position is explained by; the rest is known by exact values alone.
EXPLAINED = ("proof", "ending", "elimination")

#: For each code a position, a move and the whole explanation.
SAID = {
    "zugzwang": (
        "..X.X.O/O.OXXXO/X.XOOOX/O.OXXOX/O.XOOOX/XOOXXXO x",
        "1",
        "X wins with column 1. With column 1, X makes O play under row 3 from the "
        "bottom of column 2 in the end.",
    ),
    "odd_win": (
        "......./.X.OX../.X.OO../.O.XX../OXXOX.O/XOOXOXO x",
        "2",
        "X wins with column 2. With column 2, X wins in the odd rows from the bottom: it stops "
        "lines and never plays right under one.",
    ),
    "even_win": (
        "..O..../.XXX.X./.XOO.O./.OXX.O./.XOX.O./XXOOOX. o",
        "4",
        "O wins with column 4. With column 4, O wins in the even rows from the bottom: it stops "
        "lines and never plays right under one.",
    ),
    "plan_win": (
        "......./OX.X.O./XX.O.X./OO.XOO./OX.OXX./OOXXXO. x",
        "4",
        "X wins with column 4. With column 4, X wins by the plan on the board.",
    ),
    "plans_win": (
        "...O.../.O.X.../.X.X..O/.O.XO.X/.OXOX.X/.OXXO.O x",
        "3",
        "X wins with column 3. With column 3, X has a plan to win against every reply.",
    ),
    "odd_hold": (
        ".XXOXO./.OOXOO./.XOOXX./.OXXOOO/.XXOXXX/XOOXOXO x",
        "1",
        "X keeps the draw with column 1. With column 1, X stops every line in the odd rows "
        "from the bottom, and never plays right under one.",
    ),
    "plan_hold": (
        "......./X.XO.../XOOOX../OXXXO.X/OOXOXOO/OOXOXXX x",
        "1",
        "X keeps the draw with column 1. With column 1, X stops every line by the plan on the "
        "board.",
    ),
    "even_hold": (
        "......./XO.OX.O/XOXXX.X/OXOXO.O/OXOXOOX/XXOOOXX o",
        "7",
        "O keeps the draw with column 7. With column 7, O stops every line in the even rows "
        "from the bottom, and never plays right under one.",
    ),
    "plans_hold": (
        "......./.O...../.OX..OO/.XXO.XX/OOOXOOX/XXOXXXO x",
        "3",
        "X keeps the draw with column 3. With column 3, X has a plan against every reply, and does "
        "not lose. Any other move loses.",
    ),
    "stacked": (
        ".O.O.../OOXX.X./XXXO.X./OOOX.OO/OXXOXXX/OOXXXOO x",
        "5",
        "X wins with column 5. With column 5, X can complete a line at column 5 or right above it; "
        "O can stop only one.",
    ),
    "follow": (
        "..XOOX./..OXOX./.XOOOX./.OXXXO./.XXOOOX/XXOXOXO o",
        "1",
        "O keeps the draw with column 1. With column 1, O can always play right above X, who gets "
        "no line.",
    ),
    "follow_win": (
        "X.XX.OX/X.OO.OO/O.OX.XX/X.OX.OO/X.XOXOO/XXOXXOO o",
        "2",
        "O wins with column 2. With column 2, O can always play right above X, and so completes "
        "a line of 4.",
    ),
}
#: A position without an explanation in plain Python, and with one by compiled code.
HARD = "......./.....O./..XO.X./..OX.O./..XO.OX/X.OXXOX o"


class Solved:
    """The exact values of the moves of Connect Four, by compiled code."""

    def __init__(self) -> None:
        self._solver = with_book(CONNECT_FOUR, FastSolver(CONNECT_FOUR, Limits(threads=1)))

    def score(self, state: GameState) -> int:
        """Return the score of a state for the side to move."""
        position = state.position
        if state.outcome is not None:
            return final_score(state.outcome, position.turn)
        return self._solver.score(position)

    def moves(self, state: GameState) -> tuple[MoveEvaluation, ...]:
        """Return how good each move is."""
        scores = {move: back_up(self.score(after(state, move))) for move in state.legal_moves}
        return tuple(MoveEvaluation(move, Evaluation.exact(each)) for move, each in scores.items())


def after(state: GameState, move: int) -> GameState:
    return state.make_move_to(move).after_state


def wins_at_once(state: GameState) -> bool:
    return any(after(state, move).outcome is not None for move in state.legal_moves)


def played(rng: Random, plies: range, moves: Callable[[GameState], Iterable[int]]) -> GameState:
    """Return a state in a game of two sides that often make one of the given moves.

    Else they make a random one that does not lose at once.
    """
    while True:
        state = GameState.new(CONNECT_FOUR)
        for _ in range(rng.choice(plies)):
            safe = [m for m in state.legal_moves if not wins_at_once(after(state, m))]
            good = [*moves(state)] if rng.random() < GOOD else safe
            state = after(state, rng.choice(good or state.legal_moves))
            if state.game_over:
                break
        else:
            return state


def explained(
    states: Iterable[GameState], values: Callable[[GameState], tuple[MoveEvaluation, ...]]
) -> Iterator[Explanation]:
    for state in states:
        known = values(state)
        yield from (explain(state, move, values=known) for move in state.legal_moves)


def judge(explanation: Explanation, score: Callable[[GameState], int]) -> None:
    """Assert that each claim is accepted, and is so by exact values."""
    for _, certificate in explanation.certificates:
        claim = check(io.BytesIO(certificate.encode()))
        least = 1 if claim.outcome == "win" else 0
        assert score(parse_state(claim.position, CONNECT_FOUR)) >= least, certificate
    if explanation.by == "proof" and explanation.result:
        assert explanation.certificates or explanation.reasons[0].code == "completes"
    for fact, state in explanation.facts:
        for plan in plans_of(fact):
            assert has_plans(state.rules)
            first = answer(state.rules, state.position, plan.cells)
            assert first is not None
            assert first.cell == fact.moves[0]


def plans_of(fact: Fact) -> list[Fact]:
    """Return the plans that a fact is about, which begin where it does."""
    told = (fact, *(fact.because if fact.code.endswith(("zugzwang", "_win", "_hold")) else ()))
    is_each = fact.code.startswith("plans")
    return [each for each in told if each.code in ("plan_win", "plan_hold") and not is_each]


@pytest.mark.parametrize("code", SAID)
def test_an_explanation_says(code: str) -> None:
    text, move, said = SAID[code]
    state = parse_state(text, CONNECT_FOUR)
    explanation = explain(state, move)

    # Compiled code also finds sooner wins.
    assert str(explanation.message()).startswith(said)
    assert explanation.by == "proof"
    assert code in {fact.code for fact in all_of(explanation.reasons)}
    for certificate in explanation.proof():
        check(io.BytesIO(certificate.encode()))


def test_a_plan_is_shown_by_a_letter_in_each_empty_cell_and_takes_few_letters() -> None:
    text, move, _ = SAID["plan_win"]
    state = parse_state(text, CONNECT_FOUR)

    marks = dict(explain(state, move).marks().written)

    assert len(marks) == state.rules.shape.cells - state.position.marks - 1
    assert set(marks.values()) <= set("abcdef")


def test_a_move_is_the_only_one_where_every_other_one_loses_to_threats() -> None:
    state = parse_state("...O.../...X.../...O.O./..XXOXX/.XOOOXO/XOXXXOO x", CONNECT_FOUR)

    assert "must_forced" in {fact.code for fact in explain(state, "5").context}
    for move in state.legal_moves:
        other = explain(after(state, move))
        if move != state.move("5").number:
            assert other.reasons[0].code in ("completes", "fork", "stacked", "forces")


@pytest.mark.parametrize(
    "count",
    [pytest.param(4, marks=pytest.mark.medium), pytest.param(60, marks=pytest.mark.nightly)],
)
def test_what_is_said_late_in_a_game_holds_without_compiled_code(count: int) -> None:
    rng = Random(f"late {count}")
    states = (played(rng, range(30, 36), lambda state: state.legal_moves) for _ in range(count))

    for explanation in explained(states, evaluate_moves):
        judge(explanation, late_score)


def late_score(state: GameState) -> int:
    return max(each.evaluation.low for each in evaluate_moves(state))


def played_well(count: int, solved: Solved) -> list[GameState]:
    """Return states in games of two sides that often make a best move."""

    def best(state: GameState) -> list[int]:
        known = solved.moves(state)
        most = max(each.evaluation.rank for each in known)
        return [each.move for each in known if each.evaluation.rank == most]

    rng = Random(f"well {count}")
    return [played(rng, PLIES, best) for _ in range(count)]


@needs_numba
@pytest.mark.nightly
@pytest.mark.parametrize(("code", "floor"), [("plain", 0.7), ("", 0.85)])
def test_most_moves_in_positions_as_people_play_them_are_explained(
    monkeypatch: pytest.MonkeyPatch, code: str, floor: float
) -> None:
    prepare(CONNECT_FOUR)
    monkeypatch.setenv(CODE_VARIABLE, code)
    solved = Solved()
    found = [*explained(played_well(30, solved), solved.moves)]

    for explanation in found:
        judge(explanation, solved.score)
    assert sum(each.by in EXPLAINED for each in found) >= floor * len(found)


@needs_numba
@pytest.mark.slow
def test_compiled_code_explains_what_plain_python_cannot(monkeypatch: pytest.MonkeyPatch) -> None:
    state, solved = parse_state(HARD, CONNECT_FOUR), Solved()
    prepare(CONNECT_FOUR)
    plain = [*explained([state], solved.moves)]
    monkeypatch.setenv(CODE_VARIABLE, "")
    compiled = [*explained([state], solved.moves)]

    for explanation in compiled:
        judge(explanation, solved.score)
    assert {each.by for each in plain} == {"values"}
    assert {each.by for each in compiled} == {"proof"}
