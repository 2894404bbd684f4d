"""The settings of the site, which `make docs` makes of these pages with Sphinx, MyST and Furo."""

import sys
from pathlib import Path

DOCS = Path(__file__).resolve().parent
sys.path.insert(0, str(DOCS / "_ext"))

project = "Tic-tac-toe and its family"
author = "the tictactoe-engine authors"
copyright = "the tictactoe-engine authors"  # noqa: A001 - Sphinx asks for this name

extensions = [
    "myst_parser",
]
source_suffix = {".md": "markdown", ".rst": "restructuredtext"}
exclude_patterns = ["decisions/template.md"]

html_theme = "furo"
html_title = project
html_static_path = ["_static"]
html_copy_source = False
html_show_sphinx = False

myst_enable_extensions = ["colon_fence", "deflist"]
myst_heading_anchors = 4
