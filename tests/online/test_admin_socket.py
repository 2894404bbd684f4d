"""Only the operator of a real server reaches it, by one command after the other, each bounded."""

from __future__ import annotations

import asyncio
import json
import os
import socket
import stat
import sys
import time
from collections.abc import AsyncIterator, Callable, Iterator
from contextlib import suppress
from pathlib import Path

import pytest
from websockets.exceptions import InvalidStatus

from tests.frontends.programs import bare
from tests.online.bots import Caller
from tests.online.console import Consoles
from tests.online.processes import FORK_SERVER, PATIENCE, Server
from tests.online.world import any_token, until
from tic_tac_toe.protocols.online.addresses import address_of_new_game
from tic_tac_toe.protocols.online.requests import CHAT_LINE, Chat, Create, Hello, Join, Report
from tic_tac_toe_frontends.command.cli import main as tic_tac_toe
from tic_tac_toe_frontends.server.admin.cli import send_command
from tic_tac_toe_frontends.server.admin.endpoint import (
    AT_ONCE,
    MOST_BYTES,
    AdminError,
    listen,
    usable_address,
)
from tic_tac_toe_frontends.server.args import PORT
from tic_tac_toe_frontends.server.cli import main
from tic_tac_toe_frontends.server.nodes.options import DATABASE_VARIABLE
from tic_tac_toe_frontends.server.wire.web_socket import POLICY

pytestmark = pytest.mark.anyio

PROG = "tic-tac-toe serve"
#: A user who is not the operator, where tests run as root.
STRANGER = 65_534
#: The exit status of a stranger who was answered.
ANSWERED = 3
Told = Callable[..., str]


@pytest.fixture
def server(tmp_path: Path) -> Iterator[Server]:
    """A server process."""
    with Server(tmp_path).running() as server:
        yield server


@pytest.fixture(scope="module")
def shared(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    """A server process for tests that leave it as it was."""
    with Server(tmp_path_factory.mktemp("shared")).running() as server:
        yield server


@pytest.fixture
async def console(server: Server, tmp_path: Path) -> AsyncIterator[Consoles]:
    """Consoles at the server process."""
    consoles = Consoles(tmp_path)
    consoles.address = server.address
    yield consoles
    await consoles.close()


def socket_of(server: Server) -> Path:
    """Return the place of the socket of a server that has started."""
    assert server.get("/health")[0] == 200
    return server.data.with_name(f"{server.data.name}.admin") / "socket"


def operate(server: Server, *words: str) -> int:
    """Give a command on the command line, and return its exit status."""
    return main(["admin", *words, "--data", str(server.data), "--lang", "en"], PROG)


def visit_as_stranger(path: Path) -> None:
    """Ask a server something as another user, who has come as far as into the folder."""
    os.chdir(path.parent)
    os.setgroups([])
    os.setgid(STRANGER)
    os.setuid(STRANGER)
    with suppress(OSError), socket.socket(socket.AF_UNIX) as probe:
        probe.settimeout(PATIENCE)
        probe.connect(path.name)
        probe.sendall(b'{"command": "status"}\n')
        sys.exit(ANSWERED if probe.recv(1) else 0)


@pytest.mark.medium
def test_only_the_operator_reaches_a_server(shared: Server) -> None:
    path = socket_of(shared)
    assert stat.S_IMODE(path.parent.stat().st_mode) == 0o700
    assert stat.S_IMODE(path.stat().st_mode) == 0o600
    if os.geteuid() == 0:
        stranger = FORK_SERVER.Process(target=visit_as_stranger, args=(path,))
        stranger.start()
        stranger.join(PATIENCE)
        assert stranger.exitcode == 0


@pytest.mark.medium
def test_the_socket_is_gone_with_its_server_and_one_of_a_killed_server_is_replaced(
    server: Server,
) -> None:
    path = socket_of(server)
    server.kill()
    assert path.exists()
    with pytest.raises(OSError, match="refused"):
        list(send_command(path, {"command": "status"}))
    server.start()
    assert socket_of(server) == path
    assert list(send_command(path, {"command": "status"}))[-1] == {"ok": True}
    server.stop()
    assert not path.exists()


@pytest.mark.medium
def test_a_server_takes_no_socket_of_another_that_runs(shared: Server, tmp_path: Path) -> None:
    path = socket_of(shared)
    (tmp_path / "other").mkdir()
    other = Server(tmp_path / "other", options=["--admin", str(path)])
    other.launch()
    assert other.process is not None
    other.process.join(PATIENCE)
    assert other.process.exitcode == 1
    assert "another server listens there" in other.said()
    assert list(send_command(path, {"command": "status"}))[-1] == {"ok": True}


def test_no_socket_is_opened_where_others_could_reach_it(tmp_path: Path) -> None:
    for folder, mode in (("open", 0o755), ("group", 0o750)):
        (tmp_path / folder).mkdir()
        (tmp_path / folder).chmod(mode)
        with pytest.raises(AdminError, match="others can enter"):
            listen(tmp_path / folder / "socket")
    (tmp_path / "own").mkdir(mode=0o700)
    (tmp_path / "link").symlink_to("own")
    with pytest.raises(AdminError, match="not a folder of yours"):
        listen(tmp_path / "link" / "socket")
    (tmp_path / "own" / "file").write_text("precious")
    with pytest.raises(AdminError, match="something else"):
        listen(tmp_path / "own" / "file")
    assert (tmp_path / "own" / "file").read_text() == "precious"


def test_a_path_of_any_length_will_do(tmp_path: Path) -> None:
    folder = tmp_path / ("f" * 120)
    with listen(folder / "socket") as listener, usable_address(folder / "socket") as address:
        with socket.socket(socket.AF_UNIX) as probe:
            probe.connect(address)
        assert listener.fileno() >= 0


def test_the_operators_command_line_needs_no_package_of_a_server() -> None:
    ended = bare("-m", "command", "serve", "admin", "status", "--admin", "/no/socket")
    assert (ended.returncode, ended.stdout) == (1, "")
    assert "no server answers at /no/socket" in ended.stderr


# -- what is asked ---------------------------------------------------------------------------------


def answer_to(path: Path, data: bytes) -> bytes:
    """Return all that a server says to some bytes."""
    with usable_address(path) as address, socket.socket(socket.AF_UNIX) as connection:
        connection.settimeout(PATIENCE)
        connection.connect(address)
        try:
            connection.sendall(data)
            return b"".join(iter(lambda: connection.recv(4096), b""))
        except (BrokenPipeError, ConnectionResetError):
            return b""


@pytest.mark.parametrize(
    "command",
    [
        b"nonsense\n",
        b"[]\n",
        b"{}\n",
        b"\xff\n",
        b'{"command": 1}\n',
        b'{"command": "__init__"}\n',
        b'{"command": "show"}\n',
        b'{"command": "show", "game": "sh ort"}\n',
        b'{"command": "status", "more": 1}\n',
        b'{"command": "ban", "network": "nowhere", "seconds": 1}\n',
        b'{"command": "ban", "network": "192.0.2.1", "seconds": 0}\n',
        b'{"command": "games", "limit": 1001}\n',
        b'{"command": "drain", "off": 1}\n',
        b'{"command": "announce", "text": " "}\n',
        b'{"command": "announce", "text": "two\\nlines"}\n',
    ],
)
def test_what_is_no_command_is_refused(shared: Server, command: bytes) -> None:
    answer = json.loads(answer_to(socket_of(shared), command))
    assert answer["error"] == "unreadable"


def test_a_command_and_those_who_ask_are_bounded(shared: Server) -> None:
    path = socket_of(shared)
    assert answer_to(path, b"x" * (20 * MOST_BYTES)) == b""
    assert answer_to(path, b'{"command": "' + b"x" * MOST_BYTES + b'"}\n') == b""
    with usable_address(path) as address:
        idle = [socket.socket(socket.AF_UNIX) for _ in range(AT_ONCE)]
        try:
            for each in idle:
                each.connect(address)
            end = time.monotonic() + PATIENCE
            while answer_to(path, b'{"command": "status"}\n') and time.monotonic() < end:
                time.sleep(0.01)
            assert answer_to(path, b'{"command": "status"}\n') == b""
        finally:
            for each in idle:
                each.close()
    while not answer_to(path, b'{"command": "status"}\n'):
        assert time.monotonic() < end


# -- one after the other ---------------------------------------------------------------------------


async def _play(server: Server) -> tuple[str, Caller, Caller]:
    """Return a game that two players have begun to talk in, and their connections."""
    ann, bob = await Caller.at(server), await Caller.at(server)
    token, other = any_token(), any_token()
    await ann.ask(Create("a1", token, "tic-tac-toe", "Ann", seat="X", open=True))
    game = address_of_new_game(token, "a1")
    await bob.ask(Join("b1", game, other, "Bob"))
    await ann.ask(Chat("a2", "rude words"))
    return game, ann, bob


async def _play_and_leave(server: Server) -> str:
    game, *players = await _play(server)
    for player in players:
        await player.close()
    return game


@pytest.fixture
def told(server: Server, capsys: pytest.CaptureFixture[str]) -> Told:
    """Returns what a command prints that ends with an exit status."""

    def told(*words: str, status: int = 0) -> str:
        assert operate(server, *words) == status
        return "".join(capsys.readouterr())

    return told


@pytest.mark.medium
async def test_the_commands_about_games_do_what_they_say_at_a_server_at_work(
    server: Server, told: Told
) -> None:
    assert server.get("/health")[0] == 200
    game, *players = await _play(server)
    text = told("status")
    assert "connections: 2; addresses: 1" in text
    assert f"MiB in {server.data}" in text
    assert "connections from 127.0.0.1: 2" in text
    assert f"{game}  " in told("games", "--name", "ann", "--state", "playing")
    assert "Ann – Bob" in told("games", game[:6], "--from", "127.0.0.0/8")
    assert "rude words" in told("show", game)
    assert "There are no reports." in told("reports")
    await players[1].ask(Report("b9", CHAT_LINE, line=3))
    reported = told("reports")
    assert f'{game}  chat  3  Ann (X)  "rude words"' in reported
    assert reported.startswith("report, since when")
    assert "no such games" in told("games", "--name", "nobody")
    assert "no such report" in told("dismiss", "nothing", status=1)
    assert "removed" in told("line", game, "3")
    assert "rude words" not in told("show", game)
    assert "removed=true" in told("show", game)
    assert told("games").startswith("address, since when (local time)")
    assert "another name" in told("rename", game[:8], "x", "Anna")
    assert "Anna" in told("show", f"{server.address}/games/{game}")
    assert "no line of chat" in told("line", game, "1", status=1)
    assert json.loads(told("export", game, "X"))["name"] == "Anna"
    assert "not over" in told("forget", game, "X", status=1)
    assert "has been ended" in told("end", game, "--reason", "enough")
    assert "over already" in told("end", game, status=1)
    assert "have been removed" in told("forget", game, "X")
    assert "Anna" not in told("games")
    assert server.get(f"/games/{game}")[0] == 200
    assert "Only its players" in told("hide", game)
    assert server.get(f"/games/{game}")[0] == 404
    assert "Everybody" in told("unhide", game)
    assert server.get(f"/games/{game}")[0] == 200
    assert "has been deleted" in told("delete", game)
    assert server.get(f"/games/{game}")[0] == 404
    assert "no such game" in told("show", game, status=1)
    for player in players:
        await player.close()


@pytest.mark.medium
async def test_the_commands_about_clients_do_what_they_say_at_a_server_at_work(
    server: Server, told: Told
) -> None:
    assert server.get("/ready")[0] == 200
    _game, ann, bob = await _play(server)
    assert "were told: 2" in told("announce", "a word")
    notice = {"type": "notice", "text": "a word"}
    await until(lambda: notice in bob.heard, "the announcement")
    assert "No new games" in told("drain", "--for", "1h")
    assert server.get("/ready")[0] == 503
    assert "s: begins no new games" in told("status")
    assert "can be begun again" in told("drain", "--off")
    assert server.get("/ready")[0] == 200
    assert "kept away until" in told("ban", "127.0.0.1", "--for", "2h", "--why", "a test")
    await asyncio.wait_for(asyncio.gather(ann.reading, bob.reading), PATIENCE)
    assert ann.socket.close_code == POLICY
    assert server.get("/games")[0] == 403
    with pytest.raises(InvalidStatus, match="403"):
        await Caller.at(server)
    server.stop()
    server.start()
    assert server.get("/health")[0] == 403
    assert "a test" in told("bans")
    assert "is let in again" in told("unban", "127.0.0.1")
    assert server.get("/health")[0] == 200
    assert "Nobody is kept away." in told("bans")
    link = server.data.with_name("link.sqlite")
    link.symlink_to(server.data)
    assert "running for" in told("status", "--data", str(link))
    assert "is a folder" in told("status", "--admin", str(link.parent), status=1)
    assert json.loads((told("status", "--json")).splitlines()[0])["bans"] == 0
    nowhere = ("status", "--admin", "nowhere/socket")
    assert "no server answers" in told(*nowhere, status=1)
    assert told(*nowhere, "--json", status=1).startswith('{"error": {"code": "refused", ')


@pytest.mark.medium
async def test_a_console_shows_what_the_operator_says_and_removes(
    server: Server, console: Consoles, told: Told
) -> None:
    game = await _play_and_leave(server)
    watcher = console("Eve", "--watch", game=game)
    await watcher.expect("Ann (X): rude words")
    for words, shown in (
        (("announce", "back at noon"), "The operator of the server says: back at noon"),
        (("line", game, "3"), "Ann (X): (this line was removed)"),
        (("rename", game, "X", "Anna"), "The operator of this server has changed this game:"),
        (("drain",), "The server begins no new games at the moment."),
        (("drain", "--off"), "The server begins new games again."),
    ):
        told(*words)
        await watcher.expect(shown)
    assert "Anna (X)" in watcher.written


@pytest.mark.medium
async def test_a_console_in_a_game_that_is_deleted_says_so_and_goes_to_the_lobby(
    server: Server, console: Consoles, told: Told
) -> None:
    player = console("Ann", "--create", "tic-tac-toe")
    await player.expect("Waiting for somebody to join.")
    watcher = console("Eve", "--watch", game=player.game)
    await watcher.expect("You watch.")
    told("delete", player.game)
    for person in (player, watcher):
        await person.expect("The operator of this server has deleted this game.", "No open games.")
        assert await person.end() == 0
        assert "onnect" not in person.written.partition("deleted")[2]


@pytest.mark.medium
async def test_a_console_whose_address_is_banned_says_so_and_comes_back_when_it_is_let_in(
    server: Server, console: Consoles, told: Told
) -> None:
    why = "The operator of this server keeps your address away until 2"
    player = console("Ann")
    await player.expect("No open games.")
    told("ban", "127.0.0.1", "--for", "1h")
    await player.expect(why)
    assert why in server.get("/games")[1]
    other = console("Bob")
    await other.expect(f"cannot play at {server.address}: {why}")
    assert await other.end() == 1
    told("unban", "127.0.0.1")
    await player.expect("Connected again.")
    assert player.written.count(why) == 1
    assert "error" not in server.said()


@pytest.mark.medium
def test_the_log_names_addresses_only_where_the_operator_asks_for_it(tmp_path: Path) -> None:
    async def visit(server: Server) -> None:
        caller = await Caller.at(server)
        await caller.ask(Hello("h1", 1))
        await caller.close()

    for options, named in (([], False), (["--log-addresses"], True)):
        folder = tmp_path / str(named)
        folder.mkdir()
        with Server(folder, options=options).running() as server:
            asyncio.run(visit(server))
            assert operate(server, "ban", "127.0.0.1", "--for", "1h") == 0
            assert server.get("/")[0] == 403
        lines = [line for line in server.said().splitlines() if line.startswith("{")]
        entries = [json.loads(line) for line in lines]
        events = [entry["event"] for entry in entries if entry.get("address") == "127.0.0.1"]
        expected = ["connection opened", "connection closed", "banned address refused"]
        assert events == expected * named
        (ban,) = (entry for entry in entries if entry["event"] == "operator")
        assert ("network" in ban) == named


@pytest.mark.parametrize(
    ("words", "problem"),
    [
        (["announce", " "], "a line that says something is needed"),
        (["ban", "foo", "--for", "1h"], "an address or a network such as"),
        (["ban", "127.0.0.0/33", "--for", "1h"], "an address or a network such as"),
        (["show", "no address"], "neither a game's address nor its URL"),
        (["drain", "--off", "--for", "1h"], "--for"),
    ],
)
def test_what_cannot_be_asked_is_refused_in_words(
    capsys: pytest.CaptureFixture[str], words: list[str], problem: str
) -> None:
    assert main(["admin", *words, "--lang", "en"], PROG) == 2
    assert problem in capsys.readouterr().err


@pytest.mark.parametrize("command", ["show", "games"])
@pytest.mark.parametrize(
    "named",
    [
        *("-_v7Bw773x97iPO2ctRfwA", "--v7Bw773x97iPO2ctRfwA", "-i6hv"),
        "https://play.example.org/games/-_v7Bw773x97iPO2ctRfwA",
        "https://play.example.org/#game=-_v7Bw773x97iPO2ctRfwA",
    ],
)
def test_a_game_whose_address_looks_like_an_option_is_named_as_any_other(
    monkeypatch: pytest.MonkeyPatch, command: str, named: str
) -> None:
    sent = []

    def answer(path: Path, command: dict[str, object]) -> list[dict[str, object]]:
        sent.append(command)
        return [{"ok": True}]

    monkeypatch.setattr("tic_tac_toe_frontends.server.admin.cli.send_command", answer)
    assert main(["admin", command, named], PROG) == 0
    assert named.endswith(str(sent[0]["game"]))
    assert str(sent[0]["game"]).startswith("-")


@pytest.mark.medium
def test_a_server_says_which_games_it_serves_why_it_stops_and_what_the_operator_does(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    server = Server(tmp_path)
    for is_new in (True, False):
        with server.running():
            path = socket_of(server)
            assert path.exists()
            if is_new:
                asyncio.run(_play_and_leave(server))
            assert operate(server, "drain", "--for", "1h") == 0
        said = server.said()
        assert (f"A new file, without games: {server.data}" in said) or not is_new
        entries = [json.loads(line) for line in said.splitlines() if line.startswith("{")]
        ready = [entry for entry in entries if entry["event"] == "ready"][-1]
        assert (ready["data"], ready["new"]) == (str(server.data), is_new)
        assert ready["games"] == (0 if is_new else 1)
        assert ready["version"]
        assert "node" not in ready
        drained = [entry for entry in entries if entry["event"] == "operator"][-1]
        assert (drained["command"], drained["seconds"]) == ("drain", 3_600)
        causes = [entry["cause"] for entry in entries if entry["event"] == "stopping"]
        assert causes[-1] == "SIGTERM"
    capsys.readouterr()


@pytest.mark.parametrize(
    ("words", "named"),
    [(["status"], "choose from admin status"), (["stop"], "choose from admin, backup")],
)
def test_a_command_that_is_none_is_refused_with_those_that_are(
    capsys: pytest.CaptureFixture[str], words: list[str], named: str
) -> None:
    assert main([*words, "--lang", "en"], PROG) == 2
    assert named in capsys.readouterr().err


@pytest.mark.parametrize("kind", ["port", "file"])
def test_what_another_server_has_is_refused_in_one_sentence(
    shared: Server, tmp_path: Path, capsys: pytest.CaptureFixture[str], kind: str
) -> None:
    port, data = str(shared.port), str(shared.data)
    taken = ["--port", port, "--data", str(tmp_path / "new.sqlite")]
    words = "name another port with --port"
    if kind == "file":
        taken, words = ["--port", "0", "--data", data], f"tic-tac-toe: cannot open {data}: a server"
    assert tic_tac_toe(["serve", *taken, "--host", "127.0.0.1", "--lang", "en"]) == 1
    said = capsys.readouterr().err
    assert words in said
    assert "while attempting" not in said


def test_a_missing_runtime_folder_is_no_matter_for_the_operator(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.delenv("XDG_RUNTIME_DIR", raising=False)
    assert tic_tac_toe(["serve", "admin", "status", "--port", "1", "--lang", "en"]) == 1
    said = capsys.readouterr().err
    assert said.count("\n") == 1
    assert "name its file with --data, or its socket with --admin" in said


def test_the_operator_finds_a_server_by_the_database_of_the_environment(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv(DATABASE_VARIABLE, "postgresql:///games")
    assert tic_tac_toe(["serve", "admin", "status", "--lang", "en"]) == 1
    assert f"/{PORT}.admin/socket: " in capsys.readouterr().err
    assert tic_tac_toe(["serve", "admin", "status", "--data", "/x", "--lang", "en"]) == 1
    assert "/x.admin/socket: " in capsys.readouterr().err
