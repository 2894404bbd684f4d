"""The three choices before a game: the game, the opponent, who begins; and what keys do in it."""

from __future__ import annotations

from gettext import NullTranslations

import pytest

from tic_tac_toe.logic.rules.catalogue import VARIANTS, find_rules
from tic_tac_toe_frontends.browser.page.keys_text import describe_keys
from tic_tac_toe_frontends.browser.page.opponents import (
    TWO_COMPUTERS,
    opponent_in,
    with_opponent,
)
from tic_tac_toe_frontends.table.setup import Setup
from tic_tac_toe_frontends.words.rules_text import FAMILIES, families

ENGLISH = NullTranslations()


def test_each_game_of_the_catalogue_is_in_one_group() -> None:
    grouped = [name for names in FAMILIES.values() for name in names]

    assert sorted(grouped) == sorted(VARIANTS)
    assert [name for _, games in families(ENGLISH) for name, _ in games] == grouped


@pytest.mark.parametrize(
    ("x", "o", "opponent"),
    [
        ("human", "easy", "easy"),
        ("hard", "human", "hard"),
        ("human", "human", "human"),
        ("easy", "hard", TWO_COMPUTERS),
    ],
)
def test_the_opponent_is_whoever_the_person_plays_against(x: str, o: str, opponent: str) -> None:
    assert opponent_in(Setup(x=x, o=o)) == opponent


@pytest.mark.parametrize(
    ("x", "o", "chosen", "players"),
    [
        ("human", "easy", "hard", ("human", "hard")),
        ("easy", "human", "hard", ("hard", "human")),
        ("easy", "human", "human", ("human", "human")),
        ("human", "human", "easy", ("human", "easy")),
        ("easy", "hard", "medium", ("human", "medium")),
        ("easy", "hard", TWO_COMPUTERS, ("easy", "hard")),
    ],
)
def test_another_opponent_leaves_the_person_on_their_side(
    x: str, o: str, chosen: str, players: tuple[str, str]
) -> None:
    setup = with_opponent(Setup(x=x, o=o), chosen)

    assert (setup.x, setup.o) == players


@pytest.mark.parametrize(
    ("name", "digits", "letters"),
    [
        ("tic-tac-toe", "number pad", False),
        ("connect-four", "column", False),
        ("gomoku", "", False),
        ("wild", "number pad", True),
        ("mnk:5,5,4,gravity,wild", "column", True),
    ],
)
def test_only_the_keys_that_play_a_game_are_named(name: str, digits: str, letters: bool) -> None:
    text = describe_keys(find_rules(name), ENGLISH)

    assert ("1 to 9" in text) == bool(digits)
    assert digits in text
    assert ("X and O" in text) == letters
