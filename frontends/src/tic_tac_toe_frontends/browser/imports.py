"""What Python source imports, and which modules of this project one of them needs."""

from __future__ import annotations

import ast
from collections.abc import Iterator, Mapping
from pathlib import Path


def imported_names(source: str, package: str) -> Iterator[str]:
    """Yield the modules that source may import, wherever the statement stands in it.

    From ``from a import b`` both ``a`` and ``a.b`` come, for ``b`` may be either a module or not.

    Args:
        package: where the source stands, which relative imports begin from.
    """
    for node in ast.walk(ast.parse(source)):
        match node:
            case ast.Import():
                yield from (alias.name for alias in node.names)
            case ast.ImportFrom():
                base = _absolute(node.module or "", node.level, package)
                yield base
                yield from (f"{base}.{alias.name}" for alias in node.names)


def closure(start: str, sources: Mapping[str, Path]) -> set[str]:
    """Return a module with all that it and they import, as far as there are sources; sorted out.

    Args:
        start: the name of a module.
        sources: the files of modules by their names; packages go by their own name.
    """
    found: set[str] = set()
    waiting = [start]
    while waiting:
        name = waiting.pop()
        if name in found or name not in sources:
            continue
        found.add(name)
        path = sources[name]
        package = name if path.name == "__init__.py" else name.rpartition(".")[0]
        waiting += imported_names(path.read_text(encoding="utf-8"), package)
        parts = name.split(".")
        waiting += (".".join(parts[:count]) for count in range(1, len(parts)))
    return found


def modules_of(folder: Path, package: str) -> dict[str, Path]:
    """Return the files of a package by the names of their modules."""
    modules = {}
    for path in sorted(folder.rglob("*.py")):
        inside = path.relative_to(folder).with_suffix("").parts
        parts = inside[:-1] if inside[-1] == "__init__" else inside
        modules[".".join((package, *parts))] = path
    return modules


def _absolute(name: str, level: int, package: str) -> str:
    if not level:
        return name
    parts = package.split(".")
    return ".".join([*parts[: len(parts) - level + 1], *filter(None, [name])])
