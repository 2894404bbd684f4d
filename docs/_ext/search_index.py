"""The search of the site by Pagefind, which works on any web host, instead of that of Sphinx."""

from __future__ import annotations

import json
import re
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

from docutils import nodes
from sphinx.application import Sphinx

from docs._ext.api_pages import homes
from tic_tac_toe import VARIANTS

_CODE = re.compile(r"^\| `(\w+)` \|", re.MULTILINE)
_HEADING = re.compile(r"^##+ (.+)$", re.MULTILINE)
#: Pagefind takes a heading with an id for a place that a result can lead to.
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
        # What is looked up comes behind what is read.
        weight = 0.5 if pagename.startswith(("reference/", "changelog")) else 1
        context["body"] = (
            f'<div data-pagefind-body data-pagefind-weight="{weight}" class="page-{name}">'
            f"{body}</div>"
        )


def _with_place(match: re.Match[str]) -> str:
    return f'<section>\n{match[2] or ""}<h{match[3]} id="{match[1]}">'


def _terms(docs: Path) -> Iterator[tuple[str, str, str]]:
    """Yield terms, games and codes of errors: each with what it is and where it stands."""
    for term in _HEADING.findall((docs / "glossary.md").read_text(encoding="utf-8")):
        yield term, "in the glossary", f"glossary.html#{_place(term)}"
    for section in re.split(r"^#+ ", (docs / "play" / "games.md").read_text("utf-8"), flags=re.M):
        place = _place(section.partition("\n")[0])
        for game in dict.fromkeys(re.findall(r"`([\w,-]+)`", section)):
            if game in VARIANTS:
                yield game, "among the games", f"play/games.html#{place}"
    errors = (docs / "reference" / "errors.md").read_text(encoding="utf-8")
    for section in re.split(r"^## ", errors, flags=re.MULTILINE)[1:]:
        error = section.partition("\n")[0]
        for code in _CODE.findall(section):
            yield code, f"is a code of {error}", f"reference/errors.html#{_place(error)}"


def _place(heading: str) -> str:
    return re.sub(r"[^\w\- ]", "", heading.lower()).replace(" ", "-")


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
