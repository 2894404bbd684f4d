"""Plans that are found hold, are the same again, and make certificates that go on after a kill."""

from __future__ import annotations

import io
import random
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.solver.late_positions import wrapping_words
from tests.theorems import stones_of
from tic_tac_toe.certificate_check import Game, InvalidCertificate, Proof
from tic_tac_toe.logic.exceptions import SearchLimitReached
from tic_tac_toe.logic.notation import parse_state
from tic_tac_toe.logic.positions import Position
from tic_tac_toe.logic.rules.catalogue import CONNECT_FOUR, find_rules
from tic_tac_toe.logic.rules.line import LineRules
from tic_tac_toe.solver import FastSolver, Limits
from tic_tac_toe.solver.certificates import InvalidJournal, plan_search, write_certificate
from tic_tac_toe.solver.certificates.plan_search import Effort, PlanSearch
from tic_tac_toe.solver.certificates.plan_threads import plans_for
from tic_tac_toe.solver.certificates.plans import Answer, Rule, answer, signs_of
from tic_tac_toe.solver.certificates.proving import Key
from tic_tac_toe.solver.certificates.reasons import Board
from tic_tac_toe.solver.kernels.gravity.kernel import game_of
from tic_tac_toe.solver.kernels.gravity.plan_search import mend, shrink
from tic_tac_toe.solver.kernels.gravity.plans import (
    HOLDS,
    LEVEL,
    OTHER,
    OWN,
    POSITIONS,
    RESULTS,
    Aim,
    play_out,
)

CERTIFICATES = Path(__file__).parents[1] / "data" / "certificates"
ONE_THREAD = Limits(threads=1, memory=1 << 22)


def rules_of(game: str) -> LineRules:
    rules = find_rules(f"mnk:{game}")
    assert isinstance(rules, LineRules)
    return rules


def accepted(rules: LineRules, key: Key, prover: int, must_win: bool, plan: Sequence[int]) -> bool:
    """Return whether the checker of certificates accepts a plan."""
    board = Board(rules, misere=False)
    text = board.plan(key[::-1] if prover else key, plan)
    try:
        Proof(Game(board.name), "XO"[prover], must_win=must_win).add(text)
    except InvalidCertificate:
        return False
    return True


# -- playing out -----------------------------------------------------------------------------------


@st.composite
def plans(draw: st.DrawFn) -> tuple[LineRules, Position, list[int]]:
    """Return a game, a position of it, and the empty cells in any order."""
    games = ("4,4,4", "5,4,4", "4,5,4", "6,4,4", "4,4,3", "3,4,3", "7,6,4", "6,5,5")
    rules = rules_of(f"{draw(st.sampled_from(games))},gravity")
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
    for at, marks in (OWN, own), (OTHER, other):
        path[at] = sum(
            bit_of(rules, cell) for cell in range(rules.shape.cells) if marks >> cell & 1
        )
    seen, stamps = np.zeros(1 << 17, np.uint64), np.zeros(1 << 17, np.int64)
    words = np.array([bit_of(rules, cell) for cell in order], np.uint64)
    result = np.zeros(RESULTS, np.int64)

    with wrapping_words():
        aim = Aim(np.uint64(must_win), np.uint64(40_000))
        status = play_out(words, path, seen, stamps, result, game_of(rules), aim, 1)

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
    rules = rules_of("6,4,4,gravity")

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
    return PlanSearch(rules_of(game), must_win, 20_000, memory=1 << 20)


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


# -- certificates ----------------------------------------------------------------------------------


def written(game: str, threads: int = 1, **more: Any) -> bytes:
    """Return the certificate of an empty board, with plans."""
    rules, stream = rules_of(game), io.BytesIO()
    plans = plans_for(rules, Limits(threads=threads))
    write_certificate(rules, Position(), FastSolver(rules, ONE_THREAD), stream, plans=plans, **more)
    return stream.getvalue()


@pytest.mark.medium
@pytest.mark.parametrize("threads", [1, 2])
@pytest.mark.parametrize("game", ["4,4,4", "4,5,4", pytest.param("6,4,4", marks=pytest.mark.slow)])
def test_the_same_certificate_is_written_again(game: str, threads: int) -> None:
    path = CERTIFICATES / f"{game.replace(',', '-')}-gravity.certificate"

    assert written(f"{game},gravity", threads) == path.read_bytes()


class Stopped(Exception):
    """What ends a writer in the middle, as a kill would."""


@pytest.mark.slow
@pytest.mark.parametrize("game", ["5,4,4,gravity", "6,4,4,gravity"])
def test_a_writer_that_was_killed_anywhere_goes_on_to_the_same_certificate(
    game: str, tmp_path: Path
) -> None:
    journal, counts = tmp_path / "proof.part", list[int]()
    whole = written(game, journal=journal, progress=counts.append)
    rng = random.Random(game)
    assert counts == list(range(1, len(counts) + 1))

    for kill_at in sorted(rng.sample(counts[:-1], 2)):

        def kill(count: int, kill_at: int = kill_at) -> None:
            if count >= kill_at:
                raise Stopped

        for _ in range(2):  # what is begun again is killed at once
            with pytest.raises(Stopped):
                written(game, journal=journal, progress=kill)
        journal.write_bytes(journal.read_bytes() + b"X leaf a"[: rng.randrange(8)])
        again = list[int]()

        assert written(game, journal=journal, progress=again.append) == whole
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
        written("4,4,4,gravity", journal=journal)

    assert journal.read_bytes() == content


@pytest.mark.medium
def test_findings_that_prove_nothing_are_refused_and_left_as_they_are(tmp_path: Path) -> None:
    target, journal = tmp_path / "proof", tmp_path / "proof.part"
    head = "tic-tac-toe proof in progress 1 5,4,4,gravity ...../...../...../..... x"
    journal.write_text(content := f"{head}\nX leaf aaaaa/bbbbb/ccccc/ddddd\n", encoding="ascii")
    rules = rules_of("5,4,4,gravity")

    with pytest.raises(InvalidJournal, match=r"proof.part holds proves nothing \(the plan fails"):
        write_certificate(
            rules,
            Position(),
            FastSolver(rules, ONE_THREAD),
            target,
            plans=plans_for(rules, ONE_THREAD),
            journal=journal,
        )

    assert not target.exists()
    assert journal.read_text(encoding="ascii").startswith(content)


@pytest.mark.medium
def test_a_limit_ends_the_search_for_plans_and_leaves_the_journal(tmp_path: Path) -> None:
    rules, journal = rules_of("6,4,4,gravity"), tmp_path / "proof.part"
    found = list[int]()
    limits = Limits(threads=2, cancelled=lambda: len(found) > 3)

    with pytest.raises(SearchLimitReached, match="the search was cancelled"):
        write_certificate(
            rules,
            Position(),
            FastSolver(rules, ONE_THREAD),
            io.BytesIO(),
            plans=plans_for(rules, limits),
            journal=journal,
            progress=found.append,
        )

    assert journal.read_bytes().count(b"\n") > 3


@pytest.mark.parametrize("name", ["mnk:4,4,4", "mnk:4,4,4,gravity,misere", "gomoku", "ultimate"])
def test_plans_are_for_games_with_gravity(name: str) -> None:
    assert plans_for(find_rules(name), ONE_THREAD) is None
