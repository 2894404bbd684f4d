"""Collects the files of the page: its own, the engine, and the parts of Python that it uses."""

from __future__ import annotations

import io
import json
import subprocess
import tempfile
import zipfile
from collections.abc import Mapping
from modulefinder import ModuleFinder
from pathlib import Path

import tic_tac_toe
from tic_tac_toe.insight.collection import FOLDER, GAMES, file_name
from tic_tac_toe.pictures.svg import CLASSES
from tic_tac_toe.pictures.tree_svg import TREE_STYLE
from tic_tac_toe.solver.book import FILE

from ..program.page_files import ONLINE, digest_of
from ..words.translation import DOMAIN, LANGUAGE_TITLES, LANGUAGES
from .early_games import early_facts
from .first_view import first_words, with_board, with_english
from .packages import PYODIDE, UQR, BuildFailed, fetch, program
from .page.later import APP, LATER, archive_of, puzzle_file
from .page.later import ONLINE as ONLINE_PART

HERE = Path(__file__).resolve().parent
STATIC = HERE / "static"
FRONTENDS = HERE.parent
LIBRARY = Path(str(tic_tac_toe.__file__)).resolve().parent
#: The entry points of the page and of its worker; the build contains everything they import.
ENTRIES = ("app", "thinker")
#: Modules of the standard library that are imported without an import statement: to report an
#: error, or to read text that is not UTF-8.
MARGIN = ("encodings.ascii", "encodings.idna", "encodings.latin_1", "encodings.utf_8", "traceback")
#: The fast solver needs packages that no browser has; the page has its opening book.
SOLVER = f"{LIBRARY.name}.solver"
#: What no page asks for: matches, programs and code that people name on the command line,
#: and what is compiled by Numba, which no browser has.
NOT_IN_PAGE = (
    *(f"{LIBRARY.name}.{name}" for name in ("contest", "loading")),
    *(f"{LIBRARY.name}.{name}" for name in ("opponents.brain", "protocols.gomocup")),
    *(f"{LIBRARY.name}.engines.{name}" for name in ("lines", "playouts")),
    *(
        f"{SOLVER}.{name}"
        for name in (
            *("certificates.plan_search", "checkpoint", "cluster"),
            *("enumeration", "kernel", "kernels", "session"),
        )
    ),
)
#: The files of Pyodide that are served unchanged.
PYODIDE_FILES = ("pyodide.mjs", "pyodide.asm.mjs", "pyodide.asm.wasm")
#: The files that Python needs to start, the largest first, for the bar of the loading page.
LOADED = ("pyodide/pyodide.asm.wasm", "pyodide/python_stdlib.zip", "app.zip")
#: Placeholders for the list of files in the service worker and for build facts in `index.html`.
BUILD_LINE = 'const BUILD = { version: "none", files: {} };'
FACTS = '<script type="application/json" id="facts">{}</script>'
#: The placeholder for the menu of languages in `index.html`.
LANGUAGE_MENU = "<!-- languages -->"
#: The build writes into these; it copies all other static files unchanged.
TEMPLATES = ("index.html", "service-worker.js")
#: The earliest time stamp of a zip archive.
_THEN = (1980, 1, 1, 0, 0, 0)


def page_files(cache: Path) -> dict[str, bytes]:
    """Return all files of the page by their paths.

    Args:
        cache: the folder of third-party packages.

    Raises:
        Missing: npm or Node.js is not installed.
        BuildFailed: a package cannot be fetched, or a module cannot be compiled.
    """
    program("node")
    pyodide = fetch(PYODIDE, cache)
    engine, stdlib = compile_python(pyodide, *find_imports())
    files = {f"pyodide/{name}": (pyodide / name).read_bytes() for name in PYODIDE_FILES}
    files["pyodide/python_stdlib.zip"] = make_zip(stdlib)
    lock = json.loads((pyodide / "pyodide-lock.json").read_text(encoding="utf-8"))
    without = lock | {"packages": {}}  # the page loads none
    files["pyodide/pyodide-lock.json"] = json.dumps(without).encode()
    files["uqr.mjs"] = (fetch(UQR, cache) / "dist/index.mjs").read_bytes()
    for archive in (APP, LATER, ONLINE_PART):
        files[archive] = make_zip(
            {path: code for path, code in engine.items() if archive_of(_module(path)) == archive}
        )
    for code in LANGUAGES:
        path = FRONTENDS / "words" / "locale" / code / "LC_MESSAGES" / f"{DOMAIN}.mo"
        if path.is_file():
            files[f"locale/{code}.mo"] = path.read_bytes()
    files[FILE] = (LIBRARY / "solver" / FILE).read_bytes()
    for game in GAMES:
        path = LIBRARY / "insight" / FOLDER / file_name(game)
        if path.is_file():
            files[puzzle_file(game)] = path.read_bytes()
    # Without the colours of the library's pictures: the page has its own.
    files["board.css"] = f"{CLASSES}\n{TREE_STYLE}\n".encode()
    files |= {path.name: path.read_bytes() for path in STATIC.iterdir()}
    index, worker = (files.pop(name).decode() for name in TEMPLATES)
    files["index.html"] = make_index(index, files)
    files["service-worker.js"] = make_service_worker(worker, files)
    return files


def find_imports() -> tuple[dict[str, bytes], list[str]]:
    """Return what the page may import: this project's sources by path, and other modules.

    Third-party imports of the fast solver are left out: the engine only asks whether they are
    installed.
    """
    finder = ModuleFinder(path=[], excludes=NOT_IN_PAGE)
    for folder in (LIBRARY, FRONTENDS):
        finder.load_package(folder.name, str(folder))
    for entry in ENTRIES:
        finder.import_hook(f"{FRONTENDS.name}.browser.page.{entry}")
    finder.import_hook(f"{LIBRARY.name}.rules")  # for games of one's own
    paths = [Path(file) for each in finder.modules.values() if (file := vars(each)["__file__"])]
    sources = {
        path.relative_to(package.parent).as_posix(): path.read_bytes()
        for package in (LIBRARY, FRONTENDS)
        for path in paths
        if path.is_relative_to(package)
    }
    others = [
        name
        for name, importers in finder.badmodules.items()
        if name not in NOT_IN_PAGE
        and any(not importer.startswith(SOLVER) for importer in importers)
    ]
    return sources, sorted(others)


def compile_python(
    pyodide: Path, sources: Mapping[str, bytes], others: list[str]
) -> tuple[dict[str, bytes], dict[str, bytes]]:
    """Return the bytecode of the engine and of the needed part of the standard library, by paths.

    Args:
        sources, others: the results of `find_imports`.

    Raises:
        Missing: Node.js is not installed.
        BuildFailed: a module cannot be compiled.
    """
    with tempfile.TemporaryDirectory() as temporary:
        job = Path(temporary)
        wanted = {"imports": others, "margin": MARGIN}
        (job / "job.json").write_text(json.dumps(wanted), encoding="utf-8")
        write_files(job / "sources", sources)
        script, compiler = HERE / "node" / "compile.mjs", HERE / "compiling.py"
        command = [program("node"), str(script), str(pyodide), str(compiler), str(job)]
        done = subprocess.run(command, capture_output=True, text=True, check=False)
        if done.returncode:
            lines = done.stderr.strip().splitlines()
            raise BuildFailed(f"node: {lines[-1] if lines else done.returncode}")
        return _files_in(job / "app"), _files_in(job / "stdlib")


def make_index(text: str, files: Mapping[str, bytes]) -> bytes:
    """Return `index.html` with everything that must be visible before Python has loaded.

    That is a board, its words, the first games, the menu of languages, and the file sizes for the
    loading bar.
    """
    sizes = {name: len(files[name]) for name in LOADED if name in files}
    digests = sorted((name, digest_of(content)) for name, content in files.items())
    facts = {
        **early_facts(),
        "version": _digest_of(digests),
        "sizes": sizes,
        "words": first_words(text),
    }
    written = json.dumps(facts, ensure_ascii=False, sort_keys=True).replace("<", "\\u003c")
    menu = (
        f'<option value="{code}" lang="{code}">{title}</option>'
        for code, title in LANGUAGE_TITLES.items()
    )
    text = text.replace(LANGUAGE_MENU, "\n        ".join(menu))
    return with_board(with_english(text)).replace(FACTS, FACTS.replace("{}", written)).encode()


def make_service_worker(text: str, files: Mapping[str, bytes]) -> bytes:
    """Return the service worker that caches these files, except those that servers generate."""
    kept = sorted((name, content) for name, content in files.items() if name != ONLINE)
    digests = {name: digest_of(content) for name, content in kept}
    build = json.dumps({"version": _digest_of(digests), "files": digests}, indent=1)
    return text.replace(BUILD_LINE, f"const BUILD = {build};").encode()


def _digest_of(value: object) -> str:
    return digest_of(json.dumps(value).encode()).removeprefix("sha256-")[:16]


def write_files(folder: Path, files: Mapping[str, bytes]) -> None:
    """Write files by their paths below a folder."""
    for name, content in files.items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(content)


def make_zip(files: Mapping[str, bytes]) -> bytes:
    """Return a reproducible zip archive of files.

    Its members are not compressed: Python reads them faster, and the whole compresses better.
    """
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w") as archive:
        for name in sorted(files):
            entry = zipfile.ZipInfo(name, _THEN)
            entry.create_system, entry.external_attr = 3, 0o644 << 16
            archive.writestr(entry, files[name])
    return buffer.getvalue()


def _module(path: str) -> str:
    """Return the name of the module in a file of bytecode."""
    return path.removesuffix(".pyc").replace("/", ".")


def _files_in(folder: Path) -> dict[str, bytes]:
    paths = (path for path in folder.rglob("*") if path.is_file())
    return {path.relative_to(folder).as_posix(): path.read_bytes() for path in paths}
