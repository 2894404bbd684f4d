"""What strangers put into the page shows as text, or is refused in one line."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.frontends.browser.pages import IN_CHROMIUM, Screen
from tic_tac_toe.logic.record_text import parse_records

pytestmark = IN_CHROMIUM

MARKUP = "<img src=x><script>1</script>"
HOSTILE_LINKS = {
    "markup": f"#game={MARKUP}",
    "escaped markup": "#game=%3Cimg%20src%3Dx%20onerror%3Dalert(1)%3E",
    "a megabyte": "#moves=" + "A1." * 350_000,
    "broken escapes": "#moves=%zz%ff",
}
HOSTILE_FILES = {
    "markup": MARKUP.encode(),
    "a megabyte": b"A1 " * 350_000,
    "no text": bytes(range(256)) * 10,
}


def assert_harmless(screen: Screen, told: str, longest: int) -> None:
    """See that one short line is told, and nothing of a stranger's is in the page."""
    assert 0 < len(told) < longest
    assert "\n" not in told
    assert screen.page.locator("main script, main img, [data-hacked]").count() == 0


def test_a_hostile_link_is_refused_in_one_line_of_text(screen: Screen) -> None:
    for link in HOSTILE_LINKS.values():
        screen.begin()
        screen.turn_to(link)
        screen.wait("document.querySelector('#refusal').textContent !== ''")

        assert_harmless(screen, screen.refusal, 500)
        assert screen.fragment == ""
    screen.open(HOSTILE_LINKS["markup"])
    assert_harmless(screen, screen.refusal, 500)
    screen.click_cell(4)
    screen.wait_for_moves(2)


@pytest.mark.parametrize("content", HOSTILE_FILES.values(), ids=HOSTILE_FILES)
def test_a_hostile_file_is_refused_in_one_line_of_text(screen: Screen, content: bytes) -> None:
    screen.begin("#moves=B2.A1")

    screen.page.set_input_files(
        "#file", {"name": "game.txt", "mimeType": "text/plain", "buffer": content}
    )
    screen.wait("document.querySelector('#said').textContent !== ''")

    assert screen.page.get_attribute("#said", "class") == "refused"
    assert_harmless(screen, screen.page.inner_text("#said"), 300)
    assert screen.moves == ["1.X B2", "2.O A1"]


def test_a_saved_game_opens_again_and_is_said_to_be_saved_until_another_begins(
    screen: Screen, tmp_path: Path
) -> None:
    saved = "Saved as connect-four.txt."
    screen.begin("#x=human&o=human&game=connect-four&moves=4.4.5")
    with screen.page.expect_download() as waiting:
        screen.page.click("#save")
    path = tmp_path / "game.txt"
    waiting.value.save_as(path)
    screen.wait(f"document.querySelector('#said').textContent === '{saved}'")
    screen.click_cell(2)
    screen.wait_for_moves(4)
    assert screen.page.inner_text("#said") == saved
    screen.page.click("#new-game")
    screen.wait_for_moves(0)
    assert screen.page.inner_text("#said") == ""

    screen.page.set_input_files("#file", path)
    screen.wait_for_moves(3)

    (record,) = parse_records(path.read_text(encoding="utf-8"))
    assert record.moves == (38, 31, 39)
    assert screen.moves == ["1.X 4", "2.O 4", "3.X 5"]
