"""What the pages call public is what there is, and what they teach is public."""

from __future__ import annotations

import ast
import doctest
import re
import sys
from importlib import import_module
from pathlib import Path

import pytest

from tools.public_pages import (
    ERRORS,
    FACTS,
    PUBLIC,
    error_tables,
    fact_table,
    public_names,
    public_tables,
    with_tables,
)

ROOT = Path(__file__).resolve().parents[1]
#: The pages for people who change the project, which name what is internal.
INSIDE = {"how-it-is-built.md", "protocol.md"}
PAGES = [
    path
    for path in (ROOT / "README.md", ROOT / "library" / "README.md", *ROOT.glob("docs/**/*.md"))
    if path.name not in INSIDE
]
#: The examples that import the library alone.
EXAMPLES = [
    ROOT / "docs" / "examples" / f"{name}.py" for name in ("bot", "endpoint", "fifteen", "notakto")
]


@pytest.mark.parametrize(
    ("page", "tables"),
    [
        (PUBLIC, public_tables),
        (ERRORS, error_tables),
        (FACTS, fact_table),
    ],
    ids=["names", "errors", "facts"],
)
def test_the_tables_of_a_page_are_those_of_the_program(page: Path, tables: object) -> None:
    assert callable(tables)
    assert page.read_text("utf-8") == with_tables(page, tables()), "make public writes them"


def test_each_public_name_has_a_docstring_or_a_comment_that_says_what_it_is() -> None:
    assert re.findall(r"\| `\w+` \|  \|", public_tables()) == []


def modules_with_public_names() -> list[str]:
    """Return the modules whose docstrings have the examples of public names."""
    names = public_names()
    values = (getattr(import_module(module), name) for module in names for name in names[module])
    homes = (str(getattr(value, "__module__", None)) for value in values)
    return sorted({*names, *(home for home in homes if home.startswith("tic_tac_toe"))})


@pytest.mark.parametrize("module", modules_with_public_names())
def test_the_examples_of_docstrings_do_what_they_show(module: str) -> None:
    import_module(module)
    assert doctest.testmod(sys.modules[module]).failed == 0  # what failed is printed


def imports_of(source: str) -> set[tuple[str, str]]:
    """Return the names that a program imports from the library, with their modules."""
    return {
        (node.module, alias.name)
        for node in ast.walk(ast.parse(source))
        if isinstance(node, ast.ImportFrom) and node.module
        for alias in node.names
        if node.module.partition(".")[0] == "tic_tac_toe"
    }


def programs_in(page: Path) -> list[str]:
    """Return the program of each block of Python on a page, what is typed at a prompt included."""
    blocks = re.findall(r"^```python\n(.*?)^```", page.read_text("utf-8"), re.M | re.S)
    parser = doctest.DocTestParser()
    return [
        "".join(example.source for example in parser.get_examples(block)) or block
        for block in blocks
    ]


@pytest.mark.parametrize("path", [*PAGES, *EXAMPLES], ids=lambda path: path.name)
def test_pages_and_examples_import_public_names_alone(path: Path) -> None:
    sources = [path.read_text("utf-8")] if path.suffix == ".py" else programs_in(path)
    imported = {each for source in sources for each in imports_of(source)}
    known = {(module, name) for module, names in public_names().items() for name in names}
    doors = {("tic_tac_toe", module.rpartition(".")[2]) for module in public_names()}
    assert imported <= known | doors
