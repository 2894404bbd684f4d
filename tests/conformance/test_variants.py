"""What every game of the catalogue owes: conformance, published counts, and a recorded game."""

from __future__ import annotations

import copy
import pickle
from collections import Counter
from collections.abc import Callable
from fractions import Fraction
from functools import cache
from importlib import import_module
from importlib.util import find_spec
from numbers import Integral

import pytest

from tests import oracles
from tests.golden import PERFT, PLAYTHROUGHS, load, perft_counts, step
from tic_tac_toe.game.match import Match
from tic_tac_toe.logic.models import MARKS, GameState, Mark
from tic_tac_toe.logic.notation import move_name
from tic_tac_toe.logic.positions import Position
from tic_tac_toe.logic.record_json import records_to_json
from tic_tac_toe.logic.records import Record, first_state
from tic_tac_toe.logic.rules import Rules
from tic_tac_toe.logic.rules.catalogue import TIC_TAC_TOE, VARIANTS, find_rules, variant_name
from tic_tac_toe.logic.rules.traits import cell_of, traits_of
from tic_tac_toe.logic.search.evaluation import MATE, result_of
from tic_tac_toe.logic.search.exact import AlphaBeta, find_verdict
from tic_tac_toe.logic.search.tables import Census, perft, small_table, walk_census
from tic_tac_toe.testing import check_rules

EVERY_VARIANT = pytest.mark.parametrize(("name", "rules"), list(VARIANTS.items()))


def test_every_catalogue_entry_has_perft_and_playthrough_data_and_no_other_has() -> None:
    assert set(load(PERFT)) == set(load(PLAYTHROUGHS)) == set(VARIANTS)


@pytest.mark.slow
@EVERY_VARIANT
def test_the_rules_keep_their_promises(name: str, rules: Rules) -> None:
    check_rules(rules, games=2 if rules.shape.cells <= 49 else 1)


@pytest.mark.medium
@EVERY_VARIANT
def test_perft_counts_are_the_golden_ones(name: str, rules: Rules) -> None:
    recorded = load(PERFT)[name][:-1]
    assert perft_counts(rules, len(recorded)) == recorded


@pytest.mark.slow
@EVERY_VARIANT
def test_the_last_perft_count_is_the_golden_one(name: str, rules: Rules) -> None:
    recorded = load(PERFT)[name]
    assert perft(rules, len(recorded) - 1) == recorded[-1]


@EVERY_VARIANT
def test_the_recorded_game_replays_to_the_letter(name: str, rules: Rules) -> None:
    game = load(PLAYTHROUGHS)[name]
    position = Position()
    for recorded in game["steps"]:
        position = rules.play(position, recorded["move"])
        assert step(rules, recorded["move"], position) == recorded
    outcome = rules.outcome(position)
    assert outcome is not None
    assert (outcome.winner, list(outcome.cells)) == (game["winner"], game["cells"])


@EVERY_VARIANT
def test_a_state_and_its_position_say_the_same(name: str, rules: Rules) -> None:
    for starting_mark in Mark:
        state = first_state(rules, starting_mark)
        for recorded in load(PLAYTHROUGHS)[name]["steps"]:
            turn = None if traits_of(rules).tells_starter else state.current_mark
            again = GameState(
                state.grid, starting_mark, rules=rules, memory=state.memory, turn=turn
            )
            assert again == state == GameState.at(rules, state.position, starting_mark)
            assert turn or state == GameState.at(rules, state.position)
            assert again.position == state.position
            assert hash(again) == hash(state)
            assert state.current_mark is MARKS[state.position.turn]
            assert state.legal_moves == tuple(rules.moves(state.position))
            cells = {cell_of(rules, move) for move in state.legal_moves} - {None}
            assert set(state.legal_cells) == cells
            state = state.make_move_to(recorded["move"]).after_state
        assert state.game_over


class Whole:
    """A whole number that is no `int`, as those of NumPy are."""

    def __init__(self, value: int) -> None:
        self.value = value

    def __index__(self) -> int:
        return self.value


Integral.register(Whole)


@EVERY_VARIANT
@pytest.mark.parametrize(
    "kind", [Whole, *([import_module("numpy").int64] if find_spec("numpy") else [])]
)
def test_a_game_in_other_whole_numbers_is_the_game_in_ints(
    name: str, rules: Rules, kind: Callable[[int], int]
) -> None:
    moves = tuple(recorded["move"] for recorded in load(PLAYTHROUGHS)[name]["steps"])
    numbers = tuple(map(kind, moves))
    position, match = Position(), Match(GameState.new(rules))
    for move, number in zip(moves, numbers):
        state = match.state
        assert move_name(state, number) == move_name(state, move)
        made = state.make_move_to(number)
        assert made == state.trusted_move(number) == state.make_move_to(move)
        position = rules.play(position, number)
        assert match.submit(state.current_mark, number).after_state.position == position
        assert [*map(type, (*position.stones, *position[1:]))] == [int] * 4
    assert match.over
    record = Record(rules, moves=numbers)
    assert records_to_json([record]) == records_to_json([match.record()])
    if position.occupied < 1 << 63:
        crosses, naughts = position.stones
        given = Position((kind(crosses), kind(naughts)), kind(position.turn), position.memory)
        assert GameState.at(rules, given, Mark.CROSS) == match.state


@EVERY_VARIANT
def test_rules_and_states_survive_pickling_and_copying(name: str, rules: Rules) -> None:
    state = GameState.new(rules).make_move_to(rules.moves(Position())[0]).after_state
    for value in (rules, state):
        assert pickle.loads(pickle.dumps(value)) == value == copy.deepcopy(value)
        assert hash(pickle.loads(pickle.dumps(value))) == hash(value)


@EVERY_VARIANT
def test_names_and_rules_are_inverse(name: str, rules: Rules) -> None:
    assert (variant_name(rules), find_rules(name)) == (name, rules)


# -- published counts ------------------------------------------------------------------------------


PUBLISHED = oracles.published()
CLASSIC = PUBLISHED["classic_3x3"]
CLOSED_FIELDS = "ultimate (a won or full field is closed)"


@cache
def classic_census() -> tuple[Census, ...]:
    return tuple(walk_census(TIC_TAC_TOE))


def over_all_plies(field: str) -> Counter[int | None]:
    return sum((getattr(ply, field) for ply in classic_census()), Counter())


def by_winner(counts: Counter[int | None]) -> dict[str, int]:
    names = {0: "X", 1: "O", None: "draw"}
    found = {names[winner]: count for winner, count in counts.items()}
    return {"total": sum(found.values()), **found}


def test_positions_of_the_classic_by_ply() -> None:
    assert [c.positions for c in classic_census()] == CLASSIC["reachable_positions_by_ply"]
    assert [c.classes for c in classic_census()] == CLASSIC["positions_up_to_symmetry_by_ply"]


def test_games_of_the_classic() -> None:
    assert by_winner(over_all_plies("final")) == CLASSIC["terminal"]
    assert by_winner(over_all_plies("ended")) == CLASSIC["games"]
    lengths = [c.ended.total() for c in classic_census()]
    assert lengths == [0] * 5 + CLASSIC["games_by_length_5_to_9"]
    assert [c.games for c in classic_census()] == CLASSIC["perft_0_to_9"]


def test_terminal_classes_of_the_classic_are_the_published_ones() -> None:
    assert over_all_plies("final_classes") == {0: 91, 1: 44, None: 3}  # 138 in all


def test_values_over_all_reachable_positions() -> None:
    winners = Counter(
        "XO"[position.turn ^ (entry[0] < 0)] if entry[0] else "draw"
        for position, entry in small_table(TIC_TAC_TOE).items()
    )
    assert winners == CLASSIC["values_over_reachable"]


def test_values_by_ply_are_those_of_the_table() -> None:
    for start in (Position(), Position(turn=1)):
        found: list[Counter[int | None]] = [Counter() for _ in range(10)]
        for position, entry in small_table(TIC_TAC_TOE, start.turn).items():
            winner = position.turn ^ (entry[0] < 0) if entry[0] else None
            found[position.marks][winner] += 1
        assert [c.values for c in walk_census(TIC_TAC_TOE, start, values=True)] == found
    assert all(c.values is None for c in walk_census(TIC_TAC_TOE))


def test_only_drawing_replies_to_each_opening() -> None:
    for opening, replies in CLASSIC["only_drawing_replies"].items():
        entry = small_table(TIC_TAC_TOE)[Position((1 << int(opening), 0), 1)]
        assert (entry[0], list(entry[1])) == (0, replies)


def test_the_odds_of_two_random_players() -> None:
    @cache
    def odds(position: Position) -> tuple[Fraction, ...]:
        outcome = TIC_TAC_TOE.outcome(position)
        if outcome is not None:
            place = 2 if outcome.winner is None else outcome.winner
            return tuple(Fraction(i == place) for i in range(3))
        children = [odds(TIC_TAC_TOE.play(position, m)) for m in TIC_TAC_TOE.moves(position)]
        return tuple(sum(column, Fraction()) / len(children) for column in zip(*children))

    names = ("X", "O", "draw")
    assert {name: str(odd) for name, odd in zip(names, odds(Position()))} == {
        name: CLASSIC["random_vs_random"][name] for name in names
    }


def test_positions_with_a_win_in_one() -> None:
    table = small_table(TIC_TAC_TOE)
    found = sum(entry[0] == MATE - 1 for entry in table.values())
    assert found == CLASSIC["positions_with_a_win_in_one"]


@pytest.mark.medium
def test_the_whole_game_4_3_3_enumerated() -> None:
    census = list(walk_census(find_rules("mnk:4,3,3")))
    assert PUBLISHED["mnk_enumeration"]["4,3,3"] == {
        "positions": sum(ply.positions for ply in census),
        "terminal": sum(ply.final.total() for ply in census),
        "up_to_symmetry": sum(ply.classes for ply in census),
        "games": sum(ply.ended.total() for ply in census),
    }


@pytest.mark.parametrize(
    ("name", "known", "depth"),
    [
        *(("connect-four", "connect-four 7x6", depth) for depth in range(8)),
        *(("ultimate", CLOSED_FIELDS, depth) for depth in range(5)),
        pytest.param("connect-four", "connect-four 7x6", 8, marks=pytest.mark.medium),
        pytest.param("ultimate", CLOSED_FIELDS, 5, marks=pytest.mark.medium),
        pytest.param("connect-four", "connect-four 7x6", 9, marks=pytest.mark.slow),
        pytest.param("ultimate", CLOSED_FIELDS, 6, marks=pytest.mark.slow),
    ],
)
def test_perft_is_the_published_one(name: str, known: str, depth: int) -> None:
    assert perft(VARIANTS[name], depth) == PUBLISHED["perft"][known][depth]


def test_perft_is_none_beyond_the_longest_game() -> None:
    assert perft(TIC_TAC_TOE, 10) == 0


@pytest.mark.parametrize(
    "size",
    [
        *("3,3,3", "4,3,3", "5,3,3", "4,4,3"),
        pytest.param("4,4,4", marks=pytest.mark.medium),
        pytest.param("5,4,4", marks=pytest.mark.slow),
    ],
)
def test_known_values_of_small_mnk_games(size: str) -> None:
    score = AlphaBeta(find_rules(f"mnk:{size}")).score(Position())
    assert result_of(score) == PUBLISHED["mnk_values_strong_game"][size]


def test_misere_is_drawn_and_only_the_centre_opening_holds() -> None:
    assert PUBLISHED["misere 3x3"] == "draw; only the centre opening holds"
    verdict = find_verdict(VARIANTS["misere-tic-tac-toe"], Position())
    assert (verdict.outcome, verdict.best) == ("draw", (4,))


@pytest.mark.parametrize(
    "size", ["4x4", *(pytest.param(size, marks=pytest.mark.slow) for size in ("5x4", "6x4", "5x5"))]
)
def test_known_values_of_small_connect_four_boards(size: str) -> None:
    columns, rows = size.split("x")
    score = AlphaBeta(find_rules(f"mnk:{columns},{rows},4,gravity")).score(Position())
    assert result_of(score) == PUBLISHED["connect_four_values"][size]
