"""Strategies: what each promises, and how strong each is."""

from __future__ import annotations

import random
from functools import partial
from itertools import pairwise

import pytest

from tic_tac_toe.game.evaluate import STUDY, caveat, evaluate
from tic_tac_toe.game.strategies import (
    STRATEGIES,
    Strategy,
    hard,
    mcts,
    minimax,
    play_by_rules,
    trickster,
    within,
)
from tic_tac_toe.limits import Limits
from tic_tac_toe.logic.models import GameState, Grid, Mark
from tic_tac_toe.logic.notation import move_name, parse_state
from tic_tac_toe.logic.positions import Position
from tic_tac_toe.logic.repetition import Repetitions
from tic_tac_toe.logic.rules import Rules
from tic_tac_toe.logic.rules.catalogue import VARIANTS, find_rules
from tic_tac_toe.logic.search.tables import small_table

LITTLE = Limits(work=0.04)
#: The strategies, those that search with less work than people are given.
QUICK: dict[str, Strategy] = {
    **STRATEGIES,
    "hard": partial(hard, limits=LITTLE),
    "mcts": partial(mcts, playouts=30),
    "minimax": partial(minimax, limits=LITTLE),
    "trickster": partial(trickster, limits=LITTLE),
}
SMALL = ("tic-tac-toe", "misere-tic-tac-toe")


def play(cross: Strategy, naught: Strategy, start: GameState, rng: random.Random) -> GameState:
    state = start
    while not state.game_over:
        move = (cross, naught)[state.position.turn](state, rng)
        assert move is not None
        state = move.after_state
    return state


def score(strategy: Strategy, other: Strategy, games: int, seed: int = 1) -> float:
    """Return the average result on 3x3, colours alternating: a win 1, a draw 1/2."""
    rng, points = random.Random(seed), 0.0
    for game in range(games):
        mark = (Mark.CROSS, Mark.NAUGHT)[game % 2]
        pair = (strategy, other) if mark is Mark.CROSS else (other, strategy)
        end = play(*pair, GameState.new(), rng)
        points += 0.5 if end.tie else end.winner is mark
    return points / games


def cells_that_end(rules: Rules, position: Position, winner: int) -> list[int]:
    """Return the cells by which the game ends at once with this winner."""
    return [
        cell
        for cell in rules.moves(position)
        if (end := rules.outcome(rules.play(position, cell))) and end.winner == winner
    ]


#: A game of each kind. The others differ in size, in a detail, or are these the other way round.
KINDS = (
    *(
        "tic-tac-toe",
        "connect-four-5x4",
        "connect-four,pie",
        "mnk:5,5,4,torus,misere",
        "score-four",
    ),
    *(
        "wild",
        "order-and-chaos",
        "notakto-2",
        "vanishing-reuse",
        "ultimate",
        "gomoku-caro",
        "renju",
    ),
)
OTHERS = [pytest.param(name, marks=pytest.mark.slow) for name in VARIANTS if name not in KINDS]


@pytest.mark.medium
@pytest.mark.parametrize("name", [*KINDS, *OTHERS])
@pytest.mark.parametrize("strategy", STRATEGIES)
def test_every_strategy_moves_legally_in_every_variant_and_repeats_itself_from_a_seed(
    strategy: str, name: str
) -> None:
    """Quick ones play to the end, but for boards whose last moves take long to find."""
    rules = find_rules(name)
    is_quick = strategy in ("random", "easy", "rules") or (strategy, name in KINDS) == (
        "medium",
        False,
    )
    plies = 1000 if is_quick and rules.shape.cells <= 81 else 30 if is_quick else 1
    ends = []
    for _ in range(2 if name in KINDS else 1):
        state, rng, repetitions = GameState.new(rules), random.Random(7), Repetitions(rules)
        for _ply in range(plies):
            if state.game_over or repetitions.make_a_draw(state.position):
                break
            move = QUICK[strategy](state, rng)
            assert move is not None
            assert move.before_state is state
            assert move.number in state.legal_moves
            state = move.after_state
        else:
            assert plies < 1000
        ends.append(state)
    assert ends[0] == ends[-1]


#: Small games of every kind in which one side can force a win from the start: which one.
WON = {
    "wild": Mark.CROSS,
    "notakto": Mark.CROSS,
    "notakto-2": Mark.NAUGHT,
    "notakto-3": Mark.CROSS,
    "vanishing": Mark.CROSS,
    "vanishing-late": Mark.CROSS,
    "order-and-chaos:3,3,3": Mark.CROSS,
    "mnk:3,3,3,torus": Mark.CROSS,
    "mnk:4,3,3,pie": Mark.NAUGHT,
}
#: Enough for `minimax` to solve the small games; the larger ones of Notakto have a theory.
SOLVING = Limits(work=5.0)


@pytest.mark.parametrize("name", WON)
@pytest.mark.parametrize(
    "opponent",
    ["rules", *(pytest.param(name, marks=pytest.mark.slow) for name in ("random", "minimax"))],
)
@pytest.mark.medium
def test_minimax_wins_every_small_game_that_can_be_won(name: str, opponent: str) -> None:
    limits = Limits(work=0.001) if name.startswith("notakto-") else SOLVING
    perfect = partial(minimax, limits=limits)
    other: Strategy = perfect if opponent == "minimax" else STRATEGIES[opponent]
    cross, naught = (perfect, other) if WON[name] is Mark.CROSS else (other, perfect)
    for seed in range(2):
        end = play(cross, naught, GameState.new(find_rules(name)), random.Random(seed))
        assert end.winner is WON[name]


@pytest.mark.medium
@pytest.mark.parametrize("name", ["misere-wild", "tic-tac-toe,pie"])
def test_minimax_never_loses_a_small_game_that_is_a_draw(name: str) -> None:
    perfect, start = partial(minimax, limits=SOLVING), GameState.new(find_rules(name))
    for mark in Mark:
        for seed in range(2):
            cross: Strategy = perfect
            naught: Strategy = play_by_rules
            if mark is Mark.NAUGHT:
                cross, naught = naught, cross
            assert play(cross, naught, start, random.Random(seed)).winner is not mark.other


#: Games of every kind in which searches are quick to the last ply.
SEARCHED = ("tic-tac-toe", "wild", "misere-wild", "vanishing", "vanishing-reuse", "notakto-2")


@pytest.mark.parametrize("name", SEARCHED)
@pytest.mark.parametrize("strategy", ["hard", "mcts", "minimax", "trickster"])
@pytest.mark.slow
def test_searching_strategies_play_small_games_to_their_end(strategy: str, name: str) -> None:
    little = Limits(work=0.004)
    searching: dict[str, Strategy] = {
        "hard": partial(hard, limits=little),
        "mcts": partial(mcts, playouts=5),
        "minimax": partial(minimax, limits=little),
        "trickster": partial(trickster, limits=little),
    }
    rules, rng = VARIANTS[name], random.Random(1)
    state, repetitions = GameState.new(rules), Repetitions(rules)
    while not state.game_over and not repetitions.make_a_draw(state.position):
        move = searching[strategy](state, rng)
        assert move is not None
        assert move.number in state.legal_moves
        state = move.after_state


@pytest.mark.parametrize("strategy", STRATEGIES.values(), ids=STRATEGIES)
def test_no_strategy_moves_once_the_game_is_over(strategy: Strategy) -> None:
    assert strategy(GameState(Grid("XXXOO    "))) is None
    assert strategy(GameState(Grid("XOXXOOOXX"))) is None


@pytest.mark.parametrize("name", SMALL)
@pytest.mark.parametrize("strategy", [minimax, trickster], ids=["minimax", "trickster"])
def test_perfect_strategies_take_a_best_move_everywhere(strategy: Strategy, name: str) -> None:
    rules, rng = VARIANTS[name], random.Random(1)
    for starter in (0, 1):
        for position, entry in [*small_table(rules, starter).items()][starter::9]:
            move = strategy(GameState.at(rules, position), rng)
            assert (move.cell_index in entry[1]) if move else not entry[1]


@pytest.mark.slow
@pytest.mark.parametrize(
    "size",
    [
        *("16,1,4", "4,4,4", "4,4,4,misere", "5,3,3", "2,8,4"),
        *("4,5,4,gravity", "5,4,4,gravity", "7,2,4,gravity"),
    ],
)
def test_minimax_solves_the_boards_about_which_there_is_no_caveat(size: str) -> None:
    rules = find_rules(f"mnk:{size}")
    assert caveat("minimax", rules) is None
    assert evaluate(GameState.new(rules), STUDY).is_exact


def test_minimax_solves_four_by_four_at_once_and_says_when_it_cannot() -> None:
    assert evaluate(GameState.new(VARIANTS["4x4x3"])).is_exact
    assert caveat("minimax", VARIANTS["4x4"]) is None
    assert caveat("minimax", find_rules("mnk:10,2,5,gravity")) is not None
    assert caveat("random", VARIANTS["gomoku"]) is None
    sentence = caveat("minimax", VARIANTS["gomoku"])
    assert sentence is not None
    assert str(sentence).startswith("On this board minimax looks some moves ahead")
    assert not evaluate(GameState.new(VARIANTS["gomoku"])).is_exact


@pytest.mark.parametrize("name", ["5x5x4", "gomoku", "connect-four", "ultimate"])
@pytest.mark.medium
def test_minimax_wins_in_one_and_blocks_on_boards_too_large_to_solve(name: str) -> None:
    rules, rng, wins, blocks = VARIANTS[name], random.Random(2), 0, 0
    little, more = Limits(work=0.8333), Limits(work=3.333)  # two plies of gomoku
    ends = partial(cells_that_end, rules)

    def answer(state: GameState, limits: Limits) -> int | None:
        move = minimax(state, limits=limits)
        return move.cell_index if move else None

    while wins < 2 or blocks < 1:
        state = GameState.new(rules)
        while (moved := state.make_random_move(rng)) and state.position.marks < 60:
            state = moved.after_state
            here = state.position
            if state.game_over or (wins and not blocks and ends(here, here.turn)):
                continue
            if winning := ends(here, here.turn):
                if wins < 2:
                    wins += 1
                    assert answer(state, little) in winning
            elif blocks < 1 and name != "ultimate":
                threats = ends(here._replace(turn=1 - here.turn), 1 - here.turn)
                if len(threats) == 1:
                    blocks += 1
                    assert answer(state, more) == threats[0]
            elif name == "ultimate":
                blocks = 1


@pytest.mark.parametrize(
    ("name", "text", "names"),
    [
        ("3x3", "XX./.OO/... x", "C1"),  # wins before it blocks
        ("3x3", "XX./.O./... o", "C1"),  # blocks
        ("3x3", ".../.../... x", "A1 C1 A3 C3"),
        ("3x3", "X../.../... o", "C1 A3 C3"),
        *(("3x3", "XOX/XO./OXO x", "C2"), ("3x3", "XOX/.../OXO x", "B2")),
        *(("3x3", "X.O/.../O.X x", "B2"), ("3x3", "XOX/XOO/O.X x", "B3")),
        # Chaos blocks with the other letter: its own would make the line that Order is after.
        ("order-and-chaos:3,3,3", "XX./.../... o", "OC1"),
        ("order-and-chaos:3,3,3", "OO./.../... o", "XC1"),
        ("order-and-chaos:3,3,3", "X../OXO/... o", "OC3"),
        # Order completes a line with either letter.
        ("order-and-chaos:3,3,3", "XX./OO./... x", "XC1 OC2"),
    ],
)
def test_the_rules_win_block_and_then_prefer_corners(name: str, text: str, names: str) -> None:
    state = parse_state(text, find_rules(name))
    moves = (play_by_rules(state, random.Random(seed)) for seed in range(60))
    assert {move_name(state, move.number) for move in moves if move} == {*names.split()}


@pytest.mark.medium
def test_the_rules_do_not_finish_a_line_that_loses_while_they_can_help_it() -> None:
    rules, rng = VARIANTS["misere-tic-tac-toe"], random.Random(1)
    for position, entry in small_table(rules).items():
        losing = set(cells_that_end(rules, position, 1 - position.turn))
        if entry[1] and losing != set(rules.moves(position)):
            move = play_by_rules(GameState.at(rules, position), rng)
            assert move is not None
            assert move.cell_index not in losing


def test_the_trickster_opens_in_a_corner_where_seven_replies_of_eight_are_wrong() -> None:
    moves = (trickster(GameState.new(), random.Random(seed)) for seed in range(100))
    assert {move.cell_index for move in moves if move} == {0, 2, 6, 8}


@pytest.mark.medium
def test_the_trickster_wins_more_often_than_minimax_against_those_who_err() -> None:
    for victim in ("random", "medium"):
        tricked = score(trickster, STRATEGIES[victim], 300)
        assert tricked > score(minimax, STRATEGIES[victim], 300)


@pytest.mark.slow
def test_levels_are_in_the_order_of_their_names() -> None:
    for opponent in ("random", "rules", "minimax"):
        points = [
            score(STRATEGIES[level], STRATEGIES[opponent], 300)
            for level in ("easy", "medium", "hard", "minimax")
        ]
        for lower, higher in pairwise(points):
            assert lower < higher, opponent


@pytest.mark.parametrize("level", ["easy", "medium", "hard"])
def test_every_level_is_beatable(level: str) -> None:
    assert score(STRATEGIES[level], minimax, 100) < 0.5


def test_thinking_for_a_time_ends_when_the_clock_says_so() -> None:
    ticks = iter(range(10**6))
    strategy = within("minimax", Limits(5, clock=lambda: float(next(ticks))))
    assert strategy(GameState.new(VARIANTS["connect-four"]), random.Random(1)) is not None
    assert next(ticks) < 20
    assert strategy(GameState(Grid("XXXOO    "))) is None


def test_thinking_finds_the_win() -> None:
    state = GameState(Grid("XX OO    "))
    assert within("minimax", Limits(0.0))(state, random.Random(1)) == state.make_move_to(2)


def test_a_strategy_without_dice_throws_its_own() -> None:
    state = GameState.new(find_rules("mnk:5,5,5"))
    assert len({STRATEGIES["random"](state) for _ in range(60)}) > 5
