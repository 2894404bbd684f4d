"""Plans found in plain Python: two checkers accept them, and what is said of them is true."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Iterator
from typing import NamedTuple

import pytest

from tests.plan_oracle import PlanOracle
from tic_tac_toe.certificate_check import Game, Proof
from tic_tac_toe.insight.plans import Parity, Zugzwang, describe, find_plan
from tic_tac_toe.logic.positions import Position
from tic_tac_toe.logic.rules.catalogue import find_rules
from tic_tac_toe.logic.rules.line import LineRules
from tic_tac_toe.logic.search.exact import AlphaBeta
from tic_tac_toe.solver.certificates.plans import Rule, answer
from tic_tac_toe.solver.certificates.proving import Board

EFFORT = 2_000


def board_of(name: str) -> Board:
    rules = find_rules(f"mnk:{name}")
    assert isinstance(rules, LineRules)
    return Board(rules, misere=False)


class Case(NamedTuple):
    """A plan that was found, where it begins, what it reaches, and whether its start was given."""

    board: Board
    position: Position
    must_win: bool
    first: int | None
    plan: tuple[int, ...]

    @property
    def sides(self) -> tuple[int, int]:
        """Return the marks of the prover and of the opponent."""
        own, other = self.position.stones[:: -1 if self.position.turn else 1]
        return own, other

    @property
    def move(self) -> int:
        """Return the cell that the prover takes now."""
        found = answer(self.board.rules, self.position, self.plan)
        assert found is not None
        return found.cell


def positions(board: Board, empty: range, seed: str) -> Iterator[Position]:
    """Yield random positions that are not over, with as many empty cells."""
    rng, rules = random.Random(seed), board.rules
    while True:
        position, left = Position(), rng.choice(empty)
        while rules.shape.cells - position.marks > left:
            position = rules.play(position, rng.choice(rules.moves(position)))
            if rules.outcome(position) is not None:
                break
        else:
            yield position


def cases(name: str, empty: range, count: int) -> list[Case]:
    """Return plans for positions of a game, always the same ones."""
    board, found = board_of(name), list[Case]()
    rng = random.Random(name)
    for position in positions(board, empty, name):
        own, other = position.stones[:: -1 if position.turn else 1]
        must_win = rng.random() < 0.5
        first = rng.choice([None, *board.rules.moves(position)])
        plan = find_plan(board, own, other, must_win, EFFORT, first)
        if plan is not None:
            found.append(Case(board, position, must_win, first, plan))
            if len(found) == count:
                return found
    raise AssertionError("positions never end")


GAMES = [
    ("7,6,4,gravity", range(9, 21), 60),
    ("5,4,4,gravity", range(4, 15), 60),
    ("4,4,3,gravity", range(2, 12), 60),
    ("4,6,4,gravity", range(4, 15), 30),
]


@pytest.mark.parametrize(("name", "empty", "count"), GAMES)
def test_two_checkers_accept_each_plan(name: str, empty: range, count: int) -> None:
    oracle = PlanOracle(name)
    for board, position, must_win, _, plan in cases(name, empty, count):
        text, prover = board.plan(position.stones, plan), "XO"[position.turn]

        Proof(Game(name), prover, must_win=must_win).add(text)
        assert oracle.holds(text, prover, must_win=must_win), text


def test_a_plan_begins_with_the_cell_that_is_asked_for_unless_it_completes_a_line() -> None:
    rules = set[Rule]()
    for board, position, _, first, plan in cases(*GAMES[0]):
        assert sorted(plan) == board.layout.cells(board.full & ~sum(position.stones))
        if first is not None:
            found = answer(board.rules, position, plan)
            assert found is not None
            rules.add(found.rule)
            assert found.cell == first or found.rule is Rule.COMPLETE
    assert rules == set(Rule)


def test_the_same_question_has_the_same_answer() -> None:
    for board, position, must_win, first, plan in cases(*GAMES[1]):
        own, other = position.stones[:: -1 if position.turn else 1]
        assert find_plan(board, own, other, must_win, EFFORT, first) == plan


def test_no_plan_is_found_without_effort_and_most_are_found_with_it() -> None:
    board = board_of("5,4,4,gravity")
    solver, found = AlphaBeta(board.rules), Counter[bool]()
    for position, _ in zip(positions(board, range(7, 13), "effort"), range(80)):
        own, other = position.stones[:: -1 if position.turn else 1]
        score = solver.score(position)
        assert find_plan(board, own, other, False, 0) is None
        if score >= 0:
            found[find_plan(board, own, other, score > 0, 20_000) is not None] += 1
        if score <= 0:
            assert find_plan(board, own, other, True, EFFORT) is None
    assert found[True] >= 0.95 * found.total()


@pytest.mark.parametrize(("name", "misere"), [("4,4,4", False), ("4,4,4,gravity", True)])
def test_games_without_plans_are_refused(name: str, misere: bool) -> None:
    board = Board(board_of(name).rules, misere)

    with pytest.raises(ValueError, match="gravity"):
        find_plan(board, 0, 0, False, EFFORT)


# -- what is said of a plan -----------------------------------------------------------------------


def winning_cells(rules: LineRules, position: Position, side: int) -> set[int]:
    marks = position.stones[side]
    return {cell for cell in rules.moves(position) if rules.has_line(marks | 1 << cell)}


def ends_under(case: Case) -> set[int] | None:
    """Return the cells under which the opponent has to play in the end; ``None`` if not all ends.

    It plays every game of the plan in which the opponent does not lose sooner than they must.
    """
    rules, under, seen = case.board.rules, set[int](), set[Position]()
    columns, prover = rules.shape.columns, case.position.turn
    todo = [(case.position, case.move)]
    while todo:
        position, cell = todo.pop()
        position = rules.play(position, cell)
        if position in seen:
            continue
        seen.add(position)
        threats = winning_cells(rules, position, prover)
        if len(threats) > 1:
            return None
        replies = [*(threats or rules.moves(position))]
        after = {reply: rules.play(position, reply) for reply in replies}
        lost = {reply for reply in replies if winning_cells(rules, after[reply], prover)}
        if len(lost) == len(replies):
            for reply in replies:
                if reply - columns not in winning_cells(rules, after[reply], prover):
                    return None
                under.add(reply - columns)
        for reply in set(replies) - lost:
            found = answer(rules, after[reply], case.plan)
            assert found is not None
            todo.append((after[reply], found.cell))
    return under


def answers_by_rows(rules: LineRules, position: Position, odd: bool) -> set[int]:
    """Return the cells that the prover, who is to move, may take if any cell of these rows will do.

    There is none where two lines are to be stopped, or no cell is safe.
    """
    columns, prover = rules.shape.columns, position.turn
    if found := winning_cells(rules, position, prover):
        return found
    if stops := winning_cells(rules, position, 1 - prover):
        return stops if len(stops) == 1 else set()
    marks = position.stones[1 - prover]
    safe = {
        cell
        for cell in rules.moves(position)
        if cell < columns or not rules.has_line(marks | 1 << cell - columns)
    }
    return {cell for cell in safe if (rules.shape.rows - cell // columns) % 2 == odd} or safe


def holds_by_rows(case: Case, odd: bool) -> bool:
    """Return whether each way to prefer the cells of these rows reaches the goal."""
    rules, prover = case.board.rules, case.position.turn
    seen, todo = set[Position](), [(case.position, case.move)]
    while todo:
        position, cell = todo.pop()
        position = rules.play(position, cell)
        if position in seen or rules.has_line(position.stones[prover]):
            continue
        seen.add(position)
        replies = rules.moves(position)
        if winning_cells(rules, position, 1 - prover) or (case.must_win and not replies):
            return False
        for reply in replies:
            after = rules.play(position, reply)
            answers = answers_by_rows(rules, after, odd)
            if not answers and (case.must_win or rules.moves(after)):
                return False
            todo += [(after, answer) for answer in answers]
    return True


@pytest.mark.parametrize("name", ["7,6,4,gravity", "5,4,4,gravity"])
def test_what_is_said_of_a_plan_is_true_in_every_game_of_it(name: str) -> None:
    empty = range(6, 15) if name.startswith("7") else range(4, 12)
    said = Counter[object]()
    for case in cases(name, empty, 150):
        words = describe(case.board, *case.sides, case.must_win, case.plan)
        if isinstance(words, Zugzwang):
            assert case.must_win
            assert ends_under(case) == set(words.cells)
            said[len(words.cells)] += 1
        elif isinstance(words, Parity):
            assert holds_by_rows(case, words.odd)
            said[words.odd] += 1
        else:
            under = ends_under(case) if case.must_win else None
            assert not under or len(under) > 2, case
            said[None] += 1
    assert len(said) >= 3, said
