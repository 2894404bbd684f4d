"""The table of commands: what each does and when, and the counters that tell of changes."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable

import pytest

from tests.frontends.desk import PEOPLE, Later, table_after
from tic_tac_toe.logic.rules.catalogue import find_rules
from tic_tac_toe_frontends.table.commands import COMMANDS, Desk, cell_of_digit
from tic_tac_toe_frontends.table.driver import Driver, LongThought
from tic_tac_toe_frontends.table.looking_back import LookingBack
from tic_tac_toe_frontends.table.queries import ask_here
from tic_tac_toe_frontends.table.study import Study
from tic_tac_toe_frontends.table.table import PATIENCE, Setup, Table

#: O gives the draw away with the second move, X the win with the third, and O wins.
CELLS = (8, 2, 5, 0, 4, 1)
#: The cells of a game that X wins.
WON = (0, 3, 1, 4, 2)


class Sitting(Later):
    """A desk, what it has refused, and how often each of its own actions was called."""

    def __init__(self, *cells: int, setup: Setup = PEOPLE, later: bool = False) -> None:
        super().__init__()
        self.refused: list[str] = []
        self.called: Counter[str] = Counter()
        self.table = table_after(*cells, setup=setup)
        ask = self.ask if later else ask_here
        driver = Driver(self.table, lambda: None, ask)
        past = LookingBack(self.table, ask, lambda: None, lambda _step: None)
        own = {name: self._calling(name) for name in COMMANDS}
        thought = LongThought(driver)
        study = Study(self.table, ask, lambda: None)
        self.desk = Desk(self.table, driver, past, thought, self._refuse, study, own)
        driver.start()

    def _refuse(self, reason: Exception) -> None:
        self.refused.append(str(reason))

    def _calling(self, name: str) -> Callable[[], object]:
        return lambda: self.called.update([name])

    @property
    def possible(self) -> set[str]:
        return {name for name in COMMANDS if self.desk.may(name)}


#: The commands that every screen does in its own way, and that have always an effect.
OWN = {"help", "quit", "setup", "moves", "save", "open", "size", "look", "names", "theme", "puzzle"}


@pytest.mark.parametrize(
    ("cells", "possible"),
    [
        ((), {"hint", "resign"}),
        ((4, 0), {"hint", "explain", "resign", "undo", "film", "replay-first", "replay-back"}),
        (CELLS, {"explain", "undo", "film", "replay-first", "replay-back", "review"}),
    ],
)
def test_what_has_an_effect_depends_on_the_game(cells: tuple[int, ...], possible: set[str]) -> None:
    sitting = Sitting(*cells)
    assert sitting.possible == OWN | {"new-game", "analysis"} | possible


def test_each_command_that_may_be_done_is_done_without_a_refusal() -> None:
    for cells in ((), (4, 0), CELLS):
        for name in Sitting(*cells).possible:
            sitting = Sitting(*cells)
            sitting.desk.do(name)
            assert sitting.refused == []
            assert sitting.called == ({name: 1} if name in OWN else {})


def test_a_command_that_is_refused_is_told_and_changes_nothing() -> None:
    sitting = Sitting()
    sitting.desk.do("undo")
    sitting.desk.do("redo")
    assert len(sitting.refused) == 2
    assert sitting.table.match.ply == 0


def test_a_review_leads_from_mistake_to_mistake_and_back_into_the_game() -> None:
    sitting = Sitting(*CELLS)
    plies = []
    for name in ("review", "fault-on", "fault-on", "fault-back", "play-on"):
        assert sitting.desk.may(name)
        sitting.desk.do(name)
        plies.append(sitting.table.replay.ply)
    assert plies == [2, 3, 5, 3, None]
    assert sitting.table.match.ply == 2


def test_a_cell_played_while_people_look_back_is_refused() -> None:
    sitting = Sitting(4, 0)
    sitting.desk.do("replay-back")
    sitting.desk.play_cell(8)
    sitting.desk.place(8)
    assert len(sitting.refused) == 2
    sitting.desk.do("replay-last")
    sitting.desk.play_cell(8)
    assert sitting.table.match.ply == 3


def test_a_swap_is_played_only_where_it_is_legal() -> None:
    pie = PEOPLE._replace(rules=find_rules("connect-four,pie"))
    sitting = Sitting(setup=pie)
    sitting.desk.play_special("swap")
    assert sitting.table.match.ply == 0
    sitting.desk.play_cell(3)
    sitting.desk.play_special("swap")
    assert (sitting.table.match.ply, sitting.refused) == (2, [])


@pytest.mark.parametrize(
    ("setup", "name", "expected"),
    [
        (Setup(x="human", o="medium"), "next-level", Setup(x="human", o="hard")),
        (Setup(x="medium", o="human"), "easier-level", Setup(x="easy", o="human")),
    ],
)
def test_after_a_win_the_next_level_can_be_accepted_and_after_losses_an_easier_one(
    setup: Setup, name: str, expected: Setup
) -> None:
    sitting = Sitting(setup=setup, later=True)
    for game in range(PATIENCE):
        if game:
            sitting.desk.do("new-game")
        for cell in WON:
            if sitting.table.thinker is None:
                sitting.desk.play_cell(cell)
            else:
                sitting.table.answer(sitting.table.state, cell)
    assert sitting.desk.may(name)
    sitting.desk.do(name)
    assert sitting.table.setup == expected


@pytest.mark.parametrize(
    ("variant", "moves", "digit", "cell"),
    [
        ("tic-tac-toe", (), "7", 0),
        ("tic-tac-toe", (), "3", 8),
        ("connect-four", (), "3", 37),
        ("connect-four", (2, 2, 2, 2, 2, 2), "3", 2),
        ("connect-four", (), "9", None),
        ("gomoku", (), "3", None),
        ("tic-tac-toe", (), "0", None),
        ("tic-tac-toe", (), "x", None),
    ],
)
def test_a_digit_names_a_cell_of_a_number_pad_or_a_column(
    variant: str, moves: tuple[int, ...], digit: str, cell: int | None
) -> None:
    table = Table(PEOPLE._replace(rules=find_rules(variant)))
    for move in moves:
        table.play_cell(move)
    assert cell_of_digit(table.state, digit) == cell


def test_no_key_of_a_screen_stands_for_two_commands() -> None:
    for screen in ("window", "terminal", "page"):
        keys = [key for command in COMMANDS.values() for key in command.keys(screen)]
        assert len(keys) == len({*keys})


def counters(sitting: Sitting) -> tuple[int, int]:
    return sitting.desk.advice.changes, sitting.desk.past.changes


@pytest.mark.parametrize(
    ("name", "advice", "past"),
    [
        ("hint", True, False),
        ("analysis", True, False),
        ("explain", True, False),
        ("undo", True, False),
        ("film", False, True),
        ("replay-back", False, True),
    ],
)
def test_counters_tell_what_has_changed(name: str, advice: bool, past: bool) -> None:
    sitting = Sitting(4, 0)
    before = counters(sitting)
    sitting.desk.do(name)
    after = counters(sitting)
    assert (after[0] > before[0], after[1] > before[1]) == (advice, past)


def test_each_answer_of_a_review_is_counted() -> None:
    sitting = Sitting(*CELLS, later=True)
    sitting.desk.do("review")
    while not sitting.desk.past.review.is_complete:
        before = counters(sitting)
        sitting.answer()
        assert counters(sitting)[1] > before[1]


def test_nothing_is_counted_while_nothing_happens() -> None:
    sitting = Sitting(4, 0)
    before = counters(sitting)
    for name in COMMANDS:
        sitting.desk.may(name)
    assert counters(sitting) == before
