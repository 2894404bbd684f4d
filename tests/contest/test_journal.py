"""A match as lines: it comes back as it was, also where its last line was cut off."""

from __future__ import annotations

import json

import pytest

from tic_tac_toe.contest.journal import (
    OtherMatch,
    header_line,
    pair_line,
    read_journal,
    whole_lines,
)
from tic_tac_toe.contest.plan import Plan, PlayedPair, play_pair
from tic_tac_toe.contest.referee import Fault, PlayedGame
from tic_tac_toe.logic.exceptions import InvalidNotation
from tic_tac_toe.logic.models import Mark

PLAN = Plan("tic-tac-toe", ("easy", "random"), ((4,), (0, 8)), seed=2, limit=1.5)
FAULTY = PlayedPair(
    2,
    (0, 1),
    PLAN.pair(2).opening,
    (
        PlayedGame((4,), Mark.CROSS, Fault(Mark.NAUGHT, "time", "2.5 s"), (0.125, 2.5)),
        PlayedGame((4, 0, 8, 2, 1, 7, 3, 5, 6), None),
    ),
)
PAIRS = [*(play_pair(PLAN.pair(number), PLAN.roster, lambda: 0.0) for number in range(2)), FAULTY]
TEXT = header_line(PLAN, "1.0") + "".join(map(pair_line, PAIRS))


def test_pairs_come_back_as_they_were() -> None:
    assert read_journal(TEXT, PLAN, "1.0") == {pair.number: pair for pair in PAIRS}
    assert read_journal("", PLAN, "1.0") == {}


def test_wherever_the_last_line_is_cut_off_the_others_remain() -> None:
    kept = TEXT[: TEXT.rindex("{", 0, -1)]
    last = TEXT.splitlines(keepends=True)[-1]
    before = TEXT[: -len(last)]
    assert kept.startswith(before)
    for length in range(len(last)):
        whole = whole_lines(before + last[:length])
        assert whole == before
    assert [*read_journal(before, PLAN, "1.0")] == [0, 1]


@pytest.mark.parametrize(
    ("plan", "engine", "field"),
    [
        (Plan("tic-tac-toe", ("easy", "random"), ((4,), (0, 8)), 2, limit=1.5), "1.1", "engine"),
        (Plan("wild", ("easy", "random"), ((4,), (0, 8)), 2, limit=1.5), "1.0", "variant"),
        (Plan("tic-tac-toe", ("easy", "hard"), ((4,), (0, 8)), 2, limit=1.5), "1.0", "players"),
        (Plan("tic-tac-toe", ("easy", "random"), ((4,),), 2, limit=1.5), "1.0", "openings"),
        (Plan("tic-tac-toe", ("easy", "random"), ((4,), (0, 8)), 3, limit=1.5), "1.0", "seed"),
        (Plan("tic-tac-toe", ("easy", "random"), ((4,), (0, 8)), 2, 0.5, 1.5), "1.0", "think"),
        (Plan("tic-tac-toe", ("easy", "random"), ((4,), (0, 8)), 2), "1.0", "limit"),
    ],
)
def test_another_match_is_refused_by_what_differs(plan: Plan, engine: str, field: str) -> None:
    with pytest.raises(OtherMatch, match=f"another match: {field} is "):
        read_journal(TEXT, plan, engine)


def damaged(**fields: object) -> str:
    """Return a journal whose first pair has other fields."""
    header, first, *_ = TEXT.splitlines()
    return f"{header}\n{json.dumps({**json.loads(first), **fields})}\n"


def other_game(**fields: object) -> str:
    """Return a journal whose first game, which is won, has other fields."""
    won, other = json.loads(TEXT.splitlines()[1])["games"]
    assert won["winner"]
    return damaged(games=[{**won, **fields}, other])


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("hello\n", "line 1: no JSON"),
        ('{"format": "tic-tac-toe-record"}\n', "line 1: format: expected"),
        (TEXT.replace('{"pair": 1', '{"pair": 1,', 1), "line 3: no JSON"),
        (damaged(pair=True), "line 2: pair: expected a whole number"),
        (damaged(pair=-1), "line 2: the pair is not one of this match"),
        (damaged(pair=1), "line 2: the pair is not one of this match"),
        (damaged(sides=[1, 0]), "line 2: the pair is not one of this match"),
        (damaged(games=[]), "line 2: the pair is not one of this match"),
        (other_game(moves=[4, 4]), "line 2: the pair is not one of this match"),
        (other_game(moves=[0, 4]), "line 2: the pair is not one of this match"),
        (other_game(winner=None), "line 2: the pair is not one of this match"),
        (TEXT.replace('"winner": "X", "longest": [0.125', '"winner": "O", "longest": [0.125'), "4"),
        (damaged(more=1), "line 2: .*more"),
        (TEXT.replace('"longest": [0.0', '"longest": [-1', 1), "expected seconds"),
        (TEXT.replace('"kind": "time"', '"kind": "luck"'), "expected one of crash, illegal, time"),
    ],
)
def test_what_is_no_match_is_refused_with_its_line(text: str, reason: str) -> None:
    with pytest.raises(InvalidNotation, match=reason):
        read_journal(text, PLAN, "1.0")
