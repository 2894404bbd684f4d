"""Moves are translated to OpenSpiel's actions and back, and points are counted as usual."""

from __future__ import annotations

from collections import Counter
from random import Random

import pytest

from benchmarks.against_openspiel import Result, pairing_of
from tic_tac_toe.logic.positions import Position


@pytest.mark.parametrize("variant", ["ultimate", "8x8x4,gravity"])
def test_each_move_has_actions_of_its_own_and_comes_back_from_them(variant: str) -> None:
    pairing, rng, position = pairing_of(variant), Random(1), Position()
    while moves := pairing.rules.moves(position):
        actions = {tuple(pairing.to_actions(position, move)): move for move in moves}
        assert len(actions) == len(moves)
        for parts, move in actions.items():
            assert pairing.to_move(position, parts) == move
        position = pairing.rules.play(position, rng.choice(moves))


def test_a_column_and_a_board_are_numbered_as_there() -> None:
    connect_four, ultimate = pairing_of("8x8x4,gravity"), pairing_of("ultimate")
    assert connect_four.to_actions(Position(), 59) == (3,)
    assert connect_four.to_move(Position((1 << 59, 0), 1), (3,)) == 51
    assert ultimate.to_actions(Position(), 40) == (4, 4)
    assert ultimate.to_actions(Position((1 << 40, 0), 1, 5), 30) == (0,)


def test_a_draw_is_half_a_point() -> None:
    result = Result(Counter(won=2, drawn=1, lost=1), 1.0, 1.0)
    assert result.points == 0.625
    assert result.error == pytest.approx(0.2073, abs=1e-4)
