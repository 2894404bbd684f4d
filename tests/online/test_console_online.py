"""Online play at the console, at real servers: games, people, what leads back, and terminals.

The program runs in the test's own loop, with pipes for its input; where signals and the keyboard
are the point it is a process.
"""

from __future__ import annotations

import io
import json
import logging
import os
import re
import signal
import stat
from collections.abc import Iterator
from pathlib import Path

import pytest
from filelock import FileLock

from tests.frontends.programs import Screen
from tests.machine import needs
from tests.online.console import CREATE, Consoles, Conversation
from tests.online.machines import running_proxy
from tests.online.processes import PATIENCE, Server
from tests.online.world import GENEROUS, World, limited
from tic_tac_toe_frontends.server.admin.cli import main as admin
from tic_tac_toe_frontends.server.logs import configure

pytestmark = [pytest.mark.anyio, pytest.mark.medium]

AGAINST_COMPUTER = (*CREATE, "--opponent", "minimax")


@pytest.fixture
def own_server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    """A process that serves."""
    with Server(tmp_path_factory.mktemp("own")).running() as server:
        yield server


@pytest.fixture
def own_console(console: Consoles, own_server: Server) -> Consoles:
    """Consoles at a server that is a process, and can be killed."""
    console.address = own_server.address
    return console


async def test_two_consoles_play_a_whole_game_talk_and_play_again_with_colours_swapped(
    console: Consoles,
) -> None:
    ann, bob = await console.two()
    await bob.expect("You play O.")
    await ann.expect("Bob (O) joins: the game begins.")
    ann.type("B2", "B1", "say I shall win")
    bob.type("A1", "A3")
    await bob.expect("Ann (X): I shall win")
    ann.type("B3")
    for person in (ann, bob):
        await person.expect("Ann (X) plays B3.", "Decided by B1, B2, B3.")
    await ann.expect("You win 🎉")
    await bob.expect(
        "You lose this time.", "Type keep to ask that the chat is kept with the record."
    )
    bob.type("keep")
    await ann.expect("Bob (O) asks to keep the chat")
    ann.type("accept")
    await bob.expect("Ann (X) agrees: the game's record shows the chat.")
    bob.type("rematch")
    await ann.expect("Bob (O) offers a rematch.", "Type accept or decline.")
    ann.type("accept")
    await bob.expect("Ann (X) accepts the rematch.", "Tic-tac-toe: Bob (X) against Ann (O).")
    await bob.expect("You play X.")
    ann.type("resign")
    await bob.expect("Ann (O) resigns.", "You win 🎉")


async def test_a_draw_and_a_move_taken_back_need_both(console: Consoles) -> None:
    ann, bob = await console.two("connect-four", "--clock", "600+5")
    await bob.expect("Clock: 10 minutes for each side, plus 5 seconds for every move.")
    ann.type("4", "undo")
    await bob.expect("Ann (X) asks to take their last move back.")
    bob.type("decline")
    await ann.expect("Bob (O) does not agree to take the move back.")
    ann.type("undo")
    await bob.expect("Ann (X) asks to take their last move back.")
    bob.type("accept")
    await ann.expect("Bob (O) agrees: the move is taken back.")
    await ann.expect("Your turn: you are X. Time left: X 10:0")
    ann.type("moves")
    await ann.expect("No moves yet.")
    bob.type("draw")
    await ann.expect("Bob (O) offers a draw.")
    ann.type("accept draw")
    for person in (ann, bob):
        await person.expect("The players have agreed on a draw.")


async def test_a_game_goes_on_where_it_was_after_the_server_was_killed(
    own_console: Consoles, own_server: Server
) -> None:
    ann, bob = await own_console.two()
    ann.type("A1")
    bob.type("B2")
    await ann.expect("Bob (O) plays B2.")
    own_server.kill()
    for person in (ann, bob):
        await person.expect("Connection lost; trying again in 1 s …")
    ann.type("A2")
    await ann.expect("Your move is sent as soon as there is a connection.")
    own_server.start()
    for person in (ann, bob):
        await person.expect("Connected again.", "Ann (X) plays A2.")
    bob.type("A3")
    ann.type("C1", "resign")
    for person in (ann, bob):
        await person.expect("Bob (O) plays A3.", "Ann (X) plays C1.")
    await ann.expect("You lose this time.")
    await bob.expect("You win 🎉")
    for person in (ann, bob):
        assert await person.end() == 0
    assert ann.written.count("Ann (X) plays A1.") == 1
    assert bob.written.count("Ann (X) plays A2.") == 1


async def test_a_player_who_comes_again_sits_in_the_same_seat(console: Consoles) -> None:
    ann = console("Ann", *CREATE, "--open")
    game = await console.invited(ann)
    assert await ann.end() == 0
    assert (
        f"To come back: tic-tac-toe online {console.address}/games/{game} --seat-file "
        in ann.written
    )
    seats = console.seats("Ann")
    assert stat.S_IMODE(seats.stat().st_mode) == 0o600

    ann = console("Ann", game=game)
    await ann.expect("You play X.")
    assert await ann.end() == 0
    ann = console("Ann")
    await ann.expect("You have a seat in a game here: type back.")
    ann.type("back")
    await ann.expect("You play X.")
    ann.type("leave")
    await ann.expect("No open games.")


async def test_the_lobby_shows_games_by_numbers_that_can_be_joined_or_watched(
    console: Consoles,
) -> None:
    bob = console("Bob")
    eve = console("Eve")
    for person in (bob, eve):
        await person.expect("No open games.")
    ann = console("Ann", "--create", "connect-four", "--seat", "O", "--open")
    for person in (bob, eve):
        await person.expect("New: 1. Connect Four, by Ann: X is free, X begins, no clock")
    eve.type("watch 1")
    await eve.expect("You watch.")
    bob.type("1", "4")
    await bob.expect("You play X.")
    await eve.expect("Bob (X) plays column 4.")
    await ann.expect("1 person watches.")
    eve.type("resign")
    await eve.expect("Only players can do that.")
    eve.type("leave")
    await eve.expect("No open games.")


async def test_a_computer_answers_and_lines_of_a_pipe_wait_for_their_turn(
    console: Consoles,
) -> None:
    ann = console("Ann", *AGAINST_COMPUTER)
    ann.type("В 2", "nonsense", "B2", "resign", "moves")
    assert await ann.end() == 0

    assert ann.written.index("Read В 2 as B2.") < ann.written.index("Ann (X) plays B2.")
    assert ann.written.index("Ann (X) plays B2.") < ann.written.index("Perfect (O) plays A1.")
    assert '"nonsense": expected a cell from A1 to C3' in ann.written
    assert "Cell is not empty: expected B1, C1, A2, C2, A3, B3, C3. Or type help." in ann.written
    assert "X B2, O A1" in ann.written
    assert "You lose this time." in ann.written


async def test_names_and_chat_of_others_can_do_no_harm(console: Consoles) -> None:
    ann = console("Ann\u202eevil", *CREATE)
    game = await console.invited(ann)
    bob = console("Bob", game=game)
    await bob.expect("Ann\\u202eevil (X)")
    ann.type("say \u2066red\u2069 \U0001f600 \u202e")
    await bob.expect("Ann\\u202eevil (X): \\u2066red\\u2069 \U0001f600 \\u202e")
    ann.type("say " + "x" * 201)
    await ann.expect("A line has at most 200 characters.")


@pytest.mark.parametrize(
    ("place", "said"),
    [
        ("{}/elsewhere", "no game server answers there"),
        ("{}/games/AAAAAAAAAAAAAAAAAAAAAA", "There is no such game, or no such seat for you"),
    ],
)
async def test_what_is_not_there_is_refused_in_one_line(
    console: Consoles, place: str, said: str
) -> None:
    program = console.at(place.format(console.address))
    assert await program.end() == 1
    assert program.written.count("\n") == 1
    assert said in program.written


@needs("nginx", "openssl")
async def test_a_certificate_that_is_not_trusted_is_told_in_one_line_with_what_to_do(
    own_console: Consoles, own_server: Server, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with running_proxy(tmp_path, [own_server.port]) as proxy:
        url = f"https://127.0.0.1:{proxy.port}"
        stranger = own_console.at(url)
        assert await stranger.end() == 1
        assert stranger.written.count("\n") == 1
        assert "its certificate is not trusted (self-signed certificate)" in stranger.written
        assert "SSL_CERT_FILE" in stranger.written
        monkeypatch.setenv("SSL_CERT_FILE", "no such file")
        lost = own_console.at(url)
        assert await lost.end() == 1
        assert "there is no file no such file, which SSL_CERT_FILE names" in lost.written
        monkeypatch.setenv("SSL_CERT_FILE", str(proxy.certificate))
        assert await own_console.at(url).end() == 0


async def test_the_end_of_the_input_ends_the_program_after_the_lobby_was_shown(
    console: Consoles,
) -> None:
    ann = console("Ann")
    assert await ann.end() == 0
    assert ann.written == "No open games.\nGoodbye!\n"


# -- on a terminal -----------------------------------------------------------------------------


async def test_what_others_do_appears_above_the_line_that_is_being_typed(console: Consoles) -> None:
    ann = console("Ann", *CREATE, on_terminal=True)
    game = await console.invited(ann)
    await ann.expect("\r\x1b[K> ")
    ann.press("say hal")
    await ann.expect("> say hal")
    bob = console("Bob", game=game)
    await bob.expect("You play O.")
    await ann.expect("\r\x1b[KBob (O) joins: the game begins.", "> say hal")
    ann.press("\x7flo\n")
    await bob.expect("Ann (X): halo")
    ann.press("b2\n")
    await ann.expect("Ann (X) plays B2.")
    bob.type("A1")
    await ann.expect("Bob (O) plays A1.", "\x1b[1;4mO\x1b[0m")
    assert await ann.end() == 0
    assert "Your seat stays yours." in ann.written


async def test_a_line_ends_the_wait_for_a_busy_server_and_quit_waits_for_nothing(
    console: Consoles, world: World
) -> None:
    console.go_to((await world.listen(limits=limited(GENEROUS, most_games=(1, 0))))[1])
    bob = console("Bob", *CREATE)
    ann = console("Ann", on_terminal=True)
    await console.invited(bob)
    await ann.expect("No open games.")
    for _ in range(2):
        ann.press("create tic-tac-toe\n")
        await ann.expect("The server has all the games that it can hold; trying again in 60 s.")
        ann.press("list\n")
        await ann.expect("The request is given up.", "No open games.")
    ann.press("create tic-tac-toe\n")
    await ann.expect("trying again in 60 s.")
    ann.press("quit\n")
    await ann.expect("Goodbye!")
    assert await ann.end() == 0
    assert "seat" not in ann.written.partition("Goodbye")[0].rpartition("60 s.")[2]


async def test_a_line_is_done_in_the_place_where_it_was_typed_or_not_at_all(
    own_console: Consoles,
) -> None:
    ann = own_console("Ann", on_terminal=True)
    await ann.expect("No open games.")
    ann.press("create tic-tac-toe\nhelp me\n")
    await ann.expect("You are elsewhere now, so this was not done: help me")
    ann.press("quit\n")


async def test_whoever_comes_back_is_told_why_and_sees_the_board_again(
    own_console: Consoles, own_server: Server
) -> None:
    ann, bob = await own_console.two("tic-tac-toe", "--clock", "600+5")
    ann.type("A1")
    bob.type("B2")
    await ann.expect("Bob (O) plays B2.")
    own_server.stop()
    own_server.start()
    await ann.expect("The server restarts.", "Connected again.", "2 . O .")
    await ann.expect("Your turn. Time left: X")


async def test_a_seat_that_could_not_be_kept_is_not_promised(console: Consoles) -> None:
    console.lock("Ann").mkdir()
    ann = console("Ann", *CREATE)
    await ann.expect("Your seats are not saved yet: cannot write")
    assert await ann.end() == 0
    assert "Your seat stays yours." not in ann.written


async def test_a_simple_terminal_gets_no_escape_sequence(console: Consoles) -> None:
    ann = console("Ann", *AGAINST_COMPUTER, "--plain", on_terminal=True)
    await ann.expect("Your turn: you are X.", "> ")
    ann.press("B2\n")
    await ann.expect("Perfect (O) plays A1.", "> ")
    ann.press("quit\n")

    assert await ann.end() == 0
    assert "\x1b" not in ann.written


async def test_a_narrow_terminal_shows_the_end_of_a_long_line(
    console: Consoles, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("COLUMNS", "24")
    ann = console("Ann", on_terminal=True)
    await ann.expect("No open games.")
    ann.press("0123456789" * 4)
    await ann.expect("> …")
    ann.press("x")
    await ann.expect("789x")

    lines = re.sub(r"\x1b\[[0-9;?]*[A-Za-z]", "", ann.written).replace("\r", "\n").split("\n")
    assert max(map(len, lines)) <= 24


async def test_help_tells_what_can_be_typed_in_the_lobby_and_in_a_game(console: Consoles) -> None:
    ann = console("Ann", "--seat", "X")
    ann.type("help", "create gomoku hard", "help", "who", "board")
    assert await ann.end() == 0

    for line in ("join NUMBER", "create VARIANT hard", "say TEXT", "offer a draw", "A1 to O15"):
        assert line in ann.written


async def test_two_consoles_play_a_game_with_letters_in_which_players_have_names(
    console: Consoles,
) -> None:
    ann, bob = await console.two("order-and-chaos", "--clock", "600+5")
    await bob.expect("You play Chaos.")
    await ann.expect("Your turn: you are Order. Time left: Order 10:00, Chaos 10:00.")
    ann.type("help", "B2", "OB2")
    await ann.expect("Begin with what you place there, as in XD4 or OD4.")
    await ann.expect('"B2": expected first X or O, and then a cell from A1 to F6, as in XA1.')
    for person in (ann, bob):
        await person.expect("Ann (Order) puts O on B2.")
    bob.type("XB2", "XC3")
    await bob.expect("Cell is not empty: expected a move such as XA1 or OF6.")
    await ann.expect("Bob (Chaos) puts X on C3.")
    ann.type("moves", "resign")
    await ann.expect("OB2, XC3")
    await bob.expect("You win 🎉")


async def test_two_consoles_play_now_and_abort_and_find_the_game_in_their_lists(
    console: Consoles,
) -> None:
    ann = console("Ann")
    ann.type("now gomoku 5+3")
    await ann.expect("Waiting for somebody who wants to play …")
    bob = console("Bob")
    bob.type("now gomoku 5+3")
    await bob.expect("An opponent is found.")
    await bob.expect("5 minutes for each side, plus 3 seconds for every move")
    for person in (ann, bob):
        await person.expect("The first move has to be made")
    bob.type("abort")
    await bob.expect("has aborted the game.")
    for person in (ann, bob):
        await person.expect("The game was aborted; it counts for nobody.")
    ann.type("leave", "games")
    await ann.expect("Your games:", "1. Gomoku against Bob: ended without a result")
    ann.type("back 2")
    await ann.expect("No game has this number. Type games.")
    ann.type("back 1")
    await ann.expect("The game was aborted; it counts for nobody.")


async def test_watchers_talk_and_a_player_who_is_there_has_not_left(console: Consoles) -> None:
    ann, bob = await console.two()
    ann.type("B2")
    bob.type("A1")
    await ann.expect("Bob (O) plays A1.")
    eve = console("Eve", "--watch", game=ann.game)
    await eve.expect("You watch.")
    eve.type("say X wins")
    await eve.expect("Eve: X wins")
    ann.type("claim")
    await ann.expect("The other player is there, or has not been gone for long.")
    ann.type("claim nonsense")
    await ann.expect("Type claim, or claim draw.")
    ann.type("resign")
    await bob.expect("Eve: X wins")
    assert await eve.end() == 0
    assert "X wins" not in ann.written.partition("resign")[0]


async def test_lines_are_hidden_and_reported_and_players_blocked(console: Consoles) -> None:
    ann, bob = await console.two()
    bob.type("say Boo")
    await ann.expect("Bob (O): Boo")
    ann.type("report")
    await ann.expect("Bob (O): Boo")  # what comes between is told when it happens
    await ann.expect("Reported to the operator of this server.")
    ann.type("report name", "report 2", "report it")
    await ann.expect("Reported to the operator of this server.")
    await ann.expect("There is no such line or name to report.")
    await ann.expect("Type report, report 2 for the line before, or report name.")
    bob.type("report")
    await bob.expect("Nobody else has said anything here.")
    ann.type("mute")
    await ann.expect("You do not see what Bob (O) says. Type unmute to see it again.")
    bob.type("say Boo again", "undo")
    await bob.expect("There is no move to take back.")
    ann.type("say quiet")
    await bob.expect("Ann (X): quiet")
    assert "Boo again" not in ann.written
    ann.type("report")
    await ann.expect("Bob (O): Boo", "Reported to the operator of this server.")
    ann.type("block")
    await ann.expect("You will not meet this player again")
    ann.type("unblock", "unmute")
    await ann.expect("You can meet this player again.", "You see what everybody says.")
    bob.type("say Hello")
    await ann.expect("Bob (O): Hello")


async def test_an_offer_is_withdrawn_and_own_answers_are_told_as_one_s_own(
    console: Consoles,
) -> None:
    ann, bob = await console.two()
    await ann.expect("Bob (O) joins")
    ann.type("draw", "withdraw")
    await ann.expect("You take your offer back.")
    await bob.expect("Ann (X) takes the offer back.")
    bob.type("accept")
    await bob.expect("There is no such offer to answer.")
    bob.type("draw")
    await ann.expect("Bob (O) offers a draw.")
    ann.type("decline")
    await ann.expect("You decline the draw.")


async def test_a_code_takes_games_to_another_device_where_the_own_stay(console: Consoles) -> None:
    log = io.StringIO()
    configure(log, as_json=True, level=logging.DEBUG)
    ann, bob = await console.two()
    ann.type("B2", "code")
    await ann.expect(f"{console.address}/#code=", "Whoever has this code can play in your seats.")
    file = console.seats("Ann")
    code = json.loads(file.read_text())["codes"][console.address]
    assert code in ann.written
    assert stat.S_IMODE(file.stat().st_mode) == 0o600
    phone = console("Phone", *CREATE)
    await console.invited(phone)
    assert await phone.end() == 0
    phone = console("Phone", "--code")
    await phone.expect("Your code from another device:")
    phone.type(code)
    await phone.expect("This device has the code now.")
    phone.type("code nonsense")
    await phone.expect("This is no code")
    phone.type("games")
    await phone.expect("1. Tic-tac-toe: waiting for an opponent")
    await phone.expect("2. Tic-tac-toe against Bob: in progress")
    phone.type("back 2")
    await phone.expect("Bob (O) to move.")
    bob.type("A1")
    await phone.expect("Bob (O) plays A1.")
    phone.type("C3")
    await bob.expect("Ann (X) plays C3.")
    assert await phone.end() == 0
    assert await ann.end() == 0
    assert await bob.end() == 0
    assert code not in log.getvalue()


async def test_the_bell_rings_for_an_opponent_and_for_a_move_unless_it_is_off(
    console: Consoles,
) -> None:
    ann = console("Ann", *CREATE, on_terminal=True)
    game = await console.invited(ann)
    assert "\a" not in ann.written
    bob = console("Bob", game=game)
    await ann.expect("\a", "Bob (O) joins: the game begins.")
    ann.press("B2\n")
    bob.type("A1")
    await ann.expect("\a", "Bob (O) plays A1.")
    ann.press("bell off\n")
    await ann.expect("The bell is off.")
    ann.press("C3\n")
    await bob.expect("Ann (X) plays C3.")
    bob.type("A2")
    await ann.expect("Bob (O) plays A2.")
    assert ann.written.count("\a") == 2
    assert await bob.end() == 0
    await ann.end()
    assert "\a" not in bob.written


def operate(server: Server, *words: str) -> None:
    assert admin([*words, "--data", str(server.data)], "tic-tac-toe serve admin") == 0


async def test_a_game_that_had_a_rematch_is_opened_again_and_stays(console: Consoles) -> None:
    ann, bob = await console.two()
    await bob.expect("You play O.")
    ann.type("B2", "resign")
    await bob.expect("You win 🎉")
    bob.type("rematch")
    await ann.expect("Bob (O) offers a rematch.")
    ann.type("accept")
    for person in (ann, bob):
        await person.expect("Tic-tac-toe: Bob (X) against Ann (O).")
    ann.type("leave", "back 1", "moves", "leave", "back 2", "moves")
    await ann.expect("There has been a rematch: type leave, and then games.", "X B2")
    await ann.expect("Tic-tac-toe: Bob (X) against Ann (O).", "No moves yet.")
    assert await ann.end() == 0
    assert await bob.end() == 0
    assert "There has been a rematch" not in bob.written


async def test_a_request_that_a_drain_puts_off_is_asked_again_when_it_is_over(
    own_console: Consoles, own_server: Server
) -> None:
    ann = own_console("Ann", on_terminal=True)
    await ann.expect("No open games.")
    operate(own_server, "drain")
    ann.press("create tic-tac-toe\n")
    await ann.expect("trying again in 60 s. Any line")
    ann.press("\nhelp\n")
    await ann.expect("join NUMBER")
    operate(own_server, "drain", "--off")
    await ann.expect("The server begins new games again.", "Waiting for somebody to join.")
    await ann.end()
    assert "given up" not in ann.written


async def test_a_list_of_games_needs_no_file_that_can_be_written(console: Consoles) -> None:
    ann, bob = await console.two()
    ann.type("B2", "leave")
    await ann.expect("You have a seat in a game here: type back.")
    with FileLock(console.lock("Ann")):
        ann.type("games")
        await ann.expect("Your seats are not saved yet: cannot write")
        await ann.expect("1. Tic-tac-toe against Bob: in progress")
        ann.type("back", "resign")
        await bob.expect("You win 🎉")
        assert await ann.end() == 0
    assert "Not all is saved: cannot write" in ann.written
    assert "To come back: tic-tac-toe online" in ann.written
    assert "and type games." in ann.written


async def test_a_seat_of_which_nothing_is_saved_is_found_by_the_code_that_is_told(
    console: Consoles,
) -> None:
    with FileLock(console.lock("Ann")):
        ann = console("Ann", *CREATE)
        await console.invited(ann)
        assert await ann.end() == 0
    code = ann.written.partition("type the code ")[2].partition(",")[0]
    ann = console("Ann", "--code")
    ann.type(code, "games", "back")
    await ann.expect("1. Tic-tac-toe: waiting for an opponent", "You play X.")
    ann.type("leave")
    assert await ann.end() == 0
    assert json.loads((console.seats("Ann")).read_text())["codes"] == {console.address: code}


async def test_words_are_true_where_nothing_can_be_done(console: Consoles) -> None:
    ann, bob = await console.two()
    await bob.expect("You play O.")
    ann.type("B2", "withdraw", "block")
    await ann.expect("You have offered nothing that could be taken back.")
    await ann.expect("You will not meet this player again")
    bob.type("A1")
    ann.type("resign")
    await ann.expect("Type leave to go to the lobby.")
    await bob.expect("Type rematch for another game, or leave.")
    bob.type("rematch")
    await bob.expect("The other player does not take this.")
    bob.type("")
    await bob.expect("Type leave to go to the lobby.")
    ann.type("leave", "back")
    await ann.expect("No game of yours goes on. Type games, and back NUMBER opens one of the list.")
    assert "rematch" not in ann.written


async def test_a_game_that_waits_is_closed_by_leave_and_its_words_say_so(console: Consoles) -> None:
    ann = console("Ann", *CREATE)
    await ann.expect("To close the game type leave; quit keeps it.")
    ann.type("say Hello?", "abort")
    await ann.expect("Nobody has joined yet: to close the game type leave.")
    ann.type("help", "leave")
    await ann.expect("your seat stays yours, but a game that nobody has")
    await ann.expect("The game was closed before it began.")
    assert await ann.end() == 0
    assert "Type keep" not in ann.written


async def test_what_is_typed_without_a_connection_is_kept_or_told_to_be_dropped(
    own_console: Consoles, own_server: Server
) -> None:
    eve = own_console("Eve", on_terminal=True)
    ann = own_console("Ann", *CREATE, on_terminal=True)
    await eve.expect("No open games.")
    game = await own_console.invited(ann)
    bob = own_console("Bob", game=game)
    await ann.expect("Bob (O) joins")
    own_server.kill()
    for person in (ann, eve):
        await person.expect("Connection lost; trying again")
    ann.press("C3\n")
    await ann.expect("Your move is sent as soon as there is a connection.")
    ann.press("C2\n")
    await ann.expect("Your move C3 counts; this one was not done.")
    ann.press("say Hello\n")
    await ann.expect("This is done as soon as there is a connection.")
    eve.press("help\n")
    await eve.expect("join NUMBER")
    eve.press("create gomoku\n")
    await eve.expect("This is done as soon as there is a connection.")
    own_server.start()
    await bob.expect("Ann (X) plays C3.", "Ann (X): Hello")
    await eve.expect("Waiting for somebody to join.")


# -- as a process ------------------------------------------------------------------------------


def arguments(server: Server, *more: str) -> tuple[str, ...]:
    """Return the arguments of a program at a server, with a file of seats beside its data."""
    return (server.address, "--name", "Ann", "--seat-file", f"{server.data.parent}/seats", *more)


def test_a_refusal_is_one_line_of_a_process() -> None:
    with Conversation("http://127.0.0.1:1") as program:
        assert program.end() == 1
        said = "tic-tac-toe: cannot play at http://127.0.0.1:1: Connection refused\n"
        assert program.written == said


def test_a_signal_ends_the_program_in_order(own_server: Server) -> None:
    with Conversation(*arguments(own_server, *CREATE)) as ann:
        ann.expect("Waiting for somebody to join.")
        ann.process.terminate()
        assert ann.process.wait(PATIENCE) == 143
        ann.expect("Your seat stays yours. To come back: tic-tac-toe online http")
        ann.expect("Goodbye!")


@pytest.mark.parametrize(("keys", "status"), [("\x04", 0), ("garb\x15exit\n", 0), ("\x03", 130)])
def test_ctrl_d_quit_and_ctrl_c_end_in_order_and_give_the_keyboard_back(
    own_server: Server, keys: str, status: int
) -> None:
    with Screen("online", *arguments(own_server)) as ann:
        ann.expect("No open games.")
        ann.expect("> ")
        ann.type(keys)
        ann.expect("Goodbye!")

        assert ann.end() == status
        assert ann.echoes()


def test_a_program_that_was_stopped_takes_the_keyboard_again(own_server: Server) -> None:
    with Screen("online", *arguments(own_server)) as ann:
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
