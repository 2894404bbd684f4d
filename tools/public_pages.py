"""The tables of public.md, errors.md and facts.md in docs, made from their sources.

    make public

`tests/test_public.py` sees that they are up to date.
"""

from __future__ import annotations

import ast
import inspect
import re
import sys
from collections.abc import Iterator, Mapping
from importlib import import_module
from pathlib import Path

from tic_tac_toe.insight.facts import KINDS

ROOT = Path(__file__).resolve().parents[1]
LIBRARY = ROOT / "library" / "src" / "tic_tac_toe"
PUBLIC, ERRORS, FACTS = (
    ROOT / "docs" / f"{name}.md"
    for name in ("reference/public", "reference/errors", "reference/facts")
)
#: The public modules, and below them those that the classic contract fixes, with their names.
MODULES = ("", "rules", "search", "solver", "insight", "contest", "testing")
CLASSIC: Mapping[str, str] = {
    "logic.models": "Mark Grid Move GameState",
    "logic.exceptions": "InvalidGameState InvalidMove UnknownGameScore",
    "logic.validators": "validate_grid validate_game_state validate_number_of_marks "
    "validate_starting_mark validate_winner validate_players",
    "logic.minimax": "minimax find_best_move",
    "game.engine": "TicTacToe",
    "game.engine_async": "AsyncTicTacToe",
    "game.players": "Player ComputerPlayer StrategyPlayer RandomComputerPlayer "
    "MinimaxComputerPlayer",
    "game.players_async": "AsyncPlayer AsyncComputerPlayer AsyncRandomComputerPlayer "
    "AsyncMinimaxComputerPlayer",
    "game.renderers": "Renderer",
}
_MARKS = re.compile(r"(?<=<!-- begin -->\n).*?(?=<!-- end -->)", re.DOTALL)
_CODE = re.compile("[a-z][a-z_]+")


def public_names() -> dict[str, list[str]]:
    """Return the names of each public module."""
    found = {}
    for module in MODULES:
        name = f"tic_tac_toe.{module}".rstrip(".")
        found[name] = sorted(import_module(name).__all__)
    return found | {f"tic_tac_toe.{module}": names.split() for module, names in CLASSIC.items()}


def public_tables() -> str:
    """Return a table for each public module: what its names are, in a sentence each."""
    return "\n".join(_tables(public_names()))


def _tables(modules: Mapping[str, list[str]]) -> Iterator[str]:
    for module, names in modules.items():
        yield f"### `{module}`\n\n| name | what it is |\n|---|---|"
        for name in names:
            yield f"| `{name}` | {sentence(getattr(import_module(module), name), module, name)} |"
        yield ""


def sentence(value: object, module: str, name: str) -> str:
    """Return the first sentence about a name: of its docstring, or of the comment above it."""
    if inspect.isclass(value) or inspect.isroutine(value):
        text = inspect.getdoc(value) or ""
    elif "__doc__" in vars(type(value)) or hasattr(value, "__dict__"):
        text = getattr(value, "__doc__", "") or ""
    else:
        text = ""
    text = text if isinstance(value, type) or text != type(value).__doc__ else ""
    first = " ".join(text.partition("\n\n")[0].split()) or _comment(name)
    return first.replace("|", "\\|")


def _comment(name: str) -> str:
    """Return the comment above the assignment of a name in the library."""
    for path in sorted(LIBRARY.rglob("*.py")):
        match = re.search(
            rf"((?:^#: .*\n)+){name}(?:: [^=\n]+)? = ", path.read_text(encoding="utf-8"), re.M
        )
        if match:
            return " ".join(line.removeprefix("#: ") for line in match[1].splitlines())
    return ""


def error_tables() -> str:
    """Return a table of the codes of each class of errors, and of the parts of sentences."""
    found: dict[str, dict[str, list[str]]] = {}
    for path in sorted(LIBRARY.rglob("*.py")):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.Call) and (said := _said(node)):
                kind, template, code = said
                sentences = found.setdefault(kind, {}).setdefault(code, [])
                if template not in sentences:
                    sentences.append(template)
    parts = found.pop("message", {})
    text = []
    for kind, codes in [*sorted(found.items()), ("Parts of sentences, and reasons", parts)]:
        text.append(f"## {kind}\n\n| code | sentence |\n|---|---|")
        for code, sentences in sorted(codes.items()):
            told = "<br>".join(each.replace("|", "\\|") for each in sentences)
            text.append(f"| `{code}` | {told} |")
        text.append("")
    return "\n".join(text)


def _said(call: ast.Call) -> tuple[str, str, str] | None:
    """Return the class, the template and the code that a call makes an error or a message of."""
    texts = [each.value for each in call.args[:2] if isinstance(each, ast.Constant)]
    kind = call.func.id if isinstance(call.func, ast.Name) else ""
    is_error = kind == "message" or kind.startswith(("Invalid", "Search", "Unknown", "Brain"))
    is_error |= kind in ("ClusterError", "OtherVersion")
    if len(texts) < 2 or not is_error or not _CODE.fullmatch(str(texts[1])):
        return None
    return kind, str(texts[0]), str(texts[1])


def fact_table() -> str:
    """Return a table of the facts about moves: their codes, sentences and meanings."""
    rows = [f"| `{kind.code}` | {kind.sentence} | {kind.meaning} |" for kind in KINDS.values()]
    return "\n".join(["| code | sentence | it holds if |", "|---|---|---|", *rows, ""])


def with_tables(page: Path, tables: str) -> str:
    """Return the text of a page with tables between its marks."""
    return _MARKS.sub(lambda _: f"\n{tables}\n", page.read_text(encoding="utf-8"))


def main() -> int:
    """Write the tables of all pages."""
    for page, tables in (
        (PUBLIC, public_tables()),
        (ERRORS, error_tables()),
        (FACTS, fact_table()),
    ):
        page.write_text(with_tables(page, tables), encoding="utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main())
