"""Thinking aside: the window goes on, nobody else touches it, and what is stale is dropped."""

from __future__ import annotations

import random
import threading
from collections.abc import Callable

import pytest

from tests.frontends.window.display import PATIENCE, Open, Stage, virtual_display
from tests.machine import needs
from tic_tac_toe.game.moments import Hint
from tic_tac_toe.logic.models import GameState
from tic_tac_toe_frontends.window import app, driver, thoughts
from tic_tac_toe_frontends.window.thoughts import MOST

pytestmark = [needs("Xvfb", "xdotool"), pytest.mark.once]


class Thinker:
    """A computer player that thinks until it is let go; then it takes the first cell."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch) -> None:
        self.asked: list[GameState] = []
        self.let_go = threading.Event()
        monkeypatch.setattr(driver, "choose", self.choose)

    def choose(self, state: GameState, _name: str, _rng: random.Random) -> int:
        self.asked.append(state)
        assert self.let_go.wait(PATIENCE)
        return state.legal_cells[0]


@pytest.fixture
def thinker(monkeypatch: pytest.MonkeyPatch) -> Thinker:
    return Thinker(monkeypatch)


def test_the_window_takes_clicks_and_keys_while_a_computer_thinks(
    open_window: Open, thinker: Thinker
) -> None:
    stage = open_window(o="minimax")
    stage.click(4)
    stage.until(lambda: thinker.asked)

    stage.click(0)
    assert stage.app.view.detail.cget("text") == "It's the other player's turn"
    stage.app.choose("theme", "dark")
    stage.press("ctrl+l")
    assert stage.app.view.status.cget("text") == "O is thinking …"
    thinker.let_go.set()

    stage.until(lambda: stage.app.table.match.ply == 2)


def test_a_thought_that_is_stale_is_dropped(open_window: Open, thinker: Thinker) -> None:
    stage = open_window(o="minimax")
    stage.click(4)
    stage.until(lambda: thinker.asked)

    stage.press("ctrl+z")
    stage.click(8)
    stage.until(lambda: len(thinker.asked) == 2)
    thinker.let_go.set()

    stage.until(lambda: stage.app.table.match.ply == 2)
    assert [move.cell_index for move in stage.app.table.match.history] == [8, 0]


def test_taking_back_again_and_again_piles_up_no_threads(
    open_window: Open, thinker: Thinker
) -> None:
    stage = open_window(o="minimax")
    for _ in range(6):
        stage.app.play(4)
        stage.app.take_back()

    stage.app.play(3)
    threads = [thread for thread in threading.enumerate() if thread.name == "thinking"]
    assert len(threads) == MOST
    thinker.let_go.set()

    stage.until(lambda: stage.app.table.match.ply == 2)
    assert len(thinker.asked) == MOST + 1


def test_a_hint_that_is_stale_is_not_shown(
    open_window: Open, monkeypatch: pytest.MonkeyPatch
) -> None:
    let_go = threading.Event()

    def find_slowly(state: GameState) -> Hint:
        assert state.position.occupied or let_go.wait(PATIENCE)
        return Hint((0,), 0) if state.position.occupied else Hint((8,), 0)

    monkeypatch.setattr(app, "find_hint", find_slowly)
    stage = open_window()

    stage.press("h")
    assert stage.app.view.detail.cget("text") == "Looking for the best move …"
    stage.press("5")
    let_go.set()
    stage.until(lambda: not any(thread.name == "thinking" for thread in threading.enumerate()))
    assert stage.app.view.detail.cget("text") == "X plays B2."
    stage.press("h")

    stage.until(lambda: "Best for O: A1." in stage.app.view.detail.cget("text"))


def test_closing_in_mid_thought_ends_the_window_at_once(
    open_window: Open, thinker: Thinker
) -> None:
    stage = open_window(x="minimax", o="minimax")
    stage.until(lambda: thinker.asked)

    stage.press("ctrl+q")

    assert stage.is_closed
    thinker.let_go.set()


def test_what_goes_wrong_in_a_thought_is_not_lost(
    open_window: Open, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fail(_state: GameState, _name: str, _rng: random.Random) -> int:
        raise MemoryError("too much thought")

    monkeypatch.setattr(driver, "choose", fail)
    stage = open_window(o="easy")

    stage.press("5")
    stage.until(lambda: stage.errors)

    assert [str(error) for error in stage.errors] == ["too much thought"]
    stage.errors.clear()
    stage.press("ctrl+z")
    assert stage.app.table.match.ply == 0


def test_a_window_that_is_touched_by_the_thread_that_thinks_is_found_out(
    open_window: Open, monkeypatch: pytest.MonkeyPatch
) -> None:
    def answer_at_once(
        call: Callable[[], int],
        done: Callable[[int], object],
        _failed: Callable[[Exception], object],
    ) -> None:
        def run() -> None:
            stage.app.table.answer(stage.app.table.state, call())

        del done
        thread = threading.Thread(target=run, name="thinking")
        thread.start()

    monkeypatch.setattr(thoughts, "in_background", answer_at_once)
    monkeypatch.setattr(threading, "excepthook", lambda _args: None)
    stage = open_window(o="random")

    stage.press("5")
    stage.until(lambda: stage.guard.foreign)

    assert stage.guard.foreign[0].endswith("in thinking")
    stage.guard.foreign.clear()


def test_a_computers_move_that_waits_for_its_time_is_dropped_by_whatever_comes_before(
    open_window: Open,
) -> None:
    stage = open_window(o="random", delay=3600.0)

    stage.press("5")
    stage.until(lambda: not any(thread.name == "thinking" for thread in threading.enumerate()))
    stage.settle()
    assert stage.app.table.match.ply == 1
    stage.press("ctrl+z")
    stage.press("7")

    assert [move.cell_index for move in stage.app.table.match.history] == [0]


def test_a_display_ends_with_its_test() -> None:
    with virtual_display() as first, virtual_display() as second:
        assert first != second


def test_the_stage_notices_what_goes_wrong_in_a_callback(open_window: Open) -> None:
    stage: Stage = open_window()
    stage.root.after(0, lambda: 1 // 0)

    stage.until(lambda: stage.errors)

    assert isinstance(stage.errors.pop(), ZeroDivisionError)


@pytest.mark.slow
def test_a_move_on_the_largest_board_takes_few_calls_of_tk_which_wait_for_thinking_threads(
    open_window: Open,
) -> None:
    stage = open_window("mnk:26,26,26")
    for cell in range(400):
        stage.app.table.match.submit(stage.app.table.state.current_mark, cell)
    stage.app.play(400)
    before = stage.guard.calls

    stage.app.play(401)

    assert stage.guard.calls - before < 40
