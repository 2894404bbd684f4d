"""Computers play like anybody else, and hold up nobody, whatever their strategies do."""

from __future__ import annotations

import dataclasses
from collections.abc import Callable
from concurrent.futures import Future
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest

from tests.online import thoughts
from tests.online.world import Guest, kill, opened, play_moves, rest, seated, until
from tests.online.processes import PATIENCE
from tic_tac_toe.protocols.online.events import DRAW, REMATCH, TAKE_BACK, details_of
from tic_tac_toe_frontends.server import computers
from tic_tac_toe_frontends.server.computers import Computers
from tic_tac_toe_frontends.server.game_server import GameServer
from tic_tac_toe_frontends.server.thoughts import Thought, Turns

pytestmark = pytest.mark.anyio



@pytest.fixture(autouse=True)
def strange_strategies(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let the names in `thoughts` stand for strategies that go wrong."""
    monkeypatch.setattr(computers, "choose", thoughts.choose)


async def play_on(guest: Guest, seat: str) -> None:
    """Play a seat to the end of the game."""
    while True:
        await guest.until(
            lambda: (game := guest.game) and (game.end is not None or game.turn == seat)
        )
        game = guest.game
        assert game is not None
        if game.end is not None:
            return
        assert (await guest.move(game.rules.moves(game.position)[0])).status == "ok"


@pytest.mark.parametrize("seat", ["X", "O"])
@pytest.mark.parametrize("starting", ["X", "O"])
async def test_a_computer_plays_either_seat_and_begins_if_it_has_to(
    seat: str, starting: str, server: GameServer
) -> None:
    guest = Guest(server)
    game = await guest.create(opponent="rules", seat=seat, starting=starting)
    await play_on(guest, seat)
    moves = [event for event in server.store.events(game) if event.kind == "move"]
    assert len(moves) >= 5
    assert moves[0].seat == starting
    assert all(one.seat != other.seat for one, other in pairwise(moves))


async def test_a_computer_takes_back_declines_draws_and_plays_again(server: GameServer) -> None:
    guest = Guest(server)
    game = await guest.create(opponent="rules")
    assert (await guest.move(0)).status == "ok"
    await guest.until(lambda: guest.heard("move", "O"))
    await guest.offer(DRAW)
    (declined,) = await guest.until(lambda: guest.heard("decline"))
    assert (details_of(declined.event)["text"], declined.event.seat) == (DRAW, "O")
    await guest.offer(TAKE_BACK)
    (accepted,) = await guest.until(lambda: guest.heard("accept"))
    assert details_of(accepted.event)["text"] == TAKE_BACK
    room = server.sessions[game]
    assert room.game is not None
    assert room.game.moves == ()
    assert (await guest.move(8)).status == "ok"
    await guest.until(lambda: len(guest.heard("move", "O")) == 2)
    await guest.resign()
    await guest.offer(REMATCH)
    (accepted,) = await guest.until(lambda: guest.heard("accept")[1:])
    follower = accepted.event.follower
    welcome = await guest.hello(follower, guest.token)
    assert welcome.seat == "O"
    await play_on(guest, "O")
    first = next(event for event in server.store.events(follower) if event.kind == "move")
    assert first.seat == "X"


async def test_what_is_taken_back_while_a_computer_thinks_is_not_answered(
    server: GameServer,
) -> None:
    guest = Guest(server)
    game = await guest.create(opponent=thoughts.SLOW)
    assert (await guest.move(0)).status == "ok"
    await guest.offer(TAKE_BACK)
    await guest.until(lambda: guest.heard("accept"))
    await guest.until(lambda: len(server.computers) == 0)
    await rest(server)
    assert not guest.heard("move", "O")
    assert (await guest.move(4)).status == "ok"
    await guest.say("take your time")
    await guest.until(lambda: guest.heard("move", "O"))
    await guest.until(lambda: len(server.computers) == 0)
    await rest(server)
    kinds = [event.kind for event in server.store.events(game)]
    assert kinds.count("move") == 3


@pytest.mark.parametrize("how", ["stopped", "killed"])
async def test_a_computer_whose_turn_it_was_moves_after_a_restart(how: str, world: World) -> None:
    class Thoughtless(Computers):
        def consider(self, *_: Any) -> None:
            pass

    server = await world.open(computers=Thoughtless())
    guest = Guest(server)
    game = await guest.create(opponent="rules")
    assert (await guest.move(0)).status == "ok"
    if how == "killed":
        await kill(server)
    server = await world.open()
    again = Guest(server)
    await again.hello(game, guest.token)
    await again.until(lambda: again.heard("move", "O"))
    await play_on(again, "X")


async def check_replaced(world: World, made: Computers, strategy: str, seconds: float) -> None:
    """Let a strategy go wrong."""
    server = await world.open(computers=made)
    guest = Guest(server)
    await guest.create(opponent=strategy)
    assert (await guest.move(0)).status == "ok"
    await until(lambda: guest.heard("move", "O"), "the computer moves", seconds)
    await guest.until(lambda: len(server.computers) == 0)
    if strategy != thoughts.ENDLESS:
        await play_on(guest, "X")


@pytest.mark.parametrize("strategy", [thoughts.ENDLESS, thoughts.DYING, thoughts.FAULTY])
async def test_a_strategy_that_goes_wrong_is_replaced(strategy: str, tmp_path: Path) -> None:
    await check_replaced(tmp_path, Computers(longest=1.0), strategy, 60)


async def check_undelayed(world: World, made: Computers, strategy: str) -> None:
    """Play a game to its end while a computer player thinks in another."""
    server = await world.open(computers=made)
    guest = Guest(server)
    await guest.create(opponent=strategy)
    ann, bob, _ = await seated(server)
    assert (await guest.move(0)).status == "ok"
    await play_moves((ann, 0), (bob, 3), (ann, 1), (bob, 4), (ann, 2))
    assert not guest.heard("move", "O"), "the others waited for the computer"


async def test_a_thought_delays_no_other_game(tmp_path: Path) -> None:
    await check_undelayed(tmp_path, Computers(longest=3600), thoughts.ENDLESS)


# -- strangers -------------------------------------------------------------------------------------


async def test_a_game_has_one_thought_which_ends_when_the_game_goes_on(world: World) -> None:
    server = await world.open(computers=Computers(longest=3600))
    guest = Guest(server)
    await guest.create(opponent=thoughts.ENDLESS)
    for _ in range(3):
        assert (await guest.move(0)).status == "ok"
        assert len(server.computers) == 1
        await guest.offer(TAKE_BACK)
        await guest.until(lambda: guest.game and not guest.game.moves)
        assert len(server.computers) == 0
    assert (await guest.move(0)).status == "ok"
    assert len(server.computers) == 1
    await guest.resign()
    assert len(server.computers) == 0


async def check_that_nobody_waits_for_a_stranger(world: World, patience: float) -> None:
    """Let one address ask for more thoughts than can be had, and two others for one each."""
    server = await world.open(computers=Computers(longest=3600))
    for _ in range(20):
        greedy = Guest(server, "192.0.2.66")
        await greedy.create(opponent=thoughts.ENDLESS)
        assert (await greedy.move(0)).status == "ok"
    quick, slow = Guest(server, "192.0.2.2"), Guest(server, "192.0.2.3")
    await quick.create(opponent="easy")
    await slow.create(opponent="minimax")
    assert server.computers.waiting >= 18
    assert (await quick.move(0)).status == "ok"
    await until(lambda: quick.heard("move", "O"), "an easy computer moves", patience)
    greedy.connection.account.thinking.charge(server.clock(), 1000)
    assert (await slow.move(0)).status == "ok"
    await until(lambda: slow.heard("move", "O"), "a strong computer moves", patience)


async def test_nobody_waits_for_the_computers_of_a_stranger(tmp_path: Path) -> None:
    await check_that_nobody_waits_for_a_stranger(tmp_path, PATIENCE)


async def test_the_wait_for_a_thought_is_counted(world: World) -> None:
    server = await world.open(computers=Computers(longest=3600))
    ann, bob = Guest(server), Guest(server)
    for guest in (ann, bob):
        await guest.create(opponent=thoughts.ENDLESS)
        assert (await guest.move(0)).status == "ok"
    sample = server.registry.get_sample_value
    assert sample("tictactoe_thoughts") == 2
    assert sample("tictactoe_thoughts_waiting") == 1
    assert sample("tictactoe_thought_wait_seconds_count") == 1


async def test_a_computer_is_seen_to_be_there_and_has_no_token(server: GameServer) -> None:
    guest = Guest(server)
    game = await guest.create(opponent="rules")
    assert server.sessions[game].followers.presence.seats == ("X", "O")
    stranger = Guest(server)
    assert (await stranger.join(game)).reason == "seat_taken"
    assert (await stranger.hello(game)).seat == ""
    assert (await stranger.ask(stranger.greeting(game, "A" * 22))).reason == "unknown_game"


async def test_a_game_that_has_left_the_memory_is_found_again_by_the_thought(
    server: GameServer,
) -> None:
    guest = Guest(server)
    game = await guest.create(opponent=thoughts.SLOW)
    assert (await guest.move(0)).status == "ok"
    guest.leave()
    await rest(server)
    server.sessions.drop(server.sessions[game])
    assert game not in server.sessions
    again = Guest(server)
    await again.hello(game, guest.token)
    await again.until(lambda: again.heard("move", "O"))
    assert len(server.store.events(game)) == 3
