"""Clocks: the player to move is charged, nobody pays for a pause, and each move adds its share."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.protocols.games import ADDRESS, BOB, START, begun, created, done, played
from tic_tac_toe.protocols.online.clocks import Clock, ClockState, Pauses, elapsed
from tic_tac_toe.protocols.online.events import TAKE_BACK
from tic_tac_toe.protocols.online.game import OnlineGame, begin, rematch_of
from tic_tac_toe.protocols.online.requests import Accept, Chat, Join, Move, Offer, Resign

MINUTE = 60_000

moments = st.integers(0, 200)


@st.composite
def pauses(draw: st.DrawFn) -> tuple[tuple[int, int], ...]:
    """Return spans in order, without overlaps."""
    edges = sorted(draw(st.sets(moments, max_size=12)))
    return tuple(zip(edges[::2], edges[1::2]))


# -- elapsed ---------------------------------------------------------------------------------------


@given(moments, moments, pauses())
def test_what_has_passed_is_what_was_in_no_pause(
    start: int, end: int, spans: tuple[tuple[int, int], ...]
) -> None:
    counted = sum(
        not any(since <= moment < until for since, until in spans) for moment in range(start, end)
    )

    assert elapsed(start, end, spans) == counted


@given(moments, moments, moments, pauses())
def test_time_that_is_cut_in_two_is_as_long(
    first: int, second: int, third: int, spans: tuple[tuple[int, int], ...]
) -> None:
    start, middle, end = sorted((first, second, third))

    whole = elapsed(start, end, spans)
    assert elapsed(start, middle, spans) + elapsed(middle, end, spans) == whole


# -- one clock -------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("running", "passed", "pauses", "left"),
    [
        (1, 0, (), (10_000, 20_000)),
        (1, 3_000, (), (10_000, 17_000)),
        (1, 3_000, ((START + 1_000, START + 2_000),), (10_000, 18_000)),
        (0, 10**9, (), (0, 20_000)),
        (0, -5_000, (), (10_000, 20_000)),
        (None, 10**9, (), (10_000, 20_000)),
    ],
)
def test_only_the_side_that_has_the_move_is_charged_and_no_more_than_it_has(
    running: int | None, passed: int, pauses: Pauses, left: tuple[int, int]
) -> None:
    assert ClockState((10_000, 20_000), START, running).at(START + passed, pauses) == left


def test_a_clock_that_stands_never_runs_out() -> None:
    assert ClockState((10_000, 20_000), START, None).runs_out() is None


def test_a_clock_runs_out_when_nothing_is_left() -> None:
    clock = ClockState((10_000, 20_000), START, 0)
    end = clock.runs_out()

    assert end == START + 10_000
    assert clock.at(end - 1)[0] == 1
    assert clock.at(end)[0] == 0


def test_a_turn_charges_one_side_adds_its_bonus_and_starts_the_other() -> None:
    clock = ClockState((10_000, 20_000), START, 0)

    turned = clock.turned(START + 4_000, 1, bonus=1_000)

    assert turned == ClockState((7_000, 20_000), START + 4_000, 1)
    assert clock.turned(START + 4_000, None) == ClockState((6_000, 20_000), START + 4_000, None)


def test_a_clock_that_stood_gives_no_bonus() -> None:
    clock = ClockState((10_000, 20_000), START, None)

    assert clock.turned(START + 5, 0, bonus=1_000) == ClockState((10_000, 20_000), START + 5, 0)


# -- in games --------------------------------------------------------------------------------------


def left(game: OnlineGame) -> tuple[int, int]:
    assert game.clock is not None
    return game.clock.left


def running(game: OnlineGame) -> int | None:
    assert game.clock is not None
    return game.clock.running


def test_a_clock_starts_for_the_first_mover_when_the_second_player_comes() -> None:
    game = created(starting="O", clock=Clock(60, 2))
    assert game.clock is None

    game = done(game, "", Join("b-1", ADDRESS, BOB), START + 500_000)

    assert game.clock == ClockState((MINUTE, MINUTE), START + 500_000, 1)


def test_each_move_charges_its_side_and_adds_the_increment() -> None:
    game = begun(clock=Clock(60, 2))

    game = done(game, "X", Move("m-1", 2, 4), START + 10_000)
    assert (left(game), running(game)) == ((52_000, MINUTE), 1)
    game = done(game, "O", Move("m-2", 3, 0), START + 11_000)
    assert (left(game), running(game)) == ((52_000, 61_000), 0)


def test_talk_and_offers_touch_no_clock() -> None:
    game = begun(clock=Clock(60, 2))
    before = game.clock

    game = done(game, "O", Chat("c", "Hm"), START + 10_000)
    game = done(game, "O", Offer("o", game.version, "draw"), START + 20_000)

    assert game.clock == before


def test_a_clock_stands_when_the_game_is_over() -> None:
    for game in (
        played(begun(clock=Clock(60, 2)), 0, 3, 1, 4, 2),
        done(begun(clock=Clock(60, 2)), "O", Resign("r"), START + 7_000),
    ):
        assert running(game) is None
        assert game.clock is not None
        assert game.clock.at(START + 10**9) == left(game)


def test_a_resignation_charges_the_player_to_move() -> None:
    game = done(begun(clock=Clock(60, 2)), "O", Resign("r"), START + 7_000)

    assert left(game) == (53_000, MINUTE)


def test_a_take_back_gives_the_move_back_and_no_time() -> None:
    game = done(begun(clock=Clock(60, 2)), "X", Move("m", 2, 4), START + 10_000)
    game = done(game, "X", Offer("o", 3, TAKE_BACK), START + 11_000)
    game = done(game, "O", Accept("a", 4, TAKE_BACK), START + 15_000)

    assert (left(game), running(game)) == ((52_000, 55_000), 0)


def test_no_move_is_charged_for_a_pause() -> None:
    pause = ((START + 1_000, START + 500_000),)
    game = begun(clock=Clock(60, 0))

    game = done(game, "X", Move("m", 2, 4), START + 501_000, pause)

    assert left(game) == (58_000, MINUTE)


def test_a_rematch_begins_with_full_clocks() -> None:
    game = done(begun(clock=Clock(60, 2)), "O", Resign("r"), START + 7_000)

    again = begin(rematch_of(game, "F" * 21 + "A", START + 9_000))

    assert again.clock == ClockState((MINUTE, MINUTE), START + 9_000, 0)
