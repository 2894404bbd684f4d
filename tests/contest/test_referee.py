"""What the referee makes of a game, whatever the players do."""

from __future__ import annotations

import itertools
import random
from collections.abc import Callable, Iterable

import pytest

from tic_tac_toe.contest.referee import GRACE_SECONDS, Fault, PlayedGame, referee
from tic_tac_toe.game.strategies import Strategy, play_randomly
from tic_tac_toe.logic.exceptions import GameError, InvalidMove
from tic_tac_toe.logic.models import GameState, Mark, Move
from tic_tac_toe.logic.rules import Rules
from tic_tac_toe.logic.rules.catalogue import TIC_TAC_TOE, VARIANTS


def playing(*moves: int) -> Strategy:
    """Return a player that makes these moves, one after the other, by their numbers."""
    script = iter(moves)

    def play(state: GameState, rng: random.Random | None = None, /) -> Move | None:
        return state.make_move_to(next(script))

    return play


def play_game(
    cross: Strategy,
    naught: Strategy,
    rules: Rules = TIC_TAC_TOE,
    opening: Iterable[int] = (),
    *,
    seconds: float | None = None,
    clock: Callable[[], float] = lambda: 0.0,
) -> PlayedGame:
    """Return a game under the referee."""
    dice = (random.Random(1), random.Random(2))
    return referee(rules, tuple(opening), (cross, naught), dice, clock, seconds=seconds)


def test_the_game_goes_on_behind_the_opening_and_who_has_a_line_wins() -> None:
    game = play_game(playing(1, 2), playing(4), opening=(0, 3))

    assert game == PlayedGame((0, 3, 1, 4, 2), Mark.CROSS)
    assert (game.points(Mark.CROSS), game.points(Mark.NAUGHT)) == (1, 0)


def test_a_full_board_is_half_a_point_for_each() -> None:
    game = play_game(playing(0, 1, 5, 6, 8), playing(4, 2, 3, 7))

    assert game.winner is None
    assert game.points(Mark.CROSS) == game.points(Mark.NAUGHT) == 0.5


def test_a_position_that_comes_for_the_third_time_is_a_draw() -> None:
    cycle_x, cycle_o = (0, 8, 3, 1, 5, 6), (4, 2, 7)
    # Marks leave the board; the players walk in circles until the referee ends it.
    rules = VARIANTS["vanishing-reuse"]
    game = play_game(
        playing(*itertools.chain(*[cycle_x] * 9)), playing(*itertools.chain(*[cycle_o] * 18)), rules
    )

    assert (game.winner, game.fault) == (None, None)
    assert len(game.moves) > 20


def raising(error: BaseException) -> Strategy:
    def play(state: GameState, rng: random.Random | None = None, /) -> Move | None:
        raise error

    return play


def making_none(state: GameState, rng: random.Random | None = None, /) -> Move | None:
    return None


def cheating(state: GameState, rng: random.Random | None = None, /) -> Move | None:
    """Return a move on an empty board, whatever the board is."""
    return GameState.new(state.rules).make_move_to(0)


LATE = GameError("{brain} did not answer in time", "brain_late", brain="wine")


@pytest.mark.parametrize(
    ("player", "kind", "sentence"),
    [
        (raising(ValueError("no\nidea \x1b")), "crash", "you crashed: ValueError: no idea ?"),
        (playing(0), "illegal", "you made an illegal move: Cell is not empty"),
        (cheating, "illegal", "you made an illegal move: Cell is not empty"),
        (making_none, "illegal", "you made an illegal move: it returned no move"),
        (raising(LATE), "time", "you lost on time: wine did not answer in time"),
    ],
)
def test_what_a_player_does_wrong_makes_it_lose_and_is_told_in_a_sentence(
    player: Strategy, kind: str, sentence: str
) -> None:
    game = play_game(playing(0), player)

    assert game.winner is Mark.CROSS
    assert game.moves == (0,)
    assert game.fault is not None
    assert (game.fault.mark, game.fault.kind) == (Mark.NAUGHT, kind)
    assert str(game.fault.told("you")) == sentence


def test_an_immense_error_is_cut() -> None:
    game = play_game(raising(ValueError("a" * 10_000)), play_randomly)

    assert game.fault is not None
    assert len(game.fault.detail) == 300


@pytest.mark.parametrize(("spent", "loses"), [(1 + GRACE_SECONDS, False), (1.1, True)])
def test_a_move_beyond_time_and_grace_loses(spent: float, loses: bool) -> None:
    # The clock is read before and after each move; only the third move takes time.
    readings = iter([0.0] * 5 + [spent] * 20)
    game = play_game(playing(0, 1, 2), playing(3, 4), seconds=1, clock=lambda: next(readings))

    if loses:
        assert game.fault == Fault(Mark.CROSS, "time", "1.100 s")
        assert game.winner is Mark.NAUGHT
        assert game.moves == (0, 3)
    else:
        assert (game.winner, game.fault) == (Mark.CROSS, None)
    assert game.longest == (spent, 0)


def test_the_first_move_of_a_player_that_starts_has_time_and_is_not_its_longest() -> None:
    readings = itertools.count(step=3.0)  # each move takes three seconds
    game = referee(
        TIC_TAC_TOE,
        (),
        (playing(0, 1), playing(3)),
        (random.Random(), random.Random()),
        lambda: float(next(readings)),
        seconds=1,
        starting=[Mark.CROSS, Mark.NAUGHT],
    )

    assert game.fault == Fault(Mark.CROSS, "time", "3.000 s")
    assert game.moves == (0, 3)
    assert game.longest == (3, 0)


def test_what_is_no_error_of_the_player_is_not_caught() -> None:
    with pytest.raises(KeyboardInterrupt):
        play_game(raising(KeyboardInterrupt()), play_randomly)


@pytest.mark.parametrize("opening", [(0, 0), (0, 3, 1, 4, 2), (9,)])
def test_an_opening_that_leaves_no_game_is_refused(opening: tuple[int, ...]) -> None:
    with pytest.raises(InvalidMove):
        play_game(play_randomly, play_randomly, opening=opening)


def test_a_fault_is_a_resignation_in_the_record() -> None:
    record = play_game(playing(0), making_none).record(TIC_TAC_TOE, (("X", "Ann"),), "why")

    assert (record.result, record.resigned, record.moves) == ("X", Mark.NAUGHT, (0,))
    assert record.comments == ((1, "why"),)
