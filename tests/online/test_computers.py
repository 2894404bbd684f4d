"""Computers play like anybody else, and hold up nobody, whatever their strategies do."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from itertools import count, pairwise
from typing import Any

import pytest

from tests.online import thoughts
from tests.online.world import Guest, World, kill, limited, play_moves, rest, seated, until
from tic_tac_toe.protocols.online.events import DRAW, REMATCH, TAKE_BACK, details_of
from tic_tac_toe_frontends.server import computers
from tic_tac_toe_frontends.server.budgets import Budget
from tic_tac_toe_frontends.server.computers import (
    STOPPED_SECONDS,
    Computers,
    MoveSearch,
    SearchQueue,
)
from tic_tac_toe_frontends.server.game_server import GameServer

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


@pytest.mark.medium
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


@pytest.mark.medium
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


@pytest.mark.slow
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


@pytest.mark.medium
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


@pytest.mark.slow
@pytest.mark.parametrize("strategy", [thoughts.ENDLESS, thoughts.DYING, thoughts.FAULTY])
async def test_a_strategy_that_goes_wrong_is_replaced(strategy: str, world: World) -> None:
    server = await world.open(computers=Computers(longest=0.5))
    guest = Guest(server)
    await guest.create(opponent=strategy)
    assert (await guest.move(0)).status == "ok"
    await until(lambda: guest.heard("move", "O"), "the computer moves")
    await guest.until(lambda: len(server.computers) == 0)
    if strategy != thoughts.ENDLESS:
        await play_on(guest, "X")


async def test_a_thought_delays_no_other_game(world: World) -> None:
    server = await world.open(computers=Computers(longest=3600))
    guest = Guest(server)
    await guest.create(opponent=thoughts.ENDLESS)
    ann, bob, _ = await seated(server)
    assert (await guest.move(0)).status == "ok"
    await play_moves((ann, 0), (bob, 3), (ann, 1), (bob, 4), (ann, 2))
    assert not guest.heard("move", "O"), "the others waited for the computer"


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


@pytest.mark.medium
async def test_nobody_waits_for_the_computers_of_a_stranger(world: World) -> None:
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
    await until(lambda: quick.heard("move", "O"), "an easy computer moves")
    greedy.connection.budget.thinking.charge(server.clock(), 1000)
    assert (await slow.move(0)).status == "ok"
    await until(lambda: slow.heard("move", "O"), "a strong computer moves")


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


@pytest.mark.slow
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


# -- turns -----------------------------------------------------------------------------------------


class Desk:
    """Turns with a clock that the test moves, and thoughts that note when they begin and stop."""

    def __init__(self, slots: int = 1) -> None:
        self.now = 0.0
        self.queue = SearchQueue(slots, lambda: self.now)
        self.stopped: list[str] = []
        self._games: Iterator[int] = count(1)

    def budget(self, seconds: float = 10.0) -> Budget:
        """Return an account with some seconds of thinking at once, and one in ten after that."""
        return Budget(limited(thinking=(seconds, 0.1)))

    def ask(self, owner: Budget | None, version: int = 1) -> MoveSearch:
        """Let a new game of somebody wait for a move."""
        game = f"g{next(self._games)}"

        def begin(_: MoveSearch) -> Callable[[], object]:
            return lambda: self.stopped.append(game)

        search = MoveSearch(game, version, owner, self.now, begin)
        self.queue.add(search)
        return search

    def run(self, seconds: float) -> list[MoveSearch]:
        """Let the searches that run, and those that begin then, take some seconds; return them."""
        self.begin()
        self.now += seconds
        ended = list(self.queue.running.values())
        for search in ended:
            assert self.queue.finish(search)
        return ended

    def begin(self) -> list[MoveSearch]:
        """Begin what can begin now, and return it."""
        begun = []
        while (search := self.queue.start_next()) is not None:
            begun.append(search)
        return begun


def test_addresses_take_turns_however_many_games_one_of_them_has() -> None:
    desk = Desk()
    many, one = desk.budget(1000), desk.budget()
    for _ in range(63):
        desk.ask(many)
    desk.run(1.0)
    theirs = desk.ask(one)
    assert theirs in desk.run(1.0) + desk.run(1.0)


def test_an_address_with_several_searches_gives_one_up_for_an_address_with_none() -> None:
    desk = Desk(slots=3)
    many, one = desk.budget(), desk.budget()
    mine = [desk.ask(many) for _ in range(5)]
    assert desk.begin() == mine[:3]
    theirs = desk.ask(one)
    assert desk.begin() == [theirs]
    assert desk.stopped == [mine[2].game]
    waiting = desk.queue.find(mine[2].game)
    assert waiting is not None
    assert waiting.started_at is None
    assert desk.queue.waiting == 3


def test_an_address_without_thinking_seconds_gives_way_to_all_others() -> None:
    desk = Desk()
    spender, other = desk.budget(5.0), desk.budget()
    desk.ask(spender)
    desk.run(6.0)
    long = desk.ask(spender)
    assert desk.begin() == [long], "nobody else waits"
    theirs = desk.ask(other)
    assert desk.begin() == [theirs]
    assert desk.stopped == [long.game]
    assert desk.run(1.0) == [theirs]
    assert [search.game for search in desk.begin()] == [long.game]


def test_thinking_seconds_come_back() -> None:
    desk = Desk()
    spender, other = desk.budget(5.0), desk.budget()
    desk.ask(spender)
    desk.run(6.0)
    desk.now += 11.0
    first, second = desk.ask(spender), desk.ask(other)
    assert desk.run(1.0) == [first]
    assert desk.run(1.0) == [second]


def test_games_that_nobody_has_come_to_wait_for_all_others() -> None:
    desk = Desk()
    nobody, somebody = desk.ask(None), desk.ask(desk.budget())
    assert desk.run(1.0) == [somebody]
    assert desk.run(1.0) == [nobody]


def test_a_search_that_is_stopped_costs_a_second_and_a_pause() -> None:
    desk = Desk()
    budget = desk.budget(10.0)
    search = desk.ask(budget)
    desk.begin()
    desk.queue.drop(search.game)
    assert desk.stopped == [search.game]
    assert not desk.queue.finish(search), "its end is of no interest any more"
    assert budget.thinking.left == 10.0 - STOPPED_SECONDS
    again = desk.ask(budget)
    assert desk.begin() == []
    assert desk.queue.pause() == STOPPED_SECONDS
    desk.now += STOPPED_SECONDS
    assert desk.begin() == [again]


def test_a_thought_that_still_waits_is_dropped_for_nothing() -> None:
    desk = Desk()
    budget = desk.budget(10.0)
    desk.queue.drop(desk.ask(budget).game)
    assert (len(desk.queue), desk.stopped, budget.thinking.left) == (0, [], 10.0)


def test_all_thoughts_are_cleared_at_once() -> None:
    desk = Desk(slots=2)
    thoughts = [desk.ask(desk.budget()) for _ in range(4)]
    desk.begin()
    desk.queue.clear()
    assert len(desk.queue) == 0
    assert desk.stopped == [search.game for search in thoughts[:2]]


@pytest.mark.parametrize("slots", [1, 2])
def test_every_thought_is_had_in_the_end(slots: int) -> None:
    desk = Desk(slots)
    owners = [desk.budget(3.0), desk.budget(), None, desk.budget(100.0)]
    asked = {desk.ask(owners[number % 4]).game for number in range(40)}
    ended: set[str] = set()
    for _ in range(60):
        ended |= {search.game for search in desk.run(1.0)}
    assert ended == asked
