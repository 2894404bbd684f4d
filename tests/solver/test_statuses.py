"""Every value that the program says it has proved is proved again here."""

from __future__ import annotations

import pytest

from tests.letter_games import LetterGame
from tests.own_games import ThreeInARow
from tic_tac_toe import VARIANTS, GameState, find_rules
from tic_tac_toe.logic.notation import parse_cell
from tic_tac_toe.logic.positions import Position
from tic_tac_toe.logic.rules.catalogue import variant_name
from tic_tac_toe.logic.rules.letters import OrderAndChaos
from tic_tac_toe.logic.rules.notakto import Notakto
from tic_tac_toe.logic.rules.statuses import OPEN, STATUSES, Status, status_of
from tic_tac_toe.logic.search.evaluation import MATE, plies_of, result_of
from tic_tac_toe.logic.search.exact import AlphaBeta, plies_to_draw
from tic_tac_toe.solver import Limits, supports, verdict
from tic_tac_toe.solver.answers import solver_for

BY_PAIRS = "order-and-chaos:6,6,5,exact"
OWN = [name for name, status in STATUSES.items() if not status.source and name != BY_PAIRS]
#: What takes plain Python more than two seconds.
SLOW = {
    *("notakto-3", "mnk:6,6,4,torus", "mnk:6,6,4,gravity", "mnk:6,7,4,gravity"),
    *("mnk:4,4,3,wild", "mnk:4,4,4,wild", "order-and-chaos:4,4,4", "order-and-chaos:5,4,4"),
    *("order-and-chaos:5,5,4", "mnk:4,3,3,wild,misere", "mnk:8,7,5"),
}
#: What takes it longer than half a minute.
VERY_SLOW = {"mnk:4,4,3,wild,misere", "mnk:4,4,4,wild,misere", "mnk:9,4,4", "mnk:10,6,5"}
#: How Chaos answers on 6 x 6 where six in a row do not count: in the other cell of the pair, with
#: the other letter, but at the two ends of a row of six with the same.
OTHER = [
    *("B1E1", "B2B4", "C3A5", "A3A4", "B3D3", "D4E4", "C2F5"),
    *("D2E2", "E3E5", "B6E6", "F2C5", "F3F4", "B5D5", "A2C4"),
]
SAME = ["A1F6", "D1D6", "C1C6", "F1A6"]


def layer(name: str) -> pytest.MarkDecorator:
    if name in VERY_SLOW:
        return pytest.mark.nightly
    return pytest.mark.slow if name in SLOW else pytest.mark.medium


@pytest.mark.parametrize("name", [pytest.param(name, marks=layer(name)) for name in OWN])
def test_a_value_of_this_program_comes_out_again(name: str) -> None:
    rules, status = find_rules(name), STATUSES[name]
    numbers, _, flags = name.partition(":")[2].partition(",wild")
    if isinstance(rules, OrderAndChaos):
        columns, rows, length = map(int, numbers.split(","))
        game = LetterGame(columns, rows, length)
        assert status.outcome == "win"
        assert status.plies
        assert game.order_wins(status.plies)
        assert not game.order_wins(status.plies - 1)
    elif "wild" in name and numbers:
        columns, rows, length = map(int, numbers.split(","))
        assert _has_wild_value(LetterGame(columns, rows, length, misere=bool(flags)), status)
    elif supports(rules):
        solver = solver_for(rules, Position(), Limits(threads=1, memory=256 << 20))
        score = solver.score(Position())
        plies = plies_of(score) if score else plies_to_draw(rules, Position(), solver)
        assert (result_of(score), plies) == (status.outcome, status.plies)
    else:
        found = verdict(GameState.new(rules), Limits())
        assert (found.outcome, found.plies) == (status.outcome, status.plies)


def _has_wild_value(game: LetterGame, status: Status) -> bool:
    if status.outcome == "draw":
        return not game.mover_wins(game.cells) and not game.mover_loses(game.cells)
    forced = game.mover_wins if status.outcome == "win" else game.mover_loses
    return status.plies is not None and forced(status.plies) and not forced(status.plies - 1)


@pytest.mark.medium
@pytest.mark.parametrize("name", ["order-and-chaos:3,3,3", "mnk:4,3,3,wild", "wild", "misere-wild"])
def test_the_oracle_for_letter_games_and_the_search_of_the_library_agree(name: str) -> None:
    rules, status = find_rules(name), STATUSES[name]
    found = verdict(GameState.new(rules))
    assert (found.outcome, found.plies) == (status.outcome, status.plies)
    if name in ("wild", "misere-wild"):
        assert _has_wild_value(LetterGame(3, 3, 3, misere=name != "wild"), status)


def test_chaos_wins_by_pairs_of_cells_where_six_in_a_row_do_not_count() -> None:
    rules = find_rules("order-and-chaos,exact")
    assert isinstance(rules, OrderAndChaos)
    shape, status = rules.shape, status_of(rules)
    pairs = {
        text: {parse_cell(shape, text[:2]), parse_cell(shape, text[2:])} for text in OTHER + SAME
    }
    assert sorted(cell for pair in pairs.values() for cell in pair) == list(range(36))
    for line in rules.line.lines.places:
        cells, around = set(line.cells), {*line.ahead[:1], *line.behind[:1]}
        has_both_letters = any(pairs[text] <= cells for text in OTHER)
        is_six_if_of_one_letter = any(
            len(pairs[text] & cells) == len(pairs[text] & around) == 1 for text in SAME
        )
        assert has_both_letters or is_six_if_of_one_letter
    assert (status.outcome, status.plies) == ("loss", 36)


def test_statuses_are_kept_under_the_names_that_the_catalogue_gives() -> None:
    for name in STATUSES:
        assert variant_name(find_rules(name)) == name


def test_every_published_outcome_names_its_source() -> None:
    for status in STATUSES.values():
        assert status.outcome
        assert status.source or status.plies is not None


@pytest.mark.parametrize("boards", range(1, 7))
def test_the_theory_of_notakto_tells_who_wins_on_any_number_of_boards(boards: int) -> None:
    assert status_of(Notakto(boards)).outcome == ("win" if boards % 2 else "loss")


def test_games_without_a_known_value_are_open() -> None:
    names = ("order-and-chaos", "score-four", "ultimate", "gomoku-caro")
    assert {name for name in VARIANTS if status_of(VARIANTS[name]) == OPEN} == set(names)
    assert status_of(find_rules("mnk:9,9,5,torus")) == status_of(ThreeInARow()) == OPEN


@pytest.mark.medium
def test_the_score_of_a_small_torus_and_of_three_layers_is_that_of_the_plain_search() -> None:
    for name in ("mnk:3,3,3,torus", "mnk:4,3,3,torus", "3x3x3"):
        rules, status = find_rules(name), STATUSES[name]
        assert supports(rules)
        assert status.plies
        start, search = GameState.new(rules).position, AlphaBeta(rules)
        assert search.reaches(start, MATE - status.plies)
        assert not search.reaches(start, MATE - status.plies + 1)
