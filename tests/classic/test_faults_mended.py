"""The classic's exceptions, and its faults that this library mends where no other test does."""

from __future__ import annotations

import itertools
import pickle
import subprocess
import sys
from decimal import Decimal
from fractions import Fraction
from typing import Any
from unittest.mock import Mock

import pytest

from tests import oracles
from tests.classic.scripts import Recorder
from tic_tac_toe.game.engine import TicTacToe
from tic_tac_toe.game.players import MinimaxComputerPlayer
from tic_tac_toe.logic import exceptions
from tic_tac_toe.logic.exceptions import InvalidGameState, InvalidMove, UnknownGameScore
from tic_tac_toe.logic.models import GameState, Grid, Mark

KNOWN = oracles.published()["classic_3x3"]


class Hostile:
    """An object that answers no question about itself."""

    def _refuse(self, *arguments: object) -> Any:
        raise RuntimeError("hostile")

    __repr__ = __str__ = __eq__ = __hash__ = __lt__ = __index__ = __int__ = __bool__ = _refuse


class HostileInteger(int):
    """An integer that refuses to be compared."""

    def _refuse(self, *arguments: object) -> Any:
        raise RuntimeError("hostile")

    __repr__ = __str__ = __eq__ = __hash__ = __lt__ = __le__ = __gt__ = __ge__ = _refuse


class Four:
    """An object that can be used as the index 4 and is equal to it, but is no integer."""

    def __index__(self) -> int:
        return 4

    def __eq__(self, other: object) -> bool:
        return other == 4

    def __hash__(self) -> int:
        return hash(4)


def nest(depth: int) -> list[Any]:
    """Return a list too deep to be shown."""
    nested: list[Any] = []
    for _ in range(depth):
        nested = [nested]
    return nested


NO_CELLS: dict[str, Any] = {
    "minus one": -1,
    "nine": 9,
    "a huge number": 10**5000,
    "minus a huge number": -(10**5000),
    "true": True,
    "false": False,
    "a float": 1.0,
    "not a number": float("nan"),
    "infinity": float("inf"),
    "a complex number": 4 + 0j,
    "a decimal": Decimal(4),
    "a fraction": Fraction(4),
    "a digit": "4",
    "a name": "B2",
    "a long text": "4" * 100_000,
    "a lone surrogate": "\ud800",
    "bytes": b"4",
    "nothing": None,
    "a list": [4],
    "a deep list": nest(100_000),
    "a tuple": (1, 1),
    "a slice": slice(4, 5),
    "a type": int,
    "a mark": Mark.CROSS,
    "an index": Four(),
    "a hostile object": Hostile(),
    "a hostile integer": HostileInteger(9),
    "a mock of an integer": Mock(spec=int),
}


@pytest.mark.parametrize(("mark", "letter"), [(Mark.CROSS, "X"), (Mark.NAUGHT, "O")])
def test_a_mark_prints_as_its_letter_on_every_python(mark: Mark, letter: str) -> None:
    assert str(mark) == letter
    assert f"{mark}" == letter
    assert f"{mark:>3}" == f"  {letter}"
    for template in ("{} wins", "{!s} wins"):
        assert template.format(mark) == f"{letter} wins"
    for template in ("%s wins", "%1s wins"):
        assert template % mark == f"{letter} wins"


def test_a_grid_on_which_both_sides_own_a_line_is_refused() -> None:
    accepted_by_the_classic = [
        (cells, starter)
        for cells, starter in itertools.product(oracles.all_grids(), "XO")
        if len(oracles.owners(cells)) == 2 and oracles.classic_refusal(cells, starter) is None
    ]
    assert len(accepted_by_the_classic) == 156

    messages = set()
    for cells, starter in accepted_by_the_classic:
        with pytest.raises(InvalidGameState) as refusal:
            GameState(Grid(cells), Mark(starter))
        messages.add(str(refusal.value))

    # The words are the library's own, and the same for all.
    assert len(messages) == 1
    assert messages.isdisjoint(
        {
            "",
            "Wrong number of Xs and Os",
            "Wrong starting mark",
            "Wrong number of Xs",
            "Wrong number of Os",
        }
    )


@pytest.mark.parametrize("cells", ["         ", "X        ", "XXO O X O", "XXXOO    ", "XOXXOOOXX"])
@pytest.mark.parametrize("argument", NO_CELLS.values(), ids=NO_CELLS)
def test_what_is_no_cell_is_an_invalid_move_and_nothing_else(cells: str, argument: Any) -> None:
    state = GameState(Grid(cells))

    with pytest.raises(InvalidMove) as refusal:
        state.make_move_to(argument)

    assert type(refusal.value) is InvalidMove
    assert str(refusal.value) not in {"", "Cell is not empty"}
    assert len(str(refusal.value)) < 1_000
    assert state == GameState(Grid(cells))


@pytest.mark.parametrize("starter", "XO")
def test_a_move_after_the_end_is_an_invalid_move_that_says_why(starter: str) -> None:
    with pytest.raises(InvalidMove) as outside:
        GameState(Grid()).make_move_to(9)

    for cells in oracles.reachable(starter):
        if oracles.over(cells):
            state = GameState(Grid(cells), Mark(starter))
            for cell in range(9):
                with pytest.raises(InvalidMove) as refusal:
                    state.make_move_to(cell)
                assert str(refusal.value) not in {"", str(outside.value)}
                if cells[cell] == " ":
                    assert str(refusal.value) != "Cell is not empty", cells


COUNT_CALLS = """
import sys
from tic_tac_toe.logic.minimax import find_best_move
from tic_tac_toe.logic.models import GameState, Grid

calls = 0

def count(frame, event, argument):
    global calls
    calls += event == "call"

sys.setprofile(count)
move = find_best_move(GameState(Grid()))
sys.setprofile(None)
print(move.cell_index, calls)
"""


def test_the_opening_is_found_with_fewer_calls_than_the_textbook_weighs_moves() -> None:
    weighed = sum(KNOWN["perft_0_to_9"][1:])
    assert weighed == 549_945

    # In a fresh process: nothing has been solved there before.
    command = [sys.executable, "-W", "error", "-c", COUNT_CALLS]
    done = subprocess.run(command, capture_output=True, text=True, check=True, timeout=120)
    cell, calls = map(int, done.stdout.split())

    assert cell == 0
    assert 0 < calls < weighed


def test_the_loop_is_a_generator_that_anybody_can_drive() -> None:
    renderer = Recorder()
    cross = MinimaxComputerPlayer(Mark.CROSS, delay_seconds=0)
    naught = MinimaxComputerPlayer(Mark.NAUGHT, delay_seconds=0)
    errors: list[str] = []
    game = TicTacToe(cross, naught, renderer, lambda error: errors.append(str(error)))

    state = GameState(Grid("XX OO    "))
    turns = game.turns(state)
    next(turns)
    turns.send(InvalidMove("try again"))
    with pytest.raises(StopIteration):
        turns.send(state.make_move_to(2).after_state)

    assert renderer.grids == ["XX OO    ", "XX OO    ", "XXXOO    "]
    assert errors == ["try again"]


EVERY_EXCEPTION = pytest.mark.parametrize(
    "exception", [InvalidGameState, InvalidMove, UnknownGameScore]
)


@EVERY_EXCEPTION
def test_an_exception_of_the_module_carries_its_message_also_to_another_process(
    exception: type[Exception],
) -> None:
    copy = pickle.loads(pickle.dumps(exception("why not")))

    for error in (exception("why not"), copy):
        assert type(error) is getattr(exceptions, exception.__name__) is exception
        assert (str(error), error.args) == ("why not", ("why not",))
    assert exception.__module__ == "tic_tac_toe.logic.exceptions"


def test_catching_one_exception_catches_no_other() -> None:
    for one, another in itertools.permutations(
        (InvalidGameState, InvalidMove, UnknownGameScore), 2
    ):
        assert not issubclass(one, another)
