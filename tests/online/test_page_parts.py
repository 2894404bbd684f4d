"""What online play in the page is made of works without a browser, too."""

from __future__ import annotations

import random
from gettext import NullTranslations

import pytest

from tests.protocols.games import after, happening
from tic_tac_toe.game.match import Match
from tic_tac_toe.logic.rules.catalogue import VARIANTS
from tic_tac_toe.protocols.online.client import Client
from tic_tac_toe.protocols.online.events import TAKE_BACK, GameSetup, Player
from tic_tac_toe.protocols.online.game import OnlineGame, begin
from tic_tac_toe.protocols.online.replies import Presence
from tic_tac_toe_frontends.browser.page.catching_up import catch_up
from tic_tac_toe_frontends.browser.page.links import address_in, find_address
from tic_tac_toe_frontends.browser.page.room_text import describe_seat, describe_watchers, offers_of

ENGLISH = NullTranslations()
ADDRESS = "abcdefghijklmnopqrstuA"


def new_game(*players: Player | None, variant: str = "tic-tac-toe") -> OnlineGame:
    crosses, naughts = players or (Player("Ann"), Player("Bob"))
    setup = GameSetup(variant, players=(crosses, naughts))
    return begin(happening(ADDRESS, 1, "create", "", 1, setup=setup))


def cells(match: Match) -> tuple[int, ...]:
    return tuple(move.cell_index for move in match.history)


# -- catching up -----------------------------------------------------------------------------------


@pytest.mark.parametrize("variant", VARIANTS)
def test_what_is_caught_up_with_is_the_game_move_by_move(variant: str) -> None:
    rng, game, match = random.Random(variant), new_game(variant=variant), None
    while game.end is None and len(game.moves) < 40:
        legal = game.rules.moves(game.position)
        game = after(game, ("move", game.turn, rng.choice(list(legal))))
        if rng.random() < 0.5:
            match = catch_up(match, game)

    match = catch_up(match, game)

    assert cells(match) == game.moves
    assert match.state.position == game.position
    assert match.state == game.state


def test_a_move_that_was_taken_back_is_taken_back() -> None:
    game = after(new_game(), ("move", "X", 4), ("move", "O", 0))
    match = catch_up(None, game)
    before = match.history[0]

    game = after(game, ("offer", "O", TAKE_BACK), ("accept", "X", TAKE_BACK), ("move", "O", 8))

    assert cells(catch_up(match, game)) == (4, 8)
    assert match.history[0] is before  # which has not been played again


# -- addresses -------------------------------------------------------------------------------------


def test_an_address_behind_the_sign_is_told_from_a_game_on_this_device() -> None:
    assert address_in(f"game={ADDRESS}") == ADDRESS
    for fragment in ("", "game=gomoku", "game=misere-connect-four", f"moves={ADDRESS}", "game="):
        assert address_in(fragment) == ""
    assert not any(address_in(f"game={name}") for name in VARIANTS)


@pytest.mark.parametrize(
    "text",
    [
        ADDRESS,
        f"  {ADDRESS}\n",
        f"https://example.org/#game={ADDRESS}",
        f"https://example.org/some/where/?lang=es#game={ADDRESS}",
        f"http://127.0.0.1:8765/games/{ADDRESS}",
        f"http://127.0.0.1:8765/games/{ADDRESS}/?ply=3",
    ],
)
def test_a_link_to_a_game_is_found_in_what_people_paste(text: str) -> None:
    assert find_address(text) == ADDRESS


@pytest.mark.parametrize(
    "text", ["", "hello", "https://example.org/", f"{ADDRESS}x", f"https://example.org/#{ADDRESS}"]
)
def test_anything_else_is_no_link(text: str) -> None:
    assert find_address(text) == ""


# -- who is there ----------------------------------------------------------------------------------


def test_a_seat_tells_who_sits_there_and_who_is_connected() -> None:
    game = new_game(Player("Ann"), Player("Bob"))
    presence = Presence(ADDRESS, ("X",), 2)

    assert describe_seat(game, "X", "X", presence, ENGLISH) == ("Ann (you)", "")
    assert describe_seat(game, "O", "X", presence, ENGLISH) == ("Bob", "not connected")
    assert describe_seat(game, "X", "O", presence, ENGLISH) == ("Ann", "connected")
    assert describe_seat(game, "X", "O", None, ENGLISH) == ("Ann", "")
    assert describe_watchers(presence, ENGLISH) == "2 people watch."
    assert describe_watchers(None, ENGLISH) == ""


def test_a_seat_that_is_free_or_a_computers_says_so() -> None:
    game = new_game(None, Player("", strategy="easy"))

    assert describe_seat(game, "X", "", None, ENGLISH) == ("nobody yet", "")
    assert describe_seat(game, "O", "", None, ENGLISH) == ("Computer: Easy", "")


def test_what_has_been_offered_is_not_offered_twice() -> None:
    client = Client(random.Random(1), lambda: 0.0, game=ADDRESS)
    game = after(new_game(), ("move", "X", 4), ("offer", "X", "draw"))
    client.following.replica.game, client.seat = game, "X"

    client.offer(TAKE_BACK)
    client.resign()

    assert offers_of(client) == {"draw", TAKE_BACK, "resign"}
