"""Forced moves and forced wins against oracles that ask the rules alone, and exact scores."""

from __future__ import annotations

from collections.abc import Iterator
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.forced_wins import is_won, stops_in_one, wins_in_one
from tests.line_threats import find_defence, fours, open_threes
from tic_tac_toe.logic.exceptions import SearchLimitReached
from tic_tac_toe.logic.positions import Position
from tic_tac_toe.logic.rules import Rules
from tic_tac_toe.logic.rules.catalogue import find_rules
from tic_tac_toe.logic.rules.renju import Caro, Renju
from tic_tac_toe.logic.rules.traits import traits_of
from tic_tac_toe.logic.rules.wrappers import Misere
from tic_tac_toe.logic.search.evaluation import plies_of
from tic_tac_toe.logic.search.exact import AlphaBeta
from tic_tac_toe.logic.search.threats import (
    Force,
    ForcedMoves,
    forced_moves,
    win_by_fours,
    win_by_threats,
)
from tic_tac_toe.logic.shapes import Shape, layout

GAMES: dict[str, Rules] = {
    name: find_rules(name)
    for name in (
        *("tic-tac-toe", "5x5x4", "mnk:4,3,2", "mnk:3,3,1", "mnk:7,6,4,exact", "mnk:5,5,4,torus"),
        *("mnk:6,6,5,torus,exact", "connect-four", "3x3x3", "3x3x3,gravity", "qubic", "score-four"),
        *("gomoku", "gomoku-standard"),
    )
}
GAMES |= {"caro": Caro(Shape(8, 8)), "caro-4": Caro(Shape(6, 7), 4), "renju": Renju(Shape(9, 9))}
SOLVED = ("4x4x3", "5x5x4", "connect-four-5x4", "mnk:5,5,4,torus", "3x3x3", "mnk:5,4,4,exact")


def random_game(rules: Rules, rng: Random) -> Iterator[Position]:
    """Yield the positions of a random game that go on; marks lie near each other."""
    position = Position()
    while legal := rules.moves(position):
        yield position
        near = layout(rules.shape).spread(position.occupied)
        close = [move for move in legal if near >> move & 1]
        # A win in one is rarely taken, so that wins and stops of both sides are met.
        position = rules.play(position, rng.choice(close or legal))


names, seeds = st.sampled_from(sorted(GAMES)), st.integers(0, 10_000)


@st.composite
def positions(draw: st.DrawFn) -> tuple[Rules, Position]:
    """Draw a game, and a position of a random one."""
    rules, rng = GAMES[draw(names)], Random(draw(seeds))
    return rules, rng.choice([*random_game(rules, rng)])


@given(positions())
def test_forced_moves_are_those_that_the_rules_show(game: tuple[Rules, Position]) -> None:
    rules, position = game
    found = forced_moves(rules, position)
    if wins := wins_in_one(rules, position):
        assert found == ForcedMoves(Force.WIN, tuple(wins))
    elif wins_in_one(rules, position._replace(turn=1 - position.turn)):
        assert found == ForcedMoves(Force.STOP, tuple(stops_in_one(rules, position)))
    else:
        assert found == ForcedMoves(None)


@pytest.mark.medium
@given(positions())
def test_a_four_is_a_move_after_which_the_mover_could_win(game: tuple[Rules, Position]) -> None:
    rules, position = game
    if wins_in_one(rules, position):
        return  # after these other moves, too, the mover could win
    made = [
        move
        for move in rules.moves(position)
        if wins_in_one(rules, rules.play(position, move)._replace(turn=position.turn))
    ]
    assert list(fours(rules, position)) == made


@given(positions())
def test_after_an_open_three_a_four_cannot_be_stopped(game: tuple[Rules, Position]) -> None:
    rules, position = game
    if traits_of(rules).gravity:
        return  # where marks fall, the four may not be playable yet
    if forced_moves(rules, position).force:
        return
    for move in open_threes(rules, position)[:3]:
        passed = rules.play(position, move)._replace(turn=position.turn)
        if rules.moves(passed):
            after = [rules.play(passed, four) for four in fours(rules, passed)]
            assert any(not _could_stop(rules, here) for here in after)


def _could_stop(rules: Rules, position: Position) -> bool:
    return bool(wins_in_one(rules, position) or stops_in_one(rules, position))


@pytest.mark.medium
@given(names, seeds)
def test_a_win_by_fours_is_won_against_every_defence(name: str, seed: int) -> None:
    rules = GAMES[name]
    for position in random_game(rules, Random(seed)):
        win = win_by_fours(rules, position)
        if win and win.plies > 1:
            assert is_won(rules, position, win.plies, _first_four)
            _check_line(rules, position, win.line, win.plies)
            break


def _first_four(rules: Rules, position: Position) -> int | None:
    win = win_by_fours(rules, position)
    return win.line[0] if win else None


def _first_threat(rules: Rules, position: Position) -> int | None:
    win = win_by_threats(rules, position, node_limit=1_000, depth_limit=3)
    return win.line[0] if win else None


def _check_line(rules: Rules, position: Position, line: tuple[int, ...], plies: int) -> None:
    assert len(line) <= plies
    winner = position.turn
    for move in line:
        assert move in rules.moves(position)
        position = rules.play(position, move)
    outcome = rules.outcome(position)
    assert outcome is not None
    assert outcome.winner == winner


@pytest.mark.slow
@pytest.mark.parametrize("name", ["5x5x4", "caro-4", "mnk:5,5,4,torus", "connect-four", "renju"])
def test_a_win_by_threats_is_won_against_every_defence(name: str) -> None:
    rules, rng = GAMES[name], Random(name)
    met = list[Position]()
    while len(met) < 2:
        for position in random_game(rules, rng):
            win = win_by_threats(rules, position, node_limit=300, depth_limit=2)
            if win:
                if win.kind == "threats":
                    met.append(position)
                    _check_line(rules, position, win.line, win.plies)
                break
    assert all(is_won(rules, position, rules.shape.cells, _first_threat) for position in met)


def _two_open_twos() -> Position:
    """Return a position of gomoku in which one move of X makes two open threes."""
    crosses = sum(1 << row * 15 + column for row, column in ((7, 5), (7, 6), (5, 7), (6, 7)))
    return Position((crosses, sum(1 << cell for cell in (0, 5, 17, 220))))


def test_two_open_threes_at_once_are_a_win_by_threats() -> None:
    rules, position = find_rules("gomoku"), _two_open_twos()
    assert win_by_fours(rules, position) is None
    win = win_by_threats(rules, position)
    assert win is not None
    assert win.kind == "threats"
    _check_line(rules, position, win.line, win.plies)
    assert win_by_threats(rules, position, node_limit=2) is None


def test_a_defence_is_found_against_two_open_threes_at_once() -> None:
    rules, attack = find_rules("gomoku"), _two_open_twos()
    position = Position((attack.stones[0], attack.stones[1] & ~1), 1)
    found = find_defence(rules, position, depth_limit=1)
    assert found is not None
    assert found.kind == "threats"
    assert 7 * 15 + 7 in found.moves
    assert 0 not in found.moves
    after = [rules.play(position, move) for move in found.moves]
    assert not any(win_by_threats(rules, here, depth_limit=1) for here in after)


@pytest.mark.slow
@pytest.mark.parametrize("name", SOLVED)
def test_what_is_claimed_agrees_with_exact_scores(name: str) -> None:
    rules, rng, met = find_rules(name), Random(name), 0
    for _game in range(10):
        for position in random_game(rules, rng):
            try:
                score = AlphaBeta(rules, node_limit=2_000).score(position)
            except SearchLimitReached:
                continue
            win = win_by_threats(rules, position, node_limit=500)
            if win:
                met += 1
                assert score > 0
                assert win.plies >= plies_of(score)
            elif defence := find_defence(rules, position, depth_limit=0):
                _check_defence(rules, position, defence.moves, score)
    assert met


def _check_defence(rules: Rules, position: Position, moves: tuple[int, ...], score: int) -> None:
    """Check that nothing better than the exact score was left out."""
    if score < 0:
        return
    solver = AlphaBeta(rules)
    assert any(-solver.score(rules.play(position, move)) >= 0 for move in moves)


def test_where_one_mark_stops_an_open_four_of_caro_it_is_no_open_four() -> None:
    rules = Caro(Shape(15, 15))
    row = 7 * 15
    # . X X X X . O: a mark at the left end stops that five and closes the other.
    crosses = sum(1 << row + at for at in (4, 5, 6, 7))
    naughts = sum(1 << cell for cell in (row + 9, 0, 30, 60))
    found = forced_moves(rules, Position((crosses, naughts), 1))
    assert found == ForcedMoves(Force.STOP, (row + 3,))


def test_a_defender_who_may_not_block_loses_to_a_four() -> None:
    rules = Renju()
    # O threatens to make a row of five; X may not enter its only open end, where a row of six
    # would come about.
    o_row = [7 * 15 + at for at in (4, 5, 6)]
    x_column = [at * 15 + 8 for at in (4, 5, 6, 8, 9)]
    x_cells = [7 * 15 + 3, *x_column]
    o_cells = [*o_row, 3 * 15 + 8, 10 * 15 + 8, 0]
    position = Position((sum(1 << at for at in x_cells), sum(1 << at for at in o_cells)), 1)
    win = win_by_fours(rules, position)
    assert win is not None
    assert win.plies == 3
    assert is_won(rules, position, 3, _first_four)


@pytest.mark.parametrize("name", ["wild", "ultimate", "notakto", "vanishing"])
def test_games_without_own_lines_have_no_threats(name: str) -> None:
    rules = find_rules(name)
    assert forced_moves(rules, Position()) == ForcedMoves(None)
    assert win_by_fours(rules, Position()) is None


def test_misere_games_and_ended_games_have_no_threats() -> None:
    rules = find_rules("tic-tac-toe")
    one_short, ended = Position((0b011, 0b11000)), Position((0b111, 0b11000), 1)
    assert forced_moves(rules, one_short).force is Force.WIN
    assert forced_moves(Misere(rules), one_short).force is None
    assert win_by_threats(Misere(rules), one_short) is None
    assert fours(Misere(rules), one_short) == open_threes(Misere(rules), one_short) == ()
    assert win_by_fours(rules, ended) is None
    assert find_defence(rules, ended) is None


def test_the_pie_rule_leaves_threats_as_they_are_once_nothing_can_be_swapped() -> None:
    rules = find_rules("connect-four,pie")
    assert forced_moves(rules, Position((1 << 38, 0), 1)) == ForcedMoves(None)
    position = Position((0b111 << 35, 0b111 << 28))
    assert forced_moves(rules, position) == ForcedMoves(Force.WIN, (38,))
    assert win_by_fours(rules, position) == ("fours", 1, (38,))
