"""A game that is shown move by move."""

from __future__ import annotations

from collections.abc import Callable

from tests.frontends.desk import table_after
from tic_tac_toe_frontends.table.looking_back import Autoplay
from tic_tac_toe_frontends.table.table import Table


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
