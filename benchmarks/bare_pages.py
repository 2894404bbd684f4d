"""What the page is measured beside: pages that draw a board of nine cells, and play nothing.

They are compressed at build time as the page itself is, and come from the same server.
"""

from __future__ import annotations

from pathlib import Path

from tic_tac_toe_frontends.browser.build import with_packed
from tic_tac_toe_frontends.browser.contents import PYODIDE_FILES, write_files
from tic_tac_toe_frontends.browser.packages import PYODIDE, PYSCRIPT, fetch
from tic_tac_toe_frontends.program.page_files import INDEX, Manifest, PageFiles, cache_folder

HEAD = """\
<!doctype html>
<html lang="en">
<head><meta charset="utf-8"><title>Bare</title><link rel="icon" href="data:,">
<style>#board { display: grid; grid-template-columns: repeat(3, 5em); }
button { height: 5em; }</style>"""
WITH_PYSCRIPT = (
    HEAD
    + """
<script type="module" src="pyscript/core.js"></script></head>
<body><div id="board"></div>
<script type="py" config='{"interpreter": "./pyodide/pyodide.mjs"}'>
from js import document, performance
from pyodide.ffi import create_proxy

def play(event):
    event.target.textContent = "X"

board = document.getElementById("board")
board.innerHTML = "".join(f'<button data-cell="{cell}"></button>' for cell in range(9))
board.addEventListener("click", create_proxy(play))
document.documentElement.dataset.ready = "1"
performance.mark("ready")
</script></body>
</html>
"""
)
PLAIN = (
    HEAD
    + """
</head>
<body><div id="board"></div>
<script>
const board = document.getElementById("board");
for (let cell = 0; cell < 9; cell += 1) {
  const button = board.appendChild(document.createElement("button"));
  button.dataset.cell = cell;
}
board.addEventListener("click", (event) => { event.target.textContent = "X"; });
document.documentElement.dataset.ready = "1";
performance.mark("ready");
</script></body>
</html>
"""
)


def pyscript_site(folder: Path) -> PageFiles:
    """Return a page with all of PyScript, Pyodide and the standard library, as npm brings them.

    Raises:
        Missing: npm or Node.js is not installed.
        BuildFailed: a package cannot be had.
    """
    pyodide, pyscript = fetch(PYODIDE, cache_folder()), fetch(PYSCRIPT, cache_folder())
    names = (*PYODIDE_FILES, "python_stdlib.zip", "pyodide-lock.json")
    files = {INDEX: WITH_PYSCRIPT.encode()}
    files |= {f"pyodide/{name}": (pyodide / name).read_bytes() for name in names}
    files |= {f"pyscript/{path.name}": path.read_bytes() for path in pyscript.glob("dist/*.js")}
    return _site(folder, files)


def html_site(folder: Path) -> PageFiles:
    """Return a page of one file.

    Raises:
        Missing: Node.js is not installed.
    """
    return _site(folder, {INDEX: PLAIN.encode()})


def _site(folder: Path, files: dict[str, bytes]) -> PageFiles:
    # The caches of compressed files are cleared of what a build does not need: each has its own.
    packed = with_packed(files, cache_folder() / folder.name)
    write_files(folder, packed)
    return PageFiles(folder, Manifest.of(packed, "bare"))
