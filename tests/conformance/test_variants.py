"""What every game of the catalogue owes: conformance, perft counts and a whole recorded game."""

from __future__ import annotations

import copy
import pickle
from collections.abc import Callable
from importlib import import_module
from importlib.util import find_spec
from numbers import Integral

import pytest

from tests.golden import PERFT, PLAYTHROUGHS, load, perft_counts, step
from tic_tac_toe.game.match import Match
from tic_tac_toe.logic.models import MARKS, GameState, Mark
from tic_tac_toe.logic.notation import move_name
from tic_tac_toe.logic.positions import Position
from tic_tac_toe.logic.record_json import records_to_json
from tic_tac_toe.logic.records import Record, first_state
from tic_tac_toe.logic.rules import Rules
from tic_tac_toe.logic.rules.catalogue import VARIANTS, find_rules, variant_name
from tic_tac_toe.logic.rules.placements import cell_of
from tic_tac_toe.logic.rules.traits import traits_of
from tic_tac_toe.logic.search.census import perft
from tic_tac_toe.testing import check_rules

EVERY_VARIANT = pytest.mark.parametrize(("name", "rules"), list(VARIANTS.items()))


def test_every_catalogue_entry_has_perft_and_playthrough_data_and_no_other_has() -> None:
    assert set(load(PERFT)) == set(load(PLAYTHROUGHS)) == set(VARIANTS)


@pytest.mark.medium
@EVERY_VARIANT
def test_the_rules_keep_their_promises(name: str, rules: Rules) -> None:
    check_rules(rules, games=2 if rules.shape.cells <= 49 else 1)


@pytest.mark.medium
@EVERY_VARIANT
@pytest.mark.once
def test_perft_counts_are_the_golden_ones(name: str, rules: Rules) -> None:
    recorded = load(PERFT)[name][:-1]
    assert perft_counts(rules, len(recorded)) == recorded


@pytest.mark.slow
@EVERY_VARIANT
@pytest.mark.once
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
