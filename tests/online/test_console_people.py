"""What a person at the console can do about others, and for the own games, at a real server."""

from __future__ import annotations

import json
import stat
from pathlib import Path

from tests.frontends.programs import Screen
from tests.online.conversations import Conversation
from tests.online.processes import Server
from tests.online.test_console_online import CREATE, at, invited, server, two_players

__all__ = ["server"]


def test_lines_are_hidden_and_reported_and_players_blocked(server: Server, tmp_path: Path) -> None:
    with two_players(server, tmp_path) as (ann, bob):
        bob.type("say Boo")
        ann.expect("Bob (O): Boo")
        ann.type("report")
        ann.expect("Bob (O): Boo")  # what comes between is told when it happens
        ann.expect("Reported to the operator of this server.")
        ann.type("report name", "report 2", "report it")
        ann.expect("Reported to the operator of this server.")
        ann.expect("There is no such line or name to report.")
        ann.expect("Type report, report 2 for the line before, or report name.")
        bob.type("report")
        bob.expect("Nobody else has said anything here.")
        ann.type("mute")
        ann.expect("You do not see what Bob (O) says. Type unmute to see it again.")
        bob.type("say Boo again", "undo")
        bob.expect("There is no move to take back.")
        ann.type("say quiet")
        bob.expect("Ann (X): quiet")
        assert "Boo again" not in ann.written
        ann.type("report")
        ann.expect("Bob (O): Boo")
        ann.expect("Reported to the operator of this server.")
        ann.type("block")
        ann.expect("You will not meet this player again")
        ann.type("unblock", "unmute")
        ann.expect("You can meet this player again.")
        ann.expect("You see what everybody says.")
        bob.type("say Hello")
        ann.expect("Bob (O): Hello")
        assert ann.end() == 0
        assert bob.end() == 0


def test_an_offer_is_withdrawn_and_own_answers_are_told_as_one_s_own(
    server: Server, tmp_path: Path
) -> None:
    with two_players(server, tmp_path) as (ann, bob):
        ann.expect("Bob (O) joins")
        ann.type("draw", "withdraw")
        ann.expect("You take your offer back.")
        bob.expect("Ann (X) takes the offer back.")
        bob.type("accept")
        bob.expect("There is no such offer to answer.")
        bob.type("draw")
        ann.expect("Bob (O) offers a draw.")
        ann.type("decline")
        ann.expect("You decline the draw.")
        assert ann.end() == 0
        assert bob.end() == 0


def test_a_code_takes_games_to_another_device_where_the_own_stay(
    server: Server, tmp_path: Path
) -> None:
    with two_players(server, tmp_path) as (ann, bob):
        ann.type("B2", "code")
        ann.expect(f"{server.address}/#code=")
        ann.expect("Whoever has this code can play in your seats.")
        file = tmp_path / "Ann.json"
        code = json.loads(file.read_text())["codes"][server.address]
        assert code in ann.written
        assert stat.S_IMODE(file.stat().st_mode) == 0o600
        with Conversation(*at(server, tmp_path, "Phone", *CREATE)) as phone:
            invited(phone)
            assert phone.end() == 0
        with Conversation(*at(server, tmp_path, "Phone", "--code")) as phone:
            phone.expect("Your code from another device:")
            phone.type(code)
            phone.expect("This device has the code now.")
            phone.type("code nonsense")
            phone.expect("This is no code")
            phone.type("games")
            phone.expect("1. Tic-tac-toe: waiting for an opponent")
            phone.expect("2. Tic-tac-toe against Bob: in progress")
            phone.type("back 2")
            phone.expect("Bob (O) to move.")
            bob.type("A1")
            phone.expect("Bob (O) plays A1.")
            phone.type("C3")
            bob.expect("Ann (X) plays C3.")
            assert phone.end() == 0
        assert ann.end() == 0
        assert bob.end() == 0
    assert code not in server.said()


def test_the_bell_rings_for_an_opponent_and_for_a_move_unless_it_is_off(
    server: Server, tmp_path: Path
) -> None:
    with Screen("online", *at(server, tmp_path, "Ann", *CREATE)) as ann:
        game = invited(ann)  # type: ignore[arg-type]
        assert "\a" not in ann.written
        with Conversation(*at(server, tmp_path, "Bob", game=game)) as bob:
            ann.expect("\a")
            ann.expect("Bob (O) joins: the game begins.")
            ann.type("B2\n")
            bob.type("A1")
            ann.expect("\a")
            ann.expect("Bob (O) plays A1.")
            ann.type("bell off\n")
            ann.expect("The bell is off.")
            ann.type("C3\n")
            bob.expect("Ann (X) plays C3.")
            bob.type("A2")
            ann.expect("Bob (O) plays A2.")
            assert ann.written.count("\a") == 2
            assert bob.end() == 0
        ann.interrupt()
    assert "\a" not in bob.written
