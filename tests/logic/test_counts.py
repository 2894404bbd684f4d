"""Published counts come out of this library's own enumeration."""

from __future__ import annotations

from collections import Counter
from fractions import Fraction
from functools import cache

import pytest

from tests import oracles
from tic_tac_toe.logic.positions import Position
from tic_tac_toe.logic.rules.catalogue import TIC_TAC_TOE, VARIANTS, find_rules
from tic_tac_toe.logic.search.alphabeta import AlphaBeta
from tic_tac_toe.logic.search.census import Census, perft, walk_census
from tic_tac_toe.logic.search.scores import MATE, result_of
from tic_tac_toe.logic.search.table import small_table
from tic_tac_toe.logic.search.verdict import find_verdict

KNOWN = oracles.published()
CLASSIC = KNOWN["classic_3x3"]
CLOSED_FIELDS = "ultimate (a won or full field is closed)"


@cache
def classic_census() -> tuple[Census, ...]:
    return tuple(walk_census(TIC_TAC_TOE))


def over_all_plies(field: str) -> Counter[int | None]:
    return sum((getattr(ply, field) for ply in classic_census()), Counter())


def by_winner(counts: Counter[int | None]) -> dict[str, int]:
    names = {0: "X", 1: "O", None: "draw"}
    found = {names[winner]: count for winner, count in counts.items()}
    return {"total": sum(found.values()), **found}


def test_positions_of_the_classic_by_ply() -> None:
    assert [c.positions for c in classic_census()] == CLASSIC["reachable_positions_by_ply"]
    assert [c.classes for c in classic_census()] == CLASSIC["positions_up_to_symmetry_by_ply"]


def test_games_of_the_classic() -> None:
    assert by_winner(over_all_plies("final")) == CLASSIC["terminal"]
    assert by_winner(over_all_plies("ended")) == CLASSIC["games"]
    lengths = [c.ended.total() for c in classic_census()]
    assert lengths == [0] * 5 + CLASSIC["games_by_length_5_to_9"]
    assert [c.games for c in classic_census()] == CLASSIC["perft_0_to_9"]


def test_terminal_classes_of_the_classic_are_the_published_ones() -> None:
    assert over_all_plies("final_classes") == {0: 91, 1: 44, None: 3}  # 138 in all


def test_values_over_all_reachable_positions() -> None:
    winners = Counter(
        "XO"[position.turn ^ (entry[0] < 0)] if entry[0] else "draw"
        for position, entry in small_table(TIC_TAC_TOE).items()
    )
    assert winners == CLASSIC["values_over_reachable"]


def test_values_by_ply_are_those_of_the_table() -> None:
    for start in (Position(), Position(turn=1)):
        found: list[Counter[int | None]] = [Counter() for _ in range(10)]
        for position, entry in small_table(TIC_TAC_TOE, start.turn).items():
            winner = position.turn ^ (entry[0] < 0) if entry[0] else None
            found[position.marks][winner] += 1
        assert [c.values for c in walk_census(TIC_TAC_TOE, start, values=True)] == found
    assert all(c.values is None for c in walk_census(TIC_TAC_TOE))


def test_only_drawing_replies_to_each_opening() -> None:
    for opening, replies in CLASSIC["only_drawing_replies"].items():
        entry = small_table(TIC_TAC_TOE)[Position((1 << int(opening), 0), 1)]
        assert (entry[0], list(entry[1])) == (0, replies)


def test_the_odds_of_two_random_players() -> None:
    @cache
    def odds(position: Position) -> tuple[Fraction, ...]:
        outcome = TIC_TAC_TOE.outcome(position)
        if outcome is not None:
            place = 2 if outcome.winner is None else outcome.winner
            return tuple(Fraction(i == place) for i in range(3))
        children = [odds(TIC_TAC_TOE.play(position, m)) for m in TIC_TAC_TOE.moves(position)]
        return tuple(sum(column, Fraction()) / len(children) for column in zip(*children))

    names = ("X", "O", "draw")
    assert {name: str(odd) for name, odd in zip(names, odds(Position()))} == {
        name: CLASSIC["random_vs_random"][name] for name in names
    }


def test_positions_with_a_win_in_one() -> None:
    table = small_table(TIC_TAC_TOE)
    found = sum(entry[0] == MATE - 1 for entry in table.values())
    assert found == CLASSIC["positions_with_a_win_in_one"]


@pytest.mark.medium
@pytest.mark.once
def test_the_whole_game_4_3_3_enumerated() -> None:
    census = list(walk_census(find_rules("mnk:4,3,3")))
    assert KNOWN["mnk_enumeration"]["4,3,3"] == {
        "positions": sum(ply.positions for ply in census),
        "terminal": sum(ply.final.total() for ply in census),
        "up_to_symmetry": sum(ply.classes for ply in census),
        "games": sum(ply.ended.total() for ply in census),
    }


@pytest.mark.parametrize(
    ("name", "known", "depth"),
    [
        *(("connect-four", "connect-four 7x6", depth) for depth in range(8)),
        *(("ultimate", CLOSED_FIELDS, depth) for depth in range(5)),
        pytest.param("connect-four", "connect-four 7x6", 8, marks=pytest.mark.medium),
        pytest.param("ultimate", CLOSED_FIELDS, 5, marks=pytest.mark.medium),
        pytest.param("connect-four", "connect-four 7x6", 9, marks=pytest.mark.slow),
        pytest.param("ultimate", CLOSED_FIELDS, 6, marks=pytest.mark.slow),
    ],
)
@pytest.mark.once
def test_perft_is_the_published_one(name: str, known: str, depth: int) -> None:
    assert perft(VARIANTS[name], depth) == KNOWN["perft"][known][depth]


def test_perft_is_none_beyond_the_longest_game() -> None:
    assert perft(TIC_TAC_TOE, 10) == 0


@pytest.mark.parametrize(
    "size",
    [
        *("3,3,3", "4,3,3", "5,3,3", "4,4,3"),
        pytest.param("4,4,4", marks=pytest.mark.medium),
        pytest.param("5,4,4", marks=pytest.mark.slow),
    ],
)
@pytest.mark.once
def test_known_values_of_small_mnk_games(size: str) -> None:
    score = AlphaBeta(find_rules(f"mnk:{size}")).score(Position())
    assert result_of(score) == KNOWN["mnk_values_strong_game"][size]


def test_misere_is_drawn_and_only_the_centre_opening_holds() -> None:
    assert KNOWN["misere 3x3"] == "draw; only the centre opening holds"
    verdict = find_verdict(VARIANTS["misere-tic-tac-toe"], Position())
    assert (verdict.outcome, verdict.best) == ("draw", (4,))


@pytest.mark.parametrize(
    "size", ["4x4", *(pytest.param(size, marks=pytest.mark.slow) for size in ("5x4", "6x4", "5x5"))]
)
def test_known_values_of_small_connect_four_boards(size: str) -> None:
    columns, rows = size.split("x")
    score = AlphaBeta(find_rules(f"mnk:{columns},{rows},4,gravity")).score(Position())
    assert result_of(score) == KNOWN["connect_four_values"][size]
