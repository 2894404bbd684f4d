"""Writes a page for each public module into reference/api, from the docstrings of its names.

A name stands once, on the page of the first module that exports it; the others link to it.
"""

from __future__ import annotations

import enum
import inspect
import re
from collections.abc import Iterator
from importlib import import_module
from pathlib import Path

from docutils import nodes
from sphinx import addnodes
from sphinx.application import Sphinx
from sphinx.domains.python._object import PyObject
from sphinx.environment import BuildEnvironment
from sphinx.util.nodes import make_refnode

from tools.public_pages import MODULES, public_names, sentence

PAGES = "reference/api"
#: The headings of a page, in this order.
GROUPS = ("Classes", "Functions", "Errors", "Values")
_PAGE_NAMED = re.compile(r"``docs/([\w/-]+)\.md``")
_BACK = re.compile(r'(class="viewcode-back" href="[./]*)[\w./#]+#tic_tac_toe\.([\w.]+)"')
_SIGNATURE = re.compile(r'<dt class="sig .*?</dt>', re.DOTALL)
_TWO_NAMES = re.compile(r"(?<=^:ivar )\w+(?:, \w+)+(?=:)|(?<=^:param )\w+(?:, \w+)+(?=:)")
_ALIAS = re.compile(r"^alias of .*$")


def homes() -> dict[str, str]:
    """Return the module on whose page each public name stands, by the name alone."""
    found: dict[str, str] = {}
    for module, names in public_names().items():
        for name in names:
            found.setdefault(name, module)
    return found


def write_pages(app: Sphinx) -> None:
    """Write the pages, and remove those of modules that are not public any more."""
    folder = Path(app.srcdir, PAGES)
    folder.mkdir(exist_ok=True)
    pages = {f"{module}.rst": _page(module, names) for module, names in public_names().items()}
    pages["index.rst"] = _index(list(public_names()))
    for path in folder.iterdir():
        if path.name not in pages:
            path.unlink()
    for name, text in pages.items():
        write_if_changed(folder / name, text)


def write_if_changed(path: Path, text: str) -> None:
    """Write a file unless it has this text: Sphinx reads again what has a newer date."""
    if not path.exists() or path.read_text(encoding="utf-8") != text:
        path.write_text(text, encoding="utf-8")


def _index(modules: list[str]) -> str:
    new = [module for module in modules if module.removeprefix("tic_tac_toe").strip(".") in MODULES]
    classic = [module for module in modules if module not in new]
    return "\n".join(
        [
            *_heading("Python API", "="),
            "Every public name with its signature, made from the docstrings.",
            ":doc:`../public` says what public means, and which function is for what.\n",
            *_contents("The library", new),
            *_contents("The classic modules", classic),
        ]
    )


def _contents(caption: str, modules: list[str]) -> list[str]:
    return [
        *_heading(caption, "-"),
        ".. toctree::",
        "   :maxdepth: 1\n",
        *(f"   {module.removeprefix('tic_tac_toe.')} <{module}>" for module in modules),
        "",
    ]


def _page(module: str, names: list[str]) -> str:
    home = homes()
    here = [name for name in names if home[name] == module]
    elsewhere = [name for name in names if home[name] != module]
    lines = [*_heading(f"``{module}``", "="), f".. automodule:: {module}\n"]
    if module.removeprefix("tic_tac_toe").strip(".") not in MODULES:
        lines += [f".. py:currentmodule:: {module}\n"]
    for group in GROUPS:
        members = [name for name in here if _group(module, name) == group]
        if members:
            lines += _heading(group, "-")
        for name in members:
            lines += _entry(module, name)
    if elsewhere:
        lines += _heading("Names on other pages", "-")
        lines.append("This module exports these names, too:\n")
        lines += [f"* :py:obj:`{name} <{home[name]}.{name}>`" for name in elsewhere]
    return "\n".join([*lines, ""])


def _heading(title: str, line: str) -> list[str]:
    return [title, line * len(title), ""]


def _group(module: str, name: str) -> str:
    value = getattr(import_module(module), name)
    if not inspect.isclass(value):
        return "Functions" if inspect.isroutine(value) else "Values"
    return "Errors" if issubclass(value, BaseException) else "Classes"


def _entry(module: str, name: str) -> Iterator[str]:
    value = getattr(import_module(module), name)
    path = f"{module}.{name}"
    if inspect.isclass(value):
        kind = "autoexception" if issubclass(value, BaseException) else "autoclass"
        yield f".. {kind}:: {path}"
        yield "   :members:"
        if issubclass(value, enum.Enum):
            yield "   :undoc-members:"
    elif inspect.isroutine(value):
        yield f".. autofunction:: {path}"
    else:
        yield f".. py:data:: {path}\n"
        yield f"   {sentence(value, module, name)}"
    yield ""


def link_pages_named(
    app: Sphinx, what: str, name: str, value: object, options: object, lines: list[str]
) -> None:
    """Make links of the pages that a docstring names, and drop what autodoc says of aliases."""
    lines[:] = [_PAGE_NAMED.sub(r":doc:`/\1`", line) for line in lines if not _ALIAS.match(line)]
    # Sphinx would take the first of two names for a type.
    lines[:] = [_TWO_NAMES.sub(lambda names: names[0].replace(" ", ""), line) for line in lines]


def link_names(
    app: Sphinx, env: BuildEnvironment, node: addnodes.pending_xref, content: nodes.Element
) -> nodes.reference | None:
    """Resolve a name, whatever its module in the docstring, if it is public."""
    if node.get("refdomain") != "py":
        return None
    name, _, member = node["reftarget"].removeprefix("tic_tac_toe.").rpartition(".")
    known = homes()
    for names in ([member], [name.rpartition(".")[2], member]):
        if names[0] in known:
            target = ".".join([known[names[0]], *names])
            found = env.domains.python_domain.objects.get(target)
            if found is not None:
                docname = node.get("refdoc", env.docname)
                return make_refnode(
                    app.builder, docname, found.docname, found.node_id, content, target
                )
    return None


def dash(app: Sphinx, tree: nodes.document) -> None:
    """Put a dash between a parameter and what it is."""
    for text in list(tree.findall(nodes.Text)):
        if text == " -- ":
            text.parent.replace(text, nodes.Text(" – "))


def source_of(app: Sphinx, module: str, name: str) -> str | None:
    """Keep values of other libraries, such as a clock, out of the pages with sources."""
    value: object = import_module(module)
    for part in name.split("."):
        value = getattr(value, part, None)
    home = getattr(value, "__module__", None) or ""
    return None if home.startswith("tic_tac_toe") else module


def link_back(
    app: Sphinx, pagename: str, templatename: str, context: dict[str, object], tree: object
) -> None:
    """Let a source lead to where its names stand: Sphinx takes one page for all of a module."""
    body = context.get("body")
    if pagename == "_modules/index" and isinstance(body, str):  # Sphinx puts lists between items
        context["body"] = re.sub("</?ul>", "", body).replace("<li>", "<ul><li>", 1) + "</ul>"
    elif pagename.startswith("_modules/") and isinstance(body, str):
        known = homes()

        def link(match: re.Match[str]) -> str:
            name = match[2].rpartition("tic_tac_toe.")[2].split(".")
            while name[0] not in known:
                del name[0]
            home = known[name[0]]
            return f'{match[1]}{PAGES}/{home}.html#{".".join([home, *name])}"'

        context["body"] = _BACK.sub(link, body)


def unlist(
    app: Sphinx, pagename: str, templatename: str, context: dict[str, object], tree: object
) -> None:
    """Make lines of the parameters of a long signature, which Sphinx makes a list without terms."""
    body = context.get("body")
    if pagename.startswith(PAGES) and isinstance(body, str):
        context["body"] = _SIGNATURE.sub(
            lambda found: re.sub(r"<(/?)d[ld]>", r"<\1span>", found[0]).replace(
                "<span>", '<span class="sig-line">'
            ),
            body,
        )


def setup(app: Sphinx) -> dict[str, bool]:
    """Connect the steps with Sphinx."""
    for field in PyObject.doc_field_types:
        if field.name == "variable":  # an attribute stands in its class, and needs no link
            field.rolename, field.label = "", "Attributes"
    app.connect("builder-inited", write_pages)
    app.connect("autodoc-process-docstring", link_pages_named)
    app.connect("missing-reference", link_names)
    app.connect("doctree-read", dash)
    app.connect("viewcode-follow-imported", source_of)
    app.connect("html-page-context", link_back)
    app.connect("html-page-context", unlist)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
