"""The game at a table: playing, the next level, looking back, films, long thoughts."""

from __future__ import annotations

import random
from collections.abc import Callable
from gettext import NullTranslations
from itertools import product
from typing import cast

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.frontends.desk import PEOPLE, Later, table_after
from tic_tac_toe.game.strategies import STRATEGIES
from tic_tac_toe.limits import Progress
from tic_tac_toe.logic.exceptions import InvalidMove
from tic_tac_toe.logic.models import GameState, Grid, Mark
from tic_tac_toe.logic.records import Record
from tic_tac_toe.logic.rules.catalogue import TIC_TAC_TOE, find_rules
from tic_tac_toe_frontends.table.driver import LONG_SECONDS, POLL_SECONDS, Driver, LongThought
from tic_tac_toe_frontends.table.looking_back import Autoplay, LookingBack
from tic_tac_toe_frontends.table.queries import ask_here
from tic_tac_toe_frontends.table.setup import setup_of_record
from tic_tac_toe_frontends.table.table import Setup, Table, offer_after
from tic_tac_toe_frontends.words.game_text import (
    PLAYER_DESCRIPTIONS,
    describe_player,
    next_level_title,
    starter_titles,
)
from tic_tac_toe_frontends.words.rules_text import HUMAN, LEVELS, RANDOM
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

    table.change_players(setup)

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
    table.new_game()
    table.resign()
    assert score(table) == (1, 1)
    table.change_players(PEOPLE._replace(starting="O"))
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
@pytest.mark.parametrize("change", [Table.change_players, Table.new_game])
def test_another_variant_or_another_player_starts_the_score_again(
    change: Callable[[Table, Setup], None], others: Setup
) -> None:
    table = table_after(*WON)

    change(table, others)

    assert score(table) == (0, 0)


def test_a_game_that_was_over_when_it_was_opened_counts_for_nobody() -> None:
    table = Table(PEOPLE, state=GameState(Grid("XXXOO    ")))
    table.new_game(moves=WON)
    table.take_back()

    assert not any(table.score.values())


def test_a_new_game_that_cannot_begin_leaves_everything_as_it_was() -> None:
    table = table_after(4)
    before = (table.match, table.setup)

    with pytest.raises(InvalidMove, match="Cell is not empty"):
        table.new_game(Setup(x="easy"), moves=(0, 0))

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
        table.new_game()

    assert starters == set(Mark)


ACTIONS = ("place", "answer", "take_back", "play_again", "resign", "new_game")


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


# -- the next level --------------------------------------------------------------------------------

ENGLISH = NullTranslations()

X_WINS = (0, 3, 1, 4, 2)


def ended(setup: Setup, cells: tuple[int, ...] = X_WINS) -> Table:
    """Return a game after moves of both sides."""
    table = Table(setup)
    for cell in cells:
        if table.thinker is None:
            table.place(cell)
        else:
            table.answer(table.state, cell)
    return table


def test_each_level_leads_to_the_next_and_other_players_to_none() -> None:
    offers = [offer_after(ended(Setup(o=name))) for name in (*LEVELS, HUMAN, "mcts")]
    levels = [None if offer is None else offer.level for offer in offers]
    assert levels == [*LEVELS[1:], None, None, None]


def test_somebody_who_has_chosen_no_opponent_plays_the_weakest_level() -> None:
    assert Setup().o == LEVELS[0]


@pytest.mark.parametrize(
    ("setup", "following"),
    [
        (Setup(o="easy"), Setup(o="medium")),
        (Setup(o="hard"), Setup(o="minimax")),
        (Setup(o="minimax"), None),
        (Setup(o="rules"), None),
        (Setup(o=HUMAN), None),
        (Setup(x="easy", o=HUMAN), None),  # who has lost plays the same level again
    ],
)
def test_whoever_beats_a_level_is_offered_the_same_game_against_the_next(
    setup: Setup, following: Setup | None
) -> None:
    offer = offer_after(ended(setup))

    assert (offer and offer.setup) == following


def test_a_winner_with_the_second_mark_keeps_it() -> None:
    offer = offer_after(ended(Setup(x="easy", o=HUMAN, starting="O")))

    assert offer is not None
    assert (offer.level, offer.setup) == ("medium", Setup(x="medium", o=HUMAN, starting="O"))


def test_nothing_is_offered_before_the_end() -> None:
    assert offer_after(ended(Setup(o="easy"), X_WINS[:-1])) is None


def test_each_computer_player_is_described_and_the_next_level_has_a_name() -> None:
    assert set(PLAYER_DESCRIPTIONS) == set(STRATEGIES)
    assert describe_player(HUMAN, ENGLISH) == describe_player("gomocup:x", ENGLISH) == ""
    assert describe_player("hard", ENGLISH) == "Looks ahead and rarely makes a mistake."
    assert next_level_title("medium", ENGLISH, TIC_TAC_TOE) == "Play the next level: Medium"


# -- looking back ----------------------------------------------------------------------------------

#: O gives the draw away with the second move, X the win with the third, and O wins.
CELLS = (8, 2, 5, 0, 4, 1)


def reviewed(table: Table) -> LookingBack:
    past = LookingBack(table, ask_here, lambda: None, lambda _step: None)
    past.review.start()
    return past


def test_another_move_is_tried_instead_of_ones_own_fault_and_after_that_of_a_computer() -> None:
    for x, expected in (("human", 2), ("minimax", 3)):
        table = table_after(*CELLS)
        table.setup = PEOPLE._replace(x=x)
        past = reviewed(table)
        past.show_ply(3)

        assert past.has_fault
        assert past.has_persons_fault is (x == "human")
        past.play_on()

        assert table.match.ply == expected


def test_the_better_moves_are_known_where_a_fault_is_shown_and_nowhere_else() -> None:
    past = reviewed(table_after(*CELLS))
    found = {}
    for ply in range(len(CELLS) + 1):
        past.show_ply(ply)
        found[ply] = past.better

    assert {ply: better for ply, better in found.items() if better} == {
        2: (4,),
        3: (0, 6, 7),
        5: (1,),
    }


def test_faults_of_another_game_are_not_stepped_to() -> None:
    table = table_after(*CELLS)
    past = reviewed(table)
    assert past.fault(-1) is not None

    table.new_game()

    assert past.fault(-1) is None
    assert past.fault(1) is None


def test_a_game_that_ended_elsewhere_by_resignation_is_reviewed_and_not_counted() -> None:
    table = table_after()
    table.new_game(moves=CELLS[:3], resigned=Mark("O"))

    past = reviewed(table)

    assert table.match.winner is Mark.CROSS
    assert past.review.is_complete
    assert not any(table.score.values())


def test_what_was_refused_is_told_until_people_do_something_else() -> None:
    shown: list[str] = []
    table = table_after(*CELLS)
    driver = Driver(table, lambda: shown.append(table.remark), ask_here)
    driver.start()
    past = LookingBack(table, ask_here, lambda: shown.append(table.remark), lambda _step: None)
    actions: dict[str, Callable[[], object]] = {
        "hint after the end": driver.advice.ask_hint,
        "review": past.start_review,
        "review again": past.start_review,
        "mistake": lambda: past.step_to_fault(1),
        "step": lambda: past.step("on"),
        "film": past.film.toggle,
        "film stopped": past.film.toggle,
        "look": lambda: past.show_ply(6),
        "undo": table.take_back,
        "hint": driver.advice.ask_hint,
        "analysis": lambda: driver.advice.analyse(True),
        "redo": table.play_again,
        "players": lambda: table.change_players(PEOPLE._replace(rules=find_rules("wild"))),
        "letter in wild": lambda: table.choose("O"),
        "move": lambda: table.place(4),
        "resign": table.resign,
        "new game": table.new_game,
    }

    told = {}
    for name, act in actions.items():
        table.remark = "The game is over"
        act()
        told[name] = (table.remark, shown[-1])

    assert told == dict.fromkeys(actions, ("", ""))


@pytest.fixture
def past() -> LookingBack:
    return LookingBack(table_after(*CELLS), ask_here, lambda: None, lambda _step: None)


def test_a_review_shows_the_first_mistake_when_it_is_complete(past: LookingBack) -> None:
    past.start_review()
    assert past.has_fault
    assert past.review.first_fault == 2


def test_a_review_leaves_people_where_they_have_stepped_meanwhile() -> None:
    later, table = Later(), table_after(*CELLS)
    past = LookingBack(table, later.ask, lambda: None, lambda _step: None)
    past.start_review()
    past.show_ply(5)
    while not past.review.is_complete:
        later.answer()
    assert table.replay.ply == 5


def test_a_game_without_a_mistake_stays_at_its_end() -> None:
    table = Table(Setup(x=HUMAN, o=HUMAN))
    for cell in (4, 0, 2, 6, 3, 5, 1, 7, 8):
        table.place(cell)
    past = LookingBack(table, ask_here, lambda: None, lambda _step: None)
    past.start_review()
    assert (past.review.signs, table.replay.ply) == ({}, None)


# -- films -----------------------------------------------------------------------------------------


class Cinema:
    """A table, what steps through its game, and the steps that are due."""

    def __init__(self, *cells: int) -> None:
        self.table: Table = table_after(*cells)
        self.due: list[Callable[[], object]] = []
        self.shown: list[int] = []
        self.autoplay = Autoplay(self.table, self.show, self.due.append)

    def show(self) -> None:
        self.shown.append(self.table.replay.moment(self.table.match))

    def run(self) -> None:
        while self.due:
            self.due.pop(0)()


def test_all_positions_are_shown_from_the_first_to_the_present_one() -> None:
    cinema = Cinema(4, 0, 8)

    cinema.autoplay.toggle()
    assert cinema.autoplay.is_running
    cinema.run()

    assert cinema.shown == [0, 1, 2, 3]
    assert not cinema.autoplay.is_running
    assert cinema.table.replay.ply is None


def test_it_goes_on_from_the_position_that_people_look_at() -> None:
    cinema = Cinema(4, 0, 8)
    cinema.table.replay.show(cinema.table.match, 1)

    cinema.autoplay.toggle()
    cinema.run()

    assert cinema.shown == [1, 2, 3]


def test_it_stops_when_it_is_told_to_and_an_old_step_does_nothing_after_another_start() -> None:
    cinema = Cinema(4, 0, 8)

    cinema.autoplay.toggle()
    cinema.autoplay.toggle()
    cinema.autoplay.toggle()
    cinema.due[0]()

    assert cinema.shown == [0, 0, 0]
    cinema.due[1]()
    assert cinema.shown[-1] == 1


def test_it_stops_where_people_step_themselves_or_the_game_goes_on() -> None:
    acts: list[Callable[[Table], object]] = [
        lambda table: table.replay.show(table.match, 2),
        lambda table: table.place(1),
    ]
    for act in acts:
        cinema = Cinema(4, 0, 8)
        cinema.autoplay.toggle()
        act(cinema.table)
        cinema.run()

        assert not cinema.autoplay.is_running
        assert cinema.table.replay.ply in (2, None)


def test_a_game_without_a_move_is_not_played() -> None:
    cinema = Cinema()

    cinema.autoplay.toggle()

    assert not cinema.autoplay.is_running
    assert cinema.due == []


def test_steps_that_lead_nowhere_are_left_out() -> None:
    table = table_after(4, 0, 8)
    assert table.replay.steps(table.match) == {"first": 0, "back": 2}

    table.replay.show(table.match, 0)
    assert table.replay.steps(table.match) == {"on": 1, "last": 3}

    table.replay.show(table.match, 1)
    assert table.replay.steps(table.match) == {"first": 0, "back": 0, "on": 2, "last": 3}


# -- long thoughts ---------------------------------------------------------------------------------

LOOKS = round(LONG_SECONDS / POLL_SECONDS)


class Thinker:
    """Stands for a driver: its computer thinks as the test says."""

    progress: Progress | None = None


def test_a_thought_is_shown_once_it_is_long_and_until_it_ends() -> None:
    thinker = Thinker()
    thought = LongThought(cast("Driver", thinker))
    thinker.progress = Progress(share=0.25)

    changed = [thought.poll() for _ in range(LOOKS)]
    assert changed == [False] * (LOOKS - 1) + [True]
    assert thought.share == 0.25
    thinker.progress = Progress(share=0.5)
    assert not thought.poll()
    assert thought.share == 0.5
    thinker.progress = None

    assert thought.poll()
    assert thought.share is None


def test_two_short_thoughts_are_not_taken_for_a_long_one() -> None:
    thinker = Thinker()
    thought = LongThought(cast("Driver", thinker))
    for _ in range(3):
        thinker.progress = Progress()
        assert not any(thought.poll() for _ in range(LOOKS - 1))
        thinker.progress = None
        assert not thought.poll()
