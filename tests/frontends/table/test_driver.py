"""The loop at a table, queries in the background, and what is told."""

from __future__ import annotations

import asyncio
import pickle
import random
import threading
from collections.abc import Callable
from dataclasses import dataclass
from threading import Event, Thread
from typing import Any, cast

import pytest

from tests.frontends.desk import PEOPLE, Later, table_after
from tests.own_games import Drop
from tic_tac_toe.game.strategies import STRATEGIES
from tic_tac_toe.game.tree import tree
from tic_tac_toe.limits import Progress
from tic_tac_toe.logic.models import GameState, Grid, Mark
from tic_tac_toe.logic.notation import clickable_cells
from tic_tac_toe.logic.rules import Rules
from tic_tac_toe.logic.rules.catalogue import VARIANTS, find_rules
from tic_tac_toe.opponents import Opponents
from tic_tac_toe.pictures.letters import CLASSIC, PLAIN, TIGHT, draw
from tic_tac_toe.pictures.svg import svg
from tic_tac_toe_frontends.command.variants import as_object
from tic_tac_toe_frontends.console.commands import describe_moves
from tic_tac_toe_frontends.table.background import Background, Outcome, in_background, on_loop
from tic_tac_toe_frontends.table.driver import Driver
from tic_tac_toe_frontends.table.looking_back import in_a_line, list_of_moves, rows_of
from tic_tac_toe_frontends.table.queries import Ask, ChooseMove, ask_here
from tic_tac_toe_frontends.table.table import Setup, Table
from tic_tac_toe_frontends.table.telling import end_text, hint_text, situation_text, status_text
from tic_tac_toe_frontends.words.game_text import (
    PLAYER_TITLES,
    describe_last_move,
    next_level_title,
    player_title,
    setup_menus,
    starter_title,
)
from tic_tac_toe_frontends.words.rules_text import (
    HUMAN,
    PLAYERS,
    VARIANT_TITLES,
    describe_rules,
    variant_title,
)
from tic_tac_toe_frontends.words.translation import LANGUAGES, load
from tic_tac_toe_frontends.words.tree_text import tree_words


class Shown:
    """A screen that keeps what it has shown of a table, and does something the first time."""

    def __init__(self, table: Table, at_first: Callable[[], object] = lambda: None) -> None:
        self.table = table
        self.states: list[GameState] = []
        self.plies: list[int] = []
        self._at_first = at_first

    def __call__(self) -> None:
        self.states.append(self.table.state)
        self.plies.append(self.table.match.ply)
        if len(self.states) == 1:
            self._at_first()


def test_two_computers_play_the_longest_game_by_themselves_and_every_state_is_shown() -> None:
    setup = Setup(find_rules("mnk:26,26,26"), "random", "random")
    table = Table(setup, random.Random(3))
    shown = Shown(table)

    Driver(table, shown, ask_here).start()

    assert table.match.over
    assert shown.plies == list(range(677))


def test_answers_are_dropped_where_the_game_has_moved_on() -> None:
    table, later = Table(Setup(o="easy")), Later()
    Driver(table, Shown(table), later.ask).start()

    table.place(4)
    table.take_back()
    later.answer()
    assert table.match.ply == 0
    table.place(0)
    table.new_game()
    later.answer()
    assert table.match.ply == 0
    table.place(8)
    later.answer(0)
    later.answer()

    assert [move.mark for move in table.match.history] == ["X", "O"]
    assert len(later.asked) == 3


def test_a_pause_comes_before_each_computers_move_and_what_happens_in_it_counts() -> None:
    table, later = Table(Setup(x="easy", o=HUMAN)), Later()
    pauses: list[Callable[[], object]] = []
    Driver(table, Shown(table), later.ask, pauses.append).start()

    assert (len(pauses), later.asked) == (1, [])
    table.new_game()
    pauses[0]()
    assert later.asked == []
    pauses[1]()
    later.answer()

    assert table.match.ply == 1


def test_after_its_stop_a_driver_neither_shows_nor_moves() -> None:
    table, later = Table(Setup(x="easy")), Later()
    shown = Shown(table)
    driver = Driver(table, shown, later.ask)
    driver.start()

    driver.stop()
    later.answer()
    table.new_game()
    driver.go_on()

    assert (table.match.ply, shown.plies) == (0, [0])


def test_what_goes_wrong_in_a_query_or_in_a_screen_is_not_lost_and_play_goes_on() -> None:
    def fail() -> None:
        raise MemoryError("too large a screen")

    table = Table(PEOPLE)
    screen = Shown(table, fail)
    driver = Driver(table, screen, ask_here)

    with pytest.raises(MemoryError, match="too large a screen"):
        driver.start()
    table.place(4)

    assert screen.plies == [0, 1]


def test_a_screen_may_change_the_table_while_it_shows_it() -> None:
    table, later = Table(Setup(x="easy", o="easy")), Later()
    screen = Shown(table, lambda: table.new_game(table.setup._replace(x=HUMAN)))
    Driver(table, screen, later.ask).start()

    assert len(screen.states) == 2
    assert later.asked == []


def test_the_same_seed_asks_with_the_same_dice() -> None:
    def rolled(seed: int) -> list[float]:
        table, later = Table(Setup(x="random"), random.Random(seed)), Later()
        Driver(table, Shown(table), later.ask).start()
        table.new_game()
        queries = [query for query, _ in later.asked]
        assert all(isinstance(query, ChooseMove) for query in queries)
        return [query.rng.random() for query in queries]

    assert rolled(1) == rolled(1) != rolled(2)


def test_the_progress_of_a_thought_is_known_until_it_is_answered() -> None:
    table, later = Table(Setup(o="minimax")), Later()
    driver = Driver(table, lambda: None, later.ask)
    driver.start()
    assert driver.progress is None
    table.place(4)
    assert driver.progress == Progress()

    query, _ = later.asked[0]
    query.callback.report(Progress(share=0.5, depth=3, best=0, nodes=100))
    query.callback.report(Progress(share=0.4, depth=4, best=0, nodes=120))

    assert driver.progress == Progress(share=0.5, depth=4, best=0, nodes=120)
    later.answer()
    assert driver.progress is None


def test_a_computer_that_is_told_to_move_now_ends_a_thought_of_hours() -> None:
    rules = find_rules("gomoku")
    table = Table(Setup(rules, o="minimax"), opponents=Opponents(think=3_600))
    threads: list[Thread] = []
    moved = Event()

    def ask(query: ChooseMove, done: Callable[[object], object]) -> None:
        def think() -> None:
            done(query())
            moved.set()

        threads.append(Thread(target=think))
        query.callback.on_progress = lambda _progress: driver.move_now()
        threads[-1].start()

    driver = Driver(table, lambda: None, cast("Ask", ask))
    driver.start()
    assert not driver.move_now()
    table.place(112)

    assert moved.wait()
    threads[0].join()
    assert table.match.ply == 2


def test_a_query_arrives_elsewhere_with_a_callback_of_its_own() -> None:
    query = ChooseMove(GameState.new(), "easy", random.Random(1))
    query.callback.on_progress = lambda _progress: None
    query.callback.stop()

    sent = pickle.loads(pickle.dumps(query))

    assert (sent.state, sent.strategy) == (query.state, query.strategy)
    assert not sent.callback.stopped


# -- the background --------------------------------------------------------------------------------


@dataclass(frozen=True)
class Question:
    """A query that is answered by its own number."""

    number: int

    def __call__(self) -> int:
        return self.number


class Other(Question):
    """A query of another kind."""


class Threads:
    """Starts queries, and ends them in their order when the test says so."""

    def __init__(self) -> None:
        self.running: list[tuple[Callable[[], Any], Callable[[Outcome], object]]] = []

    def start(self, call: Callable[[], Any], ended: Callable[[Outcome], object]) -> None:
        self.running.append((call, ended))

    def end(self) -> None:
        call, ended = self.running.pop(0)
        ended(call)


def test_of_the_queries_that_come_while_enough_run_only_the_newest_of_a_kind_waits() -> None:
    threads, answers = Threads(), list[int]()
    background = Background(threads.start, most=2)

    for number in range(5):
        background.ask(Question(number), answers.append)
    background.ask(Other(9), answers.append)
    assert len(threads.running) == 3
    while threads.running:
        threads.end()

    assert answers == [0, 1, 9, 4]


def test_a_query_that_fails_makes_room_for_the_next() -> None:
    def fail() -> int:
        raise ZeroDivisionError("in the thread")

    threads, answers = Threads(), list[int]()
    background = Background(threads.start, most=1)
    background.ask(fail, answers.append)
    background.ask(lambda: 7, answers.append)

    with pytest.raises(ZeroDivisionError, match="in the thread"):
        threads.end()
    threads.end()

    assert answers == [7]


def test_an_event_loop_gets_what_a_thread_returns_or_raises() -> None:
    def fail() -> int:
        raise ZeroDivisionError("in the thread")

    async def main() -> None:
        tasks: list[asyncio.Task[None]] = []
        answers: list[int] = []
        background = Background(on_loop(lambda work: tasks.append(asyncio.create_task(work))))
        background.ask(Question(7), answers.append)
        background.ask(fail, answers.append)
        good, bad = await asyncio.gather(*tasks, return_exceptions=True)
        assert (answers, good) == ([7], None)
        assert isinstance(bad, ZeroDivisionError)

    asyncio.run(main())


def test_a_cancelled_query_and_a_closed_loop_wait_for_no_thread() -> None:
    let_go, has_ended = threading.Event(), threading.Event()

    def wait() -> None:
        let_go.wait()

    async def main() -> None:
        tasks: list[asyncio.Task[None]] = []
        background = Background(on_loop(lambda work: tasks.append(asyncio.create_task(work))))
        background.ask(wait, lambda _: None)
        await asyncio.sleep(0)
        tasks[0].cancel()
        with pytest.raises(asyncio.CancelledError):
            await tasks[0]

    asyncio.run(main())
    let_go.set()
    in_background(lambda: None, lambda _outcome: has_ended.set())

    assert has_ended.wait(60)


# -- what is told ----------------------------------------------------------------------------------

ENGLISH = load("en", {})


def resigned() -> Table:
    table = table_after(4)
    table.resign()
    return table


@pytest.mark.parametrize(
    ("table", "status", "situation"),
    [
        (table_after(), "X to move.", []),
        (table_after(4), "O to move.", ["X plays B2."]),
        (Table(Setup(x="easy", o="hard")), "X is thinking …", []),
        (resigned(), "O resigns. X wins 🎉", ["X plays B2."]),
        (table_after(0, 3, 1, 4, 2), "X wins 🎉", ["X plays C1.", "Decided by A1, B1, C1."]),
        (
            table_after(40, setup=PEOPLE._replace(rules=find_rules("ultimate"))),
            "O to move.",
            ["X plays E5.", "Play in small board B2, from D4 to F6."],
        ),
    ],
)
def test_the_status_says_who_moves_and_the_situation_what_led_to_it(
    table: Table, status: str, situation: list[str]
) -> None:
    assert status_text(table, ENGLISH) == status
    assert situation_text(table, ENGLISH) == situation


def against_a_computer(*cells: int, variant: str = "tic-tac-toe", own: str = "X") -> Table:
    """Return a game of one person after moves of both sides."""
    x, o = (HUMAN, "easy") if own == "X" else ("easy", HUMAN)
    table = Table(Setup(find_rules(variant), x, o))
    for cell in cells:
        if table.thinker is None:
            table.place(cell)
        else:
            table.answer(table.state, cell)
    return table


def given_up() -> Table:
    table = against_a_computer(4)
    table.resign()
    return table


@pytest.mark.parametrize(
    ("table", "status", "outcome"),
    [
        (against_a_computer(), "Your turn: you are X.", None),
        (against_a_computer(4), "The computer is thinking …", None),
        (against_a_computer(4, 0), "Your turn.", None),
        (against_a_computer(4, own="O"), "Your turn: you are O.", None),
        (against_a_computer(variant="order-and-chaos"), "Your turn: you are Order.", None),
        (against_a_computer(0, 1, variant="order-and-chaos"), "Your turn (Order).", None),
        (against_a_computer(0, 3, 1, 4, 2), "You win 🎉", "win"),
        (against_a_computer(0, 3, 1, 4, 2, own="O"), "You lose this time.", "loss"),
        (against_a_computer(0, 1, 2, 4, 3, 5, 7, 6, 8), "It is a draw.", "draw"),
        (given_up(), "You resigned: you lose.", "loss"),
    ],
)
def test_the_one_person_who_plays_a_computer_is_addressed(
    table: Table, status: str, outcome: str | None
) -> None:
    assert status_text(table, ENGLISH) == status
    assert table.outcome == outcome


def test_where_the_person_is_not_addressed_the_sides_are_named() -> None:
    assert end_text(given_up(), ENGLISH, own=False) == "X resigns. O wins 🎉"
    assert table_after(0, 3, 1, 4, 2).outcome is None


@pytest.mark.parametrize("code", LANGUAGES)
def test_what_computer_players_cannot_do_is_told_once_for_each_of_them_as_a_game_begins(
    code: str,
) -> None:
    language = load(code, {})
    table = Table(Setup(find_rules("ultimate"), "minimax", "minimax"))

    (told,) = situation_text(table, language)
    table.answer(table.state, 0)
    assert told in situation_text(table, language)
    table.answer(table.state, 1)

    assert language.gettext("Strongest") in told
    assert told not in situation_text(table, language)
    assert situation_text(Table(Setup(o="minimax")), language) == []


def test_every_player_and_every_named_variant_has_a_title_and_others_their_name() -> None:
    assert set(PLAYER_TITLES) == set(PLAYERS) == {HUMAN, *STRATEGIES}
    assert set(VARIANT_TITLES) <= set(VARIANTS)
    assert variant_title(VARIANTS["ultimate"], ENGLISH) == "Ultimate tic-tac-toe"
    assert variant_title(find_rules("mnk:7,5,4"), ENGLISH) == "7 × 5, four in a row"
    assert [starter_title(name, ENGLISH) for name in ("X", "random")] == ["X", "Random"]


@pytest.mark.parametrize(
    ("code", "perfect", "strongest"),
    [
        ("en", "Perfect", "Strongest"),
        ("es", "Perfecto", "El más fuerte"),
        ("zh", "完美", "最强"),
        ("ru", "Идеальный", "Сильнейший"),
    ],
)
def test_the_strongest_player_is_called_perfect_only_where_the_game_is_solved(
    code: str, perfect: str, strongest: str
) -> None:
    language = load(code, {})
    small, large = find_rules("tic-tac-toe"), find_rules("gomoku")
    assert player_title("minimax", language) == strongest
    for rules, title in ((small, perfect), (large, strongest)):
        assert player_title("minimax", language, rules) == title
        assert ("minimax", title) in setup_menus(language, rules=rules)["o"]
        assert title in next_level_title("minimax", language, rules)


def test_moves_are_listed_with_their_side_and_the_one_that_is_looked_at() -> None:
    moves = table_after(4, 0).match.history

    assert [(move.ply, str(move), move.current) for move in list_of_moves(moves, 1)] == [
        (1, "X B2", True),
        (2, "O A1", False),
    ]
    assert in_a_line(moves) == "X B2, O A1"


@pytest.mark.parametrize(
    ("starting", "rows"),
    [
        ("X", [("X B2", "O A1"), ("X C3", None)]),
        ("O", [(None, "X B2"), ("O A1", "X C3")]),
    ],
)
def test_in_rows_the_side_that_began_stands_on_the_left_even_where_it_is_not_the_first_to_move(
    starting: str, rows: list[tuple[str | None, str | None]]
) -> None:
    grid = " " * 9 if starting == "X" else " O       "
    table = Table(PEOPLE, state=GameState(Grid(grid), Mark(starting)))
    for cell in (4, 0, 8):
        table.place(cell)

    found = rows_of(table.match)

    assert [row.number for row in found] == [1, 2]
    assert [tuple(move and str(move) for move in (row.first, row.second)) for row in found] == rows


@pytest.mark.parametrize("code", LANGUAGES)
def test_no_screen_with_buttons_tells_the_word_that_is_typed_to_swap(code: str) -> None:
    table = table_after(4, setup=PEOPLE._replace(rules=find_rules("mnk:3,3,3,pie")))
    driver = Driver(table, lambda: None, ask_here)
    for _ in range(2):  # asked again, a hint names all of the best moves
        driver.advice.ask_hint()
    told = situation_text(table, load(code, {}))
    hint, _outcome = hint_text(driver.advice, table.state, load(code, {}))

    assert len(told) == 2
    assert driver.advice.best == (0, 2, 6, 8, table.state.special_moves["swap"])
    assert "swap" not in "".join([*told, hint])


# -- a game of one's own ---------------------------------------------------------------------------

OWN, LIBRARYS = Drop(), find_rules("mnk:3,3,3,gravity")


def shown(rules: Rules) -> dict[str, object]:
    """Return what screens without a window or terminal show of a game."""
    table = Table(Setup(rules, HUMAN, HUMAN))
    for cell in (7, 4, 6):
        assert table.place(cell) is not None
    state = table.state
    return {
        "rules": describe_rules(rules, ENGLISH),
        "json": as_object("own", rules, ENGLISH),
        "drawings": [list(draw(state, style)) for style in (CLASSIC, TIGHT, PLAIN)],
        "console help": describe_moves(state, ENGLISH),
        "last move": describe_last_move(table.match, ENGLISH),
        "picture": svg(state, last=6),
        "tree": tree(state, 1).svg(words=tree_words(ENGLISH)),
        "page": (status_text(table, ENGLISH), clickable_cells(state)),
    }


def test_words_drawings_and_pictures_of_an_own_game_with_gravity_are_those_of_any() -> None:
    own = shown(OWN)
    assert own == shown(LIBRARYS)
    assert own["rules"] == "3 × 3, three in a row; marks fall down in their column"
    assert own["last move"] == ["X plays column 1."]
    assert variant_title(OWN, ENGLISH) == "Drop"
