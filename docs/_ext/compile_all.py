"""Runs in Pyodide by ``node/compile.mjs``: compiles all that the blocks of the pages may import.

Like `compiling`, the script of the game's page, which it uses, it works in the folder ``/job``.
"""

from __future__ import annotations

import sys
import zipfile
from pathlib import Path

JOB = Path("/job")
#: What no block can use: other screens, processes, servers, and old encodings are most of it.
LEFT_OUT = (
    *("_pyrepl", "ensurepip", "idlelib", "multiprocessing", "pydoc_data", "tkinter", "unittest"),
    *("antigravity", "imaplib", "mailbox", "poplib", "smtplib", "turtle", "wsgiref", "xml"),
    *("encodings/cp1", "encodings/cp5", "encodings/cp7", "encodings/cp8", "encodings/cp9"),
    *("encodings/iso", "encodings/mac", "encodings/big5", "encodings/euc", "encodings/hz"),
    *("encodings/gb", "encodings/johab", "encodings/koi8", "encodings/shift", "encodings/ptcp"),
)


def main() -> None:
    """Compile the standard library and the packages in ``/job/sources``."""
    sys.path.insert(0, str(JOB))
    from tic_tac_toe_frontends.browser.compiling import SOLVER, compile_library, compile_project

    archive = f"/lib/python{sys.version_info.major}{sys.version_info.minor}.zip"
    with zipfile.ZipFile(archive) as files:
        names = [
            name.removesuffix(".py").removesuffix("/__init__").replace("/", ".")
            for name in files.namelist()
            if name.endswith(".py") and not name.startswith(LEFT_OUT)
        ]
    compile_library(set(names))
    sources = JOB / "sources"
    modules = (".".join(path.relative_to(sources).parts) for path in sources.rglob("*.py"))
    compile_project(
        {
            name.removesuffix(".py").removesuffix(".__init__")
            for name in modules
            if name.startswith(SOLVER)
        }
    )


if __name__ == "__main__":
    main()
