"""What goes into the page: its own files, the engine, and of the runtime what it needs."""

from __future__ import annotations

import json
import subprocess
import tempfile
from collections.abc import Iterable, Mapping
from pathlib import Path

from tic_tac_toe.game.svg import STYLE
from tic_tac_toe.game.tree_svg import TREE_STYLE

from ..program.page_files import ONLINE
from ..program.page_manifest import describe
from ..words.translation import DOMAIN, LANGUAGE_TITLES, LANGUAGES, load
from .archives import make_zip
from .imports import closure, imported_names, modules_of
from .packages import PYODIDE, PYSCRIPT, BuildFailed, fetch, program
from .page.words import FIRST_WORDS

HERE = Path(__file__).resolve().parent
STATIC = HERE / "static"
LIBRARY_NAME, FRONTENDS_NAME = "tic_tac_toe", "tic_tac_toe_frontends"
#: Where the page begins, and its worker: what these import is in the page.
ENTRIES = (f"{FRONTENDS_NAME}.browser.page.app", f"{FRONTENDS_NAME}.browser.page.thinker")
#: Modules of the standard library that nothing is seen to import and that may be wanted all the
#: same: to report an error, to read what is not UTF-8.
MARGIN = ("encodings.ascii", "encodings.idna", "encodings.latin_1", "encodings.utf_8", "traceback")
#: The fast solver needs what no browser has; the compiler finds the little that is asked of it.
SOLVER = f"{LIBRARY_NAME}/solver/"
#: Of PyScript, what a page without its plugins loads.
PYSCRIPT_FILES = ("core.js", "core-*.js", "error-*.js")
#: Of Pyodide, what is served as it is.
PYODIDE_FILES = ("pyodide.mjs", "pyodide.asm.mjs", "pyodide.asm.wasm")
#: Where the service worker has its list of files, and `index.html` what the build knows.
BUILD_LINE = 'const BUILD = { version: "none", files: {} };'
FACTS = '<script type="application/json" id="facts">{}</script>'
#: Where `index.html` has its menu of languages.
LANGUAGE_MENU = "<!-- languages -->"
#: What the build writes into; all other static files are served as they are.
TEMPLATES = ("index.html", "service-worker.js")


def page_files(cache: Path, library: Path, frontends: Path) -> dict[str, bytes]:
    """Return all files of the page by their paths.

    Args:
        cache: where packages of others are kept.
        library: the folder of the engine's package.
        frontends: the folder of the front ends' package.

    Raises:
        Missing: npm or Node.js is not installed.
        BuildFailed: a package cannot be had, or something cannot be compiled.
    """
    program("node")
    pyodide, pyscript = fetch(PYODIDE, cache), fetch(PYSCRIPT, cache)
    sources = modules_of(library, LIBRARY_NAME) | modules_of(frontends, FRONTENDS_NAME)
    engine, stdlib = compile_python(pyodide, pyscript, project_sources(sources))
    files = {f"pyodide/{name}": (pyodide / name).read_bytes() for name in PYODIDE_FILES}
    files["pyodide/python_stdlib.zip"] = stdlib
    files["pyodide/pyodide-lock.json"] = _short_lock(pyodide)
    for pattern in PYSCRIPT_FILES:
        for path in (pyscript / "dist").glob(pattern):
            files[f"pyscript/{path.name}"] = _without_map(path.read_bytes())
    files["app.zip"] = engine
    for code in LANGUAGES:
        path = frontends / "words" / "locale" / code / "LC_MESSAGES" / f"{DOMAIN}.mo"
        if path.is_file():
            files[f"locale/{code}.mo"] = path.read_bytes()
    files["board.css"] = _board_style().encode()
    files |= {path.name: path.read_bytes() for path in STATIC.iterdir()}
    index, worker = (files.pop(name).decode() for name in TEMPLATES)
    files["index.html"] = make_index(index, files)
    files["service-worker.js"] = make_service_worker(worker, files)
    return files


def project_sources(sources: Mapping[str, Path]) -> dict[str, bytes]:
    """Return what the page may import of this project, by paths.

    Of the fast solver the compiler keeps only what the engine asks whether it is there.
    """
    names = set[str]().union(*(closure(entry, sources) for entry in ENTRIES))
    return {
        name.replace(".", "/")
        + ("/__init__.py" if path.name == "__init__.py" else ".py"): path.read_bytes()
        for name in names
        if (path := sources[name])
    }


def compile_python(
    pyodide: Path, pyscript: Path, sources: Mapping[str, bytes]
) -> tuple[bytes, bytes]:
    """Return the engine and the standard library as far as needed, both as archives of bytecode.

    Raises:
        Missing: Node.js is not installed.
        BuildFailed: something cannot be compiled.
    """
    texts = [text.decode() for name, text in sources.items() if not name.startswith(SOLVER)]
    stdlib_of_pyscript = pyscript / "src" / "stdlib" / "pyscript"
    texts += [path.read_text(encoding="utf-8") for path in stdlib_of_pyscript.glob("*.py")]
    with tempfile.TemporaryDirectory() as temporary:
        job = Path(temporary)
        wanted = {"imports": _absolute_imports(texts), "margin": MARGIN}
        (job / "job.json").write_text(json.dumps(wanted), encoding="utf-8")
        for name, content in sources.items():
            path = job / "sources" / name
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_bytes(content)
        script, compiler = HERE / "node" / "compile.mjs", HERE / "compiling.py"
        command = [program("node"), str(script), str(pyodide), str(compiler), str(job)]
        done = subprocess.run(command, capture_output=True, text=True, check=False)
        if done.returncode:
            lines = done.stderr.strip().splitlines()
            raise BuildFailed(f"node: {lines[-1] if lines else done.returncode}")
        return _zip_folder(job / "app"), _zip_folder(job / "stdlib")


def make_index(text: str, files: Mapping[str, bytes]) -> bytes:
    """Return the page with what has to be known before Python is there.

    That is the menu of languages, which share of the loading each large file is, and some words in
    each language.
    """
    sizes = {name: describe(content).packed for name, content in files.items()}
    large = {name: size for name, size in sizes.items() if name.endswith((".wasm", ".zip", "js"))}
    weights = {name: round(90 * size / sum(large.values()), 1) for name, size in large.items()}
    words = {}
    for code in LANGUAGES:
        language = load(code, {})
        words[code] = {name: language.gettext(word) for name, word in FIRST_WORDS.items()}
    facts = json.dumps({"weights": weights, "words": words}, ensure_ascii=False, sort_keys=True)
    text = text.replace(FACTS, FACTS.replace("{}", facts.replace("<", "\\u003c")))
    menu = (
        f'<option value="{code}" lang="{code}">{title}</option>'
        for code, title in LANGUAGE_TITLES.items()
    )
    return text.replace(LANGUAGE_MENU, "\n        ".join(menu)).encode()


def make_service_worker(text: str, files: Mapping[str, bytes]) -> bytes:
    """Return the service worker that keeps these files, but for what servers answer themselves."""
    kept = sorted((name, content) for name, content in files.items() if name != ONLINE)
    digests = {name: describe(content).digest for name, content in kept}
    version = describe(json.dumps(digests).encode()).digest.removeprefix("sha256-")[:16]
    build = json.dumps({"version": version, "files": digests}, indent=1)
    return text.replace(BUILD_LINE, f"const BUILD = {build};").encode()


def _absolute_imports(texts: Iterable[str]) -> list[str]:
    """Return what source imports from elsewhere than this project."""
    found = {name for text in texts for name in imported_names(text, "_own")}
    own = (LIBRARY_NAME, FRONTENDS_NAME, "_own", "pyscript")
    return sorted(name for name in found if name.split(".")[0] not in own)


def _zip_folder(folder: Path) -> bytes:
    paths = (path for path in folder.rglob("*") if path.is_file())
    return make_zip({path.relative_to(folder).as_posix(): path.read_bytes() for path in paths})


def _short_lock(pyodide: Path) -> bytes:
    """Return Pyodide's list of packages without the packages: the page loads none."""
    lock = json.loads((pyodide / "pyodide-lock.json").read_text(encoding="utf-8"))
    return json.dumps(lock | {"packages": {}}).encode()


def _without_map(script: bytes) -> bytes:
    """Return a script without the pointer to its map, which is not served."""
    lines = script.split(b"\n")
    return b"\n".join(line for line in lines if not line.startswith(b"//# sourceMappingURL="))


def _board_style() -> str:
    """Return the style of the library's pictures without its colours: the page has its own."""
    return f"{STYLE[STYLE.index('.ttt-paper') :]}\n{TREE_STYLE}\n"
