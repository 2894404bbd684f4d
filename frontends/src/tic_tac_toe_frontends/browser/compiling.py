"""Runs in Pyodide at build time: finds the modules that the page imports, and compiles only those.

`build` runs this file as a script by ``node/compile.mjs``. It reads from and writes to the folder
``/job``:

    job.json        {"imports": [module, ...], "margin": [module, ...]}
    sources/        the packages of this project, as Python source
    stdlib/         receives the bytecode of the standard library, only the modules needed
    app/            receives the bytecode of this project's packages
"""

from __future__ import annotations

import ast
import contextlib
import importlib
import importlib.util
import json
import marshal
import random
import sys
import types
import zipfile
from pathlib import Path

JOB = Path("/job")
SOLVER = "tic_tac_toe.solver"
#: The first byte of an entry of a table of lines, without its length.
_NO_LOCATION = 0x80 | 15 << 3


def main() -> None:
    """Compile everything that ``job.json`` names."""
    job = json.loads((JOB / "job.json").read_text(encoding="utf-8"))
    sys.path.insert(0, str(JOB / "sources"))
    touch_everything()
    engine = {name for name in sys.modules if name.startswith("tic_tac_toe")}
    for name in job["imports"]:
        with contextlib.suppress(ImportError):  # packages of others, or the browser's
            importlib.import_module(name)
    compile_library({*_loaded(), *job["margin"]})
    compile_project({name for name in engine if name.startswith(SOLVER)})


def touch_everything() -> None:
    """Use the library in every way that the page does, so that all its lazy imports are seen."""
    from tic_tac_toe.game.evaluate import caveat, evaluate
    from tic_tac_toe.game.strategies import STRATEGIES
    from tic_tac_toe.insight.explain import explain
    from tic_tac_toe.logic.models import GameState
    from tic_tac_toe.logic.rules.catalogue import VARIANTS, find_rules

    for rules in VARIANTS.values():
        for name in STRATEGIES:
            caveat(name, rules)
    state = GameState.new(find_rules("mnk:4,3,3,gravity"))
    for strategy in STRATEGIES.values():
        strategy(state, random.Random(0))
    evaluate(state)
    explain(state).marks()


def compile_library(names: set[str]) -> None:
    """Compile modules of the standard library, with neither line numbers nor docstrings.

    The page never shows either, and without them the modules are half as large.
    """
    with zipfile.ZipFile(f"/lib/{_library_archive()}") as archive:
        files = set(archive.namelist())
        for name in sorted(names):
            path = name.replace(".", "/")
            for candidate in (f"{path}/__init__.py", f"{path}.py"):
                if candidate in files:
                    source = archive.read(candidate)
                    code = compile(source, candidate, "exec", dont_inherit=True, optimize=2)
                    _write(JOB / "stdlib" / candidate, source, _without_lines(code))


def compile_project(solver_modules: set[str]) -> None:
    """Compile this project's packages; of the fast solver only the modules that are used."""
    sources = JOB / "sources"
    for path in sorted(sources.rglob("*.py")):
        inside = path.relative_to(sources)
        module = ".".join(inside.with_suffix("").parts).removesuffix(".__init__")
        if module.startswith(SOLVER) and module not in solver_modules:
            continue
        source = path.read_bytes()
        tree = ast.parse(source)
        _drop_docstrings(tree)
        code = compile(tree, inside.as_posix(), "exec", dont_inherit=True)
        _write(JOB / "app" / inside, source, code)


def _library_archive() -> str:
    return f"python{sys.version_info.major}{sys.version_info.minor}.zip"


def _loaded() -> set[str]:
    """Return the modules imported so far from the archive of the standard library."""
    place = f"/lib/{_library_archive()}/"
    return {
        name
        for name, module in list(sys.modules.items())
        if str(getattr(getattr(module, "__spec__", None), "origin", "")).startswith(place)
    }


def _without_lines(code: types.CodeType) -> types.CodeType:
    """Return the same code without line numbers, nested code included."""
    constants = tuple(
        _without_lines(value) if isinstance(value, types.CodeType) else value
        for value in code.co_consts
    )
    # "No location" for 8 units of 2 bytes an entry: `traceback` fails where there is no entry.
    entries, rest = divmod(len(code.co_code) // 2, 8)
    table = bytes([_NO_LOCATION | 7] * entries + [_NO_LOCATION | rest - 1] * bool(rest))
    return code.replace(co_linetable=table, co_consts=constants)


def _drop_docstrings(tree: ast.Module) -> None:
    """Remove docstrings but those of classes: a dataclass without one would make one."""
    kinds = ast.Module | ast.FunctionDef | ast.AsyncFunctionDef
    for node in ast.walk(tree):
        if isinstance(node, kinds) and ast.get_docstring(node):
            node.body = node.body[1:] or [ast.copy_location(ast.Pass(), node.body[0])]


def _write(path: Path, source: bytes, code: types.CodeType) -> None:
    """Write hash-based bytecode that Python never checks against its source."""
    unchecked = (1).to_bytes(4, "little")
    digest = importlib.util.source_hash(source)
    target = path.with_suffix(".pyc")
    target.parent.mkdir(parents=True, exist_ok=True)
    target.write_bytes(importlib.util.MAGIC_NUMBER + unchecked + digest + marshal.dumps(code))


if __name__ == "__main__":
    main()
