"""The games that the page plays before Python has loaded, and what it says if it never does."""

from __future__ import annotations

import contextlib
import json
import random
import re
import subprocess
from collections.abc import Iterator, Sequence
from functools import partial
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Browser, Page, Route, expect

from tests.frontends.browser.pages import IN_CHROMIUM, PHONE, Screen, serving
from tests.machine import needs
from tic_tac_toe.game.strategies import STRATEGIES
from tic_tac_toe.logic.models import GameState
from tic_tac_toe.logic.rules import Rules
from tic_tac_toe_frontends.browser.contents import STATIC
from tic_tac_toe_frontends.browser.early_games import EARLY_GAMES, early_facts, levels_of

ROOT = Path(__file__).parents[3]
#: Reads a game and positions, and writes the choices of each position.
ASK = f"""
import {{ carefulCells, chooseCell, legalCells, play }} from "{(STATIC / "early.js").as_uri()}";
import {{ readFileSync }} from "node:fs";
const {{ game, positions, dice, names }} = JSON.parse(readFileSync(0, "utf8"));
const answers = positions.map(([text, mark]) => {{
  const cells = [...text].map((cell) => cell.trim());
  return [carefulCells(game, cells, mark), legalCells(game, cells)];
}});
const throws = dice.map(([level, ...numbers]) => {{
  Math.random = () => numbers.shift();
  return chooseCell(game, game.names.map(() => ""), "X", level);
}});
const ends = names.map((each) => {{
  const {{ cells, turn, row }} = play(game, "X", each) ?? {{}};
  return [cells?.map((cell) => cell || " ").join("") ?? "", turn ?? "", row ?? []];
}});
process.stdout.write(JSON.stringify({{ answers, throws, ends }}));
"""


class Dice(random.Random):
    """Throws one number, and keeps what it is to choose from."""

    def __init__(self, number: float) -> None:
        super().__init__(0)
        self.number, self.offered = number, [0]

    def random(self) -> float:
        return self.number

    def choice(self, seq: Any) -> Any:
        self.offered = [*seq]
        return seq[0]


def ask(name: str, positions: Sequence[GameState] = (), **more: object) -> dict[str, Any]:
    """Return what the script of the page says of positions."""
    question = {
        "game": early_facts()["games"][name],
        "positions": [(state.grid.cells, state.current_mark.value) for state in positions],
        "dice": [],
        "names": [],
        **more,
    }
    done = subprocess.run(
        ["node", "--input-type=module", "--eval", ASK],
        input=json.dumps(question),
        capture_output=True,
        text=True,
        check=True,
    )
    found: dict[str, Any] = json.loads(done.stdout)
    return found


def all_positions(rules: Rules) -> list[GameState]:
    """Return each position of a small game once, for the side that begins to be X."""
    found, waiting = {}, [GameState.new(rules)]
    while waiting:
        state = waiting.pop()
        if not state.game_over and state.grid.cells not in found:
            found[state.grid.cells] = state
            waiting += [move.after_state for move in state.possible_moves]
    return [*found.values()]


def random_positions(rules: Rules, games: int) -> Iterator[GameState]:
    """Yield the positions of random games."""
    dice = random.Random(34)
    for _ in range(games):
        state = GameState.new(rules)
        while not state.game_over:
            yield state
            state = state.make_move_to(dice.choice(state.legal_moves)).after_state


# -- the rules and the levels ----------------------------------------------------------------------


@needs("node")
@pytest.mark.medium
@pytest.mark.parametrize("name", EARLY_GAMES)
def test_the_levels_choose_from_what_the_library_chooses_from(name: str) -> None:
    rules = EARLY_GAMES[name]
    positions = (
        all_positions(rules) if name == "tic-tac-toe" else [*random_positions(rules, games=150)]
    )
    answers = ask(name, positions)["answers"]

    assert len(positions) > 3_000
    for level, care in levels_of(rules).items():
        for state, (careful, legal) in zip(positions, answers, strict=True):
            for number, choices in ((care - 1e-9, careful), (care, legal)):
                dice = Dice(number)
                STRATEGIES[level](state, dice)
                assert dice.offered == choices, (level, state.grid.cells)


@needs("node")
def test_a_level_is_careful_in_its_share_of_moves_and_chooses_evenly() -> None:
    dice = [
        ("easy", 0.39, 0.99),
        ("easy", 0.41, 0.12),
        ("medium", 0.79, 0),
        ("medium", 0.81, 0.999),
    ]

    assert ask("tic-tac-toe", dice=dice)["throws"] == [8, 1, 0, 8]


@needs("node")
@pytest.mark.parametrize("name", EARLY_GAMES)
def test_games_go_on_and_end_as_in_the_library(name: str) -> None:
    rules = EARLY_GAMES[name]
    dice, games, wanted = random.Random(3), [], []
    for _ in range(60):
        state, names = GameState.new(rules), []
        while not state.game_over:
            move = state.make_move_to(dice.choice(state.legal_moves))
            names.append(str(move.cell_index % 7 + 1) if "four" in name else move_name_of(move))
            state = move.after_state
        games.append(names)
        wanted.append([state.grid.cells, "", sorted(state.winning_cells)])

    found = ask(name, names=[*games, ["Z9"]])["ends"]

    assert [[cells, turn, row] for cells, turn, row in found] == [
        *wanted,
        ["", "", []],
    ]


def move_name_of(move: Any) -> str:
    row, column = divmod(move.cell_index, 3)
    return f"{'ABC'[column]}{row + 1}"


# -- in the page -----------------------------------------------------------------------------------


#: What is drawn, where, and in which colours.
SHAPES = """[...document.querySelectorAll("#picture :is(path, circle, rect)")].map((shape) => {
  const { x, y, width, height } = shape.getBoundingClientRect();
  const { fill, stroke, strokeWidth } = getComputedStyle(shape);
  return [shape.tagName, ...[x, y, width, height].map(Math.round), fill, stroke, strokeWidth];
})"""


@contextlib.contextmanager
def waiting_page(
    site: Path, chromium: Browser, fragment: str = "", **options: Any
) -> Iterator[tuple[Screen, list[Route]]]:
    """Open the page, and hold Python back in the returned list."""
    held: list[Route] = []
    with (
        serving(site) as server,
        contextlib.closing(chromium.new_context(reduced_motion="reduce", **options)) as context,
    ):
        screen = Screen.within(context, server.url)
        screen.page.route("**/app.zip", lambda route: held.append(route))
        screen.page.goto(f"{server.url}{fragment}", wait_until="domcontentloaded")
        yield screen, held


def let_in(screen: Screen, held: list[Route]) -> None:
    """Let Python come."""
    for route in held:
        route.continue_()
    screen.page.unroute("**/app.zip")
    screen.wait_ready()


def answered(page: Page, count: int) -> None:
    """Wait until there are so many pieces."""
    page.wait_for_function(
        "count => document.querySelectorAll('#picture :is(.ttt-x, .ttt-o)').length >= count",
        arg=count,
    )


def as_seen(screen: Screen) -> dict[str, object]:
    """Return what is seen and heard of a game."""
    page = screen.page
    page.mouse.move(1, 1)
    return {
        "status": screen.status,
        "announced": page.text_content("#announced"),
        "labels": screen.labels,
        "disabled": page.eval_on_selector_all(
            "#cells button", "all => all.map(cell => cell.getAttribute('aria-disabled'))"
        ),
        "fragment": screen.fragment,
        "shapes": page.evaluate(SHAPES),
        "place": page.evaluate("document.getElementById('board').getBoundingClientRect().toJSON()"),
        "focus": page.evaluate("document.activeElement.dataset.cell ?? ''"),
    }


@pytest.mark.slow
class TestPage:
    """The page in Chromium while Python is on its way."""

    pytestmark = IN_CHROMIUM

    @pytest.mark.parametrize(
        ("fragment", "cell"),
        [
            ("", 4),
            ("#game=connect-four", 38),
            ("#x=easy&o=human", 4),
            ("#game=connect-four&first=O&o=easy&moves=4.4", 3),
            ("#x=human&o=medium&moves=B2.A1", 8),
        ],
    )
    def test_python_goes_on_with_what_is_seen(
        self, site: Path, chromium: Browser, fragment: str, cell: int
    ) -> None:
        with waiting_page(site, chromium, fragment) as (screen, held):
            expect(screen.page.locator("#status")).to_contain_text("Your turn")
            screen.mentions("#loading-said", "stronger players")
            before = screen.page.locator("#picture .ttt-latest").count()
            screen.press_to(cell if screen.marks[cell] == " " else 0)  # "easy" opens anywhere
            screen.page.wait_for_function(
                "old => location.hash.split('.').length >= 2 && location.hash !== old", arg=fragment
            )
            screen.says("#status", "Your turn.")
            early = as_seen(screen)
            assert "ready" not in screen.page.evaluate("({...document.documentElement.dataset})")
            let_in(screen, held)

            assert before <= 1
            late = as_seen(screen)
            early_link, late_link = early.pop("fragment"), late.pop("fragment")
            assert str(early_link).endswith(str(late_link).rpartition("&")[2])
            assert late == early
            screen.hides("#loading")
            assert screen.complaints == []

    @pytest.mark.parametrize(
        ("fragment", "key"),
        [("#moves=B2.A1.C3.B1.C1.A3", "6"), ("#game=connect-four&moves=1.2.1.2.1.2", "1")],
    )
    def test_the_end_looks_as_ever(
        self, site: Path, chromium: Browser, fragment: str, key: str
    ) -> None:
        with waiting_page(site, chromium, fragment) as (screen, held):
            screen.page.keyboard.press(key)
            screen.mentions("#status", "You win")
            early = as_seen(screen)
            let_in(screen, held)
            late = as_seen(screen)
            for name in ("status", "labels", "disabled", "shapes", "place"):
                assert early[name] == late[name]

    def test_finished_games_count_once(self, site: Path, chromium: Browser) -> None:
        with waiting_page(site, chromium, "#moves=B2.A1.C3.B1.C1.A3") as (screen, held):
            for key in ("9", "6"):  # a cell that is taken, and the one that wins
                screen.page.keyboard.press(key)
            screen.mentions("#status", "You win")
            screen.page.click("#new-game")
            screen.says("#status", "Your turn: you are X.")
            assert screen.fragment == ""
            screen.page.go_back()
            screen.mentions("#status", "You win")
            screen.page.go_forward()
            screen.click_cell(0)
            screen.says("#status", "Your turn.")
            let_in(screen, held)
            screen.wait_for_moves(2)

            games = screen.page.evaluate("JSON.parse(localStorage['tic-tac-toe.history'])")
            assert [game[5] for game in games] == ["x=human&o=easy&moves=B2.A1.C3.B1.C1.A3.C2"]
            screen.tells("#score")
            assert "1" in screen.page.inner_text("#score")

    def test_a_computer_that_thinks_goes_on(self, site: Path, chromium: Browser) -> None:
        with waiting_page(site, chromium) as (screen, held):
            screen.page.evaluate("globalThis.setTimeout = () => 0")  # it never ends its thought
            screen.page.click("#cells [data-cell='4']")
            screen.says("#status", "The computer is thinking …")
            let_in(screen, held)
            screen.page.evaluate("delete globalThis.setTimeout")
            assert screen.fragment.startswith("moves=B2")

    def test_python_waits_for_the_first_board(self, site: Path, chromium: Browser) -> None:
        late, held = "**/early.js", list[Route]()
        python = "document.body.dataset.found = 'playedEarly' in window"
        with serving(site) as server, contextlib.closing(chromium.new_context()) as context:
            page = context.new_page()
            page.route(late, lambda route: held.append(route))
            page.route("**/python.js", partial(answer_script, python))
            with page.expect_event("requestfinished", lambda done: done.url.endswith("python.js")):
                page.goto(server.url, wait_until="commit")
            page.evaluate("new Promise((done) => setTimeout(done))")  # an eager script runs
            for route in held:
                route.continue_()
            page.unroute(late)

            expect(page.locator("body")).to_have_attribute("data-found", "true")

    @pytest.mark.parametrize("fragment", ["#game=gomoku", "#o=minimax", "#moves=B2.B2", "#online"])
    def test_other_games_wait(self, site: Path, chromium: Browser, fragment: str) -> None:
        with waiting_page(site, chromium, fragment) as (screen, _held):
            screen.mentions("#status", "stronger players")
            assert not screen.page.evaluate("document.documentElement.hasAttribute('data-early')")

    def test_the_kept_move_looks_like_a_piece(self, site: Path, chromium: Browser) -> None:
        with waiting_page(site, chromium) as (screen, _held):
            screen.page.evaluate("localStorage['tic-tac-toe.players'] = 'human minimax'")
            screen.page.reload(wait_until="domcontentloaded")
            screen.click_cell(4)
            screen.says("#note", "B2: empty, your move is on its way")
            screen.counts("#cells [data-pending=X] svg .ttt-x", 1)

    @pytest.mark.parametrize("way", ["deleted", "forbidden"])
    def test_where_python_cannot_start_easy_games_are_played(
        self, site: Path, chromium: Browser, way: str
    ) -> None:
        width, height = PHONE
        context = chromium.new_context(viewport={"width": width, "height": height})
        with serving(site) as server, contextlib.closing(context):
            page = context.new_page()
            if way == "deleted":
                page.add_init_script("delete globalThis.WebAssembly")
            else:
                policy = "default-src 'self'; script-src 'self'; style-src 'self' 'unsafe-inline'"
                context.route("**/", partial(answer_under, policy))
            page.goto(f"{server.url}#o=minimax")
            said = "Only easy games work here: this browser or this site does not let the"
            expect(page.locator("#status")).to_contain_text(said)
            expect(page.locator("select:visible, #ways button:visible")).to_have_count(0)
            page.click("#easy-instead")
            expect(page.locator("#status")).to_have_text("Your turn: you are X.")
            expect(page.get_by_role("alert")).to_contain_text(said)
            page.click("#cells [data-cell='4']")
            answered(page, 2)
            expect(page.locator("#status")).to_have_text("Your turn.")

    def test_the_policy_in_the_documentation_suffices(self, site: Path, chromium: Browser) -> None:
        text = (ROOT / "docs" / "play" / "browser.md").read_text(encoding="utf-8")
        policy = re.search("default-src 'self'.*", text)
        assert policy is not None
        with serving(site) as server, contextlib.closing(chromium.new_context()) as context:
            context.route("**/", partial(answer_under, policy[0]))
            screen = Screen.within(context, server.url).open("#game=connect-four&o=mcts&moves=4")
            screen.wait_for_moves(2)  # a worker has thought
            assert screen.complaints == []
            assert screen.page.get_attribute("#board", "style")

    def test_without_scripts_the_first_line_says_so(self, site: Path, chromium: Browser) -> None:
        with (
            serving(site) as server,
            contextlib.closing(chromium.new_context(java_script_enabled=False)) as context,
        ):
            page = context.new_page()
            page.goto(server.url)
            line = page.locator(".noscript")
            expect(line).to_contain_text("To play here, allow JavaScript in your browser.")
            expect(line.locator("a")).to_be_hidden()  # there is no game server
            expect(page.locator("button:visible:not([data-cell]):not(h1 *)")).to_have_count(0)
            box = line.bounding_box()
            assert box is not None
            assert box["y"] < 40


def answer_script(text: str, route: Route) -> None:
    """Answer with a script."""
    route.fulfill(body=text, content_type="text/javascript")


def answer_under(policy: str, route: Route) -> None:
    """Answer as a host does that sends a policy."""
    response = route.fetch()
    headers = {**response.headers, "Content-Security-Policy": policy}
    route.fulfill(response=response, headers=headers)
