"""The search of the site by Pagefind, which works on any web host, instead of that of Sphinx."""

from __future__ import annotations

import json
import re
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

from api_pages import homes
from docutils import nodes
from sphinx.application import Sphinx

#: Pagefind takes a heading with an id for a place that a result can lead to.
_TERM = re.compile(r"^##+ (.+)$", re.MULTILINE)
_SECTION = re.compile(r'<section id="([^"]+)">\n(<span id="[^"]+"></span>)*<h([1-6])>')


def mark(
    app: Sphinx, pagename: str, templatename: str, context: dict[str, object], tree: nodes.document
) -> None:
    """Mark what is searched of a page: its text, but no source and no index."""
    body = context.get("body")
    if tree is not None and isinstance(body, str):
        name = pagename.replace("/", "-")
        body = _SECTION.sub(_with_place, body).replace("<img ", '<img loading="lazy" ')
        for unsearched in ('class="headerlink"', 'class="toctree-wrapper', 'class="viewcode-link'):
            body = body.replace(unsearched, f"data-pagefind-ignore {unsearched}")
        context["body"] = f'<div data-pagefind-body class="page-{name}">{body}</div>'


def _with_place(match: re.Match[str]) -> str:
    return f'<section>\n{match[2] or ""}<h{match[3]} id="{match[1]}">'


def _terms(docs: Path) -> Iterator[tuple[str, str, str]]:
    """Yield the terms of the glossary: each with what it is and where it stands."""
    for term in _TERM.findall((docs / "glossary.md").read_text(encoding="utf-8")):
        place = re.sub(r"[^\w\- ]", "", term.lower()).replace(" ", "-")
        yield term, "in the glossary", f"glossary.html#{place}"


def _names() -> Iterator[tuple[str, str, str]]:
    """Yield the names of the Python API in the same way."""
    for name, home in homes().items():
        yield name, f"in {home}", f"reference/api/{home}.html#{home}.{name}"


def build(app: Sphinx, error: Exception | None) -> None:
    """Make the index of the finished pages, and the list of terms and names."""
    if error is not None or app.builder.name != "html":
        return
    Path(app.outdir, "_static", "names.json").write_text(
        json.dumps([*_terms(Path(app.srcdir)), *_names()], ensure_ascii=False), encoding="utf-8"
    )
    # What Pagefind brings to show results stays out: site.js does.
    command = [sys.executable, "-m", "pagefind", "--quiet", "--site", str(app.outdir)]
    subprocess.run([*command, "--force-language", "en", "--include-characters", "_-"], check=True)
    for path in Path(app.outdir, "pagefind").glob("pagefind-*.*s"):
        if path.name != "pagefind-worker.js":
            path.unlink()


def setup(app: Sphinx) -> dict[str, bool]:
    """Switch the search of Sphinx off, and connect the steps of this one."""
    app.connect("builder-inited", lambda app: setattr(app.builder, "search", False))
    app.connect("html-page-context", mark)
    app.connect("build-finished", build, priority=900)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
