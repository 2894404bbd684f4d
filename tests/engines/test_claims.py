"""What engines claim is true by exact values, in every mix of rules, wherever a thought ends."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from random import Random
from typing import Protocol, TypeVar

import numpy as np
import pytest

from tests.own_games import Drop, ThreeInARow
from tests.solver.late_positions import wrapping_words
from tic_tac_toe.engines.choice import AfterSwap, Engine
from tic_tac_toe.engines.lines import CompiledLines
from tic_tac_toe.engines.lines.position import supports
from tic_tac_toe.engines.plain import LookingAhead, PlainLines, PlainPlayouts
from tic_tac_toe.engines.playouts import CompiledPlayouts, game_of
from tic_tac_toe.engines.playouts.tree import CONTROLS, COUNT, UNKNOWN
from tic_tac_toe.limits import Limits
from tic_tac_toe.logic.exceptions import InvalidVariant, SearchLimitReached
from tic_tac_toe.logic.positions import Position
from tic_tac_toe.logic.rules import Rules
from tic_tac_toe.logic.rules.letters import OrderAndChaos, Wild
from tic_tac_toe.logic.rules.line import LineRules
from tic_tac_toe.logic.rules.lines import PLANE, TORUS, Layers, Topology
from tic_tac_toe.logic.rules.notakto import Notakto
from tic_tac_toe.logic.rules.renju import Caro, Renju
from tic_tac_toe.logic.rules.traits import traits_of
from tic_tac_toe.logic.rules.ultimate import Ultimate
from tic_tac_toe.logic.rules.vanishing import Departure, Vanishing
from tic_tac_toe.logic.rules.wrappers import Misere, Pie
from tic_tac_toe.logic.search.deepening import DECIDED, candidates, look_ahead
from tic_tac_toe.logic.search.evaluation import MATE, Evaluation, back_up, final_score
from tic_tac_toe.logic.search.exact import AlphaBeta
from tic_tac_toe.logic.search.tables import small_graph
from tic_tac_toe.logic.search.threats import Force, forced_moves, win_by_fours, win_by_threats
from tic_tac_toe.logic.shapes import Shape

# The machine code is made once if one process runs them all.
pytestmark = pytest.mark.xdist_group("playouts")

Option = TypeVar("Option")

#: The seconds of a thought, from none to more than most positions here need: of compiled engines,
#: and of those in plain Python.
COMPILED, PLAIN = (0.0, 1e-6, 1e-5, 1e-4, 1e-3, 5e-3), (0.0, 1e-3, 1e-2, 4e-2)
#: How many positions exact values may take.
NODES = 30_000
WIN_IN_ONE, LOSS_IN_TWO = MATE - 1, 2 - MATE


class Choose(Protocol):
    """Returns one of some options."""

    def __call__(self, options: Sequence[Option], /) -> Option: ...


def any_rules(choose: Choose) -> Rules:
    """Return a mix of rules.

    Raises:
        InvalidVariant: what was chosen does not go together.
    """
    kind = choose(("line", "line", "wild", "order", "order", "caro", "renju", "blocks", "other"))
    rules: Rules
    if kind == "blocks":
        shape = choose((Shape(2, 2), Shape(2, 3), Shape(3, 3), Shape(1, 3)))
        topologies: list[Topology] = [PLANE, TORUS]
        topology, exact = choose(topologies), choose((False, True))
        local = LineRules(shape, choose((2, 3)), exact=exact, topology=topology)
        rules = Ultimate(local, stays_open=choose((False, True)))
    elif kind == "other":
        others: list[Rules] = [Drop(), LineRules(Shape(2, 26), 2), Notakto(), Notakto(2)]
        rules = choose([*others, *map(Vanishing, Departure)])
    elif kind == "renju":
        rules = Renju(choose((Shape(5, 5), Shape(5, 6), Shape(6, 6))))
    elif kind == "wild":
        rules = Wild(any_lines(choose))
    else:
        rules = OrderAndChaos(any_lines(choose)) if kind == "order" else any_lines(choose)
    if choose((False, False, True)):
        rules = Misere(rules)
    return Pie(rules) if choose((False,) * 5 + (True,)) else rules


def any_lines(choose: Choose) -> LineRules:
    shape = Shape(choose(range(1, 7)), choose(range(1, 7)))
    length = choose((1, 2, 3, 3, 4, 4, 5, 6))
    if choose((False, False, False, True)):
        return Caro(shape, length)
    layers = Layers(Shape(2, 2)), Layers(Shape(3, 3))
    topologies: list[Topology] = [PLANE, PLANE, PLANE, TORUS, *layers]
    topology = choose(topologies)
    gravity, exact = choose((False, True)), choose((False, True))
    return LineRules(shape, length, gravity=gravity, exact=exact, topology=topology)


def any_position(choose: Choose, rules: Rules) -> Position:
    """Return a late position, reached by moves that end no game where another does not."""
    traits, position = traits_of(rules), Position()
    left = choose(range(1, 9 if traits.choices is None else 6))
    plies = choose(range(20)) if traits.longest is None else rules.shape.cells - left
    for _ in range(plies):
        moves = [*rules.moves(position)]
        first = choose(range(len(moves)))
        after = (rules.play(position, move) for move in moves[first:] + moves[:first])
        going_on = next((one for one in after if rules.moves(one)), None)
        if going_on is None:
            break
        position = going_on
    return position


def exact_values(rules: Rules, position: Position) -> dict[int, int]:
    """Return what each move is worth.

    Raises:
        SearchLimitReached: that takes too long.
    """
    is_endless = traits_of(rules).longest is None
    solver = small_graph(rules) if is_endless else AlphaBeta(rules, node_limit=NODES)
    values = {}
    for move in rules.moves(position):
        after = rules.play(position, move)
        ended = rules.outcome(after)
        score = final_score(ended, after.turn) if ended else solver.score(after)
        values[move] = back_up(score)
    return values


def engines_of(rules: Rules) -> Iterator[tuple[Engine, Sequence[float]]]:
    """Yield the engines that play a game, with the seconds that they may have."""
    yield LookingAhead(rules), PLAIN
    yield PlainPlayouts(rules), PLAIN
    if isinstance(rules, LineRules):
        yield PlainLines(rules), PLAIN
    if supports(rules):
        yield CompiledLines(rules, 1 << 14), COMPILED
    if CompiledPlayouts.supports(rules):
        yield CompiledPlayouts(rules, 1 << 20), COMPILED
    if isinstance(rules, Pie):
        for engine, seconds in engines_of(rules.rules):
            yield AfterSwap(rules, engine), seconds


def check_thought(thought: Evaluation, values: dict[int, int]) -> None:
    exact, (low, high) = max(values.values()), thought[:2]
    assert low <= exact <= high
    assert {*thought.best} <= {*values}
    worth = [values[move] for move in thought.best]
    if low >= 0:
        assert min(worth) >= low
    if exact == WIN_IN_ONE:
        assert {*worth} == {exact}
    elif exact > LOSS_IN_TWO:
        assert min(worth) > LOSS_IN_TWO


def check_survey(rules: Rules, position: Position, values: dict[int, int]) -> None:
    """Check what the compiled search sees at once, and that it leaves out no best move."""
    if (game := game_of(rules)) is None:
        return
    control, written = np.zeros(CONTROLS, np.int64), np.zeros(2 * game.most_moves, np.int64)
    with wrapping_words():
        score = int(game.parts.survey(game.state(position), game.tables, written, control))
    named = tuple(game.move_of(int(code)) for code in written[: 2 * control[COUNT] : 2])
    assert len({*named}) == len(named)
    if score != UNKNOWN:
        check_thought(Evaluation.proved(score, named, "threats"), values)
    else:
        exact = max(values.values())
        assert exact == LOSS_IN_TWO or exact in {values[move] for move in named}


def check_threats(rules: Rules, position: Position, values: dict[int, int]) -> None:
    """Check forced moves and forced wins."""
    forced = forced_moves(rules, position)
    if forced.force is Force.WIN:
        assert {*forced.moves} == {move for move in values if values[move] == WIN_IN_ONE}
    elif forced.force is Force.STOP:
        assert {move for move in values if values[move] > LOSS_IN_TWO} <= {*forced.moves}
    for find in (win_by_fours, win_by_threats):
        won = find(rules, position, node_limit=500)
        assert won is None or values[won.line[0]] >= MATE - won.plies


@pytest.mark.parametrize(
    "seeds",
    [
        pytest.param(range(100), marks=pytest.mark.medium),
        pytest.param(range(100, 400), marks=pytest.mark.slow),
    ],
)
def test_no_claim_contradicts_an_exact_value_and_no_best_move_is_left_out(seeds: range) -> None:
    checked = 0
    for seed in seeds:
        choose = Random(seed).choice
        try:
            rules = any_rules(choose)
            position = any_position(choose, rules)
            values = exact_values(rules, position)
        except (InvalidVariant, SearchLimitReached):
            continue
        if values:
            checked += 1
            check_survey(rules, position, values)
            check_threats(rules, position, values)
            for engine, seconds in engines_of(rules):
                thought = engine.think(position, Limits(work=choose(seconds)), Random(seed))
                check_thought(thought, values)
    assert checked > len(seeds) / 2


@pytest.mark.parametrize(
    ("rules", "position"),
    [
        # The letter that threatens makes the row too long: beside it, on a torus, under gravity.
        (OrderAndChaos(LineRules(Shape(1, 3), 2, exact=True)), Position((0, 0b100), 1)),
        (
            OrderAndChaos(LineRules(Shape(1, 6), 2, exact=True, topology=TORUS)),
            Position((0b101, 0b100000), 1),
        ),
        (
            OrderAndChaos(LineRules(Shape(4, 6), 4, gravity=True, exact=True)),
            Position((16691232, 85008), 0),
        ),
        # In Caro a mark of one's own makes a row too long that lies beside what can become one.
        (Caro(Shape(5, 2), 2), Position((272, 33), 0)),
        # Letters have no other side whose marks could close an end.
        (Misere(Wild(Caro(Shape(1, 6), 3))), Position((17, 42), 1)),
        # The other side may take over the first mark.
        (Pie(LineRules(Shape(3, 1), 2)), Position()),
        # A small board that is won can be played in until its row is too long.
        (
            Misere(Ultimate(LineRules(Shape(3, 3), 2, exact=True), stays_open=True)),
            Position((7194808902270076396164, 1189892310503216154888), 1, 8),
        ),
        # There is no time for a second ply.
        (LineRules(exact=True), Position((36, 2), 1)),
        (Vanishing(Departure.LATE), Position((6, 32), 1, 32006)),
        # A move that is refuted after many playouts leaves others that had one.
        (OrderAndChaos(Caro(Shape(3, 6), 3)), Position((7552, 139375), 1)),
        # The only move that is not lost at once is on no line.
        (LineRules(Shape(6, 4), 4, gravity=True), Position((13152785, 3344808), 0)),
    ],
    ids=repr,
)
def test_an_exception_to_a_rule_of_thumb_is_known_to_engines(
    rules: Rules, position: Position
) -> None:
    values = exact_values(rules, position)
    check_survey(rules, position, values)
    check_threats(rules, position, values)
    for engine, seconds in engines_of(rules):
        for work in seconds:
            for seed in range(4):
                check_thought(engine.think(position, Limits(work=work), Random(seed)), values)


@pytest.mark.parametrize("make", [LookingAhead, PlainPlayouts, CompiledPlayouts])
def test_two_rows_of_five_are_stopped_by_the_letter_that_makes_six_of_both(
    make: Callable[[Rules], Engine],
) -> None:
    rules = OrderAndChaos(LineRules(Shape(6, 6), 5, exact=True))
    # ..OOOO/O...../O...../O..X../....../O.....
    position = Position((1 << 21, 0b111100 | 1 << 6 | 1 << 12 | 1 << 18 | 1 << 30), 1)
    for seconds in (0.0, 0.01, 0.1):
        thought = make(rules).think(position, Limits(work=seconds), Random(0))
        assert thought.best == (36,)
        assert thought.high > LOSS_IN_TWO


class Hasty(ThreeInARow):
    """A game in which the search tries the first move alone."""


@candidates.register
def _(rules: Hasty, position: Position, cells: Sequence[int]) -> Sequence[int]:
    return cells[:1]


def test_a_win_is_not_claimed_where_some_replies_were_not_tried() -> None:
    found = look_ahead(Hasty(), Position())
    assert found.value > DECIDED
    assert LookingAhead(Hasty()).think(Position(), Limits(work=1), Random(0)).low < 0
