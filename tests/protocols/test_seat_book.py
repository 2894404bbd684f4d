"""The book of a player's seats: what it learns, keeps and drops, and its stored texts."""

from __future__ import annotations

import json
import random
from collections.abc import Callable
from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.protocols.desk import HERE, THERE, TOKEN, WON, alone, seated
from tests.protocols.games import happening
from tic_tac_toe.logic.exceptions import InvalidNotation
from tic_tac_toe.protocols.online.client import WATCHERS, Client
from tic_tac_toe.protocols.online.events import GameSetup, Player
from tic_tac_toe.protocols.online.game import OnlineGame, replay
from tic_tac_toe.protocols.online.replies import OVER, OwnGame
from tic_tac_toe.protocols.online.seat_book import (
    BLOCKED,
    ENDED,
    NO_RESULT,
    PLAYING,
    REMOVED,
    SEEN,
    STAGES,
    WAITING,
    Seat,
    SeatBook,
    dump_muted,
    dump_seat,
    muted_in,
    parse_muted,
    parse_seat,
)

SERVER, OTHER = "http://localhost:8765", "https://play.example"
CODE, NEW_CODE = "C" * 21 + "A", "D" * 21 + "A"


def book_of(*seats: Seat) -> SeatBook:
    book = SeatBook()
    for seat in seats:
        book = book.add(seat)
    return book


def numbered(number: int, stage: str = PLAYING) -> Seat:
    return Seat(f"{number:021}A", TOKEN, stage=stage)


def game_of(client: Client) -> OnlineGame:
    assert client.game is not None
    return client.game


def own_game(game: str = HERE, stage: str = OVER, result: str = "X") -> OwnGame:
    return OwnGame(game, "gomoku", "X", "Ann", "Bob", stage, result, None, 5_000)


# -- seats -----------------------------------------------------------------------------------------


def test_a_seat_that_is_added_again_keeps_what_was_known_and_becomes_the_newest() -> None:
    first, second = Seat(HERE, TOKEN, variant="gomoku", opponent="Bob"), Seat(THERE, TOKEN)

    book = book_of(first, second, Seat(HERE, CODE))

    assert book.at("") == [second, Seat(HERE, CODE, variant="gomoku", opponent="Bob")]
    assert book.find(THERE) == second
    assert book.find(THERE, SERVER) is None


def test_a_seat_in_a_game_that_is_over_keeps_its_place() -> None:
    over, other = numbered(1, SEEN), numbered(2)

    assert book_of(over, other, over).at("") == [over, other]
    assert book_of(over, other, numbered(1)).at("") == [other, numbered(1)]


def test_a_seat_is_deleted_by_its_game_or_only_for_its_token() -> None:
    book = book_of(Seat(HERE, TOKEN, SERVER), Seat(HERE, TOKEN, OTHER))

    assert book.delete(HERE) == book.delete(HERE, SERVER, CODE) == book
    assert book.delete(HERE, SERVER, TOKEN) == book.delete(HERE, SERVER)
    assert book.delete(HERE, SERVER).at(OTHER) == book.at(OTHER)
    assert book.delete(HERE, SERVER).at(SERVER) == []


def test_of_too_many_seats_the_oldest_go_and_those_of_finished_games_first() -> None:
    playing, waiting = numbered(1), numbered(2, WAITING)
    ended = [numbered(number, stage) for number, stage in enumerate((ENDED, SEEN, REMOVED), 3)]
    book = book_of(playing, *ended, waiting)

    assert book.trimmed(5) == book
    assert book.trimmed(3).at("") == [playing, ended[2], waiting]
    assert book.trimmed(1).at("") == [waiting]


def test_a_code_is_kept_until_another_is_taken() -> None:
    book = SeatBook().add(Seat(HERE, TOKEN, SERVER), CODE).add(Seat(THERE, TOKEN, SERVER), NEW_CODE)

    assert book.codes == {SERVER: CODE}
    assert book.with_code(NEW_CODE, SERVER) == book
    assert book.with_code(NEW_CODE, SERVER, anew=True).codes == {SERVER: NEW_CODE}
    assert book.with_code(NEW_CODE, OTHER).codes == {SERVER: CODE, OTHER: NEW_CODE}


# -- what is learned of games ----------------------------------------------------------------------


@pytest.mark.parametrize(
    ("client", "stage", "opponent", "standing"),
    [
        (alone().client, WAITING, "", WAITING),
        (seated(4).client, PLAYING, "Bob", PLAYING),
        (seated(*WON).client, SEEN, "Bob", "win"),
    ],
)
def test_a_seat_learns_from_its_game(
    client: Client, stage: str, opponent: str, standing: str
) -> None:
    seat = Seat(HERE, TOKEN).learned(game_of(client), "X")

    assert (seat.stage, seat.opponent, seat.standing) == (stage, opponent, standing)
    assert seat.variant == "tic-tac-toe"
    assert (seat.is_waiting, seat.is_unfinished) == (stage == WAITING, stage != SEEN)


def test_an_end_that_the_player_has_not_seen_is_news_until_they_see_it() -> None:
    game, seat = game_of(seated(*WON).client), Seat(HERE, TOKEN)

    unseen = seat.learned(game, "O", is_shown=False)
    seen = unseen.learned(game, "O")

    assert (unseen.stage, unseen.standing) == (ENDED, "loss")
    assert seen.stage == SEEN
    assert seen.learned(game, "O", is_shown=False) == seen


def test_without_a_side_a_seat_learns_how_far_the_game_is() -> None:
    for cells, stage, standing in (((4,), PLAYING, PLAYING), (WON, SEEN, NO_RESULT)):
        seat = Seat(HERE, TOKEN).learned(game_of(seated(*cells).client), "")
        assert (seat.stage, seat.standing, seat.opponent) == (stage, standing, "")


def test_a_computer_is_known_by_its_strategy_and_keeps_its_name_in_lists() -> None:
    players = (Player("Ann"), Player("", strategy="easy"))
    setup = GameSetup("tic-tac-toe", players=players)
    game = replay([happening(HERE, 1, "create", "", 1, setup=setup)])
    assert game is not None

    seat = Seat(HERE, TOKEN).learned(game, "X")

    assert (seat.opponent, seat.strategy) == ("", "easy")
    assert seat.listed(own_game()).opponent == ""


def test_a_list_of_the_server_adds_games_the_newest_last() -> None:
    book = SeatBook().merge([own_game(THERE), own_game(HERE, PLAYING, "")], TOKEN, SERVER)

    assert book.at(SERVER) == [
        Seat(HERE, TOKEN, SERVER, PLAYING, 5, "gomoku", "Bob", "", PLAYING),
        Seat(THERE, TOKEN, SERVER, SEEN, 5, "gomoku", "Bob", "", "win"),
    ]


@pytest.mark.parametrize(
    ("before", "after"), [(WAITING, ENDED), (PLAYING, ENDED), (ENDED, ENDED), (SEEN, SEEN)]
)
def test_an_end_in_a_list_is_news_unless_the_player_has_seen_it(before: str, after: str) -> None:
    book = book_of(Seat(HERE, TOKEN, stage=before)).merge([own_game()], TOKEN)

    assert [seat.stage for seat in book.at("")] == [after]


@pytest.mark.parametrize(
    ("seat", "game"),
    [
        (None, OwnGame(HERE, "gomoku", "X", "Ann", "", OVER)),
        (None, OwnGame(HERE, "gomoku", "Z", "Ann", "Bob", PLAYING)),
        (Seat(HERE, CODE), own_game()),
        (Seat(HERE, TOKEN, stage=REMOVED), own_game()),
    ],
    ids=["cancelled", "of no side", "of another token", "removed"],
)
def test_some_games_of_a_list_change_nothing(seat: Seat | None, game: OwnGame) -> None:
    book = SeatBook() if seat is None else book_of(seat)

    assert book.merge([game], TOKEN) == book


# -- who is muted ----------------------------------------------------------------------------------


def test_who_was_muted_and_blocked_in_a_game_is_so_again_in_this_game_alone() -> None:
    client = seated(4).client
    client.mute("O")
    client.has_blocked = True
    book = SeatBook().mute(muted_in(client), HERE, SERVER)

    later, elsewhere = seated(4).client, Client(random.Random(1), float, game=THERE)
    for each in (later, elsewhere):
        book.restore_muted(each, SERVER)

    assert muted_in(later) == {"O", BLOCKED}
    assert muted_in(elsewhere) == frozenset()
    assert book.mute(frozenset(), HERE, SERVER).muted == {}


def test_only_the_newest_games_keep_who_is_muted() -> None:
    book = SeatBook()
    for number in (1, 2, 3, 1):
        book = book.mute(frozenset({"X", WATCHERS}), numbered(number).game)

    assert [game for _, game in parse_muted(dump_muted(book, 2)).muted] == [
        numbered(number).game for number in (3, 1)
    ]


# -- two that write --------------------------------------------------------------------------------

Change = Callable[[SeatBook], SeatBook]


def changes_of(number: int) -> st.SearchStrategy[Change]:
    """Return changes of one game, as a tab or a process makes them."""
    seat = numbered(number)
    return st.sampled_from(
        [
            lambda book: book.add(seat),
            lambda book: book.add(replace(seat, stage=SEEN)),
            lambda book: book.delete(seat.game),
            lambda book: book.merge([own_game(seat.game)], TOKEN),
            lambda book: book.mute(frozenset({"O"}), seat.game),
        ]
    )


@given(st.lists(changes_of(1), max_size=4), st.lists(changes_of(2), max_size=4), st.randoms())
def test_two_that_change_different_games_lose_nothing_of_each_other(
    ours: list[Change], theirs: list[Change], rng: random.Random
) -> None:
    def after(changes: list[Change]) -> SeatBook:
        book = book_of(numbered(1), numbered(2))
        for change in changes:
            book = change(book)
        return book

    mixed: list[Change] = []
    mine, others = [*ours], [*theirs]
    while mine or others:
        mixed.append((mine if mine and (not others or rng.random() < 0.5) else others).pop(0))

    assert after(mixed) == after([*ours, *theirs]) == after([*theirs, *ours])


# -- stored texts ----------------------------------------------------------------------------------

texts = st.text(max_size=8)
seats = st.builds(
    Seat,
    game=st.integers(0, 5).map(lambda number: numbered(number).game),
    token=st.sampled_from([TOKEN, CODE]),
    server=st.just(""),
    stage=st.sampled_from(STAGES),
    time=st.integers(0, 2**40),
    variant=texts,
    opponent=texts,
    strategy=texts,
    standing=st.sampled_from(["win", "draw", "loss", NO_RESULT]),
)


@given(seats)
def test_a_seat_is_read_as_it_was_stored(seat: Seat) -> None:
    assert parse_seat(dump_seat(seat), seat.game) == seat


@pytest.mark.parametrize(
    ("text", "seat"),
    [
        (json.dumps([TOKEN, "Gomoku", False, 7]), Seat(HERE, TOKEN, time=7)),
        (
            json.dumps([TOKEN, "Gomoku", True, 7]),
            Seat(HERE, TOKEN, stage=SEEN, time=7, standing=NO_RESULT),
        ),
    ],
)
def test_a_seat_that_version_0_1_0_stored_in_a_browser_is_read(text: str, seat: Seat) -> None:
    assert parse_seat(text, HERE) == seat


HOSTILE = (
    *("", "[]", "{", "null", "5", "[1,2,3,4]", "NaN"),
    *("[" * 100_000, '{"token":"x","token":"y"}'),
)
SPOILT: list[tuple[str, object]] = [
    *(("token", token) for token in ("", "short", 5, None, ["x"])),
    *((name, 5) for name in ("stage", "variant", "opponent", "strategy", "standing")),
    *(("time", time) for time in ("now", 1.5, True, 10**30)),
    ("stage", "lost"),
    ("standing", "applause"),
]


@pytest.mark.parametrize("text", HOSTILE)
@pytest.mark.parametrize("parse", [parse_muted, lambda text: parse_seat(text, HERE)])
def test_hostile_text_is_refused_with_one_error(parse: Callable[[str], object], text: str) -> None:
    with pytest.raises(InvalidNotation):
        parse(text)


@pytest.mark.parametrize(("name", "value"), SPOILT)
def test_a_seat_with_something_wrong_is_refused(name: str, value: object) -> None:
    with pytest.raises(InvalidNotation):
        parse_seat(json.dumps({"token": TOKEN, "stage": SEEN, name: value}), HERE)


def test_an_unknown_result_and_unknown_speakers_are_passed_over() -> None:
    text = json.dumps({"token": TOKEN, "result": "applause", "colour": "red"})
    client = seated().client

    assert parse_seat(text, HERE) == Seat(HERE, TOKEN)
    parse_muted(json.dumps({HERE: ["O", "everybody"]})).restore_muted(client)
    assert client.muted == {"O"}
    for wrong in ({"nowhere": ["O"]}, {HERE: "O"}, {HERE: [5]}):
        with pytest.raises(InvalidNotation):
            parse_muted(json.dumps(wrong))
