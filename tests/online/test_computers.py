"""Computers play like anybody else, and hold up nobody, whatever their strategies do."""

from __future__ import annotations

import asyncio
import time
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest

from tests.online import thoughts
from tests.online.halls import Guest, kill, opened, play, rest, seated
from tic_tac_toe.protocols.online.events import DRAW, REMATCH, TAKE_BACK, details_of
from tic_tac_toe.protocols.online.replies import Welcome
from tic_tac_toe.protocols.online.requests import Chat, Offer, Resign
from tic_tac_toe_frontends.server import computers
from tic_tac_toe_frontends.server.computers import Computers

FILE = "games.sqlite"


async def free_cell(guest: Guest) -> int:
    """Return a cell that can be played."""
    game = guest.game
    assert game is not None
    return int(game.rules.moves(game.position)[0])


async def play_on(guest: Guest, seat: str) -> None:
    """Play a seat to the end of the game."""
    while True:
        await guest.until(
            lambda: (game := guest.game) and (game.end is not None or game.turn == seat)
        )
        assert guest.game is not None
        if guest.game.end is not None:
            return
        assert (await guest.move(await free_cell(guest))).status == "ok"


@pytest.mark.parametrize("seat", ["X", "O"])
@pytest.mark.parametrize("starting", ["X", "O"])
def test_a_computer_plays_either_seat_and_begins_if_it_has_to(
    seat: str, starting: str, tmp_path: Path
) -> None:
    async def run() -> None:
        async with opened(tmp_path / FILE) as hall:
            guest = Guest(hall)
            game = await guest.create(opponent="rules", seat=seat, starting=starting)
            await play_on(guest, seat)
            moves = [event for event in hall.store.events(game) if event.kind == "move"]
            assert len(moves) >= 5
            assert moves[0].seat == starting
            assert all(one.seat != other.seat for one, other in pairwise(moves))

    play(run())


def test_a_computer_takes_back_declines_draws_and_plays_again(tmp_path: Path) -> None:
    async def run() -> None:
        async with opened(tmp_path / FILE) as hall:
            guest = Guest(hall)
            game = await guest.create(opponent="rules")
            assert (await guest.move(0)).status == "ok"
            await guest.until(lambda: guest.heard("move", "O"))
            await guest.ask(Offer("d", guest.version, DRAW))
            (declined,) = await guest.until(lambda: guest.heard("decline"))
            assert (details_of(declined.event)["text"], declined.event.seat) == (DRAW, "O")
            await guest.ask(Offer("t", guest.version, TAKE_BACK))
            (accepted,) = await guest.until(lambda: guest.heard("accept"))
            assert details_of(accepted.event)["text"] == TAKE_BACK
            room = hall.sessions[game]
            assert room.game is not None
            assert room.game.moves == ()
            assert (await guest.move(8)).status == "ok"
            await guest.until(lambda: len(guest.heard("move", "O")) == 2)
            await guest.ask(Resign("r"))
            await guest.ask(Offer("again", guest.version, REMATCH))
            (accepted,) = await guest.until(lambda: guest.heard("accept")[1:])
            follower = accepted.event.follower
            welcome = await guest.hello(follower, guest.token)
            assert isinstance(welcome, Welcome)
            assert welcome.seat == "O"
            await play_on(guest, "O")
            first = next(event for event in hall.store.events(follower) if event.kind == "move")
            assert first.seat == "X"

    play(run())


def test_what_is_taken_back_while_a_computer_thinks_is_not_answered(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(computers, "choose", thoughts.choose)

    async def run() -> None:
        async with opened(tmp_path / FILE) as hall:
            guest = Guest(hall)
            game = await guest.create(opponent=thoughts.SLOW)
            assert (await guest.move(0)).status == "ok"
            await guest.ask(Offer("t", guest.version, TAKE_BACK))
            await guest.until(lambda: guest.heard("accept"))
            await guest.until(lambda: len(hall.computers) == 0)
            await rest(hall)
            assert not guest.heard("move", "O")
            assert (await guest.move(4)).status == "ok"
            await guest.ask(Chat("c", "take your time"))
            await guest.until(lambda: guest.heard("move", "O"))
            await guest.until(lambda: len(hall.computers) == 0)
            await rest(hall)
            kinds = [event.kind for event in hall.store.events(game)]
            assert kinds.count("move") == 3

    play(run())


@pytest.mark.parametrize("how", ["stopped", "killed"])
def test_a_computer_whose_turn_it_was_moves_after_a_restart(how: str, tmp_path: Path) -> None:
    class Thoughtless(Computers):
        def consider(self, *_: Any) -> None:
            pass

    async def run() -> None:
        async with opened(tmp_path / FILE, computers=Thoughtless()) as hall:
            guest = Guest(hall)
            game = await guest.create(opponent="rules")
            assert (await guest.move(0)).status == "ok"
            if how == "killed":
                await kill(hall)
        async with opened(tmp_path / FILE) as hall:
            again = Guest(hall)
            await again.hello(game, guest.token)
            await again.until(lambda: again.heard("move", "O"))
            await play_on(again, "X")

    play(run())


async def check_replaced(tmp_path: Path, made: Computers, strategy: str, seconds: float) -> None:
    """Let a strategy go wrong while others play."""
    async with opened(tmp_path / FILE, computers=made) as hall:
        guest = Guest(hall)
        await guest.create(opponent=strategy)
        ann, bob, _ = await seated(hall)
        started = time.monotonic()
        assert (await guest.move(0)).status == "ok"
        for cell, player in zip((0, 3, 1, 4, 2), (ann, bob, ann, bob, ann), strict=True):
            assert (await player.move(cell)).status == "ok"
        assert time.monotonic() - started < 5
        end = time.monotonic() + seconds
        await guest.until(lambda: guest.heard("move", "O") or time.monotonic() > end)
        assert guest.heard("move", "O"), "the computer does not move"
        await guest.until(lambda: len(hall.computers) == 0)
        if strategy != thoughts.ENDLESS:
            await play_on(guest, "X")


@pytest.mark.parametrize("strategy", [thoughts.ENDLESS, thoughts.DYING, thoughts.FAULTY])
def test_a_strategy_that_goes_wrong_is_replaced_and_delays_no_other_game(
    strategy: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(computers, "choose", thoughts.choose)
    play(check_replaced(tmp_path, Computers(longest=1.0), strategy, 60))


@pytest.mark.slow
def test_thoughts_without_an_end_are_found(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(computers, "choose", thoughts.choose)
    with pytest.raises(AssertionError, match="does not move"):
        play(check_replaced(tmp_path, Computers(longest=3600), thoughts.ENDLESS, 12))


class InTheLoop(Computers):
    """Thinks where everything else is done too."""

    async def think(self, *arguments: Any) -> None:
        time.sleep(6)
        await super().think(*arguments)


@pytest.mark.slow
def test_a_thought_that_delays_others_is_found(tmp_path: Path) -> None:
    with pytest.raises(AssertionError):
        play(check_replaced(tmp_path, InTheLoop(), "rules", 60))


@pytest.mark.slow
def test_there_are_so_many_thoughts_and_the_others_come_later(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(computers, "choose", thoughts.choose)

    async def run() -> None:
        async with opened(tmp_path / FILE, computers=Computers(2, 0.5, most=2, again=0.1)) as hall:
            most = 0
            guests = [Guest(hall) for _ in range(5)]
            for guest in guests:
                await guest.create(opponent=thoughts.ENDLESS)
                assert (await guest.move(0)).status == "ok"
                most = max(most, len(hall.computers))

            def all_moved() -> bool:
                nonlocal most
                most = max(most, len(hall.computers))
                return all(guest.heard("move", "O") for guest in guests)

            end = time.monotonic() + 100
            while not all_moved():
                assert time.monotonic() < end
                await asyncio.sleep(0.05)
            assert most == 2

    play(run())


def test_a_computer_is_seen_to_be_there_and_has_no_token(tmp_path: Path) -> None:
    async def run() -> None:
        async with opened(tmp_path / FILE) as hall:
            guest = Guest(hall)
            game = await guest.create(opponent="rules")
            assert hall.sessions[game].followers.presence.seats == ("X", "O")
            stranger = Guest(hall)
            assert (await stranger.join(game)).reason == "seat_taken"
            for token in ("", "AAAAAAAAAAAAAAAAAAAAAA"):
                welcome = await stranger.hello(game, token)
                assert getattr(welcome, "seat", "") == ""

    play(run())


def test_a_game_that_has_left_the_memory_is_found_again_by_the_thought(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(computers, "choose", thoughts.choose)

    async def run() -> None:
        async with opened(tmp_path / FILE) as hall:
            guest = Guest(hall)
            game = await guest.create(opponent=thoughts.SLOW)
            assert (await guest.move(0)).status == "ok"
            guest.leave()
            await rest(hall)
            hall.sessions.drop(hall.sessions[game])
            assert game not in hall.sessions
            again = Guest(hall)
            await again.hello(game, guest.token)
            await again.until(lambda: again.heard("move", "O"))
            assert len(hall.store.events(game)) == 3

    play(run())
