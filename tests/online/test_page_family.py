"""The page plays online what needs more than a cell: letters, a swap, layers, old marks."""

from __future__ import annotations

import pytest
from playwright.sync_api import expect

from tests.frontends.browser.conftest import site
from tests.frontends.browser.pages import labels_of
from tests.frontends.browser.test_browser_access import axe, violations
from tests.machine import needs
from tests.online.processes import Server
from tests.online.windows import (
    PHONE,
    Player,
    Windows,
    loaded_windows,
    server,
    service,
    window,
)

__all__ = ["axe", "loaded_windows", "server", "service", "site", "window"]

pytestmark = [needs("chromium", "node", "npm"), pytest.mark.xdist_group("browser")]


def two_at(window: Windows, variant: str, **small: tuple[int, int]) -> tuple[Player, Player]:
    """Return two players of a game of any name; the first creates it, and moves first."""
    ann, bob = window().go_online(), window(**small).go_online()
    ann.unfold_form()
    ann.page.select_option("#online-variant", "other")
    ann.page.fill("#online-size", variant)
    ann.create("Ann", seat="X")
    bob.join_first("Bob")
    ann.expect_status("Your turn")
    return ann, bob


def place(player: Player, letter: str, cell: int) -> None:
    player.page.click(f"#online-letters label:has-text('Place {letter}')")
    player.play(cell)


def test_a_game_with_letters_is_created_by_its_numbers_and_played(
    server: Server, window: Windows, axe: str
) -> None:
    ann, bob = two_at(window, "4x3x3 wild", size=PHONE)
    assert ann.page.inner_text("#room-title") == "mnk:4,3,3,wild"
    expect(ann.page.locator("#seat-X")).to_contain_text("Player 1")
    ann.expect_status("Your turn: you are Player 1.")

    place(ann, "O", 0)
    place(bob, "X", 5)
    assert ann.page.locator("#online-letters input:checked").get_attribute("value") == "O"
    ann.page.keyboard.press("x")
    ann.play(1)
    for each in (ann, bob):
        assert violations(each, axe) == []
    place(bob, "O", 9)
    for each in (ann, bob):
        each.expect_moves(4)
        assert each.marks == "OX   X   O  "
    bob.page.click("#offer-takeback")
    ann.page.click("#accept")
    bob.expect_moves(3)
    assert bob.marks == "OX   X      "
    place(bob, "X", 9)
    ann.expect_status("You lose.")

    assert "1. OA1 XB2 2. XB1 XB3" in server.get(f"/games/{ann.game}/record.txt")[1]
    assert "Bob (Player 2) puts X on B3." in server.get(f"/games/{ann.game}")[1]


def test_the_first_mark_is_taken_over_online_and_layers_and_old_marks_are_told(
    window: Windows,
) -> None:
    ann, bob = two_at(window, "connect-four,pie")
    ann.play(38)
    bob.expect_status("Your turn")
    assert ann.page.locator("#online-specials button").count() == 0
    bob.page.click("#online-specials button:has-text('Take over the mark')")
    ann.expect_moves(2)
    assert labels_of(ann.page, "#online-cells")[38] == "D6: O"
    assert ann.page.inner_text("#online-note") == "Bob (O) takes over the first mark."
    ann.expect_status("Your turn")


def test_an_unknown_game_is_refused_in_the_librarys_own_line(window: Windows) -> None:
    ann = window().go_online()
    ann.unfold_form()
    ann.page.select_option("#online-variant", "order-and-chaos")
    assert ann.page.locator("#seat option").all_inner_texts() == ["Random", "Order", "Chaos"]
    assert ann.page.locator("#online-starting option").all_inner_texts() == ["Order"]

    ann.page.select_option("#online-variant", "other")
    ann.page.fill("#online-size", "vanishing,pie")
    ann.page.click("#create")

    expect(ann.page.locator("#online-size-error")).to_contain_text("takes no flags")
    assert ann.page.is_visible("#lobby")


def test_a_computer_plays_a_game_whose_marks_leave(window: Windows) -> None:
    ann = window().go_online()
    ann.create("Ann", online_variant="vanishing", opponent="random", seat="X")
    for _ in range(4):
        ann.expect_status("Your turn")
        free = ann.page.locator("#online-cells [aria-disabled=false]").first
        count = ann.page.locator("#online-moves button").count()
        free.click()
        ann.page.wait_for_function(
            "count => document.querySelectorAll('#online-moves button').length > count + 1"
            " || document.querySelector('#online-status').dataset.result",
            arg=count,
        )
        if ann.page.locator("#online-status[data-result]").count():
            return

    assert len(ann.marks.replace(" ", "")) == 6
    assert "leaves next" in " ".join(labels_of(ann.page, "#online-cells"))
