"""The engines for lines know their shapes, miss nothing that the rules show, and claim truly."""

from __future__ import annotations

import pickle
from collections import Counter
from collections.abc import Callable, Sequence
from functools import cache
from random import Random
from typing import Any, TypeAlias

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.forced_wins import Puzzle, is_won, puzzles, stops_in_one, wins_in_one
from tic_tac_toe.engines.choice import Engine
from tic_tac_toe.engines.lines import NODES_PER_SECOND, PLAIN, CompiledLines, shapes
from tic_tac_toe.engines.lines import position as arrays_of
from tic_tac_toe.engines.lines.position import (
    Arrays,
    Game,
    begin_position,
    makes_two_threes,
    new_table,
    place_stone,
    read_stones,
    supports,
    take_stone,
)
from tic_tac_toe.engines.lines.shapes import (
    DOUBLE_THREE,
    FORBIDDEN,
    MAKES_FIVE,
    Ending,
    reach_of,
    shape_table,
)
from tic_tac_toe.engines.lines.values import SUM_SIZE
from tic_tac_toe.engines.plain import PlainLines
from tic_tac_toe.game.evaluate import UNUSED_PART
from tic_tac_toe.game.strategies import HARD_LIMITS
from tic_tac_toe.limits import Kept, Limits
from tic_tac_toe.logic.positions import Position
from tic_tac_toe.logic.rules import Rules
from tic_tac_toe.logic.rules.catalogue import VARIANTS
from tic_tac_toe.logic.rules.line import LineRules
from tic_tac_toe.logic.rules.lines import TORUS
from tic_tac_toe.logic.rules.renju import DOUBLE_THREE as TWO_THREES
from tic_tac_toe.logic.rules.renju import Caro, Renju, forbidden_cells
from tic_tac_toe.logic.rules.wrappers import Misere
from tic_tac_toe.logic.search.evaluation import MATE, Evaluation
from tic_tac_toe.logic.search.threats import win_by_fours, win_by_threats
from tic_tac_toe.logic.shapes import Shape, layout
from tools import forced_positions

SHAPE = Shape(15, 15)
FREE = LineRules(SHAPE, 5)
GAMES: list[LineRules] = [FREE, LineRules(SHAPE, 5, exact=True), Caro(SHAPE), Renju(SHAPE)]
games = pytest.mark.parametrize("rules", GAMES, ids=repr)
#: Nothing but what is seen at once, and a few positions that code as it stands searches quickly.
LEAST, LITTLE = Limits(work=0), Limits(work=60 / NODES_PER_SECOND)
MEMORY = 1 << 14
SIGNS = ".XO#"


def key_of(window: str) -> int:
    """Return the key of a window, whose middle is the place."""
    reach = len(window) // 2
    cells = [*reversed(window[:reach]), *window[reach + 1 :]]
    return sum(SIGNS.index(sign) << 2 * at for at, sign in enumerate(cells))


def with_sign(window: str, at: int, sign: str) -> str:
    return f"{window[:at]}{sign}{window[at + 1 :]}"


def run_of(window: str) -> str:
    """Return the row of X through the middle, with the sign before and the sign after it."""
    middle = len(window) // 2 + 1
    text = f"#{window}#"
    first = len(text[:middle].rstrip("X"))
    last = middle + 1 + len(text[middle + 1 :]) - len(text[middle + 1 :].lstrip("X"))
    return text[first - 1] + "X" * (last - first) + text[last]


def empty_cells(window: str) -> list[int]:
    middle = len(window) // 2
    low = window.rfind("#", 0, middle) + 1
    high = window.find("#", middle)
    return [at for at in range(low, len(window) if high < 0 else high) if window[at] == "."]


@cache
def class_of(window: str, length: int, ending: Ending) -> int:
    """Return the class of X in the middle by the definitions, one possible stone after another."""
    run = run_of(window)
    size = len(run) - 2
    if ending is Ending.BARRED and size > length:
        return shapes.BARRED
    closed = run[0] == run[-1] == "O" and ending is Ending.CARO
    if size >= length if ending is Ending.FREE else size == length and not closed:
        return shapes.FIVE

    def ways(*classes: int) -> int:
        after = (with_sign(window, at, "X") for at in empty_cells(window))
        return sum(class_of(one, length, ending) in classes for one in after)

    if fives := ways(shapes.FIVE):
        if ending is Ending.BARRED:
            straight = size == length - 1
            return shapes.FOUR if fives == 1 else shapes.OPEN_FOUR if straight else shapes.BARRED
        stopped = (with_sign(window, at, "O") for at in empty_cells(window))
        fours = (shapes.FOUR, shapes.OPEN_FOUR)
        stays = all(class_of(one, length, ending) in fours for one in stopped)
        return shapes.OPEN_FOUR if stays else shapes.FOUR
    if opens := ways(shapes.OPEN_FOUR):
        return shapes.RICH_THREE if opens > 1 else shapes.OPEN_THREE
    if ways(shapes.FOUR, shapes.BARRED) and ways(shapes.FOUR):
        return shapes.THREE
    if opens := ways(shapes.OPEN_THREE, shapes.RICH_THREE):
        return shapes.RICH_TWO if opens > 2 else shapes.OPEN_TWO
    return shapes.TWO if ways(shapes.THREE) else shapes.DEAD


@pytest.mark.medium
@pytest.mark.parametrize("ending", Ending)
@pytest.mark.parametrize("length", [4, 5])
def test_classes_are_those_of_the_definitions(ending: Ending, length: int) -> None:
    endings = (ending, ending)
    reach, table, rng = reach_of(length, endings), shape_table(length, endings), Random(5)
    exchange = str.maketrans("XO", "OX")
    for _ in range(90):
        window = "".join(rng.choices(SIGNS, (5, 3, 1, 0.3), k=2 * reach + 1))
        expected = class_of(with_sign(window, reach, "X"), length, ending)
        found = int(table[key_of(window)]) & 15
        if expected == shapes.DEAD:
            assert found <= shapes.OPEN_ONE, window
        else:
            assert found == expected, window
        assert int(table[key_of(window.translate(exchange))]) >> 4 == found


def random_position(rules: LineRules, rng: Random, stones: int) -> Position:
    cells = rng.sample(range(rules.shape.cells), stones)
    half = stones // 2
    crosses, naughts = (sum(1 << cell for cell in part) for part in (cells[:half], cells[half:]))
    return Position((crosses, naughts), stones % 2)


def loaded(rules: LineRules, position: Position) -> Arrays:
    arrays = Arrays(rules, new_table(1 << 10))
    begun(arrays, position)
    return arrays


@pytest.mark.parametrize(
    "rules", [*GAMES, LineRules(Shape(5, 9), 4), LineRules(Shape(12, 7), 6)], ids=repr
)
def test_a_cell_makes_five_exactly_where_the_rules_see_a_line_afterwards(rules: LineRules) -> None:
    rng, cells = Random(9), rules.shape.cells
    for _ in range(4):
        position = random_position(rules, rng, cells * rng.randint(4, 8) // 10)
        if any(rules.winning_line(position.stones, side) for side in (0, 1)):
            continue
        arrays = loaded(rules, position)
        for side in (0, 1):
            expected = []
            for cell in range(cells):
                stones = [*position.stones]
                stones[side] |= 1 << cell
                empty = not position.occupied >> cell & 1
                if empty and rules.winning_line((stones[0], stones[1]), side):
                    expected.append(cell)
            assert arrays.cells_of(side, MAKES_FIVE) == expected


def test_cells_that_renju_forbids_have_a_kind_of_their_own() -> None:
    rules, rng, seen = Renju(SHAPE), Random(3), set[str]()
    for _ in range(12):
        position = random_position(rules, rng, rng.randint(50, 110))
        arrays = loaded(rules, position)
        game = Game(*arrays.load(position, (), np.zeros(1, np.int64)))
        read_stones(game)
        barred = forbidden_cells(SHAPE, *position.stones)
        seen |= set(barred.values())
        certain = {cell for cell, reason in barred.items() if reason != TWO_THREES}
        assert set(arrays.cells_of(0, FORBIDDEN)) == certain
        doubtful = arrays.cells_of(0, DOUBLE_THREE)
        places = {cell: int(arrays.state[arrays_of.PLACES + cell]) for cell in doubtful}
        found = {cell for cell in doubtful if makes_two_threes(game, places[cell])}
        assert found == barred.keys() - certain
    assert len(seen) == 3


def test_a_stone_alone_ranks_the_cells_around_it_and_no_others() -> None:
    rules = LineRules(SHAPE, 5)
    arrays = loaded(rules, Position((1 << 112, 0), 1))
    ranked = [
        cell
        for cell, place in enumerate(np.flatnonzero(arrays.state[: arrays_of.AREA] != 3))
        if arrays.state[place] == arrays_of.EMPTY and arrays.state[arrays_of.KINDS + place] >= 16
    ]
    middle = 7
    assert ranked == [
        row * 15 + column
        for row in range(15)
        for column in range(15)
        if (down := abs(row - middle)) + (across := abs(column - middle)) > 0
        and max(down, across) <= 4
        and (down in (0, across) or across == 0)
    ]


#: The blocks that hold something for every place, and for the empty places only.
ALWAYS = tuple(arrays_of.KEYS + at * arrays_of.AREA for at in range(4))
EMPTY_ONLY = tuple(
    block + at * arrays_of.AREA
    for block in (arrays_of.COMBINATIONS, arrays_of.KINDS)
    for at in (0, 1)
)


def begun(arrays: Arrays, position: Position) -> Game:
    legal = range(arrays.rules.shape.cells)
    arguments = arrays.load(position, legal, np.zeros(1, np.int64))
    begin_position(*arguments)
    return Game(*arguments)


def known(arrays: Arrays, game: Game) -> list[list[int]]:
    """Return all that follows from the stones: blocks, counts, sums and the hash."""
    state, sums = arrays.state, arrays_of.sums_of(game)
    places = state[arrays_of.PLACES : arrays_of.PLACES + arrays.rules.shape.cells]
    empty = places[state[places] == arrays_of.EMPTY]
    blocks = [state[block + places].tolist() for block in ALWAYS]
    blocks += [state[block + empty].tolist() for block in EMPTY_ONLY]
    return [
        *blocks,
        state[arrays_of.COUNTS : arrays_of.COUNTS + 32].tolist(),
        state[sums : sums + SUM_SIZE].tolist(),
        [int(arrays.words[arrays_of.HASH])],
    ]


@pytest.mark.parametrize(
    "rules",
    [LineRules(Shape(7, 9), 5), LineRules(Shape(8, 6), 5, exact=True), Caro(), Renju()],
    ids=repr,
)
@settings(max_examples=8)
@given(data=st.data())
def test_stones_that_come_and_go_leave_a_board_as_new(
    rules: LineRules, data: st.DataObject
) -> None:
    arrays, cells = Arrays(rules, new_table(1 << 10)), rules.shape.cells
    game, placed, stones = begun(arrays, Position()), list[tuple[int, int]](), [0, 0]
    moves = st.tuples(st.integers(0, cells - 1), st.integers(0, 1), st.integers(0, 3))
    for cell, side, kind in data.draw(st.lists(moves, min_size=5, max_size=40)):
        if kind == 0 and placed:
            cell, side = placed.pop()
            stones[side] ^= 1 << cell
            take_stone(game, int(arrays.state[arrays_of.PLACES + cell]), side)
        elif not (stones[0] | stones[1]) >> cell & 1:
            placed.append((cell, side))
            stones[side] |= 1 << cell
            place_stone(game, int(arrays.state[arrays_of.PLACES + cell]), side)
    kept = known(arrays, game)
    anew = begun(arrays, Position((stones[0], stones[1])))
    assert known(arrays, anew) == kept


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


def attacking_games(rules: LineRules, rng: Random, games: int) -> list[Position]:
    """Return the positions of games of two players who only lengthen rows, and stop nothing."""
    positions = []
    for _ in range(games):
        position = Position()
        while rules.outcome(position) is None and position.marks < 60:
            positions.append(position)
            near_own = layout(rules.shape).spread(
                position.stones[position.turn] | 1 << rules.shape.cells // 2
            )
            legal = rules.moves(position)
            near = [cell for cell in legal if near_own >> cell & 1]
            position = rules.play(position, rng.choice(near or legal))
    return positions


@pytest.mark.medium
@games
def test_a_win_in_one_and_the_stop_of_a_four_are_never_missed(rules: LineRules) -> None:
    engine, rng = plain(rules), Random(11)
    wins = stops = 0
    for position in attacking_games(rules, rng, 12):
        if min(wins, stops) > 1:
            return
        if position.marks < 8:
            continue
        if wins < 2 and (own := winning_cells(rules, position, position.turn)):
            thought = engine.think(position, LEAST, rng)
            assert thought.best[0] in own
            assert thought.bound == MATE - 1
            wins += 1
        elif stops < 2 and winning_cells(rules, position, 1 - position.turn):
            stopping = stops_in_one(rules, position)
            assert not stopping or engine.think(position, LEAST, rng).best[0] in stopping
            stops += bool(stopping)
    pytest.fail("too few wins and stops were met")


@pytest.mark.parametrize(
    "engine", [plain(FREE), PlainLines(FREE)], ids=lambda each: type(each).__name__
)
def test_a_win_that_begins_with_the_only_stop_of_a_four_is_proved(engine: Engine) -> None:
    crosses = (98, 112, 128, 142, 143, 144, 145, 147, 158, 173, 174)
    naughts = (83, 97, 104, 113, 115, 130, 132, 141, 146, 160, 188)
    stones = [sum(1 << cell for cell in cells) for cells in (crosses, naughts)]
    position = Position((stones[0], stones[1]), 0)

    thought = engine.think(position, Limits(work=0.05), Random(0))

    assert stops_in_one(FREE, position) == [thought.best[0]]
    assert thought.outcome == "win"
    assert win_by_threats(FREE, position) is not None


@pytest.mark.medium
@games
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


@pytest.mark.parametrize(
    ("rules", "moves", "nodes", "best", "bound"),
    [
        (FREE, (), 0, {112}, None),
        # An open three is stopped, or answered by a four; two open fours are lost in two plies.
        pytest.param(
            FREE, (112, 0, 113, 30, 114), 300, {110, 111, 115, 116}, None, marks=pytest.mark.medium
        ),
        (FREE, (112, 0, 113, 30, 114, 60, 115), 0, {111, 116}, 2 - MATE),
        # O X X X X . . : in Caro the cell after the gap closes the five as well as the gap does.
        (Caro(SHAPE), (112, 111, 113, 0, 114, 30, 115), 60, {116, 117}, None),
        # On a small board of Renju X might have no move, so that no win of O is claimed but a five.
        (Renju(Shape(6, 6)), (0, 13, 5, 14, 35, 15, 30), 0, {12, 16}, None),
        (Renju(Shape(6, 6)), (0, 13, 5, 14, 35, 15, 30, 16, 29), 0, {12, 17}, MATE - 1),
    ],
)
def test_what_a_few_stones_threaten_is_seen(
    rules: LineRules, moves: tuple[int, ...], nodes: int, best: set[int], bound: int | None
) -> None:
    position, limits = position_of(rules, *moves), Limits(work=nodes / NODES_PER_SECOND)
    thought = plain(rules).think(position, limits, Random(0))
    assert thought.best[0] in best
    assert thought.bound == bound
    if isinstance(rules, Caro):
        assert {*stops_in_one(rules, position)} == best


def test_equal_work_gives_equal_answers() -> None:
    position = position_of(FREE, 112, 113, 97, 127, 128)
    first, second = (plain(FREE).think(position, LITTLE, Random(seed)) for seed in (1, 2))
    assert first == second
    engine = plain(FREE)
    engine.think(position_of(FREE, 112, 113, 97), LITTLE, Random(0))
    assert engine.think(position, LITTLE, Random(0)) == first


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
        replies = stops_in_one(rules, after)
    elif threats:  # without Caro's closed ends, a five is stopped in its cell
        replies = [cell for cell in replies if threats == [cell]]
    for reply in replies:
        replied = rules.play(after, reply)
        if not holds(engine, replied, engine.think(replied, Limits(work=1), Random(0))):
            return False
    return True


@pytest.mark.slow
@games
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


@pytest.mark.slow
@games
def test_machine_code_answers_as_the_kernels_do_as_they_stand(rules: LineRules) -> None:
    compiled, rng = CompiledLines(rules, MEMORY), Random(8)
    compiled.prepare()
    assert compiled.is_ready()
    for position in attacking_games(rules, rng, 3)[4::18]:
        limits = Limits(work=rng.choice((200, 800)) / NODES_PER_SECOND)
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


def test_what_is_kept_is_of_one_engine_one_side_and_one_game() -> None:
    kept, one, other = Kept(), object(), object()
    stones = [Position((1, 0), 1), Position((1, 2), 0), Position((5, 2), 1), Position((5, 10), 0)]

    def lent(engine: object, position: Position) -> object:
        with kept.going_on(engine, position, object) as found:
            return found

    first, second = lent(one, stones[1]), lent(one, stones[2])
    assert lent(one, stones[3]) is first is not second
    assert lent(one, stones[3]) is not first  # the same position again: no move of this game
    assert lent(other, stones[3]) is not lent(one, stones[3])
    with kept.going_on(one, stones[0], object) as held:
        assert lent(one, stones[2]) is not held  # by another thought at the same time
    assert lent(one, stones[2]) is held
    kept = pickle.loads(pickle.dumps(kept))  # another process begins anew
    assert lent(one, stones[3]) is not first


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


# -- forced positions ------------------------------------------------------------------------------


Maker: TypeAlias = Callable[[Any], Engine]

engines = pytest.mark.parametrize("engine", [PlainLines, CompiledLines])

QUICK_LIMITS = HARD_LIMITS.share(1 - UNUSED_PART)
#: No time at all: what is known before any search.
AT_ONCE = Limits(work=0.0, cancelled=lambda: True)


def check_puzzles(make: Maker, chosen: Sequence[Puzzle], limits: Limits = QUICK_LIMITS) -> None:
    missed = [
        (puzzle.line, best)
        for puzzle in chosen
        for best in make(puzzle.rules).think(puzzle.position, limits, Random(0)).best
        if best not in puzzle.answers
    ]
    assert not missed


def allows_a_win_by_one_four(rules: Rules, position: Position) -> bool:
    """Return whether the side to move can threaten a win that nothing stops, by the rules alone."""
    for move in rules.moves(position):
        after = rules.play(position, move)
        is_four = wins_in_one(rules, after._replace(turn=position.turn))
        if is_four and not wins_in_one(rules, after) and not stops_in_one(rules, after):
            return True
    return False


@pytest.mark.medium
@engines
@pytest.mark.parametrize("number", range(0, 2000, 250))
def test_no_forced_move_of_a_sample_is_missed(engine: Maker, number: int) -> None:
    check_puzzles(engine, puzzles()[number : number + 1])


@engines
@pytest.mark.parametrize(
    "number",
    [
        pytest.param(number, marks=pytest.mark.nightly if number % 1000 else pytest.mark.slow)
        for number in range(0, 2000, 100)
    ],
)
def test_no_forced_move_is_missed(engine: Maker, number: int) -> None:
    check_puzzles(engine, puzzles()[number : number + 100])


@pytest.mark.medium
@engines
def test_wins_fives_and_open_threes_are_seen_without_any_time(engine: Maker) -> None:
    check_puzzles(engine, [one for one in puzzles()[::25] if one.kind != "fours"], AT_ONCE)


@pytest.mark.medium
@engines
@pytest.mark.parametrize(
    ("variant", "crosses", "naughts", "turn"),
    [
        # Another move looks better by its place, and lets the other side make an open four.
        (
            "gomoku",
            0x1_8000_0001_0006_0000_0012_0022_0000_0000_0000_0000_0000_0000,
            0x2_0802_0000_0010_8020_0000_0044_0000_0000_0000_0000_0000_0000,
            1,
        ),
        (
            "gomoku",
            0x2000_B000_0003_2802_0000_4000_4000_0000_0000_0000_0000_0000_0000,
            0x4800_4000_A400_5004_0000_0003_0000_0000_0000_0000_0000_0000_0000,
            0,
        ),
        (
            "gomoku-caro",
            0x7_0008_0004_000A_0040_0000_0000_0000_0000_0000_0000,
            0x1000_9000_0002_0021_8000_0000_0000_0000_0000_0000_0000,
            1,
        ),
    ],
)
def test_what_stops_an_open_three_comes_before_what_looks_best(
    engine: Maker, variant: str, crosses: int, naughts: int, turn: int
) -> None:
    rules, position = VARIANTS[variant], Position((crosses, naughts), turn)
    (move,) = engine(rules).think(position, AT_ONCE, Random(0)).best
    assert not allows_a_win_by_one_four(rules, rules.play(position, move))


@pytest.mark.medium
def test_there_are_two_thousand_different_positions() -> None:
    found = puzzles()
    assert Counter(puzzle.kind for puzzle in found) == dict.fromkeys(forced_positions.KINDS, 500)
    assert len({(puzzle.variant, puzzle.position) for puzzle in found}) == 2000
    assert all(puzzle.answers for puzzle in found)


def _first(rules: Rules, position: Position) -> int | None:
    win = win_by_fours(rules, position)
    return win.line[0] if win else None


@pytest.mark.slow
@pytest.mark.parametrize("number", range(16))
def test_the_answers_of_a_sample_are_proved_by_the_rules_alone(number: int) -> None:
    for puzzle in puzzles()[number::167]:
        _prove(puzzle)


def _prove(puzzle: Puzzle) -> None:
    rules, position = puzzle.rules, puzzle.position
    if puzzle.kind == "win":
        assert list(puzzle.answers) == wins_in_one(rules, position)
    elif puzzle.kind == "four":
        assert list(puzzle.answers) == stops_in_one(rules, position)
    elif puzzle.kind == "fours":
        assert is_won(rules, position, 9, _first)
    else:
        for move in set(rules.moves(position)) - set(puzzle.answers):
            here = rules.play(position, move)
            win = win_by_fours(rules, here)
            assert win is not None
            # Losing moves are many and much alike.
            assert move % 10 or is_won(rules, here, win.plies, _first)
