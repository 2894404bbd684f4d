"""Who may import whom: the rooms of the house as a table, and what in the source breaks it.

    python -m tools.import_rules

A room is named by what follows the package: `logic.models`, `game`, `frontends.console`. Source is
read, never run, so that imports which are lazy or only for type checkers are seen too.
"""

import ast
import sys
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import NamedTuple

ROOT = Path(__file__).resolve().parents[1]
LIBRARY = "tic_tac_toe"
FRONTENDS = "tic_tac_toe_frontends"

FOUNDATION = {"logic.exceptions", "logic.shapes", "logic.positions"}
NOTATED = FOUNDATION | {"logic.rules", "logic.models", "logic.notation"}
LOGIC = {
    "logic.exceptions": set[str](),
    "logic.frozen": set[str](),
    "logic.registry": {"logic.frozen"},
    "logic.shapes": {"logic.exceptions"},
    "logic.positions": {"logic.exceptions", "logic.shapes"},
    "logic.rules": FOUNDATION | {"logic.registry"},
    "logic.validators": FOUNDATION | {"logic.rules"},
    "logic.models": FOUNDATION | {"logic.rules", "logic.validators"},
    "logic.search": FOUNDATION | {"logic.rules"},
    "logic.analysis": FOUNDATION | {"logic.frozen", "logic.rules", "logic.models", "logic.search"},
    "logic.minimax": FOUNDATION | {"logic.rules", "logic.models", "logic.search"},
    "logic.notation": FOUNDATION | {"logic.rules", "logic.models"},
    "logic.records": NOTATED,
    "logic.strict_json": {"logic.exceptions"},
    "logic.record_json": NOTATED | {"logic.records", "logic.strict_json"},
    "logic.record_text": NOTATED | {"logic.records"},
}
ROOMS: Mapping[str, set[str]] = LOGIC | {
    "logic": set(LOGIC),
    "atomic_file": set(),
    "certificate_check": set(),
    "extras": set(),
    "solver": {*LOGIC, "atomic_file", "extras"},
    "game": {*LOGIC, "extras"},
    "protocols": {*LOGIC, "game"},
    "adapters": set(LOGIC),
    "testing": {*LOGIC, "game"},
    LIBRARY: {*LOGIC, "game", "solver"},
}
#: Only inside a function of that module, so that nothing is loaded before it is wanted.
ONLY_LAZILY = {
    (f"{LIBRARY}.game.moments", "solver"),
    (f"{LIBRARY}.game.strategies", "solver"),
    (f"{LIBRARY}.logic.minimax", "game"),  # where a game is too large to table: the strategy's move
    (f"{LIBRARY}.logic.analysis", "game"),  # pictures, for notebooks
    (f"{LIBRARY}.logic.models", "game"),
}
#: Only for annotations: a validator judges a model, and a model calls its validators.
ONLY_FOR_TYPES = {("logic.validators", "logic.models")}
#: The one front end that may import the others, and the example that shows how one is put together.
FRONTENDS_THAT_IMPORT_FRONTENDS = {"frontends.command"}
#: What every front end may use.
SHARED = {"frontends.words", "frontends.table", "frontends.program"}
#: How `python -m tui` starts the command, which knows what to play where there is no full screen.
LAUNCHERS = {(f"{FRONTENDS}.tui.__main__", "frontends.command")}
#: Packages from outside the standard library, by the library's room. Each needs an extra.
THIRD_PARTY = {"solver": {"dask", "distributed", "llvmlite", "numba", "numpy"}}
ANY_THIRD_PARTY = {"adapters"}
#: Pure rules know no clock, no files, no network, no terminal and no threads.
OUTSIDE_WORLD = {
    "asyncio",
    "curses",
    "datetime",
    "http",
    "locale",
    "logging",
    "multiprocessing",
    "os",
    "pathlib",
    "secrets",
    "shutil",
    "socket",
    "sqlite3",
    "subprocess",
    "sys",
    "tempfile",
    "threading",
    "time",
    "tkinter",
    "urllib",
}


class Import(NamedTuple):
    """One imported module: its full name, the line, and when the import happens."""

    module: str
    line: int
    lazy: bool
    for_types: bool


def read_sources() -> dict[str, str]:
    """Return the text of every module of both projects by its path inside the package folder."""
    sources: dict[str, str] = {}
    for project, package in (("library", LIBRARY), ("frontends", FRONTENDS)):
        folder = ROOT / project / "src"
        for path in sorted((folder / package).rglob("*.py")):
            name = path.relative_to(folder).as_posix()
            sources[name] = path.read_text(encoding="utf-8")
    return sources


def find_violations(sources: Mapping[str, str]) -> list[str]:
    """Return a line of text for each import that the table does not allow, and each unknown room.

    Args:
        sources: module texts by paths such as `tic_tac_toe/logic/models.py`.
    """
    modules = {_module_name(path) for path in sources}
    violations: list[str] = []
    for path, text in sources.items():
        module = _module_name(path)
        if not module.startswith(FRONTENDS) and _room(module) not in ROOMS:
            violations.append(f"{path}:1: {_room(module)} has no row in the table of rooms")
            continue
        violations += [
            f"{path}:{found.line}: {objection}"
            for found in find_imports(path, text, modules)
            if (objection := _objection(module, found, modules))
        ]
    return violations


def find_imports(path: str, text: str, modules: set[str]) -> Iterator[Import]:
    """Yield what one module imports, by statement or by `import_module("a literal name")`.

    Args:
        path: where the module stands, for relative imports.
        text: its source.
        modules: every module of the two projects, to tell `from package import module` from
            `from module import name`.
    """
    package = _module_name(path).split(".")
    if not path.endswith("/__init__.py"):
        package.pop()

    def full_name(name: str, level: int) -> str:
        if level:
            return ".".join([*package[: len(package) - level + 1], *filter(None, [name])])
        return name

    def walk(node: ast.AST, lazy: bool, for_types: bool) -> Iterator[Import]:
        names: list[str] = []
        match node:
            case ast.Import():
                names = [full_name(alias.name, 0) for alias in node.names]
            case ast.ImportFrom():
                base = full_name(node.module or "", node.level)
                inner = [f"{base}.{alias.name}" for alias in node.names]
                names = [name if name in modules else base for name in inner]
            case ast.Call(
                func=ast.Name(id="import_module" | "__import__")
                | ast.Attribute(attr="import_module"),
                args=[ast.Constant(value=str(name)), *_],
            ):
                names = [full_name(name.lstrip("."), len(name) - len(name.lstrip(".")))]
        for name in dict.fromkeys(names):
            yield Import(name, getattr(node, "lineno", 0), lazy, for_types)
        lazy |= isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.Lambda)
        for_types |= isinstance(node, ast.If) and "TYPE_CHECKING" in ast.unparse(node.test)
        for child in ast.iter_child_nodes(node):
            yield from walk(child, lazy, for_types)

    yield from walk(ast.parse(text, path), lazy=False, for_types=False)


def _objection(importer: str, found: Import, modules: set[str]) -> str | None:
    """Return why this import is not allowed; None if it is."""
    room, target = _room(importer), _room(found.module)
    if room == target:
        return None
    if (importer, target) in LAUNCHERS:
        return None
    if importer.split(".")[0] == FRONTENDS:
        return _front_end_objection(room, target, found, modules)
    if found.module.split(".")[0] not in {LIBRARY, FRONTENDS}:
        return _foreign_objection(room, target)
    if target in ROOMS[room]:
        return None
    if (importer, target) in ONLY_LAZILY:
        only_then = f"{room} may import {target} only inside a function"
        return None if found.lazy or found.for_types else only_then
    if (room, target) in ONLY_FOR_TYPES:
        return None if found.for_types else f"{room} may import {target} only for type checkers"
    return f"{room} may not import {target}"


def _foreign_objection(room: str, package: str) -> str | None:
    if room.startswith("logic") and package in OUTSIDE_WORLD:
        return f"{room} may not import {package}: logic is pure"
    known = sys.stdlib_module_names | THIRD_PARTY.get(room, set())
    if package in known or room in ANY_THIRD_PARTY:
        return None
    return f"{room} may not import {package}: it is not in the standard library"


def _front_end_objection(room: str, target: str, found: Import, modules: set[str]) -> str | None:
    folder = target.replace("frontends.", f"{FRONTENDS}.") + "."
    if target in SHARED:
        return None
    if not target.startswith("frontends.") or not any(name.startswith(folder) for name in modules):
        return None  # the library, a package of its extra, or a piece that all front ends share
    if room not in FRONTENDS_THAT_IMPORT_FRONTENDS:
        return f"{room} may not import {target}: front ends do not know each other"
    if room == "frontends.command" and not found.lazy:
        return f"{room} may import {target} only inside a function"
    return None


def _module_name(path: str) -> str:
    return path.removesuffix(".py").removesuffix("/__init__").replace("/", ".")


def _room(module: str) -> str:
    """Return the room of a module of ours, and of any other the name of its top package."""
    package, *inside = module.split(".")
    if package == FRONTENDS:
        return ".".join(["frontends", *inside[:1]])
    if package == LIBRARY and inside:
        return ".".join(inside[: 2 if inside[0] == "logic" else 1])
    return package


if __name__ == "__main__":
    sys.exit("\n".join(find_violations(read_sources())) or None)
