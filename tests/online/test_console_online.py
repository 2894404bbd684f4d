"""Online play at the console: real programs on terminals and pipes, at a real server."""

from __future__ import annotations

import os
import re
import signal
import stat
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from tests.frontends.programs import Screen
from tests.online.conversations import Conversation
from tests.online.processes import PATIENCE, Server

CREATE = ("--create", "tic-tac-toe", "--seat", "X")
AGAINST_COMPUTER = (*CREATE, "--opponent", "minimax")
GAME = re.compile(r"/games/([A-Za-z0-9_-]{22})")


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    """A server whose lobby is empty: a game that is opened there is joined in the same test."""
    with Server(tmp_path_factory.mktemp("server")).running() as server:
        yield server


@pytest.fixture
def own_server(tmp_path: Path) -> Iterator[Server]:
    """A server that only one test uses."""
    with Server(tmp_path).running() as server:
        yield server


def at(server: Server, folder: Path, person: str, *more: str, game: str = "") -> tuple[str, ...]:
    """Return the arguments of somebody with a file of seats of their own."""
    place = f"{server.address}/games/{game}" if game else server.address
    return (place, "--name", person, "--seat-file", str(folder / f"{person}.json"), *more)


def invited(creator: Conversation) -> str:
    """Return the address of the game that somebody has just created."""
    creator.expect("Whoever has this address can take the other seat:")
    creator.expect("tic-tac-toe online")
    creator.expect("Waiting for somebody to join.")
    found = GAME.search(creator.written)
    assert found is not None, creator.written
    return found[1]


@contextmanager
def two_players(
    server: Server, folder: Path, *create: str
) -> Iterator[tuple[Conversation, Conversation]]:
    """Let Ann create a game as X, and Bob join it; yield both."""
    options = ("--create", *(create or ("tic-tac-toe",)), "--seat", "X")
    with Conversation(*at(server, folder, "Ann", *options)) as ann:
        game = invited(ann)
        with Conversation(*at(server, folder, "Bob", game=game)) as bob:
            yield ann, bob


def test_two_consoles_play_a_whole_game_talk_and_play_again_with_colours_swapped(
    server: Server, tmp_path: Path
) -> None:
    with two_players(server, tmp_path) as (ann, bob):
        bob.expect("You play O.")
        ann.expect("Bob (O) joins: the game begins.")
        ann.type("B2", "B1", "say I shall win")
        bob.type("A1", "A3")
        bob.expect("Ann (X): I shall win")
        ann.type("B3")
        for person in (ann, bob):
            person.expect("Ann (X) plays B3.")
            person.expect("Decided by B1, B2, B3.")
        ann.expect("You win!")
        bob.expect("You lose.")
        bob.expect("Type keep to ask that the chat is kept with the record.")
        bob.type("keep")
        ann.expect("Bob (O) asks to keep the chat")
        ann.type("accept")
        bob.expect("Ann (X) agrees: the game's record shows the chat.")
        bob.type("rematch")
        ann.expect("Bob (O) offers a rematch.")
        ann.expect("Type accept or decline.")
        ann.type("accept")
        bob.expect("Ann (X) accepts the rematch.")
        bob.expect("Tic-tac-toe: Bob (X) against Ann (O).")
        bob.expect("You play X.")
        ann.type("resign")
        bob.expect("Ann (O) resigns.")
        bob.expect("You win!")

        assert ann.end() == 0
        assert bob.end() == 0
    assert "Traceback" not in ann.written + bob.written


def test_a_draw_and_a_move_taken_back_need_both(server: Server, tmp_path: Path) -> None:
    with two_players(server, tmp_path, "connect-four", "--clock", "600+5") as (ann, bob):
        bob.expect("Clock: 10 minutes for each side, plus 5 seconds for every move.")
        ann.type("4", "undo")
        bob.expect("Ann (X) asks to take the last move back.")
        bob.type("decline")
        ann.expect("Bob (O) does not agree to take the move back.")
        ann.type("undo")
        bob.expect("Ann (X) asks to take the last move back.")
        bob.type("accept")
        ann.expect("Bob (O) agrees: the move is taken back.")
        ann.expect("Your turn: you are X. Time left: X 10:0")
        ann.type("moves")
        ann.expect("No moves yet.")
        bob.type("draw")
        ann.expect("Bob (O) offers a draw.")
        ann.type("accept draw")
        for person in (ann, bob):
            person.expect("The players have agreed on a draw.")
            assert person.end() == 0


def test_a_game_goes_on_where_it_was_after_the_server_was_killed(
    own_server: Server, tmp_path: Path
) -> None:
    with two_players(own_server, tmp_path) as (ann, bob):
        ann.type("A1")
        bob.type("B2")
        ann.expect("Bob (O) plays B2.")
        own_server.kill()
        for person in (ann, bob):
            person.expect("Connection lost; trying again in 1 s …")
        ann.type("A2")
        ann.expect("Your move is sent as soon as there is a connection.")
        own_server.start()
        for person in (ann, bob):
            person.expect("Connected again.")
            person.expect("Ann (X) plays A2.")
        bob.type("A3")
        ann.type("C1", "resign")
        for person in (ann, bob):
            person.expect("Bob (O) plays A3.")
            person.expect("Ann (X) plays C1.")
        ann.expect("You lose.")
        bob.expect("You win!")
        for person in (ann, bob):
            assert person.end() == 0
    assert ann.written.count("Ann (X) plays A1.") == 1
    assert bob.written.count("Ann (X) plays A2.") == 1


def test_a_player_who_comes_again_sits_in_the_same_seat(own_server: Server, tmp_path: Path) -> None:
    create = ("--create", "tic-tac-toe", "--seat", "X", "--open")
    with Conversation(*at(own_server, tmp_path, "Ann", *create)) as ann:
        game = invited(ann)
        assert ann.end() == 0
        assert (
            f"To come back: tic-tac-toe online {own_server.address}/games/{game} --seat-file "
            in ann.written
        )
    seats = tmp_path / "Ann.json"
    assert stat.S_IMODE(seats.stat().st_mode) == 0o600

    with Conversation(*at(own_server, tmp_path, "Ann", game=game)) as ann:
        ann.expect("You play X.")
        assert ann.end() == 0
    with Conversation(*at(own_server, tmp_path, "Ann")) as ann:
        ann.expect("You have a seat in a game here: type back.")
        ann.type("back")
        ann.expect("You play X.")
        ann.type("leave")
        ann.expect("No open games.")
        assert ann.end() == 0


def test_the_lobby_shows_games_by_numbers_that_can_be_joined_or_watched(
    server: Server, tmp_path: Path
) -> None:
    with (
        Conversation(*at(server, tmp_path, "Bob")) as bob,
        Conversation(*at(server, tmp_path, "Eve")) as eve,
    ):
        for person in (bob, eve):
            person.expect("No open games.")
        create = ("--create", "connect-four", "--seat", "O", "--open")
        with Conversation(*at(server, tmp_path, "Ann", *create)) as ann:
            for person in (bob, eve):
                person.expect("New: 1. Connect Four, by Ann: X is free, X begins, no clock")
            eve.type("watch 1")
            eve.expect("You watch.")
            bob.type("1", "4")
            bob.expect("You play X.")
            eve.expect("Bob (X) plays column 4.")
            ann.expect("1 person watches.")
            eve.type("resign")
            eve.expect("Only players can do that.")
            eve.type("leave")
            eve.expect("No open games.")
            assert [person.end() for person in (ann, bob, eve)] == [0, 0, 0]


def test_a_computer_answers_and_lines_of_a_pipe_wait_for_their_turn(
    server: Server, tmp_path: Path
) -> None:
    with Conversation(*at(server, tmp_path, "Ann", *AGAINST_COMPUTER)) as ann:
        ann.type("В 2", "nonsense", "B2", "resign", "moves")
        assert ann.end() == 0

    assert ann.written.index("Read В 2 as B2.") < ann.written.index("Ann (X) plays B2.")
    assert ann.written.index("Ann (X) plays B2.") < ann.written.index("Perfect (O) plays A1.")
    assert '"nonsense": expected a cell from A1 to C3' in ann.written
    assert "Cell is not empty: expected B1, C1, A2, C2, A3, B3, C3. Or type help." in ann.written
    assert "X B2, O A1" in ann.written
    assert "You lose." in ann.written


def test_names_and_chat_of_others_can_do_no_harm(server: Server, tmp_path: Path) -> None:
    with Conversation(*at(server, tmp_path, "Ann\u202eevil", *CREATE)) as ann:
        game = invited(ann)
        with Conversation(*at(server, tmp_path, "Bob", game=game)) as bob:
            bob.expect("Ann\\u202eevil (X)")
            ann.type("say \u2066red\u2069 \U0001f600 \u202e")
            bob.expect("Ann\\u202eevil (X): \\u2066red\\u2069 \U0001f600 \\u202e")
            ann.type("say " + "x" * 201)
            ann.expect("A line has at most 200 characters.")
            assert bob.end() == 0


@pytest.mark.parametrize(
    ("place", "said"),
    [
        ("{}/elsewhere", "no game server answers there"),
        ("{}/games/AAAAAAAAAAAAAAAAAAAAAA", "There is no such game, or no such seat for you"),
        (
            "http://127.0.0.1:1",
            "tic-tac-toe: cannot play at http://127.0.0.1:1: Connection refused",
        ),
    ],
)
def test_what_is_not_there_is_refused_in_one_line(
    server: Server, tmp_path: Path, place: str, said: str
) -> None:
    place = place.format(server.address)
    with Conversation(place, "--seat-file", str(tmp_path / "seats")) as program:
        assert program.end() == 1
        assert program.written.count("\n") == 1
        assert said in program.written


def test_the_end_of_the_input_ends_the_program_after_the_lobby_was_shown(
    server: Server, tmp_path: Path
) -> None:
    with Conversation(*at(server, tmp_path, "Ann")) as ann:
        assert ann.end() == 0
        assert ann.written == "No open games.\nGoodbye!\n"


def test_a_signal_ends_the_program_in_order(server: Server, tmp_path: Path) -> None:
    with Conversation(*at(server, tmp_path, "Ann", "--create", "tic-tac-toe")) as ann:
        invited(ann)
        ann.process.terminate()
        assert ann.process.wait(PATIENCE) == 143
        ann.expect("Your seat stays yours. To come back: tic-tac-toe online http")
        ann.expect("Goodbye!")


# -- on a terminal -----------------------------------------------------------------------------


def test_what_others_do_appears_above_the_line_that_is_being_typed(
    server: Server, tmp_path: Path
) -> None:
    with Screen("online", *at(server, tmp_path, "Ann", *CREATE)) as ann:
        ann.expect("Waiting for somebody to join.")
        found = GAME.search(ann.written)
        assert found is not None
        ann.expect("\r\x1b[K> ")
        ann.type("say hal")
        ann.expect("> say hal")
        with Conversation(*at(server, tmp_path, "Bob", game=found[1])) as bob:
            bob.expect("You play O.")
            ann.expect("\r\x1b[KBob (O) joins: the game begins.")
            ann.expect("> say hal")
            ann.type("\x7flo\n")
            bob.expect("Ann (X): halo")
            ann.type("b2\n")
            ann.expect("Ann (X) plays B2.")
            bob.type("A1")
            ann.expect("Bob (O) plays A1.")
            ann.expect("\x1b[1;4mO\x1b[0m")
            assert ann.interrupt() == 130
        assert "Your seat stays yours." in ann.written
        assert "Traceback" not in ann.written


@pytest.mark.parametrize("keys", ["\x04", "garb\x15exit\n"])
def test_ctrl_d_and_quit_end_in_order_and_give_the_keyboard_back(
    server: Server, tmp_path: Path, keys: str
) -> None:
    with Screen("online", *at(server, tmp_path, "Ann")) as ann:
        ann.expect("No open games.")
        ann.expect("> ")
        ann.type(keys)
        ann.expect("Goodbye!")

        assert ann.end() == 0
        assert ann.echoes()


def test_a_line_ends_the_wait_for_a_busy_server_and_quit_waits_for_nothing(
    tmp_path: Path,
) -> None:
    with (
        Server(tmp_path, options=("--most-games", "1")).running() as server,
        Conversation(*at(server, tmp_path, "Bob", *CREATE)) as bob,
        Screen("online", *at(server, tmp_path, "Ann")) as ann,
    ):
        invited(bob)
        ann.expect("No open games.")
        for _ in range(2):
            ann.type("create tic-tac-toe\n")
            ann.expect("The server has all the games that it can hold; trying again in 60 s.")
            ann.type("list\n")
            ann.expect("The request is given up.")
            ann.expect("No open games.")
        ann.type("create tic-tac-toe\n")
        ann.expect("trying again in 60 s.")
        ann.type("quit\n")
        ann.expect("Goodbye!")
        assert ann.end() == 0
        assert "seat" not in ann.written.partition("Goodbye")[0].rpartition("60 s.")[2]
        assert bob.end() == 0


def test_a_line_is_done_in_the_place_where_it_was_typed_or_not_at_all(
    own_server: Server, tmp_path: Path
) -> None:
    with Screen("online", *at(own_server, tmp_path, "Ann")) as ann:
        ann.expect("No open games.")
        ann.type("create tic-tac-toe\nhelp me\n")
        ann.expect("You are elsewhere now, so this was not done: help me")
        ann.type("quit\n")
        assert ann.end() == 0


def test_whoever_comes_back_is_told_why_and_sees_the_board_again(
    own_server: Server, tmp_path: Path
) -> None:
    with two_players(own_server, tmp_path, "tic-tac-toe", "--clock", "600+5") as (ann, bob):
        ann.type("A1")
        bob.type("B2")
        ann.expect("Bob (O) plays B2.")
        own_server.stop()
        own_server.start()
        ann.expect("The server restarts.")
        ann.expect("Connected again.")
        ann.expect("2 . O .")
        ann.expect("Your turn. Time left: X")
        assert ann.end() == 0
        assert bob.end() == 0


def test_a_seat_that_could_not_be_kept_is_not_promised(server: Server, tmp_path: Path) -> None:
    (tmp_path / "Ann.json.lock").mkdir()
    with Conversation(*at(server, tmp_path, "Ann", *CREATE)) as ann:
        ann.expect("Your seats are not saved yet: cannot write")
        assert ann.end() == 0
    assert "Your seat stays yours." not in ann.written


def test_a_simple_terminal_gets_no_escape_sequence(server: Server, tmp_path: Path) -> None:
    with Screen("online", *at(server, tmp_path, "Ann", *AGAINST_COMPUTER, "--plain")) as ann:
        ann.expect("Your turn: you are X.")
        ann.expect("> ")
        ann.type("B2\n")
        ann.expect("Perfect (O) plays A1.")
        ann.expect("> ")
        ann.type("quit\n")

        assert ann.end() == 0
        assert "\x1b" not in ann.written


def test_a_narrow_terminal_shows_the_end_of_a_long_line(server: Server, tmp_path: Path) -> None:
    with Screen("online", *at(server, tmp_path, "Ann"), size=(24, 10)) as ann:
        ann.expect("No open games.")
        ann.type("0123456789" * 4)
        ann.expect("> …")
        ann.type("x")
        ann.expect("789x")

        lines = re.sub(r"\x1b\[[0-9;?]*[A-Za-z]", "", ann.written).replace("\r", "\n").split("\n")
        assert max(map(len, lines)) <= 24


def test_help_tells_what_can_be_typed_in_the_lobby_and_in_a_game(
    server: Server, tmp_path: Path
) -> None:
    with Conversation(*at(server, tmp_path, "Ann", "--seat", "X")) as ann:
        ann.type("help", "create gomoku hard", "help", "who", "board")
        assert ann.end() == 0

    for line in ("join NUMBER", "create VARIANT hard", "say TEXT", "offer a draw", "A1 to O15"):
        assert line in ann.written


def test_a_program_that_was_stopped_takes_the_keyboard_again(
    server: Server, tmp_path: Path
) -> None:
    with Screen("online", *at(server, tmp_path, "Ann")) as ann:
        ann.expect("No open games.")
        ann.expect("> ")
        ann.type("hel")
        ann.expect("> hel")
        assert not ann.echoes()
        os.kill(ann.process.pid, signal.SIGSTOP)
        ann.echo()  # as the shell does that has the keyboard then
        os.kill(ann.process.pid, signal.SIGCONT)
        ann.expect("> hel")
        assert not ann.echoes()
        ann.type("p\nquit\n")
        ann.expect("join NUMBER")
        assert ann.end() == 0


def test_two_consoles_play_a_game_with_letters_in_which_players_have_names(
    server: Server, tmp_path: Path
) -> None:
    with two_players(server, tmp_path, "order-and-chaos", "--clock", "600+5") as (ann, bob):
        bob.expect("You play Chaos.")
        ann.expect("Your turn: you are Order. Time left: Order 10:00, Chaos 10:00.")
        ann.type("help", "B2", "OB2")
        ann.expect("Begin with what you place there, as in XD4 or OD4.")
        ann.expect('"B2": expected first X or O, and then a cell from A1 to F6, as in XA1.')
        for person in (ann, bob):
            person.expect("Ann (Order) puts O on B2.")
        bob.type("XB2", "XC3")
        bob.expect("Cell is not empty: expected a move such as XA1 or OF6.")
        ann.expect("Bob (Chaos) puts X on C3.")
        ann.type("moves", "resign")
        ann.expect("OB2, XC3")
        bob.expect("You win!")

        assert ann.end() == 0
        assert bob.end() == 0


def test_two_consoles_play_now_and_abort_and_find_the_game_in_their_lists(
    server: Server, tmp_path: Path
) -> None:
    with Conversation(*at(server, tmp_path, "Ann")) as ann:
        ann.type("now gomoku 5+3")
        ann.expect("Waiting for somebody who wants to play …")
        with Conversation(*at(server, tmp_path, "Bob")) as bob:
            bob.type("now gomoku 5+3")
            bob.expect("An opponent is found.")
            bob.expect("5 minutes for each side, plus 3 seconds for every move")
            for person in (ann, bob):
                person.expect("The first move has to be made")
            bob.type("abort")
            bob.expect("has aborted the game.")
            for person in (ann, bob):
                person.expect("The game was aborted; it counts for nobody.")
            ann.type("leave", "games")
            ann.expect("Your games:")
            ann.expect("1. Gomoku against Bob: ended without a result")
            ann.type("back 2")
            ann.expect("No game has this number. Type games.")
            ann.type("back 1")
            ann.expect("The game was aborted; it counts for nobody.")
            assert bob.end() == 0
        assert ann.end() == 0
    assert "Traceback" not in ann.written


def test_watchers_talk_and_a_player_who_is_there_has_not_left(
    server: Server, tmp_path: Path
) -> None:
    with two_players(server, tmp_path) as (ann, bob):
        ann.type("B2")
        bob.type("A1")
        ann.expect("Bob (O) plays A1.")
        found = GAME.search(ann.written)
        assert found is not None
        with Conversation(*at(server, tmp_path, "Eve", "--watch", game=found[1])) as eve:
            eve.expect("You watch.")
            eve.type("say X wins")
            eve.expect("Eve: X wins")
            ann.type("claim")
            ann.expect("The other player is there, or has not been gone for long.")
            ann.type("claim nonsense")
            ann.expect("Type claim, or claim draw.")
            ann.type("resign")
            bob.expect("Eve: X wins")
            assert eve.end() == 0
    assert "X wins" not in ann.written.partition("resign")[0]
