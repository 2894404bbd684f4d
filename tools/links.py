"""Checks the links of the finished site, and those of all Markdown files of the checkout.

    python -m tools.links build/docs

A link to another host is not followed.
"""

from __future__ import annotations

import re
import subprocess
import sys
from collections.abc import Iterable, Iterator
from functools import cache
from html.parser import HTMLParser
from pathlib import Path
from urllib.parse import unquote, urlsplit

ROOT = Path(__file__).resolve().parents[1]
#: What `make docs` writes among the pages.
GENERATED = (ROOT / "docs" / "reference" / "commands.rst", ROOT / "docs" / "reference" / "api")
FRAGMENTS = ROOT / "changes"
_FENCE = re.compile(r"^(```+|~~~+).*?^\1 *$", re.MULTILINE | re.DOTALL)
_CODE = re.compile(r"`[^`]*`")
_LINK = re.compile(r"\]\(<?([^)\s>]+)>?(?: \"[^\"]*\")?\)")
_HEADING = re.compile(r"^#{1,6} (.+?) *#*$", re.MULTILINE)


class _Page(HTMLParser):
    """Collects the places of a page and what it refers to."""

    def __init__(self) -> None:
        super().__init__()
        self.places: set[str] = set()
        self.targets: list[str] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        """Note an element."""
        for name, value in attrs:
            if name == "id" and value:
                self.places.add(value)
            elif name in ("href", "src") and value:
                self.targets.append(value)


@cache
def _page(path: Path) -> _Page:
    page = _Page()
    page.feed(path.read_text(encoding="utf-8"))
    return page


@cache
def _markdown(path: Path) -> tuple[frozenset[str], tuple[str, ...]]:
    """Return the places of a Markdown file, as its host names them, and its links."""
    text = _FENCE.sub("", path.read_text(encoding="utf-8"))
    places: list[str] = []
    for heading in _HEADING.findall(text):
        words = _LINK.sub("]", heading)
        place = re.sub(r"[^\w\- ]", "", words.lower()).replace(" ", "-")
        count = sum(re.fullmatch(rf"{place}(-\d+)?", each) is not None for each in places)
        places.append(f"{place}-{count}" if count else place)
    return frozenset(places), tuple(_LINK.findall(_CODE.sub("", text)))


def _is_local(target: str) -> bool:
    parts = urlsplit(target)
    return not parts.scheme and not parts.netloc


def broken_in_site(site: Path) -> Iterator[str]:
    """Yield what leads nowhere in the finished pages."""
    site = site.resolve()
    for path in sorted(site.rglob("*.html")):
        for target in filter(_is_local, _page(path).targets):
            parts = urlsplit(target)
            file = (path.parent / unquote(parts.path)).resolve() if parts.path else path
            file = file / "index.html" if file.is_dir() else file
            is_there = file.is_file() and file.is_relative_to(site)
            if is_there and parts.fragment and file.suffix == ".html":
                is_there = unquote(parts.fragment) in _page(file).places
            if not is_there:
                yield f"{path.relative_to(site)}: {target}"


def broken_in_checkout(paths: Iterable[Path]) -> Iterator[str]:
    """Yield what leads nowhere in Markdown files, as they are read in the checkout."""
    for path in paths:
        # A fragment of the changelog is read there.
        base = ROOT if path.parent == FRAGMENTS and path.name != "README.md" else path.parent
        for target in filter(_is_local, _markdown(path)[1]):
            parts = urlsplit(target)
            file = (base / unquote(parts.path)).resolve() if parts.path else path
            is_there = file.exists() or file in GENERATED
            if is_there and parts.fragment and file.suffix == ".md":
                is_there = unquote(parts.fragment) in _markdown(file)[0]
            if not is_there:
                yield f"{path.relative_to(ROOT)}: {target}"


def markdown_files() -> list[Path]:
    """Return the Markdown files of the checkout."""
    command = ["git", "ls-files", "--cached", "--others", "--exclude-standard", "*.md"]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=True)
    return [ROOT / name for name in done.stdout.splitlines()]


def main(arguments: list[str]) -> int:
    """Print what is broken, and return 1 if anything is."""
    broken = [*broken_in_checkout(markdown_files())]
    for site in arguments:
        broken += broken_in_site(Path(site))
    for line in broken:
        print(f"leads nowhere: {line}", file=sys.stderr)
    return 1 if broken else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
