"""What the page is made of works without a browser, too."""

from __future__ import annotations

import random
from gettext import NullTranslations
from typing import Any

import pytest

from tic_tac_toe.logic.models import GameState, Mark
from tic_tac_toe.logic.notation import parse_moves
from tic_tac_toe.logic.record_text import format_records
from tic_tac_toe.logic.records import Record
from tic_tac_toe.logic.rules.catalogue import VARIANTS, find_rules
from tic_tac_toe_frontends.browser.page import thinker
from tic_tac_toe_frontends.browser.page.game_files import (
    MAXIMUM_BYTES,
    check_size,
    read_file,
)
from tic_tac_toe_frontends.browser.page.thinker import DrawTree
from tic_tac_toe_frontends.program.process import Refused
from tic_tac_toe_frontends.table.queries import AnalyseMoves, ChooseMove, FindHint
from tic_tac_toe_frontends.table.setup import Setup
from tic_tac_toe_frontends.table.table import Table
from tic_tac_toe_frontends.words.tree_text import tree_words

ENGLISH = NullTranslations()

UNFIT_FILES = {
    "nothing": "",
    "markup": "<script>alert(1)</script>",
    "control characters": "\x00\x1b[2J",
    "an illegal move": '[Variant "3x3"]\n\n1. B2 B2 *',
    "an unknown game": '[Variant "<b>chess</b>"]\n\n*',
}


# -- files -----------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", VARIANTS)
def test_a_saved_game_opens_as_it_was(name: str) -> None:
    rng = random.Random(name)
    table = Table(Setup(VARIANTS[name], "human", "easy"))
    while not table.match.over and table.match.ply < 30:
        table.match.submit(table.state.current_mark, rng.choice(table.state.legal_cells))

    opened = read_file(format_records([table.record]), ENGLISH)

    assert opened.setup == table.setup
    assert opened.start == table.match.start
    assert opened.moves == tuple(move.cell_index for move in table.match.history)


def test_of_several_games_the_last_is_opened_and_strangers_in_it_are_people() -> None:
    records = [Record(moves=(0,)), Record(moves=(8,), tags=(("X", "Ann"), ("O", "minimax")))]

    opened = read_file(format_records(records), ENGLISH)

    assert opened.moves == (8,)
    assert opened.setup == Setup(x="human", o="minimax")


@pytest.mark.parametrize("text", UNFIT_FILES.values(), ids=UNFIT_FILES)
def test_a_file_that_holds_no_game_is_refused_in_one_short_line(text: str) -> None:
    with pytest.raises(Refused) as refusal:
        read_file(text, ENGLISH)

    assert str(refusal.value).isprintable()
    assert len(str(refusal.value)) < 600


def test_a_file_of_another_program_is_named() -> None:
    with pytest.raises(Refused, match=r"^This file holds no game: this is an SGF file; .* yet\.$"):
        read_file("(;FF[4]GM[4]SZ[15];B[hh];W[hg])", ENGLISH)


def test_a_large_file_is_refused_unread() -> None:
    check_size(MAXIMUM_BYTES, ENGLISH)
    with pytest.raises(Refused, match="larger than 256 kB"):
        check_size(MAXIMUM_BYTES + 1, ENGLISH)


# -- thoughts --------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "query",
    [
        ChooseMove(GameState.new(find_rules("ultimate"), Mark.NAUGHT), "rules", random.Random(3)),
        FindHint(parse_moves(GameState.new(), "B2 A1 C3")),
        AnalyseMoves(parse_moves(GameState.new(), "B2 A1 C3")),
        AnalyseMoves(GameState.new(find_rules("gomoku"))),  # takes too long
        DrawTree(parse_moves(GameState.new(), "B2 A1 C3 B1 C1"), tree_words(ENGLISH)),
        DrawTree(GameState.new(find_rules("gomoku")), tree_words(ENGLISH)),  # too large
    ],
    ids=lambda query: type(query).__name__,
)
def test_a_worker_answers_a_query_as_it_would_be_answered_here(query: Any) -> None:
    text = thinker.write((7, query))

    assert thinker.read(thinker.answer(text)) == (7, query())


def test_a_worker_posts_the_progress_of_a_thought_about_a_move_with_the_number_of_its_query() -> (
    None
):
    posted: list[str] = []
    state = GameState.new(find_rules("4x4x3"))
    query = ChooseMove(state, "mcts", random.Random(3))

    number, move = thinker.read(thinker.answer(thinker.write((7, query)), posted.append))

    numbers, told = zip(*map(thinker.read, posted))
    assert {*numbers} == {number} == {7}
    assert all(now.best in state.legal_moves for now in told)
    assert told[-1].share > 0.9
    assert move in state.legal_moves
