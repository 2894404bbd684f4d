"""Engines of playouts and of plain Python: legal, true, and they repeat themselves."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator
from contextlib import suppress
from random import Random
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

from tests.forced_wins import stops_in_one, wins_in_one
from tests.solver.late_positions import as_lines, wrapping_words
from tic_tac_toe.engines.choice import Engine
from tic_tac_toe.engines.lines import PLAIN, CompiledLines
from tic_tac_toe.engines.plain import (
    LineSearch,
    LookingAhead,
    PlainLines,
    PlainPlayouts,
    Stopped,
)
from tic_tac_toe.engines.playouts import CompiledPlayouts, game_of
from tic_tac_toe.engines.playouts.boards import BoardGame
from tic_tac_toe.engines.playouts.drops import MARKS, THREATS, WORTH, DropGame, odds_of
from tic_tac_toe.engines.playouts.tree import (
    CONTROLS,
    COUNT,
    DRAW,
    FIELDS,
    GOES_ON,
    NODES,
    PLIES,
    PROVEN,
    UNKNOWN,
    Game,
    search_with,
    subtree,
)
from tic_tac_toe.engines.playouts.ultimate import BOARD_SHIFT
from tic_tac_toe.limits import Kept, Limits
from tic_tac_toe.logic.positions import Position
from tic_tac_toe.logic.rules import Rules
from tic_tac_toe.logic.rules.catalogue import TIC_TAC_TOE, VARIANTS, find_rules
from tic_tac_toe.logic.rules.letters import OrderAndChaos
from tic_tac_toe.logic.rules.line import LineRules
from tic_tac_toe.logic.rules.renju import Caro, Renju
from tic_tac_toe.logic.rules.ultimate import Ultimate
from tic_tac_toe.logic.rules.wrappers import Misere
from tic_tac_toe.logic.search.evaluation import MATE, Evaluation
from tic_tac_toe.logic.search.line_board import LineBoard
from tic_tac_toe.logic.search.threats import win_by_threats
from tic_tac_toe.logic.shapes import Shape

# The machine code is made once if one process runs them all.
pytestmark = pytest.mark.xdist_group("playouts")

LITTLE = Limits(work=0.02)
STOPPED = Limits(cancelled=lambda: True)
GOMOKU = as_lines("gomoku")
GAMES: dict[str, Rules] = {
    name: find_rules(name)
    for name in (
        *("tic-tac-toe", "misere-tic-tac-toe", "mnk:4,3,2", "connect-four", "misere-connect-four"),
        *("wild", "misere-wild", "mnk:8,5,4,wild,gravity", "order-and-chaos", "score-four"),
        *("8x8x4,gravity", "mnk:4,9,4,gravity"),
        *("mnk:4,4,3,torus", "mnk:5,5,3,exact", "mnk:5,5,4,exact,torus", "gomoku-caro", "3x3x3"),
        *("mnk:6,6,3,exact,gravity", "mnk:6,6,5,gravity", "ultimate", "ultimate-open"),
    )
} | {
    "misère ultimate": Misere(Ultimate()),
    "oblong ultimate": Ultimate(LineRules(Shape(2, 4), 2)),
    "misère Order and Chaos": Misere(OrderAndChaos(LineRules(Shape(4, 4), 3))),
}


#: Boards whose games are words of bits: even and odd numbers of rows, full words, low and narrow.
DROPS = {
    name: as_lines(name)
    for name in (
        "connect-four",
        "8x8x4,gravity",
        "9x7x4,gravity",
        "mnk:9,4,4,gravity",
        "mnk:4,16,4,gravity",
    )
}


@pytest.fixture(autouse=True)
def _wrapping_words() -> Iterator[None]:
    with wrapping_words():
        yield


def known_game(rules: Rules) -> Game:
    game = game_of(rules)
    assert game is not None
    return game


def codes_of(rules: Rules, game: Game) -> dict[int, int]:
    """Return the number that the compiled functions have for each move."""
    inner = rules.rules if isinstance(rules, Misere) else rules
    if not isinstance(inner, Ultimate):
        numbers = range(max(game.most_moves, rules.shape.cells))
        return {game.move_of(number): number for number in numbers}
    cells = range(inner.local.shape.cells)
    codes = (board << BOARD_SHIFT | cell for board in cells for cell in cells)
    return {game.move_of(code): code for code in codes}


def loses_soon(rules: Rules, position: Position, move: int) -> bool:
    """Return whether a move loses the game or lets the other side win at once."""
    after = rules.play(position, move)
    outcome = rules.outcome(after)
    return wins_in_one(rules, after) != [] or (outcome is not None and outcome.winner == after.turn)


@pytest.mark.parametrize("name", GAMES)
def test_the_functions_of_a_game_play_by_its_rules(name: str) -> None:
    rules, rng = GAMES[name], Random(name)
    game = known_game(rules)
    codes = codes_of(rules, game)
    for _ in range(2 if rules.shape.cells > 60 else 8):
        position, state = Position(), game.state(Position())
        while moves := rules.moves(position):
            wins = wins_in_one(rules, position)
            move = rng.choice(wins if wins and rng.random() < 0.5 else moves)
            result = int(game.parts.play(state, game.tables, np.int64(codes[move])))
            position = rules.play(position, move)
            outcome = rules.outcome(position)
            if outcome is None:
                assert result == GOES_ON
            else:
                assert result == (DRAW if outcome.winner is None else outcome.winner)


@pytest.mark.slow
@pytest.mark.parametrize("name", GAMES)
def test_a_survey_names_the_wins_in_one_and_leaves_out_nothing_but_losses(name: str) -> None:
    rules, rng = GAMES[name], Random(name)
    game = known_game(rules)
    control, written = np.zeros(CONTROLS, np.int64), np.zeros(2 * game.most_moves, np.int64)
    for _ in range(1 if rules.shape.cells > 60 else 6):
        position = Position()
        while moves := rules.moves(position):
            score = int(game.parts.survey(game.state(position), game.tables, written, control))
            named = sorted(game.move_of(int(code)) for code in written[: 2 * control[COUNT] : 2])
            wins = wins_in_one(rules, position)
            if score == MATE - 1:
                assert named == wins
            else:
                # A board that is full is not looked for.
                assert not wins or len(moves) <= 2
                left_out = moves if score != UNKNOWN else sorted({*moves} - {*named})
                assert all(loses_soon(rules, position, move) for move in left_out)
            position = rules.play(position, rng.choice(moves))


def lowest_threats(rules: LineRules, position: Position) -> list[tuple[int, int]]:
    """Return the side of each threat that counts and its row, the lowest being 1."""
    found = list[tuple[int, int]]()
    for column in range(rules.shape.columns):
        cells = [row * rules.shape.columns + column for row in reversed(range(rules.shape.rows))]
        empty = [cell for cell in cells if not position.occupied >> cell & 1]
        for cell in empty[1:]:  # the first can be entered
            sides = [
                side
                for side, stones in enumerate(position.stones)
                if rules.has_line(stones | 1 << cell)
            ]
            found += [(side, cells.index(cell) + 1) for side in sides]
            if sides:
                break
    return found


@pytest.mark.parametrize("name", DROPS)
def test_threats_are_worth_what_a_look_at_each_cell_says(name: str) -> None:
    rules, rng = DROPS[name], Random(name)
    game, seen = DropGame(rules), 0
    start, *worth = (int(number) for number in game.tables[WORTH:])
    for _ in range(12):
        position = Position()
        while rules.outcome(position) is None:
            words = game.state(position).view(np.uint64)
            threats = words[THREATS], words[THREATS + 1]
            odds = odds_of(*threats, words[MARKS] | words[MARKS + 1], game.tables)
            counted = lowest_threats(rules, position)
            seen += len(counted)
            assert int(odds) == start + sum(
                worth[2 * side + (row + 1) % 2] for side, row in counted
            )
            position = rules.play(position, rng.choice(rules.moves(position)))
    assert seen > 20


def test_a_threat_is_worth_the_same_whichever_mark_began() -> None:
    rules = DROPS["8x8x4,gravity"]
    game, position = DropGame(rules), Position()
    for column in (2, 3, 2, 7, 7, 7, 4, 2, 4, 0, 2, 1):
        move = next(move for move in rules.moves(position) if move % 8 == column)
        position = rules.play(position, move)
    other = Position(position.stones[::-1], 1 - position.turn)
    told = list[list[int]]()
    for each in (position, other):
        control, written = np.zeros(CONTROLS, np.int64), np.zeros(2 * game.most_moves, np.int64)
        assert game.parts.survey(game.state(each), game.tables, written, control) == UNKNOWN
        told.append(written.tolist())
    assert told[0] == told[1]
    assert len({*told[0][1::2]}) > 1


@pytest.mark.parametrize("name", ["connect-four", "8x8x4,gravity", "9x7x4,gravity"])
def test_random_games_come_out_as_those_of_the_games_of_any_lines(name: str) -> None:
    rules, rng = DROPS[name], Random(name)
    games = DropGame(rules), BoardGame(rules, rules)
    for plies in (0, 6, 12):
        position = Position()
        while position.marks < plies:
            after = rules.play(position, rng.choice(rules.moves(position)))
            position = Position() if rules.outcome(after) is not None else after
        won = [0, 0]
        for place, game in enumerate(games):
            dice = np.array([7], np.uint64)
            for _ in range(150):
                won[place] += game.parts.simulate(game.state(position), game.tables, dice) == 0
        # Six standard errors of the difference.
        assert abs(won[0] - won[1]) < 6 * math.sqrt(2 * 150 / 4)


@pytest.mark.medium
@pytest.mark.parametrize(
    "rules",
    [
        *map(find_rules, ("mnk:4,3,3", "connect-four-5x4", "misere-tic-tac-toe", "wild")),
        Ultimate(LineRules(Shape(2, 2), 2)),
    ],
    ids=repr,
)
def test_machine_code_searches_as_the_plain_functions_do(rules: Rules) -> None:
    plain = search_with(known_game(rules).parts)
    for seed in range(3):
        thoughts = [
            CompiledPlayouts(rules, 1 << 16, search).think(
                Position(), Limits(work=2e-4), Random(seed)
            )
            for search in (plain, None)
        ]
        assert thoughts[0] == thoughts[1]


@pytest.mark.medium
@pytest.mark.parametrize(
    "name", ["connect-four", "mnk:6,6,4", "wild", "ultimate", "order-and-chaos:4,4,3"]
)
def test_the_least_work_wins_in_one_and_lets_nobody_else_do_so(name: str) -> None:
    rules, rng = find_rules(name), Random(name)
    engine = CompiledPlayouts(rules, 1 << 22)
    for _ in range(2):
        position = Position()
        while moves := rules.moves(position):
            thought = engine.think(position, STOPPED, rng)
            if wins := wins_in_one(rules, position):
                assert {*thought.best} <= {*wins}
                assert thought.bound == MATE - 1
            else:
                lost = {move for move in moves if loses_soon(rules, position, move)}
                assert lost == {*moves} or lost.isdisjoint(thought.best)
            position = rules.play(position, rng.choice(moves))


def test_an_only_move_is_found_at_once_even_without_a_limit() -> None:
    rules = find_rules("mnk:3,1,3,gravity")
    position = rules.play(rules.play(Position(), 0), 1)
    engine = CompiledPlayouts(rules, 1 << 16)
    assert engine.think(position, Limits(), Random(1)).best == (2,)


def test_an_engine_is_ready_once_it_is_prepared() -> None:
    engine = CompiledPlayouts(VARIANTS["ultimate"], 1 << 16)
    engine.prepare()
    assert engine.is_ready()


def test_a_tree_that_is_full_goes_on_with_playouts() -> None:
    rules = VARIANTS["connect-four"]
    thought = CompiledPlayouts(rules, 1 << 10).think(Position(), Limits(work=0.01), Random(1))
    assert thought.nodes > 100
    assert {*thought.best} <= {*rules.moves(Position())}


def test_the_line_that_is_expected_can_be_played() -> None:
    for name in ("ultimate", "connect-four", "wild"):
        rules, position = VARIANTS[name], Position()
        thought = CompiledPlayouts(rules).think(position, Limits(work=0.05), Random(1))
        assert len(thought.line) > 1
        assert thought.line[0] in thought.best
        for move in thought.line:
            assert move in rules.moves(position)
            position = rules.play(position, move)


def test_a_search_without_end_ends_when_asked_and_raises_what_stop_raises() -> None:
    engine = CompiledPlayouts(VARIANTS["connect-four"], 1 << 22)
    answers = iter([False, False, True])
    assert engine.think(Position(), Limits(cancelled=lambda: next(answers)), Random(1)).best

    def fail() -> bool:
        raise RuntimeError("cancelled")

    with pytest.raises(RuntimeError, match="cancelled"):
        engine.think(Position(), Limits(cancelled=fail), Random(1))


def test_games_without_functions_are_refused() -> None:
    class Odd(LineRules):
        """A subclass may have any rules."""

    refused: list[Rules] = [VARIANTS["renju"], VARIANTS["vanishing"], Odd(), find_rules("3,3,1")]
    for rules in refused:
        assert not CompiledPlayouts.supports(rules)
        with pytest.raises(ValueError, match="No compiled playouts"):
            CompiledPlayouts(rules)
    assert CompiledPlayouts.supports(VARIANTS["ultimate"])
    assert CompiledPlayouts.supports(VARIANTS["misere-wild"])


@pytest.mark.parametrize("name", ["gomoku", "ultimate", "order-and-chaos"])
def test_a_random_game_counts_its_moves(name: str) -> None:
    game = known_game(VARIANTS[name])
    state: Any = game.state(Position())
    result = game.parts.simulate(state, game.tables, np.array([5], np.uint64))
    assert result in (0, 1, DRAW)
    assert 5 <= state[PLIES] <= VARIANTS[name].shape.cells


@pytest.mark.parametrize(
    ("engine", "rules"),
    [
        *((PlainPlayouts, find_rules(name)) for name in ("ultimate", "wild", "order-and-chaos")),
        *((PlainPlayouts, find_rules(name)) for name in ("vanishing", "notakto-2")),
        (CompiledPlayouts, find_rules("ultimate")),
        *((PlainLines, find_rules(name)) for name in ("gomoku", "qubic", "score-four")),
        (PlainLines, Renju(Shape(9, 9))),
    ],
)
def test_equal_seeds_and_work_give_equal_thoughts(
    engine: Callable[[Any], Engine], rules: Rules
) -> None:
    rng, position = Random(2), Position()
    for _ in range(4 if engine is PlainLines else 0):
        position = rules.play(position, rng.choice(rules.moves(position)))
    player = engine(rules)
    first, again, other = (player.think(position, LITTLE, Random(seed)) for seed in (5, 5, 2))
    assert first == again
    assert first != other or engine is not CompiledPlayouts
    if engine is PlainLines:  # nothing that a position may remember concerns lines
        assert player.think(position._replace(memory=1), LITTLE, Random(5)) == first
    assert {*first.best} <= {*rules.moves(position)}
    assert first.line[0] in first.best


def thoughts(
    engine: Engine, rules: Rules, kept: Kept | None, moves: tuple[int, ...]
) -> list[Evaluation]:
    """Return what an engine thinks in a game, with what it keeps of it."""
    position, found = Position(), list[Evaluation]()
    for move in moves:
        position = rules.play(position, move)
    while len(found) < 6:
        found.append(engine.think(position, Limits(work=0.05, kept=kept), Random(0)))
        position = rules.play(position, found[-1].best[0])
    return found


@pytest.mark.medium
@pytest.mark.parametrize(
    ("make", "name", "openings"),
    [
        (CompiledLines, "gomoku", ((112, 113, 128), (96, 95, 128))),
        (PlainLines, "mnk:9,9,5", ((40, 41, 50), (32, 31, 50))),
        (CompiledPlayouts, "mnk:8,8,4,gravity", ((60, 59), (59, 51))),
        (CompiledPlayouts, "ultimate", ((40, 30), (40, 31))),
    ],
)
def test_what_is_kept_of_a_game_goes_on_at_its_next_move_and_is_gone_at_the_next_game(
    make: Callable[[Rules], Engine], name: str, openings: tuple[tuple[int, ...], ...]
) -> None:
    rules, kept = find_rules(name), Kept()
    engine, (opening, other) = make(rules), openings

    first, _, again = (thoughts(engine, rules, kept, one) for one in (opening, other, opening))
    alone = thoughts(engine, rules, None, opening)

    assert first == again == thoughts(engine, rules, Kept(), opening)
    assert first[:2] == alone[:2]
    assert first[2:] != alone[2:]


@pytest.mark.parametrize("make", [PlainPlayouts, CompiledPlayouts])
def test_a_game_of_which_a_tree_is_kept_has_an_answer_to_every_move(
    make: Callable[[Rules], Engine],
) -> None:
    rules = find_rules("mnk:4,4,3,gravity")
    engine, rng = make(rules), Random(5)
    for _ in range(12):
        position, kept = Position(), Kept()
        while rules.outcome(position) is None:
            moves = rules.moves(position)
            if position.turn:
                found = engine.think(position, Limits(work=0.004, kept=kept), rng)
                assert {*found.best} <= {*moves}
                assert found.best
                moves = found.best
            position = rules.play(position, rng.choice(moves))


def nested(tree: NDArray[np.int32], node: int) -> tuple[object, ...]:
    """Return the fields of a node and of all below it."""
    move, first, children, *rest = tree.reshape(-1, FIELDS)[node].tolist()
    below = range(first, first + children) if first else ()
    return move, *rest, *(nested(tree, child) for child in below)


def test_a_subtree_says_of_each_node_what_the_tree_says() -> None:
    rules, control = TIC_TAC_TOE, np.zeros(CONTROLS, np.int64)
    game, tree = known_game(rules), np.zeros(2000 * FIELDS, np.int32)
    tree[PROVEN], control[NODES] = UNKNOWN, 1
    root = game.state(Position())
    moves, dice = np.zeros(2 * game.most_moves, np.int64), np.ones(1, np.uint64)
    stop = np.zeros(1, np.int64)
    arrays = tree, game.tables, root, root.copy(), moves, dice, control, stop
    search_with(game.parts)(*arrays, 300, 0)

    for node in (0, 3, 9, 20):
        own, count = subtree(tree, node, 2000)
        assert nested(own, 0) == nested(tree, node)
        assert not own[count * FIELDS :].any()
    assert subtree(tree, 0, 2000)[1] == control[NODES]


@pytest.mark.parametrize(("make", "work"), [(PlainPlayouts, 0.05), (CompiledPlayouts, 0.01)])
def test_more_work_makes_more_playouts(make: Callable[[Rules], Engine], work: float) -> None:
    engine = make(VARIANTS["ultimate"])
    small, large = (
        engine.think(Position(), Limits(work=limit), Random(1)) for limit in (work, 2 * work)
    )
    assert 1.5 * small.nodes < large.nodes < 2.5 * small.nodes
    assert make is CompiledPlayouts or large.nodes - 2 * small.nodes in (0, 1)


@pytest.mark.parametrize(
    ("engine", "over"),
    [
        *(
            (make(TIC_TAC_TOE), Position((0b111, 0b11000), 1))
            for make in (CompiledPlayouts, PlainPlayouts, LookingAhead)
        ),
        (PlainLines(GOMOKU), Position((0b11111, 0b1111 << 30), 1)),
        (CompiledLines(GOMOKU, 1 << 14, code=PLAIN), Position((0b11111, 0b1111 << 30), 1)),
    ],
    ids=lambda value: type(value).__name__,
)
def test_a_game_that_is_over_is_refused(engine: Engine, over: Position) -> None:
    with pytest.raises(ValueError, match="The game is over"):
        engine.think(over, LITTLE, Random(1))


# -- lines in plain Python -------------------------------------------------------------------------


SMALL = Limits(work=0.01)
NAMES = (
    *("tic-tac-toe", "mnk:2,2,2", "mnk:4,3,1", "5x5x4", "mnk:5,5,4,torus", "mnk:8,8,4,gravity"),
    *("3x3x3", "qubic", "score-four", "gomoku", "gomoku-standard", "mnk:19,19,5"),
)
LINE_GAMES = {name: as_lines(name) for name in NAMES}
LINE_GAMES |= {"caro": Caro(Shape(9, 9)), "renju": Renju(Shape(9, 9))}


def think(rules: LineRules, position: Position, limits: Limits = SMALL) -> Evaluation:
    return PlainLines(rules).think(position, limits, Random(0))


@pytest.mark.slow
@pytest.mark.parametrize("name", LINE_GAMES)
def test_a_game_is_played_to_its_end_without_missing_a_win_or_a_stop_in_one(name: str) -> None:
    rules, rng, position = LINE_GAMES[name], Random(name), Position()
    for _ply in range(40 if rules.shape.cells < 100 else 20):
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


def test_only_a_stop_ends_a_search_without_end() -> None:
    rules = LINE_GAMES["gomoku"]
    position = Position((1 << 112, 1 << 113))
    asked = iter([False] * 20)
    thought = think(rules, position, Limits(cancelled=lambda: next(asked, True)))
    assert thought.best
    assert 20 * 64 <= thought.nodes < 40 * 64


def test_a_position_that_is_lost_in_two_plies_is_called_lost() -> None:
    rules = LINE_GAMES["gomoku"]
    position = Position((0b1111 << 20, 0b101 << 100), 1)
    thought = think(rules, position)
    assert thought.bound == 2 - MATE
    assert thought.best == (19, 24)


@pytest.mark.medium
def test_a_move_that_looks_best_is_not_played_if_threats_win_after_it() -> None:
    rules, position = LINE_GAMES["gomoku"], Position()
    for move in (96, 127, 65, 128, 95, 126, 125, 110, 94):
        position = rules.play(position, move)
    assert win_by_threats(rules, rules.play(position, 97), node_limit=1_500) is not None
    (best,) = think(rules, position, Limits(work=0.12)).best
    assert win_by_threats(rules, rules.play(position, best), node_limit=6_000) is None


def test_what_an_unfinished_depth_finds_better_is_played() -> None:
    rules, position = LINE_GAMES["gomoku"], Position()
    for move in (110, 126, 141, 109, 127, 95, 155, 113):
        position = rules.play(position, move)
    before, after = (think(rules, position, Limits(work=work)) for work in (0.04, 0.05))
    assert before.depth == after.depth == 1
    assert after.line == after.best != before.best

    board = LineBoard(rules, position)
    moves, chosen = board.best_cells(position.turn, 12), -1
    search = LineSearch(board, 200, None, {})
    with suppress(Stopped):
        for line in search.deepened(moves, position.turn):
            chosen = line[0]
    assert search.better is not None
    assert search.better[0] == moves[0] != chosen
