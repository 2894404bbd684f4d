"""Makes the folder of Python for the pages: Pyodide as in the game's page, and the library."""

from __future__ import annotations

import gzip
import hashlib
import json
import shutil
import subprocess
import tempfile
from pathlib import Path

from tic_tac_toe_frontends.browser.contents import (
    HERE as BROWSER,
)
from tic_tac_toe_frontends.browser.contents import (
    LIBRARY,
    NOT_IN_PAGE,
    PYODIDE_FILES,
    make_zip,
    write_files,
)
from tic_tac_toe_frontends.browser.packages import PYODIDE, BuildFailed, fetch, program
from tic_tac_toe_frontends.program.page_files import cache_folder

HERE = Path(__file__).resolve().parent
EXAMPLES = HERE.parent / "examples"
#: What needs Numba, which no browser has; nothing imports it where Numba is missing.
COMPILED = tuple(name for name in NOT_IN_PAGE if name.split(".")[1] in ("solver", "engines"))
#: Large files are packed by gzip, and the worker unpacks them: many web hosts compress neither.
PACKED = ".packed"


def sources() -> dict[str, bytes]:
    """Return what the blocks import besides the standard library, by path."""
    paths = {path.relative_to(LIBRARY.parent): path for path in sorted(LIBRARY.rglob("*"))}
    files = {
        inside.as_posix(): path.read_bytes()
        for inside, path in paths.items()
        if path.is_file()
        and path.suffix != ".pyc"
        and not ".".join(inside.with_suffix("").parts).startswith(COMPILED)
    }
    files |= {f"docs/examples/{path.name}": path.read_bytes() for path in EXAMPLES.glob("*.py")}
    files["session.py"] = (HERE / "session.py").read_bytes()
    return files


def make(target: Path) -> int:
    """Fill a folder, from the cache if nothing has changed, and return the bytes of a first Run.

    Raises:
        Missing: npm or Node.js is not installed.
        BuildFailed: Pyodide cannot be fetched, or a module cannot be compiled.
    """
    given = sources()
    digest = hashlib.sha256(repr((PYODIDE, sorted(given.items()))).encode())
    for name in ("compile_all.py", "python_files.py"):
        digest.update((HERE / name).read_bytes())
    cache = cache_folder() / "pages"
    made = cache / digest.hexdigest()[:32]
    if not made.is_dir():
        files = _files(given)
        shutil.rmtree(cache, ignore_errors=True)
        cache.mkdir(parents=True)
        with tempfile.TemporaryDirectory(dir=cache, prefix=".making-") as temporary:
            folder = Path(temporary, "made")
            write_files(folder, files)
            folder.replace(made)
    shutil.copytree(made, target, dirs_exist_ok=True)
    return sum(
        path.stat().st_size if path.suffix == PACKED else len(gzip.compress(path.read_bytes()))
        for path in made.iterdir()
    )


def _files(given: dict[str, bytes]) -> dict[str, bytes]:
    pyodide = fetch(PYODIDE, cache_folder())
    with tempfile.TemporaryDirectory() as temporary:
        job = Path(temporary)
        write_files(job / "sources", given)
        compiling = (BROWSER / "compiling.py").read_bytes()
        write_files(job, {"tic_tac_toe_frontends/browser/compiling.py": compiling})
        script = BROWSER / "node" / "compile.mjs"
        command = [program("node"), *map(str, (script, pyodide, HERE / "compile_all.py", job))]
        done = subprocess.run(command, capture_output=True, text=True, check=False)
        if done.returncode:
            raise BuildFailed(f"node: {done.stderr.strip()[-300:]}")
        data = {path: content for path, content in given.items() if not path.endswith(".py")}
        archives = {
            "python_stdlib.zip": make_zip(_read(job / "stdlib")),
            "app.zip": make_zip(_read(job / "app") | data),
        }
    files = {name: (pyodide / name).read_bytes() for name in PYODIDE_FILES} | archives
    packed = {name for name in files if not name.endswith(".mjs")}
    for name in packed:
        files[f"{name}{PACKED}"] = gzip.compress(files.pop(name), 9, mtime=0)
    lock = json.loads((pyodide / "pyodide-lock.json").read_text("utf-8")) | {"packages": {}}
    return files | {"pyodide-lock.json": json.dumps(lock).encode()}


def _read(folder: Path) -> dict[str, bytes]:
    paths = (path for path in folder.rglob("*") if path.is_file())
    return {path.relative_to(folder).as_posix(): path.read_bytes() for path in paths}
