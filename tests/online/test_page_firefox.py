"""People play each other whichever browser they have, Chromium or Firefox."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from playwright.sync_api import Playwright

from tests.frontends.browser.conftest import site
from tests.machine import needs
from tests.online.processes import Server
from tests.online.windows import Player, Windows, loaded_windows, server, service, window
from tools.firefox import launch

__all__ = ["loaded_windows", "server", "service", "site", "window"]

pytestmark = [needs("chromium", "firefox", "node", "npm"), pytest.mark.xdist_group("browser")]


@pytest.fixture
def firefox(playwright: Playwright, server: Server) -> Iterator[Player]:
    """Return a window of Firefox; nothing may go wrong in it."""
    with launch(playwright) as browser:
        player = Player.within(browser.new_context(locale="en-GB"), f"{server.address}/").open()
        yield player
        assert player.complaints == []
        assert player.outside == []


def test_chromium_and_firefox_play_each_other(window: Windows, firefox: Player) -> None:
    ann, bob = window().go_online(), firefox.go_online()
    ann.create("Ann", seat="X")
    bob.join_first("Bob")

    for player, cell in ((ann, 0), (bob, 3), (ann, 1), (bob, 4)):
        player.play(cell)
    firefox.reload()
    ann.play(2)

    ann.expect_status("You win")
    bob.expect_status("You lose")
    assert ann.marks == bob.marks == "XXXOO    "
