"""Plans in certificates: the checker agrees with a second one, and with the truth."""

from __future__ import annotations

import random
import re
from collections import Counter
from io import BytesIO
from itertools import permutations
from pathlib import Path
from typing import NamedTuple

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.logic.played_games import played_on
from tests.plan_oracle import PlanOracle
from tests.theorems import planned, rows_of, sealed, stones_of
from tic_tac_toe.certificate_check import SIGNS, Game, InvalidCertificate, Proof, check
from tic_tac_toe.logic.models import GameState
from tic_tac_toe.logic.notation import cell_name
from tic_tac_toe.logic.positions import Position
from tic_tac_toe.logic.rules.catalogue import find_rules
from tic_tac_toe.logic.search.exact import AlphaBeta
from tic_tac_toe.logic.search.tables import solve_table


def accepts(game: str, prover: str, must_win: bool, theorem: str) -> bool:
    """Return whether the checker accepts a theorem that rests on no other one."""
    try:
        Proof(Game(game), prover, must_win=must_win).add(theorem)
    except InvalidCertificate:
        return False
    return True


@pytest.mark.parametrize(
    ("game", "empty", "step"),
    [
        ("3,3,3,gravity", 4, 21),
        pytest.param("3,3,3,gravity", 5, 7, marks=pytest.mark.medium),
        *(
            pytest.param(game, 4, 7, marks=pytest.mark.slow)
            for game in ("4,3,3,gravity", "3,3,3", "4,4,3,gravity")
        ),
    ],
)
def test_every_plan_for_the_end_of_a_small_game_is_judged_as_by_a_second_checker(
    game: str, empty: int, step: int
) -> None:
    rules, oracle = find_rules(f"mnk:{game}"), PlanOracle(game)
    table, verdicts = solve_table(rules), set[tuple[bool, bool]]()

    for position in list(table)[::step]:
        count = rules.shape.cells - position.marks
        if rules.outcome(position) is not None or count > empty:
            continue
        rows, prover = rows_of(rules.shape, position.stones), "XO"[position.turn]
        for must_win in (False, True):
            for order in permutations(range(count)):
                text = planned(rows, order)
                accepted = accepts(game, prover, must_win, text)
                assert accepted == oracle.holds(text, prover, must_win=must_win), text
                assert not accepted or table.score(position) >= must_win
                verdicts.add((must_win, accepted))

    assert len(verdicts) == 4


@st.composite
def plans(draw: st.DrawFn, games: tuple[str, ...]) -> tuple[str, str, str, Position]:
    """Return a game, a plan for a position of it, who is to move there, and the position."""
    game = draw(st.sampled_from(games))
    rules = find_rules(f"mnk:{game}")
    fewest = max(0, rules.shape.cells - 14)
    state = played_on(
        GameState.new(rules), draw(st.integers(fewest, rules.shape.cells - 2)), draw(st.integers(0))
    )
    position = state.position
    rows = rows_of(rules.shape, position.stones)
    order = draw(st.permutations(range(rows.count("."))))
    return game, planned(rows, tuple(order)), "XO"[position.turn], position


LARGER = ("4,4,4,gravity", "5,4,4,gravity", "4,5,4,gravity", "4,4,3,gravity", "5,3,3,gravity")


@pytest.mark.medium
@settings(max_examples=300)
@given(plans((*LARGER, "4,3,3", "4,4,4")), st.booleans())
def test_any_plan_is_judged_as_by_a_second_checker(
    found: tuple[str, str, str, Position], must_win: bool
) -> None:
    game, plan, prover, _ = found

    accepted = accepts(game, prover, must_win, plan)

    assert accepted == PlanOracle(game).holds(plan, prover, must_win=must_win)


# -- mutations -------------------------------------------------------------------------------------

CERTIFICATES = Path(__file__).parent / "data" / "certificates"


class Theorem(NamedTuple):
    """A line of a certificate, and the proof that it is part of."""

    text: str
    prover: str
    must_win: bool


def read_certificate(name: str) -> tuple[str, list[Theorem]]:
    """Return the game of a certificate and its theorems."""
    lines = (CERTIFICATES / f"{name}.certificate").read_text(encoding="ascii").splitlines()
    theorems: list[Theorem] = []
    prover, must_win = "", False
    for line in lines[4:-1]:
        if line.startswith("proof "):
            prover, must_win = line[6], line.endswith("wins")
        else:
            theorems.append(Theorem(line, prover, must_win))
    return lines[1].removeprefix("game "), theorems


def signs_in(plan: str) -> str:
    """Return the signs of a plan's cells."""
    return re.sub("[XO/]", "", plan)


@pytest.mark.parametrize(
    "count",
    [
        50,
        pytest.param(500, marks=pytest.mark.slow),
        pytest.param(10_000, marks=pytest.mark.nightly),
    ],
)
def test_a_plan_with_one_sign_changed_is_judged_as_by_a_second_checker(count: int) -> None:
    rng, verdicts = random.Random(1), Counter[bool]()
    game, theorems = read_certificate("6-4-4-gravity")
    plans = [theorem for theorem in theorems if " " not in theorem.text]
    shortest = min(len(signs_in(plan.text)) for plan in plans)
    plans, oracle = [one for one in plans if len(signs_in(one.text)) == shortest], PlanOracle(game)
    for _ in range(count):
        text, prover, must_win = rng.choice(plans)
        at = rng.choice([at for at, sign in enumerate(text) if sign != "/"])
        changed = text[:at] + rng.choice(SIGNS[:9] + "XO") + text[at + 1 :]

        accepted = accepts(game, prover, must_win, changed)

        assert accepted == oracle.holds(changed, prover, must_win=must_win), changed
        verdicts[accepted] += 1
    assert min(verdicts.values()) > count / 10


@pytest.mark.medium
def test_a_theorem_with_another_answer_is_refused_or_still_true() -> None:
    game, theorems = read_certificate("6-4-4-gravity")
    rules = find_rules(f"mnk:{game}")
    proof = Proof(Game(game), "O", must_win=True)
    solver, verdicts, rng = AlphaBeta(rules), Counter[bool](), random.Random(1)

    for text, _, _ in theorems:
        rows, *words = text.split(" ")
        for cell in rng.sample(range(rules.shape.cells), 4) if words else ():
            changed = " ".join([rows, cell_name(rules.shape, cell), *words[1:]])
            try:
                proof.add(changed)
            except InvalidCertificate:
                verdicts[False] += 1
                continue
            verdicts[True] += 1
            proof.proven.discard(stones_of(rows)[::-1])
            after = rules.play(Position(stones_of(rows), 1), cell)
            assert not solver.reaches(after, 0), changed
        proof.add(text)
    assert verdicts[True] > 0
    assert verdicts[False] > verdicts[True]


@pytest.mark.parametrize("name", ["4-4-4-gravity", "4-5-4-gravity", "6-4-4-gravity"])
def test_the_certificates_here_are_accepted_and_none_with_another_claim(name: str) -> None:
    lines = (CERTIFICATES / f"{name}.certificate").read_text(encoding="ascii").splitlines()
    assert check(CERTIFICATES / f"{name}.certificate").theorems == len(read_certificate(name)[1])

    claims = {
        1: ["game 4,4,4,gravity", "game 5,4,4,gravity", "game 6,4,4", "game 6,4,3,gravity"],
        2: [f"{lines[2][:-1]}o", lines[2].replace(".", "X", 1), lines[2][:-3] + "X x"],
        3: ["claim win", "claim draw", "claim loss"],
        4: ["proof X wins", "proof O wins", "proof X does not lose", "proof O does not lose"],
    }
    for at, others in claims.items():
        for other in others:
            if other != lines[at]:
                with pytest.raises(InvalidCertificate):
                    check(BytesIO(sealed([*lines[:at], other, *lines[at + 1 : -1]])))


def test_old_files_have_no_plans_and_misere_has_none() -> None:
    lines = (CERTIFICATES / "4-4-4-gravity.certificate").read_text(encoding="ascii").splitlines()
    older = [lines[0].replace("2", "1"), *lines[1:-1]]

    with pytest.raises(InvalidCertificate, match="line 6: expected a line like"):
        check(BytesIO(sealed(older)))
    with pytest.raises(InvalidCertificate, match="line 6: expected a line like"):
        check(BytesIO(sealed([*lines[:1], "game 4,4,4,gravity,misere", *lines[2:-1]])))


@pytest.mark.medium
def test_a_plan_that_leads_through_too_many_positions_is_refused() -> None:
    rows = "/".join(["." * 7] * 8)
    lines = ["tic-tac-toe certificate 2", "game 7,8,7,gravity", f"position {rows} x", "claim draw"]
    plan = [*lines, "proof X does not lose", rows.replace(".", "a")]

    with pytest.raises(InvalidCertificate, match="line 6: a plan of more than 50000 positions"):
        check(BytesIO(sealed(plan)))
