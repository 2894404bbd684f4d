"""docs/online.md names what is there: options, figures, tests; and its files can be used."""

import configparser
import re
import subprocess
from functools import cache
from pathlib import Path

from tests.frontends.programs import run
from tests.machine import find, needs
from tic_tac_toe_frontends.server.admin.args import ARGUMENTS
from tic_tac_toe_frontends.server.admin.cli import COMMANDS
from tic_tac_toe_frontends.server.args import HOST, PORT
from tic_tac_toe_frontends.server.creation import COMPUTER_WAITS, STRANGER_WAITS
from tic_tac_toe_frontends.server.game_server import GameServer
from tic_tac_toe_frontends.server.net.crowd import RESERVE
from tic_tac_toe_frontends.server.rate_limits import AT_ONCE, PROMPT, Allowance
from tic_tac_toe_frontends.server.storage.sqlite_store import SqliteStore
from tic_tac_toe_frontends.server.storage.statements import PLAYING, WAITING
from tic_tac_toe_frontends.server.storage_args import data_file

CHECKOUT = Path(__file__).parents[2]
UNIT = CHECKOUT / "docs" / "examples" / "tic-tac-toe.service"
PAGE = (CHECKOUT / "docs" / "online.md").read_text(encoding="utf-8")
#: Options of commands that are not the server's own.
OTHERS = {"--against", "--overwrite", "--help"}


@cache
def help_of(*words: str) -> str:
    """Return the help of a subcommand, in English."""
    return run(*words, "--help").stdout


def options_of(text: str) -> set[str]:
    return set(re.findall(r"(?<![\w-])--[a-z][a-z-]*", text))


def blocks(language: str) -> list[str]:
    """Return the fenced blocks of a language."""
    return re.findall(rf"```{language}\n(.*?)```", PAGE, re.DOTALL)


def test_every_option_of_the_server_stands_on_the_page_and_no_other() -> None:
    known = options_of(help_of("serve"))
    table = {
        option
        for row in PAGE.splitlines()
        if row.startswith("| `--")
        for option in options_of(row.split("|")[1])
    }

    assert table == known - {"--help", "--version"}
    operators = {
        option
        for name in ARGUMENTS
        for option in options_of(help_of("serve", "admin", name) if f"`{name}" in PAGE else "")
    }
    assert options_of(PAGE) <= known | options_of(help_of("online")) | operators | OTHERS


def test_every_command_of_an_operator_stands_on_the_page_and_no_other() -> None:
    section = PAGE.partition("\n## Operate\n")[2].partition("\n## ")[0]
    named = re.findall(r"`([a-z]+)[^`]*`(?=[^|]*\|.*\|)", "\n".join(_rows(section)))
    assert sorted(named) == sorted(COMMANDS)


def _rows(section: str) -> list[str]:
    """Return the first cells of a table, each with an end as a row has it."""
    rows = [row for row in section.splitlines() if row.startswith("| `")]
    return [f"|{row.split('|')[1]}| |" for row in rows]


def test_the_commands_beside_the_server_are_there() -> None:
    assert "--data" in help_of("serve", "backup")
    assert "--overwrite" in help_of("serve", "backup")
    assert "--against" in help_of("serve", "verify")
    assert "--database" in help_of("serve", "upgrade")
    assert "build" in help_of("browser")


def test_every_figure_stands_on_the_page_and_no_other(tmp_path: Path) -> None:
    server = GameServer(SqliteStore(tmp_path / "games.sqlite"))
    figures = {metric.name for metric in server.registry.collect()}
    listed = set(re.findall(r"`(tictactoe_\w+)`", PAGE))

    assert listed == {name for name in figures if name.startswith("tictactoe_")}


def test_the_numbers_on_the_page_are_those_of_the_server(tmp_path: Path) -> None:
    server, allowance = GameServer(SqliteStore(tmp_path / "games.sqlite")), Allowance()

    assert f"requests per second and connection: {allowance.messages:g};" in PAGE
    others = allowance.sockets - allowance.connections
    assert f"open WebSockets per address: {allowance.connections}; {others} more" in PAGE
    assert f"per second and address: {allowance.requests:g}; {AT_ONCE} times" in PAGE
    assert f"offered rematches included: {allowance.games} |" in PAGE
    assert f"unfinished games at one time: {server.lobby.most_games:,} |" in PAGE
    assert f"after {server.housekeeper.forget_after[WAITING] / 3600:g} hours" in PAGE
    assert f"after {server.housekeeper.forget_after[PLAYING] / 86_400:g} days" in PAGE
    text = " ".join(PAGE.split())
    assert f"{AT_ONCE * allowance.requests:,g} pages and files at once, and" in text
    assert f"beyond {PROMPT * allowance.requests:g} in a second" in text
    assert f"may hold {allowance.sockets} connections" in text
    assert f"less {RESERVE} that" in text
    made = f"{allowance.pages_at_once:g} plain pages at once, and {allowance.pages:g} more"
    assert made in text
    joins, own_joins = allowance.joins(0), allowance.own_joins(0)
    for told in (
        f"- {allowance.open_games} open games in the lobby",
        f"- {allowance.unmoved} strangers, and one connection {allowance.own_unmoved},",
        f"- {joins.size:g} requests to join or to play now at once, and {joins.rate:g} more",
        f"one connection {own_joins.size:g}, and 1 in five seconds",
        f"- {allowance.unfinished} unfinished games",
        f"- {allowance.reports} reports of a line or a name and {allowance.blocks} blocks",
    ):
        assert told in text
    assert own_joins.rate == 1 / 5
    assert STRANGER_WAITS == 10 * 60
    assert COMPUTER_WAITS == 60 * 60
    assert f"{HOST} unless" in PAGE.replace("127.0.0.1, this machine only,", "127.0.0.1")
    assert f"| {PORT} unless given" in PAGE


def test_every_file_that_the_page_names_is_there() -> None:
    named = set(re.findall(r"tests/\w+/\w+\.py", PAGE))
    links = set(re.findall(r"\]\(([\w./-]+)", PAGE))

    assert named
    assert {name for name in named if not (CHECKOUT / name).is_file()} == set()
    assert {link for link in links if not (CHECKOUT / "docs" / link).is_file()} == set()


def test_the_service_starts_the_server_as_the_page_says() -> None:
    (unit,) = blocks("ini")
    parser = configparser.ConfigParser(interpolation=None, strict=False)
    parser.optionxform = str  # type: ignore[method-assign,assignment]
    parser.read_string(unit)
    start = parser["Service"]["ExecStart"]

    assert " serve " in start
    assert options_of(start) <= options_of(help_of("serve"))
    assert data_file().name in start
    assert unit == UNIT.read_text(encoding="utf-8")


@needs("systemd-analyze")
def test_systemd_rates_the_service_as_well_protected() -> None:
    analyze = find("systemd-analyze")
    assert analyze is not None
    # Exit status 1 means that it is rated above the threshold, which is in tenths.
    rated = subprocess.run(
        [analyze, "security", "--offline=true", "--threshold=29", "--no-pager", UNIT],
        capture_output=True,
        text=True,
        check=False,
    )
    assert rated.returncode == 0, rated.stdout[-2000:] + rated.stderr
    (line,) = [each for each in rated.stdout.splitlines() if "Overall exposure level" in each]
    (rating,) = re.findall(r"rates this unit ([0-9.]+),", PAGE)
    assert f": {rating} " in line
