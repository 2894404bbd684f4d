"""Ten thousand random clicks and keys end in no error and no illegal state."""

from __future__ import annotations

import pytest

from tests.frontends.browser.pages import CLOSE_DIALOGS, Screen
from tests.frontends.browser.test_browser_links import read
from tests.machine import needs

pytestmark = [
    needs("chromium", "node", "npm"),
    pytest.mark.slow,
    pytest.mark.xdist_group("browser"),
]

BATCHES, EVENTS = 40, 250
#: Everything that can be clicked but for what opens a window of the system or leaves the page.
MONKEY = """
async ([seed, count]) => {
  const random = () => {  // mulberry32: the same seed gives the same clicks
    seed = (seed + 0x6d2b79f5) | 0;
    let t = Math.imul(seed ^ (seed >>> 15), 1 | seed);
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t;
    return ((t ^ (t >>> 14)) >>> 0) / 4294967296;
  };
  const one = (list) => list[Math.floor(random() * list.length)];
  const keys = ["1", "2", "5", "7", "9", "0", "Enter", " ", "Home", "End", "ArrowUp", "ArrowDown",
    "ArrowLeft", "ArrowRight", "Escape", "Tab", "z", "y", "<"];
  for (let i = 0; i < count; i++) {
    const dice = random();
    if (dice < 0.45) {
      one(document.querySelectorAll("#cells button")).click();
    } else if (dice < 0.65) {
      const there = ":not(#save):not(#open):not(#copy):not(#reload)";
      one(document.querySelectorAll(`button${there}, summary, input[type=checkbox]`)).click();
    } else if (dice < 0.93) {
      const target = one([document.body, ...document.querySelectorAll("#cells button, select")]);
      if (target.focus) target.focus();
      const key = one(keys);
      const options = { key, bubbles: true, cancelable: true, ctrlKey: random() < 0.3,
        shiftKey: random() < 0.2 };
      const place = document.activeElement ?? document.body;
      place.dispatchEvent(new KeyboardEvent("keydown", options));
    } else if (dice < 0.96) {
      const menu = one(document.querySelectorAll("#side select, header select"));
      menu.value = one(menu.options).value;
      menu.dispatchEvent(new Event("change", { bubbles: true }));
    } else if (dice < 0.98) {
      const field = document.querySelector("#size");
      field.value = one(["mnk:4,3,3", "mnk:2,2,2,misere", "mnk:5,4,4,gravity", "<b>", "mnk:0,0,0"]);
      field.form.requestSubmit();
    } else {
      location.hash = one(["moves=B2.A1", "moves=B2.B2", "game=connect-four&moves=4.4", "<script>",
        "game=mnk:3,3,3,misere&first=O&moves=5", "x=easy&o=easy"]);
    }
    if (i % 10 === 9) await new Promise((resolve) => setTimeout(resolve, 0));
  }
}
"""


def test_random_clicks_and_keys_break_nothing(screen: Screen) -> None:
    screen.open()

    for batch in range(BATCHES):
        screen.page.evaluate(MONKEY, [1_000 + batch, EVENTS])
        assert_legal(screen)

    screen.page.evaluate(CLOSE_DIALOGS)
    screen.set("language", "en")
    screen.open("#x=human&o=human")
    screen.click_cell(0)
    screen.wait_for_moves(1)


def assert_legal(screen: Screen) -> None:
    """Compare the board on the screen with what the moves in the address lead to."""
    screen.choose("player-x", "human")  # so that the game stands still
    screen.choose("player-o", "human")
    last = screen.page.locator("#replay-last")
    if last.is_enabled():
        last.click()
    assert screen.marks == read(screen.fragment.replace("%20", " ")).grid.cells
    assert screen.complaints == []
