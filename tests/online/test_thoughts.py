"""Computers think for one address after the other, whatever any of them asks for."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from itertools import count

import pytest

from tic_tac_toe_frontends.server.rate_limits import Account, Allowance
from tic_tac_toe_frontends.server.thoughts import STOPPED_SECONDS, Thought, Turns


class Desk:
    """Turns with a clock that the test moves, and thoughts that note when they begin and stop."""

    def __init__(self, slots: int = 1) -> None:
        self.now = 0.0
        self.turns = Turns(slots, lambda: self.now)
        self.stopped: list[str] = []
        self._games: Iterator[int] = count(1)

    def account(self, seconds: float = 10.0) -> Account:
        """Return an account with some seconds of thinking at once, and one in ten after that."""
        return Account(Allowance(thinking_at_once=seconds, thinking=0.1), self.now)

    def ask(self, owner: Account | None, version: int = 1) -> Thought:
        """Let a new game of somebody wait for a move."""
        game = f"g{next(self._games)}"

        def begin(_: Thought) -> Callable[[], object]:
            return lambda: self.stopped.append(game)

        thought = Thought(game, version, owner, self.now, begin)
        self.turns.add(thought)
        return thought

    def run(self, seconds: float) -> list[Thought]:
        """Let the searches that run, and those that begin then, take some seconds; return them."""
        self.begin()
        self.now += seconds
        ended = list(self.turns.running.values())
        for thought in ended:
            assert self.turns.done(thought)
        return ended

    def begin(self) -> list[Thought]:
        """Begin what can begin now, and return it."""
        begun = []
        while (thought := self.turns.begin()) is not None:
            begun.append(thought)
        return begun


def test_addresses_take_turns_however_many_games_one_of_them_has() -> None:
    desk = Desk()
    many, one = desk.account(1000), desk.account()
    for _ in range(63):
        desk.ask(many)
    desk.run(1.0)
    theirs = desk.ask(one)
    assert theirs in desk.run(1.0) + desk.run(1.0)


def test_an_address_with_several_searches_gives_one_up_for_an_address_with_none() -> None:
    desk = Desk(slots=3)
    many, one = desk.account(), desk.account()
    mine = [desk.ask(many) for _ in range(5)]
    assert desk.begin() == mine[:3]
    theirs = desk.ask(one)
    assert desk.begin() == [theirs]
    assert desk.stopped == [mine[2].game]
    waiting = desk.turns.find(mine[2].game)
    assert waiting is not None
    assert waiting.begun is None
    assert desk.turns.waiting == 3


def test_an_address_without_thinking_seconds_gives_way_to_all_others() -> None:
    desk = Desk()
    spender, other = desk.account(5.0), desk.account()
    desk.ask(spender)
    desk.run(6.0)
    long = desk.ask(spender)
    assert desk.begin() == [long], "nobody else waits"
    theirs = desk.ask(other)
    assert desk.begin() == [theirs]
    assert desk.stopped == [long.game]
    assert desk.run(1.0) == [theirs]
    assert [thought.game for thought in desk.begin()] == [long.game]


def test_thinking_seconds_come_back() -> None:
    desk = Desk()
    spender, other = desk.account(5.0), desk.account()
    desk.ask(spender)
    desk.run(6.0)
    desk.now += 11.0
    first, second = desk.ask(spender), desk.ask(other)
    assert desk.run(1.0) == [first]
    assert desk.run(1.0) == [second]


def test_games_that_nobody_has_come_to_wait_for_all_others() -> None:
    desk = Desk()
    nobody, somebody = desk.ask(None), desk.ask(desk.account())
    assert desk.run(1.0) == [somebody]
    assert desk.run(1.0) == [nobody]


def test_a_search_that_is_stopped_costs_a_second_and_a_pause() -> None:
    desk = Desk()
    account = desk.account(10.0)
    thought = desk.ask(account)
    desk.begin()
    desk.turns.drop(thought.game)
    assert desk.stopped == [thought.game]
    assert not desk.turns.done(thought), "its end is of no interest any more"
    assert account.thinking.left == 10.0 - STOPPED_SECONDS
    again = desk.ask(account)
    assert desk.begin() == []
    assert desk.turns.pause() == STOPPED_SECONDS
    desk.now += STOPPED_SECONDS
    assert desk.begin() == [again]


def test_a_thought_that_still_waits_is_dropped_for_nothing() -> None:
    desk = Desk()
    account = desk.account(10.0)
    desk.turns.drop(desk.ask(account).game)
    assert (len(desk.turns), desk.stopped, account.thinking.left) == (0, [], 10.0)


def test_all_thoughts_are_cleared_at_once() -> None:
    desk = Desk(slots=2)
    thoughts = [desk.ask(desk.account()) for _ in range(4)]
    desk.begin()
    desk.turns.clear()
    assert len(desk.turns) == 0
    assert desk.stopped == [thought.game for thought in thoughts[:2]]


@pytest.mark.parametrize("slots", [1, 2])
def test_every_thought_is_had_in_the_end(slots: int) -> None:
    desk = Desk(slots)
    owners = [desk.account(3.0), desk.account(), None, desk.account(100.0)]
    asked = {desk.ask(owners[number % 4]).game for number in range(40)}
    ended: set[str] = set()
    for _ in range(60):
        ended |= {thought.game for thought in desk.run(1.0)}
    assert ended == asked
