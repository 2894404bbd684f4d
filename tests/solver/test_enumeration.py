"""Small games are enumerated in full, and every score is that of the plain search."""

from __future__ import annotations

from collections import Counter

import pytest

from tests import oracles
from tests.solver.late_positions import late_positions, wrapping_words
from tic_tac_toe.logic.exceptions import InvalidGameState, InvalidVariant
from tic_tac_toe.logic.positions import Position
from tic_tac_toe.logic.rules.catalogue import TIC_TAC_TOE, find_rules
from tic_tac_toe.logic.rules.line import LineRules
from tic_tac_toe.logic.rules.wrappers import Misere
from tic_tac_toe.logic.search.exact import AlphaBeta, find_verdict
from tic_tac_toe.logic.search.tables import solve_table, walk_census
from tic_tac_toe.solver.answers import take_census
from tic_tac_toe.solver.enumeration import enumerate_game, enumerate_plies
from tic_tac_toe.solver.kernels.enumeration import MACHINE_CODE, PLAIN, EnumerationCode

KNOWN = oracles.published()

GAMES = [
    *("mnk:3,3,3", "mnk:3,3,1", "mnk:3,3,2", "mnk:4,2,3", "mnk:1,8,3", "mnk:9,1,4", "mnk:1,1,1"),
    *("mnk:3,3,3,misere", "mnk:3,3,3,gravity", "mnk:2,5,3,gravity", "mnk:1,6,3,gravity"),
    "mnk:4,2,2,gravity,misere",
]


@pytest.mark.medium
@pytest.mark.parametrize(
    ("name", "code"),
    [
        *((name, MACHINE_CODE) for name in GAMES),
        *((name, PLAIN) for name in ("mnk:3,2,2", "mnk:3,2,2,gravity,misere", "mnk:1,5,3")),
    ],
)
def test_every_position_of_a_small_game_is_there_with_its_score(
    name: str, code: EnumerationCode
) -> None:
    rules, table = find_rules(name), solve_table(find_rules(name))
    assert isinstance(rules, LineRules | Misere)
    with wrapping_words():
        found = enumerate_game(rules, symmetry=True, code=code)
        for symmetric in (True, False):
            walked = list(walk_census(rules, symmetric=symmetric, values=True))
            plies_found = enumerate_plies(rules, symmetric=symmetric, values=True, code=code)
            assert plies_found == walked
    assert sum(found.positions) == len(found) == len(table)
    assert set(found) == set(table)
    plies = Counter(position.marks for position in table)
    assert found.positions == tuple(plies[ply] for ply in range(rules.shape.cells + 1))
    assert found.terminal == sum(not entry[1] for entry in table.values())
    results = Counter(
        0 if entry[0] == 0 else 1 if (entry[0] > 0) == (position.turn == 0) else -1
        for position, entry in table.items()
    )
    assert found.results == (results[1], results[0], results[-1])
    for position, entry in table.items():
        assert found.score(position) == entry[0]
        exchanged = Position(position.stones[::-1], 1 - position.turn)
        assert found.score(exchanged) == entry[0]
    canonical = rules.canonical
    classes: list[set[Position]] = [set() for _ in found.positions]
    for position in table:
        classes[position.marks].add(canonical(position))
    assert found.classes == tuple(map(len, classes))


def test_the_counts_of_the_classic_game_are_the_published_ones() -> None:
    known = KNOWN["classic_3x3"]
    found = enumerate_game(TIC_TAC_TOE, symmetry=True)
    assert list(found.positions) == known["reachable_positions_by_ply"]
    assert list(found.classes) == known["positions_up_to_symmetry_by_ply"]
    assert found.terminal == known["terminal"]["total"]
    values = known["values_over_reachable"]
    assert found.results == (values["X"], values["draw"], values["O"])


@pytest.mark.slow
@pytest.mark.parametrize("size", ["4,3,3", "4,4,4"])
def test_the_counts_of_larger_games_are_the_published_ones(size: str) -> None:
    known = KNOWN["mnk_enumeration"][size]
    rules = find_rules(f"mnk:{size}")
    found = enumerate_game(rules, symmetry=True)
    assert sum(found.positions) == known["positions"]
    assert found.terminal == known["terminal"]
    assert sum(found.classes) == known["up_to_symmetry"]
    plies = enumerate_plies(rules, symmetric=True, values=False)
    assert sum(ply.ended.total() for ply in plies) == known["games"]


@pytest.mark.slow
@pytest.mark.parametrize(
    "name", ["mnk:4,4,4", "mnk:5,3,3", "mnk:4,4,4,gravity", "mnk:4,4,3,misere"]
)
def test_late_positions_have_the_scores_of_the_plain_search(name: str) -> None:
    rules = find_rules(name)
    found, plain = enumerate_game(rules), AlphaBeta(rules)
    for position in late_positions("enumerated", rules, 8, 200):
        assert found.score(position) == plain.score(position)
        assert found.reaches(position, found.score(position))
        assert not found.reaches(position, found.score(position) + 1)


@pytest.mark.medium
def test_an_enumeration_serves_as_a_solver() -> None:
    rules = find_rules("mnk:4,3,3")
    found = enumerate_game(rules)
    verdict = find_verdict(rules, Position(), found)
    assert verdict == find_verdict(rules, Position(), AlphaBeta(rules))
    assert verdict.outcome == KNOWN["mnk_values_strong_game"]["4,3,3"]


@pytest.mark.parametrize(
    "position",
    [
        Position((0b111, 0b111000), 0),  # two lines
        Position((0b11, 0), 0),  # two marks of one side
        Position((0b1000000000, 0), 1),  # off the board
        Position((0b111, 0b1011000), 0),  # the game went on after a line
    ],
)
def test_a_position_that_no_game_reaches_is_refused(position: Position) -> None:
    with pytest.raises(InvalidGameState, match="No game from the empty board reaches the position"):
        enumerate_game(TIC_TAC_TOE).score(position)


@pytest.mark.parametrize(
    ("name", "reason"),
    [
        ("mnk:6,3,3", "only boards of at most 17 cells can be enumerated"),
        ("mnk:7,6,4,gravity", "only boards of at most 17 cells can be enumerated"),
        ("ultimate", "the fast solver does not know the rules Ultimate"),
        ("mnk:3,3,3,torus", "only flat boards can be enumerated"),
        ("mnk:3,3,3,pie", "games with the pie rule cannot be enumerated"),
        ("wild", "the fast solver does not know the rules Wild"),
    ],
)
def test_what_the_enumeration_does_not_know_is_refused_in_a_sentence(
    name: str, reason: str
) -> None:
    with pytest.raises(InvalidVariant, match=f"^{reason}$"):
        enumerate_game(find_rules(name))


@pytest.mark.medium
@pytest.mark.parametrize("name", ["mnk:3,3,3,torus", "mnk:4,2,2,torus", "mnk:5,2,3,pie", "wild"])
def test_the_census_of_what_cannot_be_enumerated_is_walked(name: str) -> None:
    rules = find_rules(name)
    assert list(take_census(rules)) == list(walk_census(rules))
