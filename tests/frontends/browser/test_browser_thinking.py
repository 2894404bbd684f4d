"""Long thoughts never freeze the page, and what nobody wants to know any more is dropped."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from urllib.parse import parse_qsl, urlsplit

import pytest
from playwright.sync_api import Browser, Route

from tests.frontends.browser.pages import IN_CHROMIUM, Screen, changed_site, serving
from tic_tac_toe.logic.rules.catalogue import VARIANTS
from tic_tac_toe.logic.search.evaluation import MoveEvaluation
from tic_tac_toe.solver.book import FILE
from tic_tac_toe_frontends.browser.server import Server
from tic_tac_toe_frontends.table.served_values import asked_state, write

pytestmark = IN_CHROMIUM

#: A game whose computer player thinks for long about each move.
LONG = "#game=gomoku&o=mcts&think=60"
#: Whether the page shows how far a thought is: the bar keeps what it showed of the one before.
IS_THINKING = """!document.getElementById('thinking').hidden
    && document.getElementById('thinking-share').value > 0"""


def test_the_page_answers_while_a_computer_thinks(screen: Screen) -> None:
    screen.open(LONG)
    with screen.page.expect_worker():
        screen.click_cell(112)

    screen.page.click("#replay-first")
    screen.wait_for_status("Looking back")

    assert len(screen.moves) == 1


def test_python_gets_no_stacks_of_its_own_which_chromium_crashes_on(screen: Screen) -> None:
    switches = "'Suspending' in WebAssembly"
    forgetful = screen.page.context.new_page()
    assert forgetful.evaluate(switches), "else there is nothing to be taken away"
    forgetful.close()
    screen.open(LONG)
    with screen.page.expect_worker() as begun:
        screen.click_cell(112)

    assert screen.page.evaluate(switches) is False
    assert begun.value.evaluate(switches) is False


def test_what_a_computer_thinks_of_is_dropped_where_another_game_has_begun(screen: Screen) -> None:
    screen.begin(LONG)
    screen.click_cell(112)
    screen.wait_for_status("The computer is thinking …")

    screen.page.select_option("#variant", "tic-tac-toe")
    screen.wait("document.querySelectorAll('#cells button').length === 9")
    screen.click_cell(0)
    screen.wait_for_moves(2)

    assert screen.moves[0] == "1.X A1"
    assert screen.marks.count("O") == 1


def test_a_hint_and_an_analysis_of_a_large_board_come_from_the_worker(screen: Screen) -> None:
    screen.begin("#x=human&o=human&game=gomoku&moves=H8.G7")

    screen.page.check("#analysis")
    screen.page.click("#hint")
    screen.wait("document.querySelectorAll('#picture .ttt-best').length > 0")
    screen.wait("/Percentages are estimated/.test(document.querySelector('#note').textContent)")


def test_over_each_column_stands_what_the_page_estimates_until_the_server_has_solved_it(
    screen: Screen,
) -> None:
    context = screen.page.context
    values = f"{screen.address}values?**"
    screen.begin("#x=human&o=human&game=connect-four&moves=1.2.1.1.5.6.6.6.5")
    context.route(values, lambda route: route.abort())

    screen.page.check("#analysis")
    screen.wait("document.querySelectorAll('#picture .ttt-value').length === 7")
    assert "estimated" in screen.note

    screen.page.uncheck("#analysis")
    context.unroute(values)
    moves = "4.4.4.4.4.4.3.3.3.3.3.3.5.5.5.5.5.5"
    screen.turn_to(f"#x=human&o=human&game=connect-four&moves={moves}")
    screen.wait("document.querySelectorAll('#moves button').length === 18")
    screen.page.check("#analysis")
    screen.wait("/Solved by the server/.test(document.querySelector('#note').textContent)")
    assert "%" not in screen.page.inner_text("#picture")
    screen.complaints.clear()  # the request that was aborted


def test_hints_and_reviews_come_from_the_server_where_it_has_solved_every_move(
    screen: Screen,
) -> None:
    def solve(route: Route) -> None:
        """Say that only the last column wins, as no page would by itself."""
        state = asked_state(dict(parse_qsl(urlsplit(route.request.url).query)))
        columns = state.rules.shape.columns
        route.fulfill(
            body=write(
                tuple(
                    MoveEvaluation.solved(
                        move, *(("loss", 2) if (move + 1) % columns else ("win", 3))
                    )
                    for move in state.legal_moves
                )
            )
        )

    context, held = screen.page.context, list[Route]()
    values = f"{screen.address}values?**"
    screen.begin("#x=human&o=human&game=connect-four&moves=7.7.7.7.1.2.1.2.1.2")
    context.route(values, lambda route: held.append(route))
    screen.page.check("#analysis")
    screen.wait("document.querySelectorAll('#picture .ttt-value').length === 7")
    assert "Solved by the server" not in screen.note
    solve(held.pop())
    screen.wait("/Solved by the server/.test(document.querySelector('#note').textContent)")
    screen.page.uncheck("#analysis")

    context.unroute(values)
    context.route(values, solve)
    screen.page.click("#hint")
    screen.wait("/X can win in 2 moves/.test(document.querySelector('#note').textContent)")
    assert "Best for X: 7." in screen.note
    screen.click_cell(14)
    screen.page.click("#review-start")
    screen.wait("document.querySelector('#moves').textContent.split('??').length === 8")
    context.unroute(values)

    assert "With column 7 it was a win in 2 moves." in screen.note


def test_the_page_fetches_the_opening_book_for_connect_four_alone_and_plays_without_it(
    server: Server, chromium: Browser
) -> None:
    early = "#x=human&o=human&game=connect-four&moves=4.4.4"
    seven_values = "document.querySelectorAll('#picture .ttt-value').length === 7"
    with chromium.new_context(locale="en-GB", service_workers="block") as context:
        context.route("**/values?**", lambda route: route.abort())
        screen = Screen.within(context, server.url).open("#game=gomoku&o=medium")
        fetched = list[str]()
        screen.page.on("request", lambda request: fetched.append(Path(request.url).name))
        screen.click_cell(112)
        screen.wait_for_moves(2)
        assert ("thinker.js" in fetched, FILE in fetched) == (True, False)

        screen.turn_to(early)
        screen.wait("document.querySelectorAll('#moves button').length === 3")
        screen.page.check("#analysis")
        screen.wait(seven_values)
        assert FILE in fetched
        assert "estimated" not in screen.note

        context.route(f"**/{FILE}", lambda route: route.abort())
        screen.open(early)
        screen.page.check("#analysis")
        screen.wait(seven_values)
        assert "estimated" in screen.note


@pytest.mark.slow
def test_computers_play_every_game_with_what_the_page_has(screen: Screen) -> None:
    for name in (*VARIANTS, "connect-four,pie", "mnk:9,9,5,torus"):
        screen.begin(f"#game={name}&x=minimax&o=hard&think=0.02")
        screen.wait("document.querySelectorAll('#moves button').length >= 3")
        assert (name, screen.refusal) == (name, "")


def test_where_the_worker_cannot_start_the_game_goes_on(
    site: Path, tmp_path: Path, open_page: Callable[..., Screen]
) -> None:
    changes = {
        "thinker.js": (
            "const answer = start();",
            'const answer = Promise.reject(new Error("no worker"));',
        )
    }
    broken = changed_site(site, tmp_path / "site", changes)

    with serving(broken) as server:
        screen = open_page(server.url, LONG)
        screen.click_cell(112)
        screen.wait_for_moves(2)
        refusal = screen.refusal

    assert "no worker" in refusal


def test_the_time_to_think_is_chosen_in_a_menu_or_by_a_link_and_remembered(screen: Screen) -> None:
    screen.choose("think", "2")
    screen.page.reload()
    screen.wait("document.querySelector('#think').value === '2'")
    screen.begin("#o=minimax&think=0.25&moves=B2")
    screen.wait("document.querySelector('#think').value === '0.25'")
    screen.wait_for_moves(2)


@pytest.mark.parametrize("strategy", ["minimax", "mcts"])
def test_a_computer_that_thinks_for_a_minute_shows_how_far_it_is_and_can_be_told_to_move(
    screen: Screen, strategy: str
) -> None:
    screen.begin(f"#game=gomoku&o={strategy}&think=60")
    screen.click_cell(112)
    screen.wait(IS_THINKING)
    assert screen.page.is_visible("#move-now")

    screen.page.click("#move-now")

    screen.wait_for_moves(2)
    screen.wait("document.getElementById('thinking').hidden")
    screen.click_cell(0)  # another worker thinks about the next move
    screen.wait(IS_THINKING)
