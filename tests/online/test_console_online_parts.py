"""The parts of online play at the console: addresses, seats, keys, the lobby's list, the words."""

from __future__ import annotations

import io
import json
import random
import stat
import sys
from argparse import ArgumentTypeError
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from gettext import NullTranslations
from pathlib import Path

import pytest
from filelock import FileLock

from tic_tac_toe.logic.exceptions import InvalidNotation
from tic_tac_toe.protocols.online.client import Client
from tic_tac_toe.protocols.online.replies import OpenGame
from tic_tac_toe.protocols.online.seat_book import (
    BLOCKED,
    ENDED,
    NO_RESULT,
    PLAYING,
    SEEN,
    WAITING,
    Seat,
    SeatBook,
)
from tic_tac_toe_frontends.console.commands import IN_GAME, IN_LOBBY, WITH_ARGUMENT, parse_command
from tic_tac_toe_frontends.console.online.args import ServerAddress, parse_address, parse_args
from tic_tac_toe_frontends.console.online.seats import SeatFile, dump_book, parse_book, usual_path
from tic_tac_toe_frontends.console.online.session import OnlineSession
from tic_tac_toe_frontends.console.online.terminal import LineEditor, OnlineTerminal
from tic_tac_toe_frontends.console.online.view import LobbyList
from tic_tac_toe_frontends.program import extras
from tic_tac_toe_frontends.program.process import Refused

ENGLISH = NullTranslations()
GAME, TOKEN = "A" * 22, "B" * 21 + "A"
SERVER = "http://localhost:8765"

# -- addresses -------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("text", "base", "game", "socket"),
    [
        ("http://localhost:8765", SERVER, "", "ws://localhost:8765/ws"),
        ("http://localhost:8765/", SERVER, "", "ws://localhost:8765/ws"),
        (f"https://Play.example/games/{GAME}", "https://play.example", GAME, None),
        (f"https://play.example/games/{GAME}/", "https://play.example", GAME, None),
        (f"https://play.example/#game={GAME}", "https://play.example", GAME, None),
        (f"https://play.example/t/games/{GAME}", "https://play.example/t", GAME, None),
        ("https://play.example/t/", "https://play.example/t", "", "wss://play.example/t/ws"),
        ("http://[::1]:80", "http://[::1]:80", "", "ws://[::1]:80/ws"),
        ("localhost:8765", SERVER, "", "ws://localhost:8765/ws"),
        ("127.0.0.1:8765/", "http://127.0.0.1:8765", "", None),
        ("[::1]:8765", "http://[::1]:8765", "", None),
        (f"play.example/t/games/{GAME}", "http://play.example/t", GAME, None),
        (f"play.example#game={GAME}", "http://play.example", GAME, None),
    ],
)
def test_an_address_leads_to_a_server_and_a_game(
    text: str, base: str, game: str, socket: str | None
) -> None:
    address = parse_address(text, ENGLISH)

    assert address == ServerAddress(base, game)
    assert socket is None or address.socket == socket
    if game:
        assert parse_address(address.address_of(game), ENGLISH) == address
        assert parse_address(address.page_of(game), ENGLISH) == address


@pytest.mark.parametrize(
    "text",
    [
        "",
        "/games",
        "localhost:port",
        "ann:secret@localhost",
        "ftp://localhost",
        "ws://localhost/ws",
        "javascript:alert(1)",
        "http://",
        "http://:80",
        "http://[::1",
        "http://localhost:99999",
        "http://localhost:0",
        "http://ann:secret@localhost",
        "http://localhost/?token=1",
        "http://localhost/games/short",
        "http://localhost/games/",
        "http://localhost/#game=",
        "http://localhost/#elsewhere",
        f"http://localhost/games/{GAME}x",
        "http://local host",
        "http://localhost/\x1b[2J",
        "http://localhost\n/",
        "http://localhost/\u202e",
        "http://" + "a" * 3_000,
    ],
)
def test_what_is_no_address_of_a_game_server_is_refused(text: str) -> None:
    with pytest.raises(ArgumentTypeError) as refusal:
        parse_address(text, ENGLISH)

    assert str(refusal.value)


@pytest.mark.parametrize(
    "arguments",
    [
        (),
        ("ftp://nonsense",),
        (SERVER, "--clock", "fast"),
        (SERVER, "--clock", "1"),
        (SERVER, "--clock", "300+99999"),
        (SERVER, "--clock", "٣00"),
        (SERVER, "--name", "x" * 41),
        (SERVER, "--name", "Ann\nBob"),
        (SERVER, "--create", "chess"),
        (SERVER, "--opponent", "gomocup:/bin/sh"),
        (SERVER, "--watch"),
        (f"{SERVER}/games/{GAME}", "--create", "tic-tac-toe"),
    ],
)
def test_wrong_options_end_with_one_sentence(
    arguments: tuple[str, ...], capsys: pytest.CaptureFixture[str]
) -> None:
    with pytest.raises(SystemExit) as end:
        parse_args([*arguments, "--lang", "en"])

    said = capsys.readouterr().err
    assert end.value.code == 2
    assert said.count("\n") == 2
    assert said.replace("\n", "").isprintable()


def test_options_say_what_game_to_create() -> None:
    game = ("--create", "gomoku", "--open", "--opponent", "hard")
    options = (*game, "--clock", "300+3", "--seat", "O", "--name", "Ann")

    args = parse_args([SERVER, *options, "--lang", "en"])

    wishes = args.wishes
    assert (args.creates, wishes.variant, wishes.open) == (True, "gomoku", True)
    assert (wishes.opponent, wishes.seat) == ("hard", "O")
    assert (wishes.clock, wishes.name) == ((300, 3), "Ann")


# -- seats -----------------------------------------------------------------------------------------


def add(seats: SeatFile, seat: Seat) -> None:
    seats.change(lambda book: book.add(seat), seat.place)


def seat_in(game: str = GAME, variant: str = "") -> Seat:
    return Seat(game, TOKEN, SERVER, variant=variant)


def test_seats_are_found_again_and_only_their_owner_can_read_them(tmp_path: Path) -> None:
    path = tmp_path / "new" / "seats.json"
    add(SeatFile(path, ENGLISH), seat_in(variant="gomoku"))

    assert SeatFile(path, ENGLISH).book().at(SERVER) == [seat_in(variant="gomoku")]
    assert stat.S_IMODE(path.stat().st_mode) == 0o600
    assert stat.S_IMODE(path.parent.stat().st_mode) == 0o700
    assert [entry.name for entry in path.parent.glob("*.json")] == ["seats.json"]


def test_of_more_seats_than_are_kept_the_oldest_goes(tmp_path: Path) -> None:
    seats = SeatFile(tmp_path / "seats.json", ENGLISH, most=3)
    many = [seat_in(f"{number:021}A") for number in range(4)]
    for seat in many:
        add(seats, seat)

    assert seats.book().at(SERVER) == many[1:]


def test_programs_that_keep_seats_at_once_lose_none(tmp_path: Path) -> None:
    names = [f"{number:021}A" for number in range(24)]

    def keep(part: list[str]) -> None:
        for name in part:
            add(SeatFile(tmp_path / "seats.json", ENGLISH), seat_in(name))

    with ThreadPoolExecutor() as threads:
        list(threads.map(keep, (names[at::4] for at in range(4))))

    kept = SeatFile(tmp_path / "seats.json", ENGLISH).book().at(SERVER)
    assert sorted(seat.game for seat in kept) == names


@pytest.mark.parametrize("content", [b"", b'{"seats": [1]}', b"\xff", b" " * 1_000_001])
def test_a_file_that_is_no_list_of_seats_is_refused_and_left_alone(
    tmp_path: Path, content: bytes
) -> None:
    path = tmp_path / "seats.json"
    path.write_bytes(content)
    seats = SeatFile(path, ENGLISH)

    with pytest.raises(Refused, match="no list of seats"):
        seats.book()
    with pytest.raises(Refused, match="no list of seats"):
        add(seats, seat_in())
    assert path.read_bytes() == content


def test_a_file_that_another_program_does_not_let_go_is_refused(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("tic_tac_toe_frontends.console.online.seats.LOCK_SECONDS", 0.1)
    seats = SeatFile(tmp_path / "seats.json", ENGLISH)
    with FileLock(tmp_path / "seats.json.lock"), pytest.raises(Refused) as refused:
        add(seats, seat_in())
    assert str(refused.value).endswith("seats.json: another program uses it")
    assert seats.book().at(SERVER) == [seat_in()]
    assert not seats.path.exists()

    seats.save()

    assert SeatFile(seats.path, ENGLISH).book().at(SERVER) == [seat_in()]


def test_of_what_could_not_be_written_the_last_change_of_each_thing_counts(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("tic_tac_toe_frontends.console.online.seats.LOCK_SECONDS", 0.0)
    seats = SeatFile(tmp_path / "seats.json", ENGLISH)
    other = "C" * 21 + "A"
    with FileLock(tmp_path / "seats.json.lock"):
        for seat in (seat_in(), seat_in(other), seat_in(other, "gomoku")):
            with pytest.raises(Refused):
                add(seats, seat)
        with pytest.raises(Refused):
            seats.change(lambda book: book.delete(GAME, SERVER), (SERVER, GAME))
    seats.save()

    assert SeatFile(seats.path, ENGLISH).book().at(SERVER) == [seat_in(other, "gomoku")]


def test_a_book_is_read_as_it_was_stored_and_of_its_games_whether_they_go_on() -> None:
    book = SeatBook().with_code(TOKEN, SERVER).mute(frozenset({"O", BLOCKED}), GAME, SERVER)
    for number, (stage, standing) in enumerate(
        [(WAITING, WAITING), (PLAYING, PLAYING), (SEEN, "loss"), (ENDED, NO_RESULT)]
    ):
        seat = seat_in(f"{number:021}A" if number else GAME, "gomoku")
        seat = replace(seat, opponent="Bob", strategy="easy", standing=standing)
        book = book.add(replace(seat, stage=stage))

    read = parse_book(dump_book(book))

    assert [seat.stage for seat in read.at(SERVER)] == [WAITING, PLAYING, SEEN, SEEN]
    assert [replace(seat, stage="") for seat in read.at(SERVER)] == [
        replace(seat, stage="") for seat in book.at(SERVER)
    ]
    assert (read.codes, read.muted) == (book.codes, book.muted)
    assert dump_book(read) == dump_book(book)


def test_a_file_that_version_0_1_0_wrote_is_read() -> None:
    entry = {"server": SERVER, "game": GAME, "token": TOKEN, "variant": "gomoku"}
    entries = [{**entry, "over": False}, {**entry, "game": TOKEN, "over": True}]

    assert parse_book(json.dumps({"seats": entries})).at(SERVER) == [
        seat_in(variant="gomoku"),
        replace(seat_in(TOKEN, "gomoku"), stage=SEEN, standing=NO_RESULT),
    ]


@pytest.mark.parametrize(
    "text",
    [
        *("", "[]", "{}", "{", "[" * 100_000),
        json.dumps({"seats": [], "codes": {SERVER: "short"}}),
        json.dumps({"seats": [], "codes": []}),
        json.dumps({"seats": [1]}),
        json.dumps({"seats": [{"server": 5, "game": GAME, "token": TOKEN}]}),
        json.dumps({"seats": [{"server": SERVER, "game": GAME, "token": TOKEN, "muted": []}]}),
        json.dumps({"seats": [{"server": SERVER, "game": "short", "token": TOKEN}]}),
    ],
)
def test_a_text_that_holds_no_book_is_refused(text: str) -> None:
    with pytest.raises(InvalidNotation):
        parse_book(text)


def test_a_folder_that_cannot_be_made_is_told_in_a_line(tmp_path: Path) -> None:
    (tmp_path / "file").touch()

    with pytest.raises(Refused, match="cannot write"):
        add(SeatFile(tmp_path / "file" / "seats.json", ENGLISH), seat_in())


def test_seats_are_kept_in_the_folder_for_the_state_of_programs(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path))
    assert usual_path() == tmp_path / "tic-tac-toe" / "seats.json"


# -- keys ------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("keys", "lines", "left"),
    [
        ("b2\n", ["b2"], ""),
        ("b2\ra1\rc", ["b2", "a1"], "c"),
        ("say hé\x7f\x7fi 中\n", ["say i 中"], ""),
        ("nonsense\x15b2", [], "b2"),
        ("say one two\x17", [], "say one "),
        ("\x17one\x17", [], ""),
        ("b\x1b[A\x1b[1;5C\x1bOP2\n", ["b2"], ""),
        ("\x1b\x1bxb2", [], "xb2"),
        ("b\x00\x01\t2\x04", [], "b2"),
        ("\u202eb", [], "b"),
        ("x" * 5_000, [], "x" * 4_096),
    ],
)
def test_keys_make_lines(keys: str, lines: list[str], left: str) -> None:
    at_once, one_by_one = LineEditor(), LineEditor()

    assert at_once.feed(keys) == lines
    assert [line for key in keys for line in one_by_one.feed(key)] == lines
    assert at_once.text == one_by_one.text == left
    assert not at_once.ended


def test_ctrl_d_ends_the_input_on_an_empty_line_only() -> None:
    editor = LineEditor()

    editor.feed("a\x04")
    assert not editor.ended
    editor.feed("\x7f\x04")
    assert editor.ended


# -- the lobby -------------------------------------------------------------------------------------


def open_game(name: str) -> OpenGame:
    return OpenGame(name * 21 + "A", "tic-tac-toe", name, "O", "X", None, 0)


def test_open_games_keep_their_numbers_and_only_what_is_new_is_told() -> None:
    lobby = LobbyList(ENGLISH)

    assert lobby.update([open_game("b"), open_game("a")]) == [
        "Open games:",
        "  1. Tic-tac-toe, by a: O is free, X begins, no clock",
        "  2. Tic-tac-toe, by b: O is free, X begins, no clock",
    ]
    assert lobby.update([open_game("c"), open_game("b")]) == [
        "Gone: 1.",
        "New: 3. Tic-tac-toe, by c: O is free, X begins, no clock",
    ]
    assert list(lobby.games) == [2, 3]
    assert lobby.update([open_game("c"), open_game("b")]) == []
    assert lobby.update([]) == ["Gone: 2.", "Gone: 3.", "No open games."]
    lobby.reset()
    assert lobby.update([]) == ["No open games."]


# -- words -----------------------------------------------------------------------------------------


def test_only_some_commands_take_more_words_and_each_holds_in_its_place_only() -> None:
    for word in IN_GAME:
        command = parse_command(f"{word} more words", ENGLISH, IN_GAME)
        assert (command is not None) == (word in WITH_ARGUMENT)
    assert parse_command("say  two  words ", ENGLISH, IN_GAME) == ("say", "two  words")
    assert parse_command("resign", ENGLISH, IN_LOBBY) is None
    assert parse_command("create", ENGLISH, IN_GAME) is None


def test_an_old_python_and_a_missing_package_are_told_in_a_sentence(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    extras.require_online(ENGLISH, ["json"])
    with pytest.raises(Refused, match=r'pip.install."\./library"."\./frontends\[online\]"'):
        extras.require_online(ENGLISH, ["json", "no_such_package"])
    monkeypatch.setattr(sys, "version_info", (3, 10, 4))
    with pytest.raises(Refused, match=r"needs Python 3\.11 or newer, and this is 3\.10"):
        extras.require_online(ENGLISH, [])


# -- sessions --------------------------------------------------------------------------------------


def begun(tmp_path: Path, *options: str) -> tuple[Client, SeatFile]:
    """Return a client and the file of seats after a session has begun that is not connected."""
    path = tmp_path / "seats.json"
    args = parse_args([*options, "--lang", "en", "--seat-file", str(path)])
    client = Client(random.Random(1), lambda: 0.0)
    seats = SeatFile(path, ENGLISH)
    terminal = OnlineTerminal(io.StringIO(), io.StringIO(), plain=True)
    OnlineSession(args, terminal, client, seats).start()
    return client, seats


def test_a_seat_is_kept_before_anything_is_sent(tmp_path: Path) -> None:
    client, seats = begun(tmp_path, SERVER, "--create", "gomoku")

    assert client.take_outgoing() == []
    kept = Seat(client.address, client.token, SERVER, variant="gomoku")
    assert seats.book().at(SERVER) == [kept]


def test_a_game_with_a_seat_is_entered_with_its_token_unless_it_is_to_be_watched(
    tmp_path: Path,
) -> None:
    address = f"{SERVER}/games/{GAME}"
    add(SeatFile(tmp_path / "seats.json", ENGLISH), seat_in())

    assert begun(tmp_path, address)[0].token == TOKEN
    assert begun(tmp_path, address, "--watch")[0].token == ""
    assert begun(tmp_path, f"https://other/games/{GAME}")[0].token == ""
