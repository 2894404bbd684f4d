"""The one game loop at a table, with answers that come at once, later or never."""

from __future__ import annotations

import pickle
import random
from collections.abc import Callable
from threading import Event, Thread
from typing import cast

import pytest

from tests.frontends.desk import PEOPLE, Later
from tic_tac_toe.limits import Progress
from tic_tac_toe.logic.models import GameState
from tic_tac_toe.logic.rules.catalogue import find_rules
from tic_tac_toe.opponents.registry import Opponents
from tic_tac_toe_frontends.table.driver import Driver
from tic_tac_toe_frontends.table.queries import Ask, ChooseMove, ask_here
from tic_tac_toe_frontends.table.setup import Setup
from tic_tac_toe_frontends.table.table import Table
from tic_tac_toe_frontends.words.rules_text import HUMAN


class Shown:
    """A screen that keeps what it has shown of a table, and does something the first time."""

    def __init__(self, table: Table, at_first: Callable[[], object] = lambda: None) -> None:
        self.table = table
        self.states: list[GameState] = []
        self.plies: list[int] = []
        self._at_first = at_first

    def __call__(self) -> None:
        self.states.append(self.table.state)
        self.plies.append(self.table.match.ply)
        if len(self.states) == 1:
            self._at_first()


def test_a_person_and_a_computer_play_to_the_end_and_then_again() -> None:
    table = Table(Setup(o="minimax"))
    shown = Shown(table)
    Driver(table, shown, ask_here).start()

    for games in (1, 2):
        while not table.match.over:
            table.place(table.state.legal_cells[0])
            assert shown.states[-1] is table.state
        assert table.score.total() == games
        table.begin()

    assert sum(state.game_over for state in shown.states) == 2


def test_two_computers_play_the_longest_game_by_themselves_and_every_state_is_shown() -> None:
    setup = Setup(find_rules("mnk:26,26,26"), "random", "random")
    table = Table(setup, random.Random(3))
    shown = Shown(table)

    Driver(table, shown, ask_here).start()

    assert table.match.over
    assert shown.plies == list(range(677))


def test_answers_are_dropped_where_the_game_has_moved_on() -> None:
    table, later = Table(Setup(o="easy")), Later()
    Driver(table, Shown(table), later.ask).start()

    table.place(4)
    table.take_back()
    later.answer()
    assert table.match.ply == 0
    table.place(0)
    table.begin()
    later.answer()
    assert table.match.ply == 0
    table.place(8)
    later.answer(0)
    later.answer()

    assert [move.mark for move in table.match.history] == ["X", "O"]
    assert len(later.asked) == 3


def test_an_undo_after_the_end_goes_on_with_the_game() -> None:
    table = Table(PEOPLE)
    shown = Shown(table)
    Driver(table, shown, ask_here).start()

    for cell in (0, 3, 1, 4, 2):
        table.place(cell)
    table.take_back()
    table.place(8)

    assert shown.plies == [0, 1, 2, 3, 4, 5, 4, 5]


def test_resigning_is_shown_and_leaves_nobody_to_move() -> None:
    table, later = Table(Setup(o="minimax")), Later()
    shown = Shown(table)
    Driver(table, shown, later.ask).start()

    table.resign()
    assert (shown.plies, later.asked) == ([0, 0], [])
    table.begin()
    table.place(4)

    assert shown.plies == [0, 0, 0, 1]
    assert len(later.asked) == 1


def test_a_pause_comes_before_each_computers_move_and_what_happens_in_it_counts() -> None:
    table, later = Table(Setup(x="easy", o=HUMAN)), Later()
    pauses: list[Callable[[], object]] = []
    Driver(table, Shown(table), later.ask, pauses.append).start()

    assert (len(pauses), later.asked) == (1, [])
    table.begin()
    pauses[0]()
    assert later.asked == []
    pauses[1]()
    later.answer()

    assert table.match.ply == 1


def test_after_its_stop_a_driver_neither_shows_nor_moves() -> None:
    table, later = Table(Setup(x="easy")), Later()
    shown = Shown(table)
    driver = Driver(table, shown, later.ask)
    driver.start()

    driver.stop()
    later.answer()
    table.begin()
    driver.go_on()

    assert (table.match.ply, shown.plies) == (0, [0])


def test_what_goes_wrong_in_a_query_or_in_a_screen_is_not_lost_and_play_goes_on() -> None:
    def fail() -> None:
        raise MemoryError("too large a screen")

    table = Table(PEOPLE)
    screen = Shown(table, fail)
    driver = Driver(table, screen, ask_here)

    with pytest.raises(MemoryError, match="too large a screen"):
        driver.start()
    table.place(4)

    assert screen.plies == [0, 1]


def test_a_screen_may_change_the_table_while_it_shows_it() -> None:
    table, later = Table(Setup(x="easy", o="easy")), Later()
    screen = Shown(table, lambda: table.begin(table.setup._replace(x=HUMAN)))
    Driver(table, screen, later.ask).start()

    assert len(screen.states) == 2
    assert later.asked == []


def test_the_same_seed_asks_with_the_same_dice() -> None:
    def rolled(seed: int) -> list[float]:
        table, later = Table(Setup(x="random"), random.Random(seed)), Later()
        Driver(table, Shown(table), later.ask).start()
        table.begin()
        queries = [query for query, _ in later.asked]
        assert all(isinstance(query, ChooseMove) for query in queries)
        return [query.rng.random() for query in queries]

    assert rolled(1) == rolled(1) != rolled(2)


def test_the_progress_of_a_thought_is_known_until_it_is_answered() -> None:
    table, later = Table(Setup(o="minimax")), Later()
    driver = Driver(table, lambda: None, later.ask)
    driver.start()
    assert driver.progress is None
    table.place(4)
    assert driver.progress == Progress()

    query, _ = later.asked[0]
    query.watch.tell(Progress(share=0.5, depth=3, best=0, nodes=100))
    query.watch.tell(Progress(share=0.4, depth=4, best=0, nodes=120))

    assert driver.progress == Progress(share=0.5, depth=4, best=0, nodes=120)
    later.answer()
    assert driver.progress is None


def test_a_computer_that_is_told_to_move_now_ends_a_thought_of_hours() -> None:
    rules = find_rules("gomoku")
    table = Table(Setup(rules, o="minimax"), opponents=Opponents(think=3_600))
    threads: list[Thread] = []
    moved = Event()

    def ask(query: ChooseMove, done: Callable[[object], object]) -> None:
        def think() -> None:
            done(query())
            moved.set()

        threads.append(Thread(target=think))
        query.watch.heard = lambda _progress: driver.move_now()
        threads[-1].start()

    driver = Driver(table, lambda: None, cast("Ask", ask))
    driver.start()
    assert not driver.move_now()
    table.place(112)

    assert moved.wait()
    threads[0].join()
    assert table.match.ply == 2


def test_a_query_arrives_elsewhere_with_a_watch_of_its_own() -> None:
    query = ChooseMove(GameState.new(), "easy", random.Random(1))
    query.watch.heard = lambda _progress: None
    query.watch.stop()

    sent = pickle.loads(pickle.dumps(query))

    assert (sent.state, sent.strategy) == (query.state, query.strategy)
    assert not sent.watch.stopped
