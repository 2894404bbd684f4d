"""The page finds its way: links, Back and Forward, games of one's own, and a seat in two tabs."""

from __future__ import annotations

import re

import pytest
from playwright.sync_api import expect

from tests.frontends.browser.conftest import site
from tests.machine import needs
from tests.online.windows import (
    Player,
    Windows,
    loaded_windows,
    server,
    service,
    two_players,
    window,
)

__all__ = ["loaded_windows", "server", "service", "site", "window"]

pytestmark = [needs("chromium", "node", "npm"), pytest.mark.xdist_group("browser")]

ON_DEVICE = "#x=human&o=human&moves=B2.A1"
ELSEWHERE = "You play this game in another tab."


def expect_lobby(player: Player) -> None:
    expect(player.page.locator("#lobby")).to_be_visible()
    expect(player.page).to_have_url(f"{player.address}#online")


def expect_game(player: Player, address: str) -> None:
    expect(player.page.locator("#room")).to_be_visible()
    expect(player.page).to_have_url(f"{player.address}#game={address}")
    player.expect_board()


def expect_device(player: Player, moves: str) -> None:
    """Expect the board of this device after some moves, such as ``B2.A1``."""
    expect(player.page.locator("#device")).to_be_visible()
    expect(player.page).to_have_url(f"{player.address}{moves and f'#moves={moves}'}")
    expect(player.page.locator("#moves button")).to_have_count(moves.count(".") + bool(moves))


def expect_seat(player: Player) -> None:
    """Expect to play X by the name of Ann."""
    expect(player.page.locator("#seat-X .who")).to_have_text("Ann (you)")
    expect(player.page.locator("#elsewhere-text")).to_be_empty()


# -- links, Back and Forward -----------------------------------------------------------------------


def test_a_link_opens_its_game_in_a_tab_that_shows_this_device(window: Windows) -> None:
    ann, bob = window().go_online(), window().turn_to(ON_DEVICE)
    address = ann.create("Ann", seat="X", visible="link")

    bob.turn_to(f"game={address}")
    expect_game(bob, address)
    bob.page.go_back()
    expect_device(bob, "B2.A1")
    bob.open(f"#game={address}")
    expect_game(bob, address)
    bob.page.fill("#joining-name", "Bob")
    bob.page.click("#take-seat button")

    ann.expect_status("Your turn")
    assert bob.complaints == []


def test_back_and_forward_go_through_the_places_where_one_was(window: Windows) -> None:
    ann, bob = window().turn_to(ON_DEVICE).go_online(), window().go_online()
    first = ann.create("Ann", seat="X")
    bob.join_first("Bob")
    ann.play(4)
    bob.play(0)
    ann.resign()
    bob.page.click("#offer-rematch")
    ann.page.click("#accept")
    ann.expect_status("Bob (X) to move.")
    second = ann.game
    assert second != first

    ann.page.go_back()
    expect_game(ann, first)
    ann.expect_status("You lose.")
    ann.page.go_back()
    expect_lobby(ann)
    ann.page.go_back()
    expect_device(ann, "B2.A1")
    ann.reload()
    expect_device(ann, "B2.A1")
    for _ in range(3):
        ann.page.go_forward()
    expect_game(ann, second)

    bob.play(4)
    ann.play(0)
    bob.page.go_back()
    expect_game(bob, first)
    assert ann.complaints + bob.complaints == []


def test_a_link_that_leads_to_no_game_leaves_nothing_in_the_way_of_back(window: Windows) -> None:
    ann = window().turn_to(ON_DEVICE)

    ann.turn_to(f"game={'A' * 22}")
    expect(ann.page.locator("#online-said")).to_contain_text("There is no such game")
    expect_lobby(ann)
    ann.page.go_back()
    expect_device(ann, "B2.A1")
    ann.page.go_forward()

    expect_lobby(ann)


# -- one's own games -------------------------------------------------------------------------------


def test_an_opponent_who_comes_is_announced_on_this_device(window: Windows) -> None:
    ann, bob = window().go_online(), window().go_online()
    text = ann.page.locator("#notice-text")
    ann.create("Ann", seat="X")
    ann.page.check("#mode-device")
    expect(ann.page.locator("#device")).to_be_visible()
    bob.join_first("Bob")
    expect(text).to_have_text("Bob (O) has joined your online game.")
    expect(ann.page).to_have_title("● Bob (O) has joined your online game.")
    assert text.get_attribute("role") == "status"
    ann.set("language", "es")
    expect(text).to_contain_text("Bob (O)")
    expect(text).not_to_have_text("Bob (O) has joined your online game.")
    ann.set("language", "en")
    ann.page.click("#notice-go")
    ann.expect_status("Your turn")
    expect(text).to_be_empty()
    expect(ann.page).to_have_title("● Bob has come - Tic-tac-toe")

    # The same after going back from a game that waits, and with the page loaded again.
    ann.page.click("#leave")
    address = ann.create("Ann", seat="X")
    ann.page.go_back()
    expect_lobby(ann)
    ann.page.check("#mode-device")
    ann.reload()
    expect(text).to_have_text("You have 2 unfinished games online.")
    bob.page.click("#leave")
    bob.join_first("Bob")
    expect(text).to_have_text("Bob (O) has joined your online game.")
    ann.page.click("#notice-go")
    expect_game(ann, address)
    ann.play(4)
    assert ann.complaints == []


def test_a_player_who_returns_sees_unfinished_games_first_and_which_have_ended(
    window: Windows,
) -> None:
    ann, bob = two_players(window)
    ended = ann.game
    ann.play(4)
    bob.play(0)
    ann.page.click("#leave")
    ann.create("Ann", seat="X", opponent="easy", online_variant="connect-four")
    context = ann.page.context
    ann.page.close()
    expect(bob.page.locator("#seat-X .here")).to_have_text("not connected")
    bob.resign()
    bob.expect_status("You lose. Bob (O) resigns.")

    back = Player.within(context, bob.address).open()
    expect(back.page.locator("#notice-text")).to_have_text("You have 1 unfinished game online.")
    back.page.click("#notice-go")
    back.expect_status("Your turn")
    back.page.click("#leave")
    games = back.page.locator("#own-games tbody tr")

    expect(games).to_have_text([re.compile("^Connect Four"), re.compile("^Tic-tac-toeBobwin")])
    own = back.page.locator("#own-games-part").bounding_box()
    others = back.page.locator("#open-games").locator("xpath=..").bounding_box()
    assert own
    assert others
    assert own["y"] < others["y"]
    back.page.locator(f"#own-games [data-game='{ended}'][data-action='go']").click()
    back.expect_status("You win!")
    back.page.go_back()
    back.page.locator(f"#own-games [data-game='{ended}'][data-action='remove']").click()
    expect(games).to_have_text([re.compile("^Connect Four")])


def test_a_player_who_waits_cancels_the_game_and_its_entry_goes(window: Windows) -> None:
    ann, bob = window().go_online(), window().go_online()
    ann.create("Ann")
    expect(bob.page.locator("#open-games tbody tr")).to_have_count(1)
    expect(ann.page.locator("#leave")).to_have_text("Cancel")

    ann.page.click("#leave")

    expect_lobby(ann)
    expect(ann.page.locator("#online-said")).to_contain_text("The game is cancelled")
    expect(bob.page.locator("#open-games tbody tr")).to_have_count(0)
    expect(ann.page.locator("#open-games tbody tr")).to_have_count(0)
    expect(ann.page.locator("#own-games-part")).to_be_hidden()
    ann.create("Ann", opponent="easy")
    expect(ann.page.locator("#leave")).to_have_text("Leave")


# -- a seat in two tabs ----------------------------------------------------------------------------


def test_a_second_tab_on_ones_own_seat_says_so_and_can_take_it_over(window: Windows) -> None:
    ann, bob = two_players(window)
    other = Player.within(ann.page.context, ann.address).open(f"#game={ann.game}")
    said, button = "#elsewhere-text", "#play-here"
    expect(other.page.locator(said)).to_have_text(ELSEWHERE)
    other.page.click("#online-cells [data-cell='0']", force=True)
    expect(other.page.locator("#online-said")).to_contain_text("Only players can do that")
    expect_seat(ann)

    other.page.click(button)
    expect_seat(other)
    expect(ann.page.locator(said)).to_have_text(ELSEWHERE)
    other.play(4)
    ann.expect_moves(1)
    bob.play(0)
    # Neither a tab that is loaded again nor the server's news take it back.
    for player in (ann, other):
        player.reload()
    expect(ann.page.locator(said)).to_have_text(ELSEWHERE)
    expect_seat(other)
    other.play(8)
    ann.page.click(button)
    expect(other.page.locator(said)).to_have_text(ELSEWHERE)
    expect_seat(ann)
    bob.play(1)
    ann.play(2)

    other.expect_moves(5)
    expect(other.page.locator(said)).to_have_text(ELSEWHERE)
    assert ann.complaints + other.complaints == []
