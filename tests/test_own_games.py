"""The games of the docs page "Add a game of your own": proof that the core is general."""

from __future__ import annotations

import doctest
import io
import random
import sys
from functools import cache
from itertools import permutations
from operator import itemgetter
from pathlib import Path
from typing import Any

import pytest

from docs.examples.bot import choose
from docs.examples.fifteen import Fifteen
from docs.examples.notakto import Notakto
from tic_tac_toe.game.engine import TicTacToe
from tic_tac_toe.game.players import MinimaxComputerPlayer
from tic_tac_toe.game.strategies import STRATEGIES
from tic_tac_toe.logic.exceptions import InvalidGameState, InvalidMove, InvalidNotation
from tic_tac_toe.logic.models import GameState, Mark
from tic_tac_toe.logic.notation import format_state, move_name, parse_move, parse_state, play_moves
from tic_tac_toe.logic.positions import Position
from tic_tac_toe.logic.rules import Rules
from tic_tac_toe.logic.search.evaluation import MATE
from tic_tac_toe.logic.search.exact import AlphaBeta, negamax
from tic_tac_toe.logic.search.tables import solve_table
from tic_tac_toe.pictures.letters import PLAIN, draw
from tic_tac_toe.pictures.svg import svg
from tic_tac_toe.solver import analyse, verdict
from tic_tac_toe.testing import check_rules
from tic_tac_toe_frontends.console.players import ConsolePlayer
from tic_tac_toe_frontends.console.renderers import ConsoleRenderer

DOCS = Path(__file__).resolve().parents[1] / "docs"


@pytest.mark.parametrize(("page", "name"), [("own-game", "notakto"), ("web-endpoint", "endpoint")])
def test_the_page_shows_the_very_file(page: str, name: str) -> None:
    source = (DOCS / "examples" / f"{name}.py").read_text("utf-8")
    assert f"```python\n{source}```" in (DOCS / "how-to" / f"{page}.md").read_text("utf-8")


def test_the_player_on_the_page_is_that_of_the_file() -> None:
    page = (DOCS / "how-to" / "bot.md").read_text("utf-8")
    typed = [example.source for example in doctest.DocTestParser().get_examples(page)]
    shown: dict[str, Any] = {}
    exec("".join(source for source in typed if "import" in source or "def choose" in source), shown)
    state = GameState.new()
    while not state.game_over:
        assert shown["choose"](state) == choose(state)
        state = state.play(choose(state))


@pytest.mark.parametrize(
    ("rules", "games"), [(Notakto(), 20), (Fifteen(), 3)], ids=["notakto", "fifteen"]
)
def test_games_of_ones_own_keep_the_promises_of_rules(rules: Rules, games: int) -> None:
    check_rules(rules, games=games)


def test_the_first_player_wins_notakto_by_the_centre_alone() -> None:
    start = GameState.new(Notakto())
    assert (verdict(start).outcome, verdict(start).best) == ("win", (4,))
    assert {move.move: move.outcome for move in analyse(start)} == {
        cell: "win" if cell == 4 else "loss" for cell in range(9)
    }


def test_all_searches_agree_on_notakto() -> None:
    rules = Notakto()
    table, alpha_beta = solve_table(rules), AlphaBeta(rules)
    for position, entry in table.items():
        assert alpha_beta.score(position) == entry[0]
        if position.marks >= 3:
            assert negamax(rules, position) == entry[0]


def test_impossible_positions_of_notakto_are_refused() -> None:
    for position in (Position((1, 2)), Position((0b111111, 0)), Position((1, 0), 1, 7)):
        with pytest.raises(InvalidGameState):
            GameState.at(Notakto(), position)


@pytest.mark.parametrize("strategy", STRATEGIES)
def test_every_strategy_plays_notakto(strategy: str) -> None:
    state = GameState.new(Notakto())
    while not state.game_over:
        move = STRATEGIES[strategy](state)
        assert move is not None
        state = move.after_state
    assert state.winner is not None


def test_notakto_is_played_on_the_console(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(sys, "stdin", io.StringIO("A1\nB2\nhint\nC3\nA3\nC1\nB1\nB3\nA2\nC2\n"))
    players = ConsolePlayer(Mark.CROSS), MinimaxComputerPlayer(Mark.NAUGHT, 0)
    end = TicTacToe(*players, ConsoleRenderer()).play(state=GameState.new(Notakto()))
    assert end.winner is Mark.NAUGHT  # a corner is no good opening against the perfect player
    assert "O wins" in capsys.readouterr().out


RULES = Fifteen()
ROWS = [tuple(map(int, row)) for row in ("012", "345", "678", "036", "147", "258", "048", "246")]
#: What stands in a row that wins.
SUMS = {
    f"{one}{two}{15 - one - two}"
    for one, two in permutations(range(1, 10), 2)
    if 5 < one + two < 15
}

#: A board as it lies, turned three times, and each of these mirrored.
IMAGES = [
    itemgetter(*map(int, cells))
    for cells in (
        *("012345678", "630741852", "876543210", "258147036"),
        *("210543876", "036147258", "678345012", "852741630"),
    )
]


@cache
def plain_score(numbers: str, mover: int) -> int:
    """Return the score of a board, a digit for each cell, found without the project's code."""
    if _has_line(numbers):
        return -MATE
    scores = [-plain_score(after, 1 - mover) for after in _moves(numbers, mover)]
    best = max(scores, default=0)
    return best - (best > 0) + (best < 0)


@cache
def plain_outcome(numbers: str, mover: int) -> int:
    """Return 1 where the mover wins, 0 for a draw, -1 for a loss, on a board without a line."""
    moves = _moves(numbers, mover)
    if any(map(_has_line, moves)):
        return 1
    best = -1 if moves else 0
    for after in moves:
        best = max(best, -plain_outcome(min(_images(after)), 1 - mover))
        if best == 1:
            break
    return best


def _moves(numbers: str, mover: int) -> list[str]:
    return [
        f"{numbers[:cell]}{number}{numbers[cell + 1 :]}"
        for number in ("2468" if mover else "13579")
        for cell in range(9)
        if number not in numbers and numbers[cell] == "0"
    ]


def _has_line(numbers: str) -> bool:
    return any(numbers[one] + numbers[two] + numbers[three] in SUMS for one, two, three in ROWS)


def _images(numbers: str) -> list[str]:
    return ["".join(image(numbers)) for image in IMAGES]


def after(moves: str) -> GameState:
    return play_moves(GameState.new(RULES), moves)


def test_moves_are_written_with_their_numbers_and_cells_show_them() -> None:
    state = after("5B2, 4A1 9c3")
    assert format_state(state) == "O../.X./..X o 900050004"
    assert parse_state(format_state(state), RULES) == state
    assert list(draw(state, PLAIN)) == ["  A B C", "1 4 . .", "2 . 5 .", "3 . . 9"]
    assert [f">{number}</text>" in svg(state, names=False) for number in (4, 5, 9)] == [True] * 3
    assert move_name(state, parse_move(state, "6b1")) == "6B1"
    assert all(parse_move(state, move_name(state, move)) == move for move in state.legal_moves)


@pytest.mark.parametrize(
    ("text", "refusal", "message"),
    [
        ("B2", InvalidNotation, "expected first one of 1 2 3 4 5 6 7 8 9, and then a cell"),
        ("0B2", InvalidNotation, "as in 1A1"),
        ("7A1", InvalidMove, "Cell is not empty"),
        ("5C3", InvalidMove, "That number is the opponent's, or has been placed"),
        ("2C3", InvalidMove, "That number is the opponent's, or has been placed"),
    ],
)
def test_bad_numbers_are_refused(text: str, refusal: type[Exception], message: str) -> None:
    state = after("5B2 4A1")
    with pytest.raises(refusal, match=message):
        state.make_move_to(parse_move(state, text))


@pytest.mark.parametrize(
    "position",
    [
        Position((1, 0), 1),  # a mark without a number
        Position((1, 0), 1, 2),  # an even number of X
        Position((1, 2), 0, 91),  # two odd numbers
        Position((0b101, 0b010), 1, 535),  # 5 twice, and a 3 of O
    ],
)
def test_positions_without_the_numbers_of_their_marks_are_refused(position: Position) -> None:
    with pytest.raises(InvalidGameState):
        GameState.at(RULES, position)


def test_the_search_agrees_with_a_plain_one_on_scores_and_distances_of_late_positions() -> None:
    rng, search = random.Random(15), AlphaBeta(RULES)
    for _ in range(30):
        position = Position()
        while position.marks < 5 and (moves := RULES.moves(position)):
            position = RULES.play(position, rng.choice(moves))
        numbers = f"{position.memory:09d}"[::-1]
        if not RULES.outcome(position):
            assert search.score(position) == plain_score(numbers, position.turn)


@pytest.mark.slow
@pytest.mark.parametrize(("starter", "score"), [(0, MATE - 9), (1, 8 - MATE)])
def test_the_odd_numbers_win_and_a_plain_search_agrees(starter: int, score: int) -> None:
    assert AlphaBeta(RULES).score(Position(turn=starter)) == score
    assert plain_outcome("0" * 9, starter) == (-1 if starter else 1)


def test_the_numbers_are_played_and_shown_on_the_console(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    moves = ["9A1", "B1", "2B1", "3C3", *["hint"] * 3, "4C1"]
    monkeypatch.setattr(sys, "stdin", io.StringIO("\n".join(moves)))
    players = ConsolePlayer(Mark.CROSS), ConsolePlayer(Mark.NAUGHT)
    end = TicTacToe(*players, ConsoleRenderer()).play(state=GameState.new(RULES))
    out = capsys.readouterr().out
    assert end.winner is Mark.NAUGHT  # 9, 2 and 4 in the upper row
    assert '"B1": expected first one of 1 2 3 4 5 6 7 8 9, and then a cell' in out
    assert "Best for O: 4C1." in out
    assert "O puts 4 on C1." in out
    assert "1 9 2 4" in out
    assert "O wins" in out


def test_an_analysis_has_a_value_for_each_number_and_the_picture_the_best() -> None:
    state = after("9A1 2B1 3C3 8A3 7C2 6B2")
    moves = analyse(state)
    assert {move_name(state, move.move): move.outcome for move in moves}["1A2"] in ("draw", "loss")
    assert moves._repr_svg_().count('class="ttt-value') == 6  # two numbers in three cells
