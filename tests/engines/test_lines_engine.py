"""The engine for lines never misses what the rules show, and what it claims holds."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from random import Random

import pytest

from tests.forced_wins import puzzles
from tic_tac_toe.engines.lines.engine import (
    NODES_PER_SECOND,
    PLAIN,
    CompiledLines,
)
from tic_tac_toe.engines.lines.position import supports
from tic_tac_toe.limits import Limits
from tic_tac_toe.logic.positions import Position
from tic_tac_toe.logic.rules import Rules
from tic_tac_toe.logic.rules.caro import Caro
from tic_tac_toe.logic.rules.line import LineRules
from tic_tac_toe.logic.rules.misere import Misere
from tic_tac_toe.logic.rules.renju import Renju
from tic_tac_toe.logic.rules.topology import TORUS
from tic_tac_toe.logic.search.evaluation import Evaluation
from tic_tac_toe.logic.search.scores import MATE
from tic_tac_toe.logic.shapes import Shape

SHAPE = Shape(15, 15)
FREE = LineRules(SHAPE, 5)
GAMES: list[LineRules] = [FREE, LineRules(SHAPE, 5, exact=True), Caro(SHAPE), Renju(SHAPE)]
#: Nothing but what is seen at once, and a few positions that code as it stands searches quickly.
LEAST, LITTLE = Limits(work=0), Limits(work=60 / NODES_PER_SECOND)
MEMORY = 1 << 14


def plain(rules: LineRules) -> CompiledLines:
    return CompiledLines(rules, MEMORY, code=PLAIN)


def position_of(rules: Rules, *moves: int) -> Position:
    position = Position()
    for move in moves:
        position = rules.play(position, move)
    return position


def winning_cells(rules: LineRules, position: Position, side: int) -> list[int]:
    """Return the cells where a side would win if it were to move, by the rules alone."""
    found = []
    for cell in range(rules.shape.cells):
        stones = [*position.stones]
        stones[side] |= 1 << cell
        if not position.occupied >> cell & 1 and rules.winning_line((stones[0], stones[1]), side):
            found.append(cell)
    return found


def stops_all(rules: LineRules, position: Position, move: int) -> bool:
    """Return whether a move leaves the opponent no win in one."""
    return not winning_cells(rules, rules.play(position, move), 1 - position.turn)


def attacking_games(rules: LineRules, rng: Random, games: int) -> list[Position]:
    """Return the positions of games of two players who only lengthen rows, and stop nothing."""
    positions = []
    for _ in range(games):
        position = Position()
        while rules.outcome(position) is None and position.marks < 60:
            positions.append(position)
            own = position.stones[position.turn] | 1 << rules.shape.cells // 2
            legal = rules.moves(position)
            near = [cell for cell in legal if own & neighbours(rules.shape, cell)]
            position = rules.play(position, rng.choice(near or legal))
    return positions


@cache
def neighbours(shape: Shape, cell: int) -> int:
    row, column = divmod(cell, shape.columns)
    rows = range(max(0, row - 1), min(shape.rows, row + 2))
    columns = range(max(0, column - 1), min(shape.columns, column + 2))
    return sum(1 << r * shape.columns + c for r in rows for c in columns)


@pytest.mark.parametrize("rules", GAMES, ids=repr)
def test_a_win_in_one_and_the_stop_of_a_four_are_never_missed(rules: LineRules) -> None:
    engine, rng = plain(rules), Random(11)
    wins = stops = 0
    for position in attacking_games(rules, rng, 12):
        if position.marks < 8 or min(wins, stops) > 2:
            continue
        if own := winning_cells(rules, position, position.turn):
            thought = engine.think(position, LEAST, rng)
            assert thought.best[0] in own
            assert thought.bound == MATE - 1
            wins += 1
        elif stops < 3 and winning_cells(rules, position, 1 - position.turn):
            stopping = [cell for cell in rules.moves(position) if stops_all(rules, position, cell)]
            assert not stopping or engine.think(position, LEAST, rng).best[0] in stopping
            stops += bool(stopping)
    assert min(wins, stops) > 2


@pytest.mark.parametrize("rules", GAMES, ids=repr)
def test_every_answer_is_legal_whatever_the_opponent_plays(rules: LineRules) -> None:
    rng = Random(4)
    engine = plain(rules)
    for game in range(2):
        position = Position(turn=game)
        for _ in range(20):
            if rules.outcome(position) is not None:
                break
            legal = rules.moves(position)
            if position.marks % 2:
                move = rng.choice(legal)
            else:
                limits = LITTLE if position.marks % 10 == 0 else LEAST
                move = engine.think(position, limits, rng).best[0]
            assert move in legal
            position = rules.play(position, move)


def test_an_open_three_is_stopped_or_answered_by_a_four() -> None:
    position = position_of(FREE, 112, 0, 113, 30, 114)
    assert plain(FREE).think(position, Limits(work=1000 / NODES_PER_SECOND), Random(0)).best[0] in (
        110,
        111,
        115,
        116,
    )


def test_no_win_of_o_is_claimed_on_a_small_board_of_renju_where_x_might_have_no_move() -> None:
    rules = Renju(Shape(6, 6))
    three = position_of(rules, 0, 13, 5, 14, 35, 15, 30)
    thought = plain(rules).think(three, LEAST, Random(0))
    assert (thought.best[0] in (12, 16), thought.bound, thought.source) == (True, None, "engine")
    five = position_of(rules, 0, 13, 5, 14, 35, 15, 30, 16, 29)
    assert plain(rules).think(five, LEAST, Random(0)).bound == MATE - 1


def test_two_open_fours_are_a_loss_in_two_plies() -> None:
    position = position_of(FREE, 112, 0, 113, 30, 114, 60, 115)
    thought = plain(FREE).think(position, LEAST, Random(0))
    assert thought.bound == 2 - MATE
    assert thought.best[0] in (111, 116)


def test_a_four_in_caro_is_stopped_from_behind_where_both_ends_close_it() -> None:
    rules = Caro(SHAPE)
    # O X X X X . . : the cell after the gap closes the five as well as the gap does.
    position = position_of(rules, 112, 111, 113, 0, 114, 30, 115)
    stopping = [cell for cell in rules.moves(position) if stops_all(rules, position, cell)]
    assert stopping == [116, 117]
    assert plain(rules).think(position, LITTLE, Random(0)).best[0] in stopping


def test_equal_work_gives_equal_answers() -> None:
    position = position_of(FREE, 112, 113, 97, 127, 128)
    first, second = (plain(FREE).think(position, LITTLE, Random(seed)) for seed in (1, 2))
    assert first == second
    engine = plain(FREE)
    engine.think(position_of(FREE, 112, 113, 97), LITTLE, Random(0))
    assert engine.think(position, LITTLE, Random(0)) == first


def test_a_table_that_is_kept_spares_what_was_searched_before() -> None:
    position = position_of(FREE, 112, 113, 97, 127, 128)
    limits = Limits(work=500 / NODES_PER_SECOND)
    kept = CompiledLines(FREE, 1 << 16, keep=True, code=PLAIN)
    first, again = (kept.think(position, limits, Random(0)) for _ in range(2))
    assert again.depth > first.depth


def test_the_empty_board_is_begun_in_the_centre() -> None:
    assert plain(FREE).think(Position(), LEAST, Random(0)).best == (112,)


def test_a_game_that_is_over_is_refused() -> None:
    stones = Position((0b11111, 0b1111 << 30), 1)
    with pytest.raises(ValueError, match="The game is over"):
        plain(FREE).think(stones, LEAST, Random(0))


def test_only_lines_of_four_to_six_on_a_plane_are_supported() -> None:
    assert all(supports(rules) for rules in (*GAMES, LineRules(Shape(26, 5), 4), Caro(length=4)))
    others = (
        LineRules(SHAPE, 5, gravity=True),
        LineRules(SHAPE, 5, topology=TORUS),
        LineRules(SHAPE, 3),
        LineRules(SHAPE, 6, exact=True),
        Misere(FREE),
    )
    assert not any(supports(rules) for rules in others)
    with pytest.raises(ValueError, match="cannot play"):
        CompiledLines(others[0])


def holds(engine: CompiledLines, position: Position, thought: Evaluation) -> bool:
    """Return whether the engine wins whatever the other side plays, claiming so all the way."""
    rules, side = engine.rules, position.turn
    forced = winning_cells(rules, position, 1 - side)
    if thought.bound is None and len(forced) != 1:
        return False
    after = rules.play(position, thought.best[0])
    outcome = rules.outcome(after)
    if outcome is not None:
        return outcome.winner == side
    if winning_cells(rules, after, 1 - side):
        return False
    threats, replies = winning_cells(rules, after, side), rules.moves(after)
    if threats and isinstance(rules, Caro):
        replies = [cell for cell in replies if stops_all(rules, after, cell)]
    elif threats:  # without Caro's closed ends, a five is stopped in its cell
        replies = [cell for cell in replies if threats == [cell]]
    for reply in replies:
        replied = rules.play(after, reply)
        if not holds(engine, replied, engine.think(replied, Limits(work=1), Random(0))):
            return False
    return True


@pytest.mark.slow
@pytest.mark.parametrize("rules", GAMES, ids=repr)
def test_claims_of_wins_hold_against_every_defence(rules: LineRules) -> None:
    engine, rng, is_caro = CompiledLines(rules, 1 << 20), Random(2), isinstance(rules, Caro)
    # A four of Caro has several answers, so that such a win is one by threats there.
    wanted, longest = ({"threats"}, 5) if is_caro else ({"fours", "threats"}, 7)
    for position in attacking_games(rules, rng, 60)[5:]:
        thought = engine.think(position, Limits(work=0.1), rng)
        if thought.source in wanted and MATE - longest <= (thought.bound or 0) < MATE - 3:
            assert holds(engine, position, thought), position
            wanted.remove(thought.source)
        if not wanted:
            break
    assert not wanted


@pytest.mark.parametrize("rules", GAMES, ids=repr)
def test_machine_code_answers_as_the_kernels_do_as_they_stand(rules: LineRules) -> None:
    compiled, rng = CompiledLines(rules, MEMORY), Random(8)
    compiled.prepare()
    assert compiled.is_ready()
    for position in attacking_games(rules, rng, 3)[4::9]:
        limits = Limits(work=rng.choice((300, 900, 4000)) / NODES_PER_SECOND)
        assert compiled.think(position, limits, rng) == plain(rules).think(position, limits, rng)


@pytest.mark.slow
@pytest.mark.parametrize("kind", ["free", "exact", "caro", "renju"])
def test_games_on_boards_of_all_shapes_are_legal_to_their_end(kind: str) -> None:
    make: dict[str, Callable[[Shape], LineRules]] = {
        "free": lambda shape: LineRules(shape, 5),
        "exact": lambda shape: LineRules(shape, 5, exact=True),
        "caro": Caro,
        "renju": Renju,
    }
    rng, limits = Random(6), Limits(work=300 / NODES_PER_SECOND)
    for number in range(25):
        shape = Shape(rng.randint(5, 26), rng.randint(5, 26)) if number % 2 else Shape(5, 5)
        rules = make[kind](shape)
        engine, position = CompiledLines(rules, MEMORY), Position(turn=number % 2)
        while rules.outcome(position) is None and position.marks < 70:
            legal = rules.moves(position)
            plays = position.turn == 0 or number % 5 == 0
            move = engine.think(position, limits, rng).best[0] if plays else rng.choice(legal)
            assert move in legal, (rules, position)
            position = rules.play(position, move)


@pytest.mark.slow
def test_a_search_that_is_stopped_answers_at_once() -> None:
    engine = CompiledLines(FREE)
    asked = iter([False] * 3)
    thought = engine.think(
        position_of(FREE, 112, 113, 97), Limits(cancelled=lambda: next(asked, True)), Random(0)
    )
    assert thought.best[0] in FREE.moves(position_of(FREE, 112, 113, 97))


def test_the_search_of_fours_finds_the_same_uncompiled() -> None:
    searched = 0
    for puzzle in puzzles():
        if puzzle.variant == "gomoku" and puzzle.kind == "fours" and searched < 3:
            compiled = CompiledLines(puzzle.rules, 1)
            thought = compiled.think(puzzle.position, Limits(work=0.01), Random(0))
            assert thought.bound is not None
            if thought.bound <= MATE - 5:  # else it is seen at once
                searched += 1
                plain = CompiledLines(puzzle.rules, 1, code=PLAIN)
                assert plain.think(puzzle.position, Limits(work=0.01), Random(0)) == thought
                assert thought.source == "fours"
    assert searched == 3
