"""What online play in the page is made of works without a browser, too."""

from __future__ import annotations

import random
from dataclasses import replace
from gettext import NullTranslations

import pytest

from tests.protocols.games import ADDRESS, begun, created, done, played
from tic_tac_toe.logic.rules.catalogue import VARIANTS
from tic_tac_toe.protocols.online.client import Client
from tic_tac_toe.protocols.online.events import DRAW, TAKE_BACK, Player
from tic_tac_toe.protocols.online.replies import Presence
from tic_tac_toe.protocols.online.requests import Accept, Offer
from tic_tac_toe_frontends.browser.page.catching_up import catch_up
from tic_tac_toe_frontends.browser.page.links import address_in, find_address
from tic_tac_toe_frontends.browser.page.telling import describe_seat, offers_of
from tic_tac_toe_frontends.words.online_text import describe_watchers

ENGLISH = NullTranslations()


# -- catching up -----------------------------------------------------------------------------------


@pytest.mark.parametrize("variant", VARIANTS)
def test_what_is_caught_up_with_is_the_game_move_by_move(variant: str) -> None:
    rng, game, match = random.Random(variant), begun(variant), None
    while game.end is None and len(game.moves) < 40:
        game = played(game, rng.choice(list(game.rules.moves(game.position))))
        if rng.random() < 0.5:
            match = catch_up(match, game)

    match = catch_up(match, game)

    assert tuple(move.number for move in match.history) == game.moves
    assert match.state == game.state


def test_a_move_that_was_taken_back_is_taken_back() -> None:
    game = played(begun(), 4, 0)
    match = catch_up(None, game)
    before = match.history[0]

    game = done(game, "O", Offer("m-2", game.version, TAKE_BACK))
    game = played(done(game, "X", Accept("m-3", game.version, TAKE_BACK)), 8)

    assert [move.cell_index for move in catch_up(match, game).history] == [4, 8]
    assert match.history[0] is before  # which has not been played again


# -- addresses -------------------------------------------------------------------------------------


def test_an_address_behind_the_sign_is_told_from_a_game_on_this_device() -> None:
    assert address_in(f"game={ADDRESS}") == ADDRESS
    for fragment in ("", f"moves={ADDRESS}", "game=", *(f"game={name}" for name in VARIANTS)):
        assert address_in(fragment) == ""


@pytest.mark.parametrize(
    ("text", "address"),
    [
        (ADDRESS, ADDRESS),
        (f"  {ADDRESS}\n", ADDRESS),
        (f"https://example.org/#game={ADDRESS}", ADDRESS),
        (f"https://example.org/some/where/?lang=es#game={ADDRESS}", ADDRESS),
        (f"http://127.0.0.1:8765/games/{ADDRESS}", ADDRESS),
        (f"http://127.0.0.1:8765/games/{ADDRESS}/?ply=3", ADDRESS),
        ("", ""),
        ("hello", ""),
        ("https://example.org/", ""),
        (f"{ADDRESS}x", ""),
        (f"https://example.org/#{ADDRESS}", ""),
    ],
)
def test_a_link_to_a_game_and_nothing_else_is_found_in_what_people_paste(
    text: str, address: str
) -> None:
    assert find_address(text) == address


# -- the people ------------------------------------------------------------------------------------


def test_a_seat_tells_who_sits_there_and_who_is_connected() -> None:
    game, presence = begun(), Presence(ADDRESS, ("X",), 2)

    assert describe_seat(game, "X", "X", presence, ENGLISH) == ("Ann (you)", "")
    assert describe_seat(game, "O", "X", presence, ENGLISH) == ("Bob", "not connected")
    assert describe_seat(game, "X", "O", presence, ENGLISH) == ("Ann", "")
    assert describe_seat(game, "X", "O", None, ENGLISH) == ("Ann", "")
    assert describe_watchers(presence, ENGLISH) == "2 people watch."
    assert describe_watchers(None, ENGLISH) == ""


def test_a_seat_that_is_free_or_a_computers_says_so() -> None:
    game = replace(created(), players=(None, Player("", strategy="easy")))

    assert describe_seat(game, "X", "", None, ENGLISH) == ("nobody yet", "")
    assert describe_seat(game, "O", "", None, ENGLISH) == ("Computer: Easy", "")


def test_what_has_been_offered_is_not_offered_twice() -> None:
    client = Client(random.Random(1), lambda: 0.0, game=ADDRESS)
    game = played(begun(), 4)
    client.following.replica.game = done(game, "X", Offer("m-2", game.version, DRAW))
    client.seat = "X"

    client.offer(TAKE_BACK)
    client.resign()

    assert offers_of(client) == {DRAW, TAKE_BACK, "resign"}
