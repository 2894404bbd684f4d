"""The changelog of the site shows the changes that the next release will have, before the others.

They are files in the folder `changes`, one for each change.
"""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

from sphinx.application import Sphinx

#: Where `make release` puts them.
MARK = "<!-- releases, newest first -->\n"


def show_coming(app: Sphinx, page: str, source: list[str]) -> None:
    """Make the page of what CHANGELOG.md says and of what is to come."""
    if page != "changelog":
        return
    root = Path(app.srcdir).parent
    draft = subprocess.run(
        [sys.executable, "-m", "towncrier", "build", "--draft", "--version", "Unreleased"],
        cwd=root,
        capture_output=True,
        encoding="utf-8",
        check=True,
    ).stdout
    text = (root / "CHANGELOG.md").read_text(encoding="utf-8")
    source[0] = text.replace(MARK, f"{MARK}\n{draft}").replace("](docs/", "](")


def setup(app: Sphinx) -> dict[str, bool]:
    """Join the build."""
    app.connect("source-read", show_coming)
    return {"parallel_read_safe": True}
