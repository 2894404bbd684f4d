"""Gives the examples and exercises of the pages what `run.js` needs to run them.

Without JavaScript, and in a build without npm, an example stays as it is written, with its picture.
The pictures are made here: one for each block whose last statement shows a value that has one.
"""

from __future__ import annotations

import ast
import hashlib
import json
import os
import subprocess
import sys
from html import escape
from pathlib import Path
from typing import Any

from docutils import nodes
from pygments import highlight
from pygments.formatters import HtmlFormatter
from pygments.lexers import PythonConsoleLexer, PythonLexer
from sphinx.application import Sphinx
from sphinx.transforms.post_transforms import SphinxPostTransform
from sphinx.util import logging

from docs._ext import python_files
from docs._ext.blocks import EXERCISES, Block, load_exercise, read_blocks, without_flags
from docs._ext.session import Job
from tic_tac_toe.engines.choice import CODE_VARIABLE, PLAIN
from tic_tac_toe_frontends.browser.packages import Missing

ROOT = Path(__file__).resolve().parents[2]
PICTURES = "_static/run/pictures"
PYTHON = "_static/python"
logger = logging.getLogger(__name__)


class Runnable(nodes.General, nodes.Element):
    """A block that runs; its attributes are the `html` of the page."""


class FindBlocks(SphinxPostTransform):
    """Replaces the blocks that run, found by what the page's file says."""

    default_priority = 400
    formats = ("html",)

    def run(self, **options: Any) -> None:
        """Replace each block of the page, in order."""
        path = Path(self.env.doc2path(self.env.docname))
        if path.suffix != ".md":
            return
        blocks = read_blocks(path.read_text(encoding="utf-8"))
        literals = iter(list(self.document.findall(nodes.literal_block)))
        drawn = self._pictures(blocks)
        for number, block in enumerate(blocks):
            wanted = _plain(block.text)
            literal = next(each for each in literals if _plain(each.astext()) == wanted)
            html = f'<div class="runnable" data-block="{number}">{_shown(block)}'
            if number in drawn:
                html += self._figure(drawn[number])
            data: dict[str, Any] = dict(block.job())
            if block.exercise:
                exercise = load_exercise(block.exercise)
                data["check"] = (EXERCISES / f"{block.exercise}.py").read_text(encoding="utf-8")
                html += _details(exercise.SOLUTION)
            written = json.dumps(data, ensure_ascii=False).replace("<", "\\u003c")
            html += f'<script type="application/json">{written}</script></div>'
            literal.replace_self(Runnable("", html=html))

    def _pictures(self, blocks: list[Block]) -> dict[int, str]:
        """Return the pictures of the page, from a process of its own: pages register games."""
        last = max((n for n, block in enumerate(blocks) if _may_show(block)), default=-1)
        jobs: list[Any] = [
            Job(sources=[], raises=[]) if block.exercise else block.job()
            for block in blocks[: last + 1]
        ]
        if not jobs:
            return {}
        folders = [str(ROOT), *sys.path]
        done = subprocess.run(
            [sys.executable, Path(__file__).with_name("session.py")],
            input=json.dumps(jobs),
            capture_output=True,
            text=True,
            check=True,
            env=os.environ | {CODE_VARIABLE: PLAIN, "PYTHONPATH": os.pathsep.join(folders)},
        )
        return {int(number): picture for number, picture in json.loads(done.stdout).items()}

    def _figure(self, picture: str) -> str:
        """Write a picture into a file of the site, and return what shows it."""
        folder = Path(self.app.outdir, PICTURES)
        folder.mkdir(parents=True, exist_ok=True)
        name = f"{hashlib.sha256(picture.encode()).hexdigest()[:16]}.svg"
        (folder / name).write_text(picture, encoding="utf-8")
        address = "../" * self.env.docname.count("/") + f"{PICTURES}/{name}"
        if self.app.builder.name == "dirhtml":
            address = f"../{address}"
        title = picture.partition("<title>")[2].partition("</title>")[0] or "The value as a picture"
        return f'<p class="run-picture"><img src="{address}" alt="{title}" loading="lazy"></p>'


def _plain(text: str) -> str:
    """Return code as Sphinx may leave it: without what only doctest reads."""
    return without_flags(text).replace("<BLANKLINE>", "").rstrip()


def _may_show(block: Block) -> bool:
    """Return whether the last statement may show a value with a picture, by what is written."""
    if not block.examples:
        return False
    last = block.examples[-1]
    if not last.want or last.exc_msg is not None:
        return False
    try:
        ast.literal_eval(last.want)
    except (ValueError, SyntaxError):
        return isinstance(ast.parse(last.source).body[-1], ast.Expr)
    return False


def _shown(block: Block) -> str:
    """Return a block as it is written, with the output of each statement in an element."""
    if block.exercise:
        return _frame(_coloured(block.text, PythonLexer()))
    html = ""
    for part in block.parts:
        if isinstance(part, str):
            html += escape(part.rstrip(" "))
            continue
        lines = without_flags(part.source).rstrip("\n").split("\n")
        prompted = [f"{'...' if n else '>>>'} {line}".rstrip() for n, line in enumerate(lines)]
        html += _coloured("\n".join(prompted), PythonConsoleLexer())
        want = escape(part.want.replace("<BLANKLINE>\n", "\n"))
        html += f'<span class="run-output go">{want}</span>'
    return _frame(html)


def _coloured(code: str, lexer: PythonLexer | PythonConsoleLexer) -> str:
    return str(highlight(code, lexer, HtmlFormatter(nowrap=True)))


def _frame(html: str) -> str:
    inner = f'<div class="highlight"><pre>{html}</pre></div>'
    return f'<div class="highlight-python notranslate">{inner}</div>'


def _details(solution: str) -> str:
    shown = _frame(_coloured(solution.strip("\n") + "\n", PythonLexer()))
    inner = f"<summary>Show a solution</summary>{shown}"
    return f'<details class="run-solution" data-pagefind-ignore>{inner}</details>'


def _write(translator: Any, node: Runnable) -> None:
    translator.body.append(node["html"])
    raise nodes.SkipNode


def _add_python(app: Sphinx) -> None:
    """Add the folder of Python to a site, where it can be made, and say how large it is."""
    if app.builder.format != "html":
        return
    try:
        size = python_files.make(Path(app.outdir, PYTHON))
    except Missing as missing:
        logger.info("no Run: %s is not installed", missing)
        return
    app.config.html_context["run_size"] = f"{size / 1e6:.1f} MB"


def _add_script(
    app: Sphinx, page: str, _template: str, context: dict[str, Any], doctree: Any
) -> None:
    """Add the script and the styles to the pages that have something to run."""
    if doctree is None or not any(doctree.findall(Runnable)):
        return
    app.add_css_file("run/run.css")
    if "run_size" in context:
        app.add_js_file("run/run.js", type="module", **{"data-size": context["run_size"]})


def setup(app: Sphinx) -> dict[str, bool]:
    """Register the parts; see Sphinx."""
    app.add_node(Runnable, html=(_write, None))
    app.add_post_transform(FindBlocks)
    app.connect("builder-inited", _add_python)
    app.connect("html-page-context", _add_script)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
