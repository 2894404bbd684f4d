"""The settings of the site, which `make docs` makes of these pages with Sphinx, MyST and Furo."""

project = "Tic-tac-toe and its family"
author = "the tictactoe-engine authors"
copyright = "the tictactoe-engine authors"  # noqa: A001 - Sphinx asks for this name

extensions = ["myst_parser"]
source_suffix = {".md": "markdown"}
exclude_patterns = ["decisions/template.md"]

html_theme = "furo"
html_title = project
html_copy_source = False
html_show_sphinx = False

myst_enable_extensions = ["colon_fence", "deflist"]
myst_heading_anchors = 4
