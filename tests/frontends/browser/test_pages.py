"""The page that tests share: what the failure tells of one that is stuck, and what comes after."""

from __future__ import annotations

import contextlib
from pathlib import Path

import pytest
from playwright.sync_api import Browser

from tests.frontends.browser.pages import IN_CHROMIUM, loading

pytestmark = IN_CHROMIUM
#: Makes a page ignore its address, and complain.
STICK = """() => addEventListener("popstate", (event) => {
  event.stopImmediatePropagation();
  console.error("nothing follows the address");
}, { capture: true })"""


def test_a_stuck_page_is_described_and_loaded_anew(site: Path, chromium: Browser) -> None:
    with loading(site) as load, contextlib.closing(chromium.new_context()) as context:
        stuck = load(context)
        assert load(context) is stuck
        stuck.page.evaluate(STICK)
        with stuck.page.expect_console_message():
            stuck.turn_to("#game=mnk:1,1,1")
        stuck.page.set_default_timeout(1)

        with pytest.raises(AssertionError, match=r"nothing follows.*#game=mnk:1,1,1.*Your turn"):
            stuck.wait("false")
        with pytest.raises(AssertionError):
            stuck.begin()
        load(context).begin()
        assert stuck.page.is_closed()
