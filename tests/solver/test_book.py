"""The opening book holds what the solver found, and a damaged one is noticed."""

from __future__ import annotations

from pathlib import Path

import pytest

from tic_tac_toe.logic.models import GameState
from tic_tac_toe.logic.notation import parse_moves
from tic_tac_toe.logic.positions import Position
from tic_tac_toe.logic.rules.catalogue import CONNECT_FOUR, VARIANTS
from tic_tac_toe.logic.search.alphabeta import AlphaBeta
from tic_tac_toe.logic.search.scores import MATE, back_up
from tic_tac_toe.logic.search.verdict import best_moves
from tic_tac_toe.solver.book import Book, BookSolver, InvalidBook, book_for, format_book, parse_book
from tools import make_book

START = GameState.new(CONNECT_FOUR)


@pytest.fixture
def book() -> Book:
    book = book_for(CONNECT_FOUR)
    assert book is not None
    return book


def test_the_book_knows_that_the_first_player_wins_from_the_centre_in_41_plies(book: Book) -> None:
    # One node is too few for a search: the book knows this.
    solver = BookSolver(book, AlphaBeta(CONNECT_FOUR, node_limit=1))
    assert solver.score(Position()) == MATE - 41
    assert best_moves(CONNECT_FOUR, Position(), MATE - 41, solver) == (38,)
    scores = [book.score(parse_moves(START, str(column)).position) for column in range(1, 8)]
    assert scores == scores[::-1]


def test_each_score_of_the_book_follows_from_those_of_the_next_ply(book: Book) -> None:
    layers = list(make_book.positions_by_ply(book.plies))
    assert len(book) == sum(map(len, layers))
    for layer in layers[:-1]:
        for position in layer:
            children = (CONNECT_FOUR.play(position, cell) for cell in CONNECT_FOUR.moves(position))
            scores = [score for child in children if (score := book.score(child)) is not None]
            assert len(scores) == len(CONNECT_FOUR.moves(position))
            assert max(map(back_up, scores)) == book.score(position)


def test_positions_and_games_beyond_the_book_are_not_in_it(book: Book) -> None:
    assert book.score(parse_moves(START, "44444").position) is None
    assert book_for(VARIANTS["connect-four-5x4"]) is None


@pytest.mark.parametrize("damage", ["cut", "flip", "header", "other", "empty", "deep"])
def test_a_damaged_book_is_refused(damage: str) -> None:
    whole = format_book({Position(): 1}, 0)
    assert len(parse_book(whole)) == 1
    damaged = {
        "cut": whole[:-1],
        "flip": whole[:-1] + bytes([whole[-1] ^ 1]),
        "header": whole.replace(b"opening", b"closing"),
        "other": b"{}\n",
        "empty": b"",
        "deep": b"[" * 100_000,
    }[damage]
    with pytest.raises(InvalidBook):
        parse_book(damaged)


def test_the_maker_goes_on_where_its_journal_ends(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    asked = []

    class Quick:
        def __init__(self, *_arguments: object) -> None:
            self.nodes = 0

        def score(self, position: Position) -> int:
            asked.append(position)
            return -(MATE - 40)

    monkeypatch.setattr(make_book, "FastSolver", Quick)
    journal, book = tmp_path / "journal", tmp_path / "book"
    journal.write_text("1 961 5 0.10\n2 961 5 0.10\n3 0 5", encoding="ascii")
    make_book.main(["1", "--journal", str(journal), "--book", str(book)])
    assert len(asked) == 2
    assert parse_book(book.read_bytes()).score(Position()) == MATE - 41
    assert parse_book(book.read_bytes()).plies == 1
