"""In every game that comes with the library an explanation is true, whatever the position."""

from __future__ import annotations

import io
from collections.abc import Callable
from random import Random

import pytest

from tic_tac_toe import VARIANTS, Explanation, GameState, evaluate_moves, explain
from tic_tac_toe.certificate_check import check
from tic_tac_toe.insight.facts import Fact
from tic_tac_toe.limits import Limits
from tic_tac_toe.logic.notation import move_name, parse_state
from tic_tac_toe.logic.rules.catalogue import find_rules
from tic_tac_toe.logic.rules.traits import side_name
from tic_tac_toe.logic.search.evaluation import Evaluation, MoveEvaluation

#: Little work, so that in large games there are values that are not known, and bounds.
WORK = Limits(work=0.02)
#: The registered games, and others with the same parts.
GAMES = (
    *VARIANTS,
    *("mnk:4,4,3,misere", "mnk:5,4,4,gravity,misere", "mnk:3,3,3,pie", "mnk:4,4,4,misere,pie"),
)


def played(game: str, rng: Random) -> GameState:
    """Return a position in which a game at random ends a few moves later, or an earlier one."""
    state, states = GameState.new(find_rules(game)), list[GameState]()
    for _ in range(60):
        states.append(state)
        state = state.make_move_to(rng.choice(state.legal_moves)).after_state
        if state.game_over:
            break
    return states[-min(len(states), rng.choice((1, 1, 2, 2, 3, 4, 6, 40)))]


# -- the ends of games, by the rules alone ---------------------------------------------------------


def after(state: GameState, move: int) -> GameState:
    return state.make_move_to(move).after_state


def has_won(state: GameState, side: int) -> bool:
    return state.outcome is not None and state.outcome.winner == side


def can_win(state: GameState, side: int) -> bool:
    """Return whether a side has won, or wins by its next move."""
    return has_won(state, side) or (
        not state.game_over and any(has_won(after(state, move), side) for move in state.legal_moves)
    )


def loses_soon(state: GameState, side: int, fact: Fact) -> bool:
    """Return whether each other move lets the other side win at once."""
    others = [move for move in state.legal_moves if move != fact.moves[0]]
    return bool(others) and all(can_win(after(state, move), 1 - side) for move in others)


#: What is judged by playing on, from the state where the side of the fact is to move.
ENDINGS: dict[str, Callable[[GameState, int, Fact], bool]] = {
    "completes": lambda state, side, fact: has_won(after(state, fact.moves[0]), side),
    "wins_now": lambda state, side, fact: has_won(after(state, fact.moves[0]), side),
    "at_once": lambda state, side, fact: has_won(after(state, fact.moves[0]), side),
    "loses_now": lambda state, side, fact: has_won(after(state, fact.moves[0]), 1 - side),
    "poison": lambda state, side, fact: has_won(after(state, fact.moves[0]), 1 - side),
    "no_safe": lambda state, side, fact: all(
        has_won(after(there, reply), side)
        for there in [after(state, fact.moves[0])]
        for reply in there.legal_moves
    ),
    "no_safe_cell": lambda state, side, fact: all(
        has_won(after(there, reply), side)
        for there in [after(state, fact.moves[0])]
        for reply in there.legal_moves
    ),
    "no_defence": lambda state, side, fact: all(
        can_win(after(there, reply), side)
        for there in [after(state, fact.moves[0])]
        for reply in there.legal_moves
    ),
    "must": loses_soon,
    "must_end": loses_soon,
    "must_not": loses_soon,
    "must_poison": loses_soon,
}


def test_a_swap_is_named_by_its_word() -> None:
    state = GameState.new(find_rules("mnk:4,3,3,pie")).make_move_to(0).after_state

    assert str(explain(state, "swap").message()) == "O wins with the swap. No other move wins."


def test_sides_have_the_names_that_their_game_gives_them() -> None:
    state = parse_state("OOOO.X/XO.O.O/.....X/X...O./XX.X.O/X..... x", "order-and-chaos")
    values = [
        MoveEvaluation(*each._replace(evaluation=each.evaluation._replace(chance=0.5)))
        for each in evaluate_moves(state, WORK)
    ]

    assert str(explain(state, "OE1", values=values).message()) == "Order wins at once with OE1."


def is_allowed(fact: Fact, before: Evaluation, values: dict[int, Evaluation], move: int) -> bool:
    """Return whether what is known of the moves is enough to say what a fact says."""
    worse = [each for number, each in values.items() if number != move]
    if fact.code in ("wins", "draws", "loses", "turns_win", "drops_win", "is_lost"):
        result = {"wins": "win", "draws": "draw", "drops_win": "draw"}.get(fact.code, "loss")
        could = {"turns_win": "win", "drops_win": "win", "draws": "draw", "is_lost": "loss"}
        return values[move].outcome == result and (
            could.get(fact.code, before.outcome) == before.outcome
        )
    if fact.code == "only":
        return all(each.high < 0 for each in worse)
    if fact.code == "only_win":
        return all(each.high <= 0 for each in worse)
    if fact.code in ("missed", "kept"):
        result = "win" if fact.code == "missed" else "draw"
        return all(values[number].outcome == result for number in fact.moves)
    if fact.code == "sooner":
        sooner, here = values[fact.moves[0]].plies, values[move].plies
        return sooner is not None and here is not None and sooner < here
    return True


def judge(explanation: Explanation, values: dict[int, Evaluation]) -> None:
    """Assert that nothing is said which is not so."""
    state, move, text = explanation.state, explanation.move, str(explanation.message())
    told = [str(each) for each in explanation.sentences()]
    assert text == " ".join(told)
    assert "{" not in text
    assert text.isprintable()
    assert all(each.endswith(".") for each in told)
    assert bool(explanation.by) == bool(explanation.result)
    if explanation.by and values[move].outcome == "open":  # the reasons have proved the result
        assert explanation.by in ("proof", "search", "ending")
        values = {**values, move: explanation.after}
    for fact, there in explanation.facts:
        assert there.position.turn == fact.side
        if fact.side == state.position.turn:
            assert is_allowed(fact, explanation.before, values, move), (fact, text)
        if fact.code in ENDINGS:
            assert ENDINGS[fact.code](there, fact.side, fact), (fact, text)
    if told and explanation.result and explanation.result.code in ("wins", "draws", "loses"):
        name = move_name(state, move)
        assert name in told[0]
    if told:
        assert any(side_name(state.rules, side) in told[0] for side in (0, 1))
    for certificate in explanation.proof():
        check(io.BytesIO(certificate.encode()))
    explanation.marks()


@pytest.mark.parametrize("game", GAMES)
@pytest.mark.parametrize(
    "count",
    [
        pytest.param(4, marks=pytest.mark.medium),
        pytest.param(60, marks=pytest.mark.slow),
        pytest.param(600, marks=pytest.mark.nightly),
    ],
)
def test_whatever_is_said_in_a_game_is_true(game: str, count: int) -> None:
    rng = Random(f"{game} {count}")
    for _ in range(count):
        state = played(game, rng)
        values = {
            move: each if each.is_judged else each._replace(chance=0.5)
            for move, each in evaluate_moves(state, WORK)
        }
        judged = [MoveEvaluation(*each) for each in values.items()]
        for move in rng.sample(state.legal_moves, min(5, len(state.legal_moves))):
            judge(explain(state, move, values=judged), values)
