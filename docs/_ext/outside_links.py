"""Links that leave docs/: to a page of the site that shows the file, else to a copy of the file.

The pages are read in a checkout, too, where the same links lead to the files themselves.
"""

from __future__ import annotations

from pathlib import Path

from docutils import nodes
from sphinx import addnodes
from sphinx.application import Sphinx

#: The pages that show a file of the checkout.
SHOWN_ON = {
    "README": "index",
    "CHANGELOG": "changelog",
    "CONTRIBUTING": "contributing/index",
    "benchmarks/RESULTS": "reference/speed",
}


def redirect(app: Sphinx, tree: nodes.document) -> None:
    """Let each link to a page outside the site lead to what stands for it."""
    root = Path(app.srcdir).parent
    for node in list(tree.findall(addnodes.pending_xref)):
        if node.get("refdomain") != "doc":
            continue
        path = Path(app.srcdir, node["reftarget"]).resolve()
        if path.is_relative_to(app.srcdir) or not path.is_relative_to(root):
            continue
        shown_on = SHOWN_ON.get(path.relative_to(root).as_posix())
        if shown_on:
            node["reftarget"] = shown_on
        elif (file := path.with_name(f"{path.name}.md")).exists():
            name = app.env.dlfiles.add_file(app.env.docname, str(file))
            copy = addnodes.download_reference(
                "", "", *node.children, reftarget=str(file), filename=str(name)
            )
            node.replace_self(copy)


def setup(app: Sphinx) -> dict[str, bool]:
    """Connect the step with Sphinx."""
    app.connect("doctree-read", redirect)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
