"""A table: one game after the other, between people and computers, whatever the screen."""

from __future__ import annotations

import random
from collections.abc import Callable
from itertools import product

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.frontends.desk import PEOPLE, table_after
from tic_tac_toe.logic.exceptions import InvalidMove
from tic_tac_toe.logic.models import GameState, Grid, Mark
from tic_tac_toe.logic.records import Record
from tic_tac_toe.logic.rules.catalogue import find_rules
from tic_tac_toe_frontends.table.setup import Setup, setup_of_record
from tic_tac_toe_frontends.table.table import Table
from tic_tac_toe_frontends.words.game_text import starter_titles
from tic_tac_toe_frontends.words.rules_text import HUMAN, RANDOM
from tic_tac_toe_frontends.words.translation import load

#: The cells of a game that X wins.
WON = (0, 3, 1, 4, 2)


def score(table: Table) -> tuple[int, int]:
    return table.score[Mark.CROSS], table.score[Mark.NAUGHT]


@pytest.mark.parametrize(
    ("cells", "setup", "ply"),
    [
        ((4, 0), PEOPLE._replace(o="minimax"), 2),
        ((4, 0), PEOPLE._replace(starting="O"), 0),
        ((4, 0), PEOPLE._replace(rules=find_rules("connect-four")), 0),
        (WON, PEOPLE._replace(x="easy"), 0),
    ],
)
def test_a_game_that_is_not_over_goes_on_where_only_the_players_change(
    cells: tuple[int, ...], setup: Setup, ply: int
) -> None:
    table = table_after(*cells)

    table.seat(setup)

    assert table.setup == setup
    assert table.match.ply == ply


def test_a_person_makes_one_move_of_which_the_screen_is_told_and_none_for_the_computer() -> None:
    told: list[GameState] = []
    table = Table()
    table.on_change = lambda: told.append(table.state)

    move = table.place(4)
    with pytest.raises(InvalidMove, match="It's the other player's turn"):
        table.place(0)

    assert told == [move.after_state]
    assert (table.last_cell, table.match.ply, table.thinker) == (4, 1, "easy")


def test_a_move_that_was_meant_for_an_earlier_board_is_refused() -> None:
    table = table_after(4)

    with pytest.raises(InvalidMove, match="The game has moved on: 1 moves have been played"):
        table.place(0, ply=0)
    table.place(0, ply=1)

    assert [move.cell_index for move in table.match.history] == [4, 0]


def test_what_a_computer_thought_of_is_made_once_and_only_where_it_was_asked() -> None:
    table = Table()
    asked = table.place(4).after_state

    table.take_back()
    assert not table.answer(asked, 0)
    table.place(3)
    assert not table.answer(asked, 0)
    assert table.answer(table.state, 0)
    assert not table.answer(table.state, 1)

    assert [move.cell_index for move in table.match.history] == [3, 0]


def test_taking_back_while_the_computer_thinks_goes_to_the_persons_turn() -> None:
    table = Table()
    table.place(4)
    table.answer(table.state, 0)
    table.place(8)

    (taken,) = table.take_back()

    assert (taken.cell_index, table.thinker, table.can_play_again) == (8, None, True)


def test_nothing_can_be_taken_back_where_only_computers_play() -> None:
    table = Table(Setup(x="random", o="random"))
    table.answer(table.state, 4)

    assert not table.can_take_back
    with pytest.raises(InvalidMove, match="There is no move to take back"):
        table.take_back()


def test_the_score_counts_each_game_once_also_when_its_end_is_taken_back_and_played_again() -> None:
    table = table_after(*WON)
    assert score(table) == (1, 0)

    table.take_back()
    assert table.score[Mark.CROSS] == 0
    table.play_again()
    assert table.score[Mark.CROSS] == 1
    table.begin()
    table.resign()
    assert score(table) == (1, 1)
    table.seat(PEOPLE._replace(starting="O"))
    table.resign()

    assert score(table) == (2, 1)


@pytest.mark.parametrize(
    "others",
    [
        PEOPLE._replace(rules=find_rules("connect-four")),
        PEOPLE._replace(x="easy"),
        PEOPLE._replace(o="easy"),
    ],
)
@pytest.mark.parametrize("change", [Table.seat, Table.begin])
def test_another_variant_or_another_player_starts_the_score_again(
    change: Callable[[Table, Setup], None], others: Setup
) -> None:
    table = table_after(*WON)

    change(table, others)

    assert score(table) == (0, 0)


def test_a_game_that_was_over_when_it_was_opened_counts_for_nobody() -> None:
    table = Table(PEOPLE, state=GameState(Grid("XXXOO    ")))
    table.begin(moves=WON)
    table.take_back()

    assert not any(table.score.values())


def test_a_new_game_that_cannot_begin_leaves_everything_as_it_was() -> None:
    table = table_after(4)
    before = (table.match, table.setup)

    with pytest.raises(InvalidMove, match="Cell is not empty"):
        table.begin(Setup(x="easy"), moves=(0, 0))

    assert (table.match, table.setup) == before


def test_the_only_person_may_give_up_while_the_computer_thinks() -> None:
    table = Table(Setup(x="minimax", o=HUMAN))

    table.resign()

    assert table.match.winner is Mark.CROSS


def test_nobody_gives_up_for_a_computer_or_after_the_end() -> None:
    with pytest.raises(InvalidMove, match="It's the other player's turn"):
        Table(Setup(x="random", o="random")).resign()
    with pytest.raises(InvalidMove, match="The game is over"):
        table_after(*WON).resign()


@pytest.mark.parametrize("starting", ["X", "O", RANDOM])
def test_order_begins_whoever_was_to_start_other_games(starting: str) -> None:
    rules = find_rules("order-and-chaos")
    for seed in range(4):
        table = Table(Setup(rules, HUMAN, HUMAN, starting), random.Random(seed))
        assert table.match.turn is Mark.CROSS
    assert starter_titles(load("en", {}), rules)[starting] == "Order"


def test_who_starts_can_be_left_to_chance() -> None:
    table = Table(Setup(starting=RANDOM), random.Random(1))
    starters = set()
    for _ in range(40):
        starters.add(table.state.starting_mark)
        table.begin()

    assert starters == set(Mark)


ACTIONS = ("place", "answer", "take_back", "play_again", "resign", "begin")


@given(
    setup=st.sampled_from([Setup(x=x, o=o) for x, o in product((HUMAN, "random"), repeat=2)]),
    actions=st.lists(st.tuples(st.sampled_from(ACTIONS), st.integers(-1, 9)), max_size=40),
)
def test_whatever_is_done_the_game_stays_legal_and_a_refusal_changes_nothing(
    setup: Setup, actions: list[tuple[str, int]]
) -> None:
    table = Table(setup, random.Random(0))
    for name, cell in actions:
        before = (table.match.history, table.match.resigned, dict(table.score))
        try:
            if name == "place":
                table.place(cell)
            elif name == "answer":
                table.answer(table.state, cell)
            else:
                getattr(table, name)()
        except InvalidMove:
            assert (table.match.history, table.match.resigned, dict(table.score)) == before
        assert table.record.final_position == table.state.position
        assert min(table.score.values(), default=0) >= 0


def test_a_recorded_game_seats_its_players_as_far_as_they_can_play_here() -> None:
    record = Record.from_moves(
        GameState.new(find_rules("connect-four"), Mark.NAUGHT),
        (38,),
        tags=(("X", "easy"), ("O", "Ann")),
    )

    assert setup_of_record(record, PEOPLE) == Setup(find_rules("connect-four"), "easy", HUMAN, "O")


def test_what_people_do_ends_a_look_back_and_a_computers_move_does_not() -> None:
    table = Table(Setup(o="easy"))
    asked = table.place(4).after_state
    table.replay.show(table.match, 0)

    table.answer(asked, 0)
    assert (table.replay.moment(table.match), table.replay.last_cell(table.match)) == (0, None)
    table.take_back()

    assert table.replay.ply is None
    assert table.replay.state(table.match) is table.state


def test_a_look_back_goes_no_further_than_the_game_and_ends_at_its_last_move() -> None:
    table = table_after(4, 0, 8)

    table.replay.show(table.match, -1)
    assert table.replay.state(table.match) is table.match.start
    table.replay.show(table.match, 2)
    assert table.replay.last_cell(table.match) == 0
    table.replay.show(table.match, 9)

    assert table.replay.ply is None
