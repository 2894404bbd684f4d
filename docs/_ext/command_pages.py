"""Writes reference/commands from the parsers of `tic-tac-toe`, with examples from the pages."""

from __future__ import annotations

import argparse
import os
import re
from collections.abc import Iterator, Mapping
from pathlib import Path
from unittest.mock import patch

from sphinx.application import Sphinx

from docs._ext.api_pages import write_if_changed
from tic_tac_toe.logic.rules.catalogue import variant_name
from tic_tac_toe_frontends.browser.cli import BUILD
from tic_tac_toe_frontends.command.cli import COMMANDS, PROG, main
from tic_tac_toe_frontends.program.options import Parser
from tic_tac_toe_frontends.server.admin.commands import COMMANDS as ADMIN_COMMANDS
from tic_tac_toe_frontends.server.args import ADMIN
from tic_tac_toe_frontends.server.cli import COMMANDS as SERVER_COMMANDS

PAGE = "reference/commands.rst"
#: Examples of a command that its section shows at most.
MOST_EXAMPLES = 3
#: The letters of a line of a command's usage.
WIDTH = 76
#: The options of every command, which its section leaves out.
COMMON = {"--help", "--version", "--lang"}
_SHELL = re.compile(r"^```sh\n(.*?)^```", re.MULTILINE | re.DOTALL)
_EXAMPLE = re.compile(rf"(?:\S*/)?{PROG}(?: ((?!-)\S+))?(?: .*)?")
_USAGE = re.compile(r"\[[^\[\]]*(?:\[[^\]]*\])?\]|\S+")
_SPECIAL = re.compile(r"([\\*`_|<>])")


class _Found(BaseException):
    """Carries the finished parser of a command out of it."""

    def __init__(self, parser: Parser) -> None:
        super().__init__()
        self.parser = parser


def _raise(parser: Parser) -> argparse.Namespace:
    raise _Found(parser)


def parser_of(words: list[str]) -> Parser:
    """Return the parser of a command, which is stopped before it reads its command line."""
    with patch.object(Parser, "read", _raise):
        try:
            main([*words, "--lang", "en"])
        except _Found as found:
            return found.parser
    raise LookupError(" ".join(words))


def commands() -> Iterator[list[str]]:
    """Yield all commands in words, each with its subcommands behind it."""
    for name in COMMANDS:
        yield [name]
        if name == "browser":
            yield [name, BUILD]
        if name == "serve":
            yield from ([name, each] for each in SERVER_COMMANDS)
            yield [name, ADMIN]
            yield from ([name, ADMIN, each] for each in ADMIN_COMMANDS)


def examples(root: Path) -> Mapping[str, list[str]]:
    """Return lines of the pages that call each command, the shortest first."""
    found: dict[str, list[str]] = {}
    for page in [root / "README.md", *sorted(root.glob("docs/**/*.md"))]:
        for block in _SHELL.findall(page.read_text(encoding="utf-8")):
            for line in block.splitlines():
                match = _EXAMPLE.fullmatch(line)
                if match and "\\" not in line and "…" not in line:
                    name = match[1] if match[1] in COMMANDS else "console"
                    text = line[line.index(PROG) :]
                    if text not in found.setdefault(name, []):
                        found[name].append(text)
    return found


def page(root: Path) -> str:
    """Return the text of the page."""
    shown = examples(root)
    lines = [
        *_heading("Commands", "="),
        f"What ``{PROG}`` can do, made from the parsers of its commands. A call without a command",
        "is the same as ``tic-tac-toe console``.\n",
        "Every command has these options:\n",
        f".. program:: {PROG}\n",
        *_options(parser_of(["variants"]), COMMON),
        ".. list-table::",
        "   :widths: auto\n",
    ]
    for name, purpose in COMMANDS.items():
        lines += [f"   * - :ref:`{name} <command-{name}>`", f"     - {_plain(purpose)}"]
    lines.append("")
    for words in commands():
        lines += _section(words, shown.get(words[0], []) if len(words) == 1 else [])
    return "\n".join(lines)


def _section(words: list[str], shown: list[str]) -> Iterator[str]:
    parser = parser_of(words)
    name = " ".join([PROG, *words])
    yield f".. _command-{'-'.join(words)}:\n"
    yield from _heading(name, "-^~"[len(words) - 1])
    yield f"{_plain(parser.description or '')}\n"
    usage = parser.format_usage().removeprefix("usage: ").replace(f"{PROG} [-h]", f"{name} [-h]")
    usage = usage.replace(" [-h] [--version]", "").replace("[--lang LANGUAGE]", "")
    yield from _code("\n    ".join(_lines(_USAGE.findall(usage))))
    yield f".. program:: {name}\n"
    yield from _options(parser, None)
    if parser.epilog and "commands:" not in parser.epilog:
        yield f"{_plain(parser.epilog)}\n"
    if shown:
        yield "Examples:\n"
        yield from _code("\n".join(sorted(shown, key=len)[:MOST_EXAMPLES]))


def _lines(words: list[str]) -> list[str]:
    lines = [words[0]]
    for word in words[1:]:
        if len(lines[-1]) + len(word) < WIDTH:
            lines[-1] += f" {word}"
        else:
            lines.append(word)
    return lines


def _options(parser: Parser, wanted: set[str] | None) -> Iterator[str]:
    for action in parser._actions:
        if COMMON.isdisjoint(action.option_strings) != (wanted is None):
            continue
        if action.option_strings:
            values = f" {_metavar(action)}" if action.nargs != 0 else ""
            yield f".. option:: {', '.join(each + values for each in action.option_strings)}\n"
        else:
            yield f".. option:: {_metavar(action)}\n"
        yield f"   {_plain(action.help or '')}{_default(action)}\n"


def _metavar(action: argparse.Action) -> str:
    if isinstance(action.metavar, str):
        return action.metavar
    return "{" + ",".join(map(str, action.choices or ())) + "}" if action.choices else action.dest


def _default(action: argparse.Action) -> str:
    usual = action.default
    usual = variant_name(usual) if usual and action.dest == "variant" else usual
    is_told = "unless given" in (action.help or "")
    if is_told or not isinstance(usual, (str, int, float)) or isinstance(usual, bool):
        return ""
    return "" if usual in ("", argparse.SUPPRESS) else f" (``{usual}`` unless given)"


def _plain(text: str) -> str:
    return _SPECIAL.sub(r"\\\1", text)


def _heading(title: str, line: str) -> list[str]:
    return [title, line * len(title), ""]


def _code(text: str) -> list[str]:
    return [".. code-block:: sh\n", *(f"   {line}" for line in text.splitlines()), ""]


def write_page(app: Sphinx) -> None:
    """Write the page, where the width of a screen and the user's folders leave no trace."""
    with patch.dict(os.environ, {"COLUMNS": "100"}):
        os.environ.pop("XDG_DATA_HOME", None)
        write_if_changed(Path(app.srcdir, PAGE), page(Path(app.srcdir).parent))


def setup(app: Sphinx) -> dict[str, bool]:
    """Connect the step with Sphinx."""
    app.connect("builder-inited", write_page)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
