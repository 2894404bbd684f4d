"""The opening book holds what the solver found, and a damaged one is noticed."""

from __future__ import annotations

import hashlib
import json
import random
import subprocess
import sys
import zlib
from pathlib import Path

import pytest

from tic_tac_toe.logic.models import GameState
from tic_tac_toe.logic.notation import play_moves
from tic_tac_toe.logic.positions import Position
from tic_tac_toe.logic.rules.catalogue import CONNECT_FOUR, VARIANTS
from tic_tac_toe.logic.search.evaluation import MATE, back_up, final_score
from tic_tac_toe.logic.search.exact import AlphaBeta, best_moves
from tic_tac_toe.solver import FastSolver, is_installed
from tic_tac_toe.solver.book import (
    FORMAT,
    Book,
    BookSolver,
    InvalidBook,
    book_for,
    format_book,
    parse_book,
)
from tools import make_book

START = GameState.new(CONNECT_FOUR)
#: John Tromp's counts of the positions that games reach, ply by ply (OEIS A212693).
POSITIONS = [1, 7, 49, 238, 1120, 4263, 16422, 54859, 184275]


@pytest.fixture
def book() -> Book:
    book = book_for(CONNECT_FOUR)
    assert book is not None
    return book


def random_position(plies: int, rng: random.Random) -> Position:
    """Return where a game of random moves is after this many plies, or where it ended before."""
    position = Position()
    for _ in range(plies):
        if moves := CONNECT_FOUR.moves(position):
            position = CONNECT_FOUR.play(position, rng.choice(moves))
    return position


def follows(book: Book, position: Position) -> bool:
    """Return whether the score of a position is what the book, or the end of the game, makes it."""
    if outcome := CONNECT_FOUR.outcome(position):
        return book.score(position) == final_score(outcome, position.turn)
    children = (CONNECT_FOUR.play(position, cell) for cell in CONNECT_FOUR.moves(position))
    scores = [score for child in children if (score := book.score(child)) is not None]
    assert len(scores) == len(CONNECT_FOUR.moves(position))
    return max(map(back_up, scores)) == book.score(position)


def test_the_book_knows_that_the_first_player_wins_from_the_centre_in_41_plies(book: Book) -> None:
    # One node is too few for a search: the book knows this.
    solver = BookSolver(book, AlphaBeta(CONNECT_FOUR, node_limit=1))
    assert solver.score(Position()) == MATE - 41
    assert best_moves(CONNECT_FOUR, Position(), MATE - 41, solver) == (38,)
    scores = [book.score(play_moves(START, str(column)).position) for column in range(1, 8)]
    # The values of the first moves, as Victor Allis and James D. Allen published them.
    assert scores == [MATE - 39, MATE - 41, 0, 40 - MATE, 0, MATE - 41, MATE - 39]


def test_scores_of_the_book_follow_from_those_of_the_next_ply(book: Book) -> None:
    rng = random.Random(8)
    for _ in range(500):
        assert follows(book, random_position(rng.randrange(book.plies), rng))


@pytest.mark.slow
def test_the_book_holds_every_position_up_to_ply_8_and_all_its_scores_agree(book: Book) -> None:
    layers = [list(layer) for layer in make_book.positions_by_ply(book.plies)]
    assert [sum(map(CONNECT_FOUR.orbit, layer)) for layer in layers] == POSITIONS
    assert len(book) == sum(map(len, layers))
    for layer in layers[:-1]:
        assert all(follows(book, position) for position in layer)
    assert all(book.score(position) is not None for position in layers[-1])


@pytest.mark.skipif(not is_installed(), reason="Numba is not installed")
@pytest.mark.slow
def test_the_solver_finds_what_the_book_holds(book: Book) -> None:
    rng, solver = random.Random(31), FastSolver(CONNECT_FOUR)
    for _ in range(10):
        position = random_position(8, rng)
        if CONNECT_FOUR.moves(position):
            assert solver.score(position) == book.score(position)


def test_positions_and_games_beyond_the_book_are_not_in_it(book: Book) -> None:
    assert book.score(play_moves(START, "123456712").position) is None
    assert book.score(Position((1, 0), 1)) is None  # a mark that floats
    assert book.score(Position((0b11 << 35, 0))) is None  # two marks of one side
    assert book_for(VARIANTS["connect-four-5x4"]) is None


@pytest.mark.medium
def test_where_the_file_is_missing_there_is_no_book_until_one_is_added() -> None:
    code = """if True:
        from tic_tac_toe.solver import book
        from tic_tac_toe.logic.rules.catalogue import CONNECT_FOUR
        book.FILE = "missing"
        print(book.book_for(CONNECT_FOUR))
        book.add_book(book.format_book({}, 3))
        print(book.book_for(CONNECT_FOUR))
    """
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.splitlines() == ["None", "Book(plies=3, positions=0)"]


def file_of(body: bytes, **changes: object) -> bytes:
    """Return the bytes of a book file in which only the changes can be wrong."""
    header = {"format": FORMAT, "plies": 0, "digest": hashlib.sha256(body).hexdigest()}
    return json.dumps(header | changes).encode() + b"\n" + body


@pytest.mark.parametrize(
    "damage",
    ["cut", "flip", "format", "other", "empty", "deep", "more", "huge", "kind", "long", "plain"],
)
def test_a_damaged_book_is_refused(damage: str) -> None:
    whole = format_book({Position(): 1}, 0)
    assert len(parse_book(whole)) == 1
    body = whole.partition(b"\n")[2]
    damaged = {
        "cut": whole[:-1],
        "flip": whole[:-1] + bytes([whole[-1] ^ 1]),
        "format": whole.replace(b"opening", b"closing"),
        "other": b"{}\n",
        "empty": b"",
        "deep": b"[" * 100_000,
        "more": file_of(body + b"!"),
        "huge": file_of(body, plies=42),
        "kind": file_of(body, plies=True),
        "long": file_of(zlib.compress(bytes(1 << 20))),
        "plain": file_of(b"1"),
    }[damage]
    with pytest.raises(InvalidBook):
        parse_book(damaged)


class Quick:
    """A solver that knows what every first move is worth that does not win."""

    def __init__(self) -> None:
        self.nodes = 0
        self.known: dict[Position, int] = {}
        self.asked = list[Position]()

    def score(self, position: Position) -> int:
        self.asked.append(position)
        return -(MATE - 40)


def test_the_maker_goes_on_where_its_journal_ends(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    solvers = [Quick(), Quick()]
    begun = iter(solvers)
    monkeypatch.setattr(make_book, "FastSolver", lambda *_: next(begun))
    journal, file = tmp_path / "journal", tmp_path / "book"
    journal.write_text("1 961 5 0.10\n3 0 5", encoding="ascii")
    for part in ("2/2", "1/2"):
        assert not file.exists()
        make_book.main(["1", "--part", part, "--journal", str(journal), "--book", str(file)])
    assert [len(solver.asked) for solver in solvers] == [2, 1]
    assert parse_book(file.read_bytes()).score(Position()) == MATE - 41
    assert parse_book(file.read_bytes()).plies == 1


def test_the_maker_asks_no_solver_where_a_game_is_over(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    won = play_moves(START, "1212121").position
    monkeypatch.setattr(
        make_book, "positions_by_ply", lambda _: iter([{}] * 7 + [{won: "1212121"}])
    )
    make_book.main(["7", "--journal", str(tmp_path / "journal"), "--book", str(tmp_path / "book")])
    assert parse_book((tmp_path / "book").read_bytes()).score(won) == -MATE
