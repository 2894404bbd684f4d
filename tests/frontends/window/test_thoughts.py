"""Thinking aside: the window goes on, nobody else touches it, and what is stale is dropped."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from typing import Any

import pytest

from tests.frontends.programs import PATIENCE
from tests.frontends.window.display import ON_DISPLAY, Open
from tic_tac_toe.logic.models import GameState

pytestmark = ON_DISPLAY


class Thinker:
    """A computer player that thinks until it is let go; then it takes the first cell."""

    def __init__(self) -> None:
        self.asked: list[GameState] = []
        self.let_go = threading.Event()

    def answer(self, query: Any) -> int:
        self.asked.append(query.state)
        assert self.let_go.wait(PATIENCE)
        cell: int = query.state.legal_cells[0]
        return cell


@pytest.fixture
def thinker() -> Iterator[Thinker]:
    thinker = Thinker()
    yield thinker
    thinker.let_go.set()


def test_the_window_takes_clicks_and_keys_while_a_computer_thinks(
    open_window: Open, thinker: Thinker
) -> None:
    stage = open_window(o="minimax", answer=thinker.answer)
    stage.click(4)
    stage.until(lambda: thinker.asked)

    stage.click(0)
    assert stage.detail == "It's the other player's turn"
    stage.app.choose("theme", "dark")
    stage.press("ctrl+l")
    assert stage.status == "The computer is thinking …"
    stage.press("ctrl+z")
    stage.click(8)
    stage.until(lambda: len(thinker.asked) == 2)
    thinker.let_go.set()

    stage.until(lambda: stage.table.match.ply == 2)
    assert stage.cells == [8, 0]


def test_closing_in_mid_thought_ends_the_window_at_once(
    open_window: Open, thinker: Thinker
) -> None:
    stage = open_window(x="minimax", o="minimax", answer=thinker.answer)
    stage.until(lambda: thinker.asked)

    stage.press("ctrl+q")

    assert stage.is_closed


def test_what_goes_wrong_in_a_thought_is_not_lost(open_window: Open) -> None:
    def fail(_query: object) -> int:
        raise MemoryError("too much thought")

    stage = open_window(o="easy", answer=fail)

    stage.press("5")
    stage.until(lambda: stage.errors)

    assert [str(error) for error in stage.errors] == ["too much thought"]
    stage.errors.clear()
    stage.press("ctrl+z")
    assert stage.table.match.ply == 0


@pytest.mark.slow
def test_a_move_on_the_largest_board_takes_few_calls_of_tk_which_wait_for_thinking_threads(
    open_window: Open,
) -> None:
    stage = open_window("mnk:26,26,26")
    for cell in range(400):
        stage.table.match.submit(stage.table.state.current_mark, cell)
    stage.app.play(400)
    before = stage.guard.calls

    stage.app.play(401)

    assert stage.guard.calls - before < 40
