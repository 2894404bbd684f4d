"""The blocks of the site's pages run in Chromium, and say what the pages say."""

from __future__ import annotations

import doctest
from collections.abc import Iterator
from doctest import Example

import pytest
from playwright.sync_api import Locator, Page, expect

from docs._ext.blocks import Block, load_exercise, read_blocks
from tests.chromium import Browsers, violations
from tests.docs.conftest import ROOT
from tests.machine import needs

pytestmark = [needs("chromium", "node", "npm"), pytest.mark.xdist_group("site")]

DOCS = ROOT / "docs"
PAGES = {
    path.relative_to(DOCS).with_suffix("").as_posix(): blocks
    for path in sorted(DOCS.glob("**/*.md"))
    if (blocks := read_blocks(path.read_text("utf-8")))
}
#: A page with examples above an exercise.
TRIED = "tutorial/2-players"
#: Milliseconds for a search in the browser's Python, and for its start.
PATIENCE = 120_000
CHECKER = doctest.OutputChecker()


class Running:
    """One page, and what is pressed in it.

    Attributes:
        asked: the addresses of all that the page has fetched.
    """

    def __init__(self, page: Page, address: str, name: str) -> None:
        self.page, self.address = page, address
        self.asked: list[str] = []
        page.on("request", lambda request: self.asked.append(request.url))
        page.goto(f"{address}/{name}.html")
        page.locator(".run-bar").first.wait_for()

    def block(self, number: int) -> Locator:
        return self.page.locator(".runnable").nth(number)

    def press(self, number: int, button: str = "Run") -> str:
        """Press a button, and return the state at the end."""
        self.block(number).get_by_role("button", name=button).click()
        return self.wait(number)

    def wait(self, number: int) -> str:
        expect(self.page.locator("button:visible", has_text="Stop")).to_have_count(
            0, timeout=PATIENCE
        )
        return self.block(number).get_attribute("data-state") or ""

    def said(self, number: int) -> str:
        return self.block(number).locator(".run-state").inner_text()

    def shown(self, number: int) -> str:
        return self.block(number).locator(".run-result").inner_text()

    def outputs(self, number: int) -> list[str]:
        return self.block(number).locator(".run-output").all_text_contents()


def differences(block: Block, outputs: list[str]) -> list[tuple[str, str]]:
    """Return what examples want and did not say, as doctest compares it."""
    return [
        (example.want, output)
        for example, output in zip(block.examples, outputs, strict=True)
        if not is_as_wanted(example, output)
    ]


def is_as_wanted(example: Example, output: str) -> bool:
    flags = sum(flag for flag, is_set in example.options.items() if is_set)
    if example.exc_msg is None:
        return CHECKER.check_output(example.want, output, flags)
    return CHECKER.check_output(example.exc_msg, output.partition("    ...\n")[2], flags)


@pytest.fixture
def opened(browsers: Browsers, address: str, request: pytest.FixtureRequest) -> Iterator[Running]:
    """Return the page that a test names, else `TRIED`; nothing it does goes to another host."""
    page = browsers.desk.new_page()
    running = Running(page, address, getattr(request, "param", TRIED))
    yield running
    assert [url for url in running.asked if not url.startswith((address, "data:"))] == []
    page.close()


@pytest.mark.parametrize("opened", PAGES, indirect=True, ids=str)
def test_each_block_says_what_the_page_says(
    opened: Running, request: pytest.FixtureRequest
) -> None:
    blocks = PAGES[request.node.callspec.params["opened"]]
    expect(opened.page.locator(".runnable")).to_have_count(len(blocks))
    assert [url for url in opened.asked if "/python/" in url or "worker" in url] == []
    for number, block in enumerate(blocks):
        if block.exercise:
            assert opened.press(number, "Check") == "wrong", opened.said(number)
            solution = load_exercise(block.exercise).SOLUTION
            opened.block(number).get_by_role("textbox").fill(solution)
            assert opened.press(number, "Check") == "right", opened.said(number)
        else:
            assert opened.press(number) == "ran", opened.said(number)
            assert differences(block, opened.outputs(number)) == []


def test_a_block_runs_those_above_it_first_and_changed_ones_again(opened: Running) -> None:
    changed = "import random\nfirst = anywhere = lambda state: 4"
    assert opened.press(1) == "ran"
    assert opened.block(0).get_attribute("data-state") == "ran"
    before = opened.outputs(1)
    opened.press(0, "Edit")
    opened.block(0).get_by_role("textbox").fill(changed)
    assert opened.press(1) == "error"
    assert "InvalidMove" in opened.said(1)
    opened.block(0).get_by_role("button", name="Reset").click()
    assert opened.press(1) == "ran"
    assert opened.outputs(1) == before


def test_the_keyboard_is_enough(opened: Running) -> None:
    keyboard = opened.page.keyboard
    opened.block(0).get_by_role("button", name="Edit").focus()
    keyboard.press("Enter")
    keyboard.press("ControlOrMeta+a")
    for key in ("for n in range(2):", "Enter", "print(n)"):
        keyboard.press(key) if key == "Enter" else keyboard.type(key)
    keyboard.press("ControlOrMeta+Enter")
    assert opened.wait(0) == "ran"
    assert opened.shown(0) == "0\n1\n"
    keyboard.press("Escape")
    keyboard.press("Tab")
    keyboard.press("Enter")  # Reset
    expect(opened.block(0).get_by_role("button", name="Edit")).to_be_focused()


def test_loops_are_stopped_errors_are_told_and_a_reload_keeps_the_text(opened: Running) -> None:
    opened.press(0, "Edit")
    editor = opened.block(0).get_by_role("textbox")
    editor.fill('while True:\n    print("again")')
    opened.block(0).get_by_role("button", name="Run").click()
    expect(opened.block(0).locator(".run-result")).to_contain_text("… more", timeout=PATIENCE)
    assert opened.press(0, "Stop") == "stopped"
    editor.fill("1 + 1\n1 / 0")
    assert opened.press(0) == "error"
    assert opened.shown(0).splitlines()[0] == "2"
    assert opened.said(0) == "Error: ZeroDivisionError: division by zero"
    editor.fill("for x in []")
    assert opened.press(0) == "error"
    assert opened.said(0) == "Error: SyntaxError: expected ':'"
    assert opened.shown(0).startswith('  File "<block 1>", line 1\n    for x in []\n')
    editor.fill("input()")
    assert opened.press(0) == "error"
    assert "There is no keyboard here" in opened.said(0)
    opened.page.reload()
    expect(editor).to_have_value("input()")
    opened.block(0).get_by_role("button", name="Reset").click()
    opened.page.reload()
    expect(opened.block(0).get_by_role("button", name="Edit")).to_be_visible()


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_axe_finds_nothing_in_any_state(opened: Running, scheme: str) -> None:
    opened.page.emulate_media(color_scheme="dark" if scheme == "dark" else "light")
    exercise = next(n for n, block in enumerate(PAGES[TRIED]) if block.exercise)
    assert opened.press(1) == "ran"
    opened.press(0, "Edit")
    opened.block(0).get_by_role("textbox").fill("1 / 0")
    assert opened.press(0) == "error"
    assert opened.press(exercise, "Check") == "error"
    assert violations(opened.page) == []
    opened.block(0).get_by_role("textbox").fill("while True: pass")
    opened.block(0).get_by_role("button", name="Run").click()
    expect(opened.block(0).locator(".run-state")).to_contain_text("Running …", timeout=PATIENCE)
    assert violations(opened.page) == []


def test_without_its_files_python_says_that_it_cannot_be_loaded(
    opened: Running, browsers: Browsers
) -> None:
    opened.page.route("**/app.zip.packed", lambda route: route.fulfill(status=404))
    assert opened.press(0) == "error"
    assert opened.said(0).startswith("Python cannot be loaded: ")
    opened.page.unroute("**/app.zip.packed")
    assert opened.press(0) == "ran"
