"""What people hold cannot be written to, is equal after pickling, and tells what it is."""

from __future__ import annotations

import copy
import pickle
import pydoc
from typing import Any, cast

import pytest

from tic_tac_toe import (
    STRATEGIES,
    VARIANTS,
    GameState,
    Mark,
    Match,
    Shape,
    TicTacToe,
    analyse,
    parse_state,
    tree,
    verdict,
)
from tic_tac_toe.game.players import StrategyPlayer
from tic_tac_toe.logic.rules.lines import lines
from tic_tac_toe.logic.shapes import layout
from tic_tac_toe.testing import RecordingRenderer

STATE = parse_state("XXO/O.X/.O.")
SHARED = [
    (verdict(STATE), "state"),
    (analyse(STATE), "state"),
    (layout(Shape(3, 4)), "full"),
    (lines(Shape(3, 4), 3), "length"),
    (STRATEGIES, "_entries"),
]


@pytest.mark.parametrize(("value", "name"), SHARED, ids=lambda part: type(part).__name__)
def test_a_value_that_many_may_share_cannot_be_written_to(value: Any, name: str) -> None:
    before = getattr(value, name)
    for attribute in (name, "anything"):
        with pytest.raises(AttributeError):
            setattr(value, attribute, None)
        with pytest.raises(AttributeError):
            delattr(value, attribute)
    assert getattr(value, name) is before


@pytest.mark.parametrize("value", [value for value, _ in SHARED[:4]] + [tree(STATE)], ids=type)
def test_a_value_is_equal_after_pickling_and_copying(value: Any) -> None:
    for twin in (pickle.loads(pickle.dumps(value)), copy.deepcopy(value)):
        assert (twin, type(twin), hash(twin)) == (value, type(value), hash(value))
        assert getattr(twin, "state", None) == getattr(value, "state", None)


def test_trees_that_say_something_else_are_not_equal() -> None:
    assert tree(STATE) != tree(STATE, search="alphabeta")
    assert tree(STATE) != tree(STATE, 1)
    assert tree(STATE) != tree(STATE.make_move_to(4).after_state)
    assert tree(STATE) != cast("Any", STATE)


@pytest.mark.parametrize(
    ("state", "drawing"),
    [
        (STATE, ["  A B C", "1 X X O", "2 O . X", "3 . O .", "", "X to move"]),
        (parse_state("XXX/OO./..."), ["  A B C", "1 X X X", "2 O O .", "3 . . .", "", "X has won"]),
        (parse_state("XOX/XOO/OXX"), ["  A B C", "1 X O X", "2 X O O", "3 O X X", "", "a draw"]),
    ],
)  # fmt: skip
def test_a_printed_state_is_its_board_and_status(state: GameState, drawing: list[str]) -> None:
    assert str(state).splitlines() == drawing
    assert repr(state).startswith("GameState(grid=Grid(")


def test_a_printed_board_of_boards_shows_where_one_may_play() -> None:
    state = GameState.new(VARIANTS["ultimate"]).make_move_to(0).after_state
    assert str(state).splitlines()[1:4] == ["1 X . .", "2 . . .", "3 . . ."]


def test_a_letter_is_a_mark_wherever_marks_are_asked_for() -> None:
    cross = cast("Mark", "X")
    won = parse_state("XXX/OO./...")
    assert won.evaluate_score(cross) == 1
    assert Mark.CROSS in {"X"}
    assert {"X": 1}[Mark.CROSS] == 1
    assert Match().submit(cross, 4).mark is Mark.CROSS
    players = [StrategyPlayer(cast("Mark", letter), STRATEGIES["rules"], 0) for letter in "XO"]
    final = TicTacToe(players[0], players[1], RecordingRenderer()).play(cast("Mark", "O"))
    assert final.starting_mark is Mark.NAUGHT
    match = Match()
    match.submit(cross, 4)
    assert match.can_take_back({cross})


def test_help_on_the_strategies_says_how_each_plays() -> None:
    text = pydoc.plain(pydoc.render_doc(STRATEGIES))
    for name, strategy in STRATEGIES.items():
        assert name in text
        assert str(strategy.__doc__).partition("\n")[0] in text
