"""What the page is made of works without a browser, too."""

from __future__ import annotations

import dataclasses
import random
from gettext import NullTranslations
from html.parser import HTMLParser

import pytest

from tic_tac_toe.game.moments import analyse_in_a_moment, find_hint
from tic_tac_toe.logic.models import GameState, Mark
from tic_tac_toe.logic.notation import parse_move, parse_moves
from tic_tac_toe.logic.records import Record
from tic_tac_toe.logic.rules.catalogue import VARIANTS, find_rules
from tic_tac_toe_frontends.browser.contents import STATIC
from tic_tac_toe_frontends.browser.page import thinker
from tic_tac_toe_frontends.browser.page.game_files import (
    MAXIMUM_BYTES,
    check_size,
    read_file,
    write_file,
)
from tic_tac_toe_frontends.browser.page.replay import Replay
from tic_tac_toe_frontends.browser.page.telling import tell_more, tell_status
from tic_tac_toe_frontends.browser.page.words import NAMES, WORDS
from tic_tac_toe_frontends.program.process import Refused
from tic_tac_toe_frontends.table.table import Setup, Table
from tic_tac_toe_frontends.table.thinking import choose
from tic_tac_toe_frontends.words.tree_text import tree_words

ENGLISH = NullTranslations()

UNFIT_FILES = {
    "nothing": "",
    "words": "hello",
    "markup": "<script>alert(1)</script>",
    "control characters": "\x00\x1b[2J",
    "an illegal move": '[Variant "3x3"]\n\n1. B2 B2 *',
    "an unknown game": '[Variant "<b>chess</b>"]\n\n*',
}


def table_after(text: str, setup: Setup | None = None) -> Table:
    """Return a table at which these moves have been made, by whoever it was."""
    table = Table(setup)
    for word in text.split():
        cell = parse_move(table.state, word)
        if table.thinker is None:
            table.place(cell)
        else:
            table.answer(table.state, cell)
    return table


# -- the past --------------------------------------------------------------------------------------


def test_a_replay_shows_each_moment_of_the_game_and_leaves_the_game_alone() -> None:
    table, replay = table_after("B2 A1 C3", Setup(o="human")), Replay()

    shown = []
    for ply in (0, 1, 2, 3):
        replay.show(table.match, ply)
        shown.append((replay.state(table.match).position.marks, replay.last_cell(table.match)))

    assert shown == [(0, None), (1, 4), (2, 0), (3, 8)]
    assert replay.ply is None
    assert table.match.ply == 3


@pytest.mark.parametrize(("wanted", "shown"), [(-5, 0), (2, 2), (99, 3)])
def test_a_replay_stays_within_the_game(wanted: int, shown: int) -> None:
    table, replay = table_after("B2 A1 C3", Setup(o="human")), Replay()

    replay.show(table.match, wanted)

    assert replay.moment(table.match) == shown


def test_a_replay_of_a_game_that_has_become_shorter_shows_its_end() -> None:
    table, replay = table_after("B2 A1 C3", Setup(o="human")), Replay()
    replay.show(table.match, 2)

    table.match.undo()
    table.match.undo()

    assert replay.moment(table.match) == 1


# -- what is told ----------------------------------------------------------------------------------


def test_the_status_tells_the_move_of_a_computer_and_not_that_of_a_person() -> None:
    assert tell_status(table_after("B2"), Replay(), ENGLISH) == "O is thinking …"
    assert tell_status(table_after("B2 A1"), Replay(), ENGLISH) == "O plays A1. X to move."


def test_the_status_says_that_somebody_is_looking_back() -> None:
    table, replay = table_after("B2 A1"), Replay()
    replay.show(table.match, 1)

    assert tell_status(table, replay, ENGLISH) == "Looking back: after move 1 of 2."


def test_the_line_that_won_is_told_in_words() -> None:
    state = parse_moves(GameState.new(), "A1 A2 B1 B2 C1")

    assert tell_more(state, ENGLISH) == ["Decided by A1, B1, C1."]


class Words(HTMLParser):
    """Collects the words of the page by the names that it gives them."""

    def __init__(self) -> None:
        super().__init__()
        self.words: dict[str, str] = {}
        self.names: dict[str, str | None] = {}
        self._open: str | None = None

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        found = dict(attrs)
        self._open = found.get("data-word")
        if name := found.get("data-name"):
            self.names[name] = found.get("aria-label")

    def handle_data(self, data: str) -> None:
        if self._open is not None:
            self.words[self._open] = data
            self._open = None


def test_the_page_has_the_same_words_in_english_before_python_writes_them() -> None:
    page = Words()

    page.feed((STATIC / "index.html").read_text(encoding="utf-8"))

    assert page.words == WORDS
    assert page.names == NAMES


# -- files -----------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", VARIANTS)
def test_a_saved_game_opens_as_it_was(name: str) -> None:
    rng = random.Random(name)
    table = Table(Setup(VARIANTS[name], "human", "easy"))
    while not table.match.over and table.match.ply < 30:
        table.match.submit(table.state.current_mark, rng.choice(table.state.legal_cells))

    opened = read_file(write_file(table.record), ENGLISH)

    assert opened.setup == table.setup
    assert opened.start == table.match.start
    assert opened.cells == tuple(move.cell_index for move in table.match.history)


def test_of_several_games_the_last_is_opened() -> None:
    games = [Record(moves=(cell,)) for cell in (0, 4, 8)]

    opened = read_file("\n".join(map(write_file, games)), ENGLISH)

    assert opened.cells == (8,)


def test_players_that_are_not_of_this_program_are_people() -> None:
    record = Record(tags=(("X", "Ann"), ("O", "minimax")))

    assert read_file(write_file(record), ENGLISH).setup == Setup(x="human", o="minimax")


@pytest.mark.parametrize("text", UNFIT_FILES.values(), ids=UNFIT_FILES)
def test_a_file_that_holds_no_game_is_refused_in_one_short_line(text: str) -> None:
    with pytest.raises(Refused) as refusal:
        read_file(text, ENGLISH)

    assert str(refusal.value).isprintable()
    assert len(str(refusal.value)) < 300


def test_a_large_file_is_refused_unread() -> None:
    check_size(MAXIMUM_BYTES, ENGLISH)
    with pytest.raises(Refused, match="larger than 262,144 bytes"):
        check_size(MAXIMUM_BYTES + 1, ENGLISH)


# -- thoughts --------------------------------------------------------------------------------------


def told(task: str, state: GameState, **more: object) -> object:
    number, answer = thinker.read_answer(thinker.answer(thinker.ask(7, task, state, **more)))
    assert number == 7
    return answer


@pytest.mark.parametrize("variant", ["3x3", "misere", "mnk:4,4,3,gravity", "ultimate"])
def test_a_worker_chooses_what_the_strategy_chooses_here(variant: str) -> None:
    state = GameState.new(find_rules(variant), Mark.NAUGHT)
    state = state.make_move_to(state.legal_cells[0]).after_state

    for strategy in ("random", "easy", "rules"):
        expected = choose(state, strategy, random.Random(3))
        assert told(thinker.CHOOSE, state, strategy=strategy, seed=3) == expected


def test_a_worker_finds_the_hint_and_the_analysis_that_are_found_here() -> None:
    state = parse_moves(GameState.new(), "B2 A1 C3")

    assert thinker.as_hint(told(thinker.HINT, state)) == find_hint(state)
    assert thinker.as_verdicts(told(thinker.ANALYSE, state)) == analyse_in_a_moment(state)


def test_a_worker_says_where_an_analysis_takes_too_long() -> None:
    assert thinker.as_verdicts(told(thinker.ANALYSE, GameState.new(find_rules("gomoku")))) is None


def test_a_worker_draws_the_tree_of_a_late_position_only() -> None:
    words = dataclasses.asdict(tree_words(ENGLISH))

    late = told(thinker.TREE, parse_moves(GameState.new(), "B2 A1 C3 B1 C1"), words=words)
    early = told(thinker.TREE, GameState.new(find_rules("gomoku")), words=words)

    assert str(late).startswith("<svg")
    assert early is None
