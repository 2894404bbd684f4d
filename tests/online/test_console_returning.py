"""What leads a person at the console back into games, at a real server."""

from __future__ import annotations

import json
from pathlib import Path

from filelock import FileLock

from tests.frontends.programs import Screen
from tests.online.conversations import Conversation
from tests.online.processes import Server
from tests.online.test_console_online import (
    CREATE,
    GAME,
    at,
    invited,
    own_server,
    server,
    two_players,
)
from tic_tac_toe_frontends.server.admin.cli import main as admin

__all__ = ["own_server", "server"]


def operate(server: Server, *words: str) -> None:
    assert admin([*words, "--data", str(server.data)], "tic-tac-toe serve admin") == 0


def test_a_game_that_had_a_rematch_is_opened_again_and_stays(
    server: Server, tmp_path: Path
) -> None:
    with two_players(server, tmp_path) as (ann, bob):
        bob.expect("You play O.")
        ann.type("B2", "resign")
        bob.expect("You win!")
        bob.type("rematch")
        ann.expect("Bob (O) offers a rematch.")
        ann.type("accept")
        for person in (ann, bob):
            person.expect("Tic-tac-toe: Bob (X) against Ann (O).")
        ann.type("leave", "back 1", "moves", "leave", "back 2", "moves")
        ann.expect("There has been a rematch: type leave, and then games.")
        ann.expect("X B2")
        ann.expect("Tic-tac-toe: Bob (X) against Ann (O).")
        ann.expect("No moves yet.")
        assert ann.end() == 0
        assert bob.end() == 0
    assert "There has been a rematch" not in bob.written


def test_a_request_that_a_drain_puts_off_is_asked_again_when_it_is_over(
    own_server: Server, tmp_path: Path
) -> None:
    with Screen("online", *at(own_server, tmp_path, "Ann")) as ann:
        ann.expect("No open games.")
        operate(own_server, "drain")
        ann.type("create tic-tac-toe\n")
        ann.expect("trying again in 60 s. Any line")
        ann.type("\nhelp\n")
        ann.expect("join NUMBER")
        operate(own_server, "drain", "--off")
        ann.expect("The server begins new games again.")
        ann.expect("Waiting for somebody to join.")
        ann.interrupt()
    assert "given up" not in ann.written


def test_a_list_of_games_needs_no_file_that_can_be_written(server: Server, tmp_path: Path) -> None:
    with two_players(server, tmp_path) as (ann, bob):
        ann.type("B2", "leave")
        ann.expect("You have a seat in a game here: type back.")
        with FileLock(tmp_path / "Ann.json.lock"):
            ann.type("games")
            ann.expect("Your seats are not saved yet: cannot write")
            ann.expect("1. Tic-tac-toe against Bob: in progress")
            ann.type("back", "resign")
            bob.expect("You win!")
            assert ann.end() == 0
        assert "Not all is saved: cannot write" in ann.written
        assert "To come back: tic-tac-toe online" in ann.written
        assert "and type games." in ann.written
        assert bob.end() == 0


def test_a_seat_of_which_nothing_is_saved_is_found_by_the_code_that_is_told(
    server: Server, tmp_path: Path
) -> None:
    ann = Conversation(*at(server, tmp_path, "Ann", *CREATE))
    with FileLock(tmp_path / "Ann.json.lock"), ann:
        invited(ann)
        assert ann.end() == 0
    code = ann.written.partition("type the code ")[2].partition(",")[0]
    with Conversation(*at(server, tmp_path, "Ann", "--code")) as ann:
        ann.type(code, "games", "back")
        ann.expect("1. Tic-tac-toe: waiting for an opponent")
        ann.expect("You play X.")
        ann.type("leave")
        assert ann.end() == 0
    assert json.loads((tmp_path / "Ann.json").read_text())["codes"] == {server.address: code}


def test_words_are_true_where_nothing_can_be_done(server: Server, tmp_path: Path) -> None:
    with two_players(server, tmp_path) as (ann, bob):
        bob.expect("You play O.")
        ann.type("B2", "withdraw", "block")
        ann.expect("You have offered nothing that could be taken back.")
        ann.expect("You will not meet this player again")
        bob.type("A1")
        ann.type("resign")
        ann.expect("Type leave to go to the lobby.")
        bob.expect("Type rematch for another game, or leave.")
        bob.type("rematch")
        bob.expect("The other player does not take this.")
        bob.type("")
        bob.expect("Type leave to go to the lobby.")
        ann.type("leave", "back")
        ann.expect("No game of yours goes on. Type games, and back NUMBER opens one of the list.")
        assert "rematch" not in ann.written
        assert ann.end() == 0
        assert bob.end() == 0


def test_a_game_that_waits_is_closed_by_leave_and_its_words_say_so(
    server: Server, tmp_path: Path
) -> None:
    with Conversation(*at(server, tmp_path, "Ann", *CREATE)) as ann:
        ann.expect("To close the game type leave; quit keeps it.")
        ann.type("say Hello?", "abort")
        ann.expect("Nobody has joined yet: to close the game type leave.")
        ann.type("help", "leave")
        ann.expect("your seat stays yours, but a game that nobody has")
        ann.expect("The game was closed before it began.")
        assert ann.end() == 0
    assert "Type keep" not in ann.written


def test_what_is_typed_without_a_connection_is_kept_or_told_to_be_dropped(
    own_server: Server, tmp_path: Path
) -> None:
    with (
        Screen("online", *at(own_server, tmp_path, "Eve")) as eve,
        Screen("online", *at(own_server, tmp_path, "Ann", *CREATE)) as ann,
    ):
        eve.expect("No open games.")
        ann.expect("Waiting for somebody to join.")
        found = GAME.search(ann.written)
        assert found is not None
        with Conversation(*at(own_server, tmp_path, "Bob", game=found[1])) as bob:
            ann.expect("Bob (O) joins")
            own_server.kill()
            for person in (ann, eve):
                person.expect("Connection lost; trying again")
            ann.type("C3\n")
            ann.expect("Your move is sent as soon as there is a connection.")
            ann.type("C2\n")
            ann.expect("Your move C3 counts; this one was not done.")
            ann.type("say Hello\n")
            ann.expect("This is done as soon as there is a connection.")
            eve.type("help\n")
            eve.expect("join NUMBER")
            eve.type("create gomoku\n")
            eve.expect("This is done as soon as there is a connection.")
            own_server.start()
            bob.expect("Ann (X) plays C3.")
            bob.expect("Ann (X): Hello")
            eve.expect("Waiting for somebody to join.")
            assert bob.end() == 0
        for person in (ann, eve):
            person.interrupt()
