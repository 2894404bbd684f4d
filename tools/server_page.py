"""The tables of docs/how-to/server.md: options, the operator's commands, figures and limits.

    python -m tools.server_page --write

`tests/online/test_operation.py` sees that they are up to date.
"""

from __future__ import annotations

import argparse
import re
import sys
from collections.abc import Iterator
from pathlib import Path

from tic_tac_toe_frontends.server.admin.commands import COMMANDS
from tic_tac_toe_frontends.server.args import make_parser
from tic_tac_toe_frontends.server.budgets import HOUR, ClientLimits, Limit
from tic_tac_toe_frontends.server.game_server import GameServer
from tic_tac_toe_frontends.server.storage.sqlite_store import SqliteStore

PATH = Path(__file__).resolve().parents[1] / "docs" / "how-to" / "server.md"
_MARKED = re.compile(r"(?<=<!-- )(?!end)(\w+)( -->\n).*?(?=<!-- end -->)", re.DOTALL)
#: The default file of the games, which depends on the user.
_FILE = re.compile(r"\(\S+\.sqlite ")


def page_with_tables(page: str) -> str:
    """Return the page with the tables as they have to be."""
    tables = {
        "options": ("option | what it does", _options()),
        "commands": ("command | what it does", _commands()),
        "figures": ("figure | what it is", _figures()),
        "limits": ("for each | what is limited | at once | and more | changed by", _limits()),
    }

    def marked(found: re.Match[str]) -> str:
        head, rows = tables[found[1]]
        line = "|".join("---" for _ in head.split("|"))
        text = "".join(f"| {row} |\n" for row in rows)
        return f"{found[1]}{found[2]}| {head} |\n|{line}|\n{text}"

    return _MARKED.sub(marked, page)


def _options() -> Iterator[str]:
    parser = make_parser(["--lang", "en"], "tic-tac-toe serve")
    for action in parser.options._group_actions:
        choices = ",".join(action.choices) if action.choices else ""
        value = action.metavar or (f"{{{choices}}}" if choices else "")
        meaning = _FILE.sub("(in the user's data folder ", str(action.help))
        if not isinstance(action, argparse._HelpAction | argparse._VersionAction):
            yield f"`{f'{action.option_strings[-1]} {value}'.strip()}` | {meaning}"


def _commands() -> Iterator[str]:
    for name, command in COMMANDS.items():
        meaning = " ".join(str(command.run.__doc__).split())
        yield f"`{' '.join([name, *command.usage])}` | {meaning}"


def _figures() -> Iterator[str]:
    for metric in GameServer(SqliteStore(Path("games.sqlite"))).registry.collect():
        if metric.name.startswith("tictactoe_"):
            yield f"`{metric.name}` | {metric.documentation}"


def _limits() -> Iterator[str]:
    return map(_limit, ClientLimits().rows.values())


def _limit(limit: Limit) -> str:
    what = limit.help.partition(" (")[0]
    time = "hour" if limit.seconds == HOUR else "second"
    rate = f"{limit.rate * limit.seconds:,g} per {time}" if limit.rate else ""
    option = f"`--{limit.by.replace('_', '-')}`" if limit.by else ""
    return f"{limit.per} | {what} | {limit.size:,.0f} | {rate} | {option}"


if __name__ == "__main__":
    new = page_with_tables(PATH.read_text(encoding="utf-8"))
    if "--write" in sys.argv:
        PATH.write_text(new, encoding="utf-8")
    else:
        print(new)
