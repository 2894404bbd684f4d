"""How long people wait for the computer players: every variant and level, from sampled positions.

``python -m benchmarks.answer_times`` prints the median and the maximum of the seconds for an
answer, and the seconds for the first answer of a level, which compiles code. ``--path`` says which
way a question takes: ``console`` asks in its own thread, ``screen`` (window, full screen, notebook)
in a thread beside one that draws, ``server`` in another process, ``page`` in a browser, from the
click on a link with the position to the move on the board.
"""

from __future__ import annotations

import argparse
import multiprocessing
import statistics
import threading
import time
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import Future, ProcessPoolExecutor
from contextlib import contextmanager
from functools import partial
from random import Random
from typing import NamedTuple

from tic_tac_toe.contest.openings import openings_of
from tic_tac_toe.contest.plan import derived_seed
from tic_tac_toe.game.match import Match
from tic_tac_toe.game.strategies import easy
from tic_tac_toe.logic.models import GameState, Mark
from tic_tac_toe.logic.rules import Rules
from tic_tac_toe.logic.rules.catalogue import VARIANTS, find_rules
from tic_tac_toe_frontends.table.background import SWITCH_SECONDS, in_background
from tic_tac_toe_frontends.table.queries import ChooseMove, ask_here
from tic_tac_toe_frontends.words.rules_text import HUMAN
from tools.chromium import FLAGS, find_chromium

#: What the page is waited for at most, in milliseconds.
PAGE_MILLISECONDS = 60_000
LEVELS = ("easy", "medium", "hard", "minimax")
POSITIONS = 10
SEED = 2026
#: Sampling of one cell of the table ends after this number of seconds.
ENOUGH_SECONDS = 60.0

Opening = tuple[int, ...]
#: Asks a player, by its name, for a move of a variant after some moves.
AskPath = Callable[[str, Opening, str], object]


class Times(NamedTuple):
    """Seconds for an answer: median and maximum, and how many answers were timed."""

    median: float
    longest: float
    answers: int


def sample(rules: Rules, count: int, seed: int) -> Iterator[Opening]:
    """Yield the moves to positions of games between weak players, evenly from all their plies."""
    openings = openings_of(rules)
    for number in range(count):
        dice = Random(derived_seed(seed, number))
        match = Match(GameState.new(rules))
        for move in dice.choice(openings):
            match.submit(match.state.current_mark, move)
        while not match.over:
            chosen = easy(match.state, dice)
            assert chosen is not None
            match.submit(match.state.current_mark, chosen.number)
        moves = tuple(move.number for move in match.history)
        yield moves[: dice.randrange(len(moves))]


def measure(ask: AskPath, variant: str, level: str, positions: Sequence[Opening]) -> Times:
    """Return how long a level takes; at least one answer, no more after `ENOUGH_SECONDS`."""
    seconds: list[float] = []
    for moves in positions:
        began = time.perf_counter()
        ask(variant, moves, level)
        seconds.append(time.perf_counter() - began)
        if sum(seconds) >= ENOUGH_SECONDS:
            break
    return Times(statistics.median(seconds), max(seconds), len(seconds))


def _query(variant: str, moves: Opening, level: str) -> ChooseMove:
    state = GameState.new(find_rules(variant))
    for move in moves:
        state = state.make_move_to(move).after_state
    return ChooseMove(state, level, Random(0))


def ask_on_console(variant: str, moves: Opening, level: str) -> None:
    """Ask as the console does: in this thread."""
    ask_here(_query(variant, moves, level), lambda answer: None)


def ask_on_screen(variant: str, moves: Opening, level: str) -> None:
    """Ask as window, full screen and notebook do: in a thread, while this one looks around."""
    answer: Future[Callable[[], object]] = Future()
    query = _query(variant, moves, level)
    in_background(query, answer.set_result)
    drawn = threading.Event()
    while not answer.done():
        drawn.wait(SWITCH_SECONDS)
    answer.result()()


def _ask_server(processes: ProcessPoolExecutor, variant: str, moves: Opening, level: str) -> None:
    from tic_tac_toe_frontends.server.computers import Question, choose

    question = Question(variant, Mark.CROSS.value, moves, level)
    processes.submit(choose, question, 0).result()


@contextmanager
def asking_the_page() -> Iterator[AskPath]:
    """Give what asks a page in Chromium, for as long as the block lasts."""
    from playwright.sync_api import sync_playwright

    from tic_tac_toe_frontends.browser.build import build
    from tic_tac_toe_frontends.browser.page.links import write_link
    from tic_tac_toe_frontends.browser.server import Server

    with (
        Server(build(), 0) as server,
        server.answering(),
        sync_playwright() as playwright,
    ):
        browser = playwright.chromium.launch(executable_path=find_chromium(), args=list(FLAGS))
        page = browser.new_page()
        page.set_default_timeout(PAGE_MILLISECONDS)
        page.goto(server.url)
        page.wait_for_selector("html[data-ready]", state="attached")

        def go_to(link: str, plies: int) -> None:
            page.evaluate("link => { location.hash = link }", link)
            page.wait_for_function(
                "plies => document.querySelectorAll('#moves button').length === plies", arg=plies
            )

        def ask(variant: str, moves: Opening, level: str) -> None:
            match = Match(GameState.new(find_rules(variant)))
            for move in moves:
                match.submit(match.state.current_mark, move)
            mover = match.state.current_mark.value.lower()
            players = {"x": HUMAN, "o": HUMAN, mover: level}
            link = write_link(match.start, match.history)
            parts = [f"{mark}={name}" for mark, name in players.items()]
            go_to("&".join([link, *parts]), len(moves) + 1)
            if refusal := page.inner_text("#refusal"):
                raise RuntimeError(f"the page says {refusal}")
            go_to(f"game=tic-tac-toe&x={HUMAN}&o={HUMAN}", 0)

        yield ask
        browser.close()


@contextmanager
def path_named(name: str) -> Iterator[AskPath]:
    """Give what asks on a path, warmed up for as long as the block lasts."""
    if name == "page":
        with asking_the_page() as ask:
            yield ask
        return
    if name != "server":
        yield {"console": ask_on_console, "screen": ask_on_screen}[name]
        return
    context = multiprocessing.get_context("spawn")
    with ProcessPoolExecutor(1, mp_context=context) as processes:
        yield partial(_ask_server, processes)


def main(arguments: Sequence[str] | None = None) -> None:
    """Print the table in Markdown."""
    parser = argparse.ArgumentParser(description="Measure how long computer players think.")
    parser.add_argument("--variant", action="append", help="may be given again; else all")
    parser.add_argument("--levels", nargs="+", default=LEVELS)
    parser.add_argument("--positions", type=int, default=POSITIONS, help="for each variant")
    parser.add_argument(
        "--path", choices=("console", "screen", "server", "page"), default="console"
    )
    parser.add_argument("--seed", type=int, default=SEED)
    options = parser.parse_args(arguments)
    titles = ["variant", *(f"`{level}` p50 / max / first" for level in options.levels)]
    print("| " + " | ".join(titles) + " |", "|---" * len(titles) + "|", sep="\n", flush=True)
    with path_named(options.path) as ask:
        for name in options.variant or VARIANTS:
            positions = [*sample(find_rules(name), options.positions, options.seed)]
            cells = []
            for level in options.levels:
                first = measure(ask, name, level, [()])  # compiles code, and fills tables
                times = measure(ask, name, level, positions)
                seconds = (times.median, times.longest, first.longest)
                cells.append(" / ".join(f"{each:.3f}" for each in seconds))
            print(f"| `{name}` | " + " | ".join(cells) + " |", flush=True)


if __name__ == "__main__":
    main()
