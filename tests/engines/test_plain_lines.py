"""The engine of plain Python for line games: legal, repeatable, and it misses no forced move."""

from __future__ import annotations

from random import Random

import pytest

from tests.forced_wins import stops_in_one, wins_in_one
from tic_tac_toe.engines.plain_lines import PlainLines
from tic_tac_toe.limits import Limits
from tic_tac_toe.logic.positions import Position
from tic_tac_toe.logic.rules.caro import Caro
from tic_tac_toe.logic.rules.catalogue import find_rules
from tic_tac_toe.logic.rules.line import LineRules
from tic_tac_toe.logic.rules.renju import Renju
from tic_tac_toe.logic.search.alphabeta import AlphaBeta
from tic_tac_toe.logic.search.evaluation import Evaluation
from tic_tac_toe.logic.search.scores import MATE
from tic_tac_toe.logic.search.threats import win_by_threats
from tic_tac_toe.logic.shapes import Shape

SMALL = Limits(work=0.01)
NAMES = (
    *("tic-tac-toe", "mnk:2,2,2", "mnk:4,3,1", "5x5x4", "mnk:5,5,4,torus", "mnk:8,8,4,gravity"),
    *("3x3x3", "qubic", "score-four", "gomoku", "gomoku-standard", "mnk:19,19,5"),
)
GAMES: dict[str, LineRules] = {}
for _name in NAMES:
    _rules = find_rules(_name)
    assert isinstance(_rules, LineRules)
    GAMES[_name] = _rules
GAMES |= {"caro": Caro(Shape(9, 9)), "renju": Renju(Shape(9, 9))}


def think(rules: LineRules, position: Position, limits: Limits = SMALL) -> Evaluation:
    return PlainLines(rules).think(position, limits, Random(0))


@pytest.mark.parametrize("name", GAMES)
def test_a_game_is_played_to_its_end_without_missing_a_win_or_a_stop_in_one(name: str) -> None:
    rules, rng, position = GAMES[name], Random(name), Position()
    for _ply in range(40):
        moves = rules.moves(position)
        if not moves:
            break
        thought = think(rules, position)
        assert set(thought.best) <= set(moves)
        if wins := wins_in_one(rules, position):
            assert (thought.best, thought.bound) == (tuple(wins), MATE - 1)
        elif stops := stops_in_one(rules, position):
            assert set(thought.best) <= set(stops)
        # Every third move is random, so that both sides come to attack.
        move = rng.choice(thought.best) if rng.randrange(3) else rng.choice(moves)
        position = rules.play(position, move)


@pytest.mark.parametrize("name", ["gomoku", "qubic", "score-four", "renju"])
def test_equal_work_gives_equal_thoughts(name: str) -> None:
    rules = GAMES[name]
    position = Position()
    for move in (0, 5, 10, 15) if name == "score-four" else (40, 30, 41, 50):
        position = rules.play(position, rules.moves(position)[move % len(rules.moves(position))])
    first = think(rules, position)
    assert think(rules, position) == first
    assert think(rules, position._replace(memory=1)) == first


def test_only_a_stop_ends_a_search_without_end() -> None:
    rules = GAMES["gomoku"]
    position = Position((1 << 112, 1 << 113))
    asked = iter([False] * 20)
    thought = think(rules, position, Limits(cancelled=lambda: next(asked, True)))
    assert thought.best
    assert 20 * 64 <= thought.nodes < 40 * 64


def test_a_position_that_is_lost_in_two_plies_is_called_lost() -> None:
    rules = GAMES["gomoku"]
    position = Position((0b1111 << 20, 0b101 << 100), 1)
    thought = think(rules, position)
    assert thought.bound == 2 - MATE
    assert thought.best == (19, 24)


def test_a_move_that_looks_best_is_not_played_if_threats_win_after_it() -> None:
    rules, position = GAMES["gomoku"], Position()
    for move in (96, 127, 65, 128, 95, 126, 125, 110, 94):
        position = rules.play(position, move)
    assert win_by_threats(rules, rules.play(position, 97), node_limit=1_500) is not None
    (best,) = think(rules, position, Limits(work=0.12)).best
    assert win_by_threats(rules, rules.play(position, best), node_limit=6_000) is None


def test_a_game_that_is_over_is_refused() -> None:
    with pytest.raises(ValueError, match="The game is over"):
        think(GAMES["tic-tac-toe"], Position((0b111, 0b11000), 1))


@pytest.mark.slow
@pytest.mark.parametrize("name", ["5x5x4", "mnk:5,5,4,torus", "3x3x3"])
def test_scores_agree_with_exact_ones(name: str) -> None:
    rules, rng = GAMES[name], Random(name)
    solver, proved = AlphaBeta(rules), 0
    for _game in range(30):
        position = Position()
        for _ply in range(rules.shape.cells // 2):
            if rules.moves(position):
                position = rules.play(position, rng.choice(rules.moves(position)))
        if rules.moves(position):
            score = think(rules, position).bound
            if score is not None:
                proved += 1
                exact = solver.score(position)
                assert (score > 0) == (exact > 0)
                assert abs(score) <= abs(exact)
    assert proved
