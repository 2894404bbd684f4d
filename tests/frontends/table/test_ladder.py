"""The levels of the computer, and the one that is offered after a win."""

from __future__ import annotations

from gettext import NullTranslations

import pytest

from tic_tac_toe.game.strategies import STRATEGIES
from tic_tac_toe.logic.rules.catalogue import TIC_TAC_TOE
from tic_tac_toe_frontends.table.setup import Setup
from tic_tac_toe_frontends.table.table import Table, next_level, offer_after
from tic_tac_toe_frontends.words.game_text import (
    PLAYER_DESCRIPTIONS,
    describe_player,
    next_level_title,
)
from tic_tac_toe_frontends.words.rules_text import HUMAN, LEVELS

ENGLISH = NullTranslations()
X_WINS = (0, 3, 1, 4, 2)


def ended(setup: Setup, cells: tuple[int, ...] = X_WINS) -> Table:
    """Return a game after moves of both sides."""
    table = Table(setup)
    for cell in cells:
        if table.thinker is None:
            table.place(cell)
        else:
            table.answer(table.state, cell)
    return table


def test_each_level_leads_to_the_next_and_other_players_to_none() -> None:
    assert [next_level(name) for name in LEVELS] == [*LEVELS[1:], None]
    assert [next_level(name) for name in (HUMAN, "mcts")] == [None, None]


def test_somebody_who_has_chosen_no_opponent_plays_the_weakest_level() -> None:
    assert Setup().o == LEVELS[0]


@pytest.mark.parametrize(
    ("setup", "following"),
    [
        (Setup(o="easy"), Setup(o="medium")),
        (Setup(o="hard"), Setup(o="minimax")),
        (Setup(o="minimax"), None),
        (Setup(o="rules"), None),
        (Setup(o=HUMAN), None),
        (Setup(x="easy", o=HUMAN), None),  # who has lost plays the same level again
    ],
)
def test_whoever_beats_a_level_is_offered_the_same_game_against_the_next(
    setup: Setup, following: Setup | None
) -> None:
    offer = offer_after(ended(setup))

    assert (offer and offer.setup) == following


def test_a_winner_with_the_second_mark_keeps_it() -> None:
    offer = offer_after(ended(Setup(x="easy", o=HUMAN, starting="O")))

    assert offer is not None
    assert (offer.level, offer.setup) == ("medium", Setup(x="medium", o=HUMAN, starting="O"))


def test_nothing_is_offered_before_the_end() -> None:
    assert offer_after(ended(Setup(o="easy"), X_WINS[:-1])) is None


def test_each_computer_player_is_described_and_the_next_level_has_a_name() -> None:
    assert set(PLAYER_DESCRIPTIONS) == set(STRATEGIES)
    assert describe_player(HUMAN, ENGLISH) == describe_player("gomocup:x", ENGLISH) == ""
    assert describe_player("hard", ENGLISH) == "Looks ahead and rarely makes a mistake."
    assert next_level_title("medium", ENGLISH, TIC_TAC_TOE) == "Play the next level: Medium"
