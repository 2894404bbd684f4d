"""The board in a notebook that has an event loop: computers think beside the page."""

from __future__ import annotations

import asyncio
import random
import threading
import xml.etree.ElementTree as ET
from collections.abc import Iterator
from functools import partial

import pytest

from tests.frontends.notebook.games import NONSENSE, in_a_notebook, send, two_people, until
from tests.frontends.programs import PATIENCE
from tic_tac_toe.game.strategies import STRATEGIES
from tic_tac_toe.logic.exceptions import InvalidMove
from tic_tac_toe.logic.models import GameState, Move
from tic_tac_toe.logic.notation import format_state
from tic_tac_toe_frontends.notebook import Game
from tic_tac_toe_frontends.words.rules_text import STARTERS
from tic_tac_toe_frontends.words.translation import LANGUAGES


def shows_values(game: Game, count: int) -> bool:
    return bool(game.page["picture"].count("ttt-value ") == count)


@in_a_notebook
async def test_with_an_event_loop_a_move_returns_before_the_computer_has_answered() -> None:
    game = Game(o="minimax", lang="en")

    game.place("B2")

    assert format_state(game.state) == ".../.X./... o"
    assert game.page["status"] == "The computer is thinking …"
    assert game.page["busy"]
    with pytest.raises(InvalidMove, match="It's the other player's turn"):
        game.place("C3")
    state = await game.answered()
    assert format_state(state) == "O../.X./... x"
    assert game.page["status"] == "Your turn."


@in_a_notebook
async def test_several_games_go_on_beside_one_another() -> None:
    games = [Game(o=name, seed=1) for name in STRATEGIES]

    for game in games:
        send(game, {"place": 4, "ply": 0})
    for game in games:
        await game.answered()

    assert [game.page["ply"] for game in games] == [2] * len(games)


@in_a_notebook
async def test_two_computers_play_to_the_end_by_themselves() -> None:
    game = Game("misere", x="minimax", o="minimax", delay=0)

    state = await game.answered()

    assert state.game_over
    assert len(game.record.moves) == 9


class Slow:
    """A strategy that thinks until it is let go."""

    def __init__(self) -> None:
        self.asked = threading.Event()
        self.go = threading.Event()

    def __call__(self, state: GameState, rng: random.Random, **_effort: object) -> Move | None:
        self.asked.set()
        assert self.go.wait(PATIENCE)
        return state.make_move_to(state.legal_cells[-1])


@pytest.fixture
def slow(monkeypatch: pytest.MonkeyPatch) -> Iterator[Slow]:
    """Let the perfect player be slow."""
    slow = Slow()
    strategies = {**STRATEGIES, "minimax": slow}
    monkeypatch.setattr("tic_tac_toe.game.strategies.STRATEGIES", strategies)
    yield slow
    slow.go.set()


@in_a_notebook
async def test_closing_a_game_in_the_middle_of_a_thought_ends_cleanly(slow: Slow) -> None:
    game = Game(o="minimax")
    game.place("B2")
    await until(slow.asked.is_set)

    game.close()
    game.close()


@in_a_notebook
async def test_the_page_is_heard_while_a_computer_thinks_and_a_late_thought_is_dropped(
    slow: Slow,
) -> None:
    game = Game(o="minimax")
    game.place("B2")
    await until(slow.asked.is_set)

    send(game, {"press": "undo"})
    assert format_state(game.state) == ".../.../... x"
    slow.go.set()
    send(game, {"place": 0, "ply": 0})
    await game.answered()

    assert game.record.moves == (0, 8)
    game.close()


@in_a_notebook
async def test_what_arrives_in_another_thread_is_done_in_that_of_the_game() -> None:
    game = two_people()
    threads: list[int] = []
    game.observe(lambda _change: threads.append(threading.get_ident()), ["state", "shown"])

    def visit() -> None:
        send(game, {"place": 4, "ply": 0})
        game.set_state({"shown": 7})

    visitor = threading.Thread(target=visit)
    visitor.start()
    visitor.join(PATIENCE)
    await until(lambda: game.shown == 7)

    assert game.page["ply"] == 1
    assert threads == [threading.get_ident()] * 2


@in_a_notebook
async def test_an_analysis_arrives_when_it_is_done_and_belongs_to_the_state_that_is_shown() -> None:
    game = two_people(analyse=True, lang="en")
    assert game.page["remarks"] == ["Analysing …"]

    for ply, move in enumerate(["B2", "A1", "C3"]):
        game.place(move)
        await until(partial(shows_values, game, 8 - ply))


# -- a monkey --------------------------------------------------------------------------------------


def anything(rng: random.Random, game: Game) -> object:
    """Return a message: mostly a click, often a button, sometimes anything at all."""
    dice, shape = rng.random(), game.state.rules.shape
    if dice < 0.6:
        stale = rng.random() < 0.1
        return {"place": rng.randrange(-1, shape.cells + 1), "ply": game.page["ply"] - stale}
    if dice < 0.8:
        return {"press": rng.choice(["undo", "redo", "undo", "redo", "hint", "close"])}
    if dice < 0.83:
        return {"analyse": rng.random() < 0.3}
    if dice < 0.88:
        variant = rng.choice(["tic-tac-toe", "misere-tic-tac-toe", ""])
        players = [rng.choice(["human", "random", "rules"]) for _ in "xo"]
        starting = rng.choice(STARTERS)
        return {"new": {"variant": variant, "x": players[0], "o": players[1], "starting": starting}}
    return rng.choice(NONSENSE)


@pytest.mark.parametrize("seed", range(2))
@in_a_notebook
async def test_hundreds_of_random_messages_break_nothing(seed: int) -> None:
    rng = random.Random(seed)
    game = Game(seed=seed, delay=0, lang=rng.choice(list(LANGUAGES)))
    for step in range(800):
        send(game, anything(rng, game))
        assert game.record.final_state == game.state
        assert game.page["ply"] == len(game.record.moves)
        if rng.random() < 0.3:
            await asyncio.sleep(0)
        if step % 200 == 0:
            await game.answered()
            ET.fromstring(game.page["picture"])
    game.close()
    assert game.page["score"]
