"""The pages of the site: accessible, narrow, light, without other hosts; and its search finds."""

from __future__ import annotations

import gzip
import re
from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Page, Route, ViewportSize, expect

from tests.chromium import Browsers, violations
from tests.docs.conftest import ROOT
from tests.machine import needs

pytestmark = [needs("chromium"), pytest.mark.xdist_group("site")]

#: The most that the first load of a page may take, compressed, in bytes.
MOST = 300_000
PHONE: ViewportSize = {"width": 390, "height": 844}
#: What is larger than its box by so many pixels is cut off or scrolls.
WIDER = "document.documentElement.scrollWidth - document.documentElement.clientWidth"


def pages(site: Path) -> list[str]:
    """Return all pages but those with sources, which are alike, and of those two."""
    names = sorted(path.relative_to(site).as_posix() for path in site.rglob("*.html"))
    sources = [name for name in names if name.startswith("_modules/")]
    return [name for name in names if name not in sources] + sources[:2]


@pytest.fixture
def phone(browsers: Browsers) -> Iterator[Page]:
    with browsers.chromium.new_context(viewport=PHONE, color_scheme="dark") as context:
        yield context.new_page()


def weight(route: Route, site: Path, prefix: str) -> int:
    """Return the bytes of an answer, compressed as a host would."""
    path = route.request.url.removeprefix(prefix).partition("?")[0].lstrip("/")
    content = (site / (path or "index.html")).read_bytes()
    return min(len(content), len(gzip.compress(content)))


def test_each_page_fits_a_phone_is_accessible_light_and_asks_no_other_host(
    site: Path, address: str, phone: Page
) -> None:
    sent: list[tuple[str, int]] = []

    def note(route: Route) -> None:
        url = route.request.url
        sent.append((url, weight(route, site, address) if url.startswith(address) else MOST))
        route.continue_()

    phone.route("**/*", note)
    wrong: list[str] = []
    for name in pages(site):
        sent.clear()
        phone.goto(f"{address}/{name}", wait_until="load")
        if phone.evaluate(WIDER) > 0:
            wrong.append(f"{name}: wider than the screen")
        if (total := sum(size for _, size in sent)) > MOST:
            wrong.append(f"{name}: {total} bytes, {sorted(sent, key=lambda each: -each[1])[:3]}")
        wrong += [f"{name}: {each}" for each in violations(phone)]

    assert wrong == []


@pytest.mark.parametrize("name", ["index", "tutorial/1-grid", "reference/commands"])
def test_a_light_page_is_accessible_on_a_desktop(
    name: str, address: str, browsers: Browsers
) -> None:
    with browsers.chromium.new_page(color_scheme="light") as page:
        page.goto(f"{address}/{name}.html")

        assert violations(page) == []


@pytest.mark.parametrize(
    ("words", "page"),
    [
        ("renju", "play/games.html#five-in-a-row"),
        ("TLS", "how-to/server.html"),
        ("checkpoint", "how-to/solve.html"),
        ("best move endpoint", "how-to/web-endpoint.html"),
        ("find_best_move", "reference/api/tic_tac_toe.html#tic_tac_toe.find_best_move"),
    ],
)
def test_the_search_leads_to_the_page(
    words: str, page: str, address: str, browsers: Browsers
) -> None:
    shown = browsers.desk.new_page()
    shown.goto(f"{address}/play/keys.html")
    shown.keyboard.press("/")
    shown.keyboard.type(words)
    shown.keyboard.press("Enter")
    links = shown.locator("#search-results > li > a")
    links.first.wait_for()

    found = links.evaluate_all("links => links.map((link) => link.href)")
    shown.close()

    assert f"{address}/{page}" in found[:8]


@pytest.mark.parametrize(
    ("words", "page"),
    [
        ("plies", "glossary.html#ply"),
        ("cell_taken", "reference/errors.html#invalidmove"),
        ("install", "how-to/"),
    ],
)
def test_the_search_begins_with(words: str, page: str, address: str, browsers: Browsers) -> None:
    shown = browsers.desk.new_page()
    shown.goto(f"{address}/search.html?q={words}")

    first = shown.locator("#search-results > li > a").first
    expect(first).to_have_attribute("href", re.compile(f"/{re.escape(page)}$"))
    shown.close()


def test_without_javascript_a_page_shows_its_text_its_ways_and_the_index(
    address: str, browsers: Browsers
) -> None:
    with browsers.chromium.new_context(java_script_enabled=False, viewport=PHONE) as context:
        page = context.new_page()
        page.goto(f"{address}/index.html")
        expect(page.locator("article")).to_contain_text(">>> from tic_tac_toe import")
        expect(page.get_by_role("search")).to_have_count(0)
        page.locator(".header-left label").click()
        page.get_by_role("link", name="Index of names and options").click()
        page.get_by_role("link", name="--checkpoint", exact=False).first.click()

        expect(page.get_by_role("heading", level=1)).to_contain_text("Commands")
        assert page.url.startswith(f"{address}/reference/commands.html#")


@pytest.mark.parametrize(
    "task",
    [
        "Make a bot play ten games",
        "Solve 5x5 with four in a row, and prove it",
        "Run a server behind TLS",
        "Add a game of your own",
    ],
)
def test_the_landing_page_leads_to_the_task(task: str, address: str, browsers: Browsers) -> None:
    page = browsers.desk.new_page()
    page.goto(f"{address}/index.html")
    page.locator("article").get_by_role("link", name=task).click()

    assert (ROOT / "docs" / page.url.removeprefix(f"{address}/")).with_suffix(".md").exists()
    page.close()
