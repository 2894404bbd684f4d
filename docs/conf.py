"""The settings of the site, which `make docs` makes of these pages with Sphinx, MyST and Furo."""

import sys
from pathlib import Path

DOCS = Path(__file__).resolve().parent
PAGE = DOCS.parent / "frontends" / "src" / "tic_tac_toe_frontends" / "browser" / "static"
sys.path.insert(0, str(DOCS.parent))

project = "Tic-tac-toe and its family"
author = "the tictactoe-engine authors"
copyright = "the tictactoe-engine authors"  # noqa: A001 - Sphinx asks for this name

extensions = [
    "myst_parser",
    "sphinx.ext.autodoc",
    "sphinx.ext.napoleon",
    "sphinx.ext.viewcode",
    "docs._ext.api_pages",
    "docs._ext.command_pages",
    "docs._ext.coming_changes",
    "docs._ext.outside_links",
    "docs._ext.runnable",
    "docs._ext.search_index",
]
source_suffix = {".md": "markdown", ".rst": "restructuredtext"}
exclude_patterns = ["decisions/template.md"]

smartquotes = False
# A name in single backticks becomes a link if it is public, and code otherwise.
default_role = "py:obj"
add_module_names = False
autodoc_member_order = "bysource"
autodoc_typehints = "signature"
autodoc_typehints_format = "short"
autodoc_preserve_defaults = True
maximum_signature_line_length = 80
napoleon_numpy_docstring = False
napoleon_use_ivar = True

html_theme = "furo"
html_title = project
html_static_path = ["_static"]
templates_path = ["_templates"]
html_css_files = ["site.css"]
html_js_files = [("site.js", {"defer": "defer"})]
html_additional_pages = {"search": "search.html"}
# The palette of the page to play in.
html_theme_options = {
    "light_css_variables": {
        "color-background-primary": "#ffffff",
        "color-background-secondary": "#f4f6f9",
        "color-background-hover": "#e8eef6",
        "color-background-border": "#c9d1db",
        "color-foreground-primary": "#1c2530",
        "color-foreground-secondary": "#55606e",
        "color-foreground-muted": "#55606e",
        "color-foreground-border": "#7b8795",
        "color-brand-primary": "#0b57b8",
        "color-brand-content": "#0b57b8",
        "color-brand-visited": "#6a3d9a",
        "color-highlight-on-target": "#fff0b8",
    },
    "dark_css_variables": {
        "color-background-primary": "#12161c",
        "color-background-secondary": "#1b2129",
        "color-background-hover": "#28313d",
        "color-background-border": "#38424f",
        "color-foreground-primary": "#e8edf3",
        "color-foreground-secondary": "#a5b0bd",
        "color-foreground-muted": "#a5b0bd",
        "color-foreground-border": "#778494",
        "color-brand-primary": "#8ec2ff",
        "color-brand-content": "#8ec2ff",
        "color-brand-visited": "#c9a6ff",
        "color-highlight-on-target": "#4a3d10",
    },
}
html_favicon = html_logo = str(PAGE / "icon.svg")
html_copy_source = False
html_show_sphinx = False

myst_enable_extensions = ["colon_fence", "deflist"]
myst_heading_anchors = 4
