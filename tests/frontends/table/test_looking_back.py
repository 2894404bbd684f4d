"""Looking back at a game: what its faults lead to, and whose they are."""

from __future__ import annotations

from collections.abc import Callable

from tests.frontends.desk import PEOPLE, table_after
from tic_tac_toe.logic.models import Mark
from tic_tac_toe.logic.rules.catalogue import find_rules
from tic_tac_toe_frontends.table.driver import Driver
from tic_tac_toe_frontends.table.looking_back import LookingBack
from tic_tac_toe_frontends.table.queries import ask_here
from tic_tac_toe_frontends.table.table import Table

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
        past.look(3)

        assert past.has_fault
        assert past.has_own_fault is (x == "human")
        past.play_on()

        assert table.match.ply == expected


def test_the_better_moves_are_known_where_a_fault_is_shown_and_nowhere_else() -> None:
    past = reviewed(table_after(*CELLS))
    found = {}
    for ply in range(len(CELLS) + 1):
        past.look(ply)
        found[ply] = past.better

    assert {ply: better for ply, better in found.items() if better} == {
        2: (4,),
        3: (0, 6, 7),
        5: (1,),
    }


def test_faults_of_another_game_are_not_stepped_to() -> None:
    table = table_after(*CELLS)
    past = reviewed(table)
    assert past.possible["fault-back"]

    table.begin()

    assert not past.possible["fault-back"]
    assert not past.possible["fault-on"]


def test_a_game_that_ended_elsewhere_by_resignation_is_reviewed_and_not_counted() -> None:
    table = table_after()
    table.begin(moves=CELLS[:3], resigned=Mark("O"))

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
        "mistake": lambda: past.step_to_fault(-1),
        "step": lambda: past.step("on"),
        "film": past.film.toggle,
        "film stopped": past.film.toggle,
        "look": lambda: past.look(6),
        "undo": table.take_back,
        "hint": driver.advice.ask_hint,
        "analysis": lambda: driver.advice.analyse(True),
        "redo": table.play_again,
        "players": lambda: table.seat(PEOPLE._replace(rules=find_rules("wild"))),
        "letter in wild": lambda: table.choose("O"),
        "move": lambda: table.place(4),
        "resign": table.resign,
        "new game": table.begin,
    }

    told = {}
    for name, act in actions.items():
        table.remark = "The game is over"
        act()
        told[name] = (table.remark, shown[-1])

    assert told == dict.fromkeys(actions, ("", ""))
