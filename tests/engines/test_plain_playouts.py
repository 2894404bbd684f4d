"""Monte Carlo in plain Python, as an engine."""

from __future__ import annotations

from random import Random

import pytest

from tic_tac_toe.engines.plain import PlainPlayouts
from tic_tac_toe.limits import Limits
from tic_tac_toe.logic.positions import Position
from tic_tac_toe.logic.rules.catalogue import TIC_TAC_TOE, VARIANTS
from tic_tac_toe.logic.search.scores import MATE
from tic_tac_toe.logic.search.table import solve_table

LITTLE = Limits(work=0.02)
STOPPED = Limits(cancelled=lambda: True)


def test_a_stopped_engine_still_wins_in_one_and_stops_the_other_side_from_it() -> None:
    engine, table = PlainPlayouts(TIC_TAC_TOE), solve_table(TIC_TAC_TOE)
    for position, entry in list(table.items())[::7]:
        if not entry[1]:
            continue
        thought = engine.think(position, STOPPED, Random(1))
        if entry[0] == MATE - 1:
            assert thought.bound == MATE - 1
            assert {*thought.best} <= {*entry[1]}
        elif entry[0] > 2 - MATE:
            for move in thought.best:
                assert table[TIC_TAC_TOE.play(position, move)][0] < MATE - 1


def test_what_is_proved_of_a_position_is_true() -> None:
    engine, table, proved = PlainPlayouts(TIC_TAC_TOE), solve_table(TIC_TAC_TOE), 0
    for position, entry in list(table.items())[::11]:
        if not entry[1]:
            continue
        score = engine.think(position, LITTLE, Random(1)).bound
        if score is not None:
            proved += 1
            assert (score > 0) == (entry[0] > 0)
            assert (score < 0) == (entry[0] < 0)
    assert proved > 100


@pytest.mark.parametrize("name", ["ultimate", "wild", "order-and-chaos", "vanishing", "notakto-2"])
def test_the_same_seed_and_work_give_the_same_legal_move(name: str) -> None:
    rules = VARIANTS[name]
    engine = PlainPlayouts(rules)
    first, again = (engine.think(Position(), LITTLE, Random(5)) for _ in range(2))
    assert first == again
    assert {*first.best} <= {*rules.moves(Position())}
    assert first.line[0] in first.best


def test_more_work_makes_more_playouts() -> None:
    engine = PlainPlayouts(VARIANTS["ultimate"])
    small, large = (engine.think(Position(), Limits(work=n), Random(1)) for n in (0.05, 0.1))
    assert large.nodes in (2 * small.nodes, 2 * small.nodes + 1)


def test_a_game_that_is_over_is_refused() -> None:
    with pytest.raises(ValueError, match="The game is over"):
        PlainPlayouts(TIC_TAC_TOE).think(Position((0b111, 0b11000), 1), LITTLE, Random(1))
