"""What a build makes of the checkout: version, requirements, addresses, description, shared files.

Hatchling runs it for the library, for the front ends and for both in one, which the root builds. A
source distribution has the results in PKG-INFO, and the shared files in its own folder.
"""

from __future__ import annotations

import re
import runpy
import subprocess
import sys
from importlib import import_module
from pathlib import Path
from typing import Any

from hatchling.builders.hooks.plugin.interface import BuildHookInterface
from hatchling.metadata.plugin.interface import MetadataHookInterface

tomllib = import_module("tomllib" if sys.version_info >= (3, 11) else "tomli")

#: The tests in the library's source distribution: rooms, and what stands beside these.
ROOMS = ("classic", "conformance", "contest", "data", "engines", "game", "logic", "solver")
BESIDE = (
    "requirements/smoke.txt",
    "tests/[!t]*.py",
    "tests/theorems.py",
    *(f"tools/{name}.py" for name in ("__init__", "certificates", "chromium", "firefox")),
    *(f"tools/{name}.py" for name in ("forced_positions", "make_book")),
)
#: Tests that need other packages than the library and its compiled solver, or pages of docs/.
LEFT_OUT = {"test_catalogue.py", "test_cluster.py", "test_renju.py", "test_statistics.py"}
#: A relative link of Markdown, or a picture.
LINK = re.compile(r"(!?)\[([^\]]*)\]\((?!https?:|#)([^)]+)\)")
#: Another package of this project among requirements, with its extra and its version.
OWN = re.compile(r"tictactoe-(?:engine|frontends)(\[\w+\])?(?:==\S+)?")
BOTH = "tictactoe-all"


class Metadata(MetadataHookInterface):
    """The metadata that the checkout determines."""

    def update(self, metadata: dict[str, Any]) -> None:
        """Fill in the dynamic fields."""
        root, dynamic = Path(self.root), metadata["dynamic"]
        checkout = checkout_of(root)
        if checkout is None:
            return
        metadata["version"] = version = version_of(checkout)
        if "dependencies" in dynamic:
            stated = version.partition("+")[0]
            needed, extras = both(checkout) if root == checkout else required_by(root)
            metadata["dependencies"] = [each.format(version=stated) for each in needed]
            metadata["optional-dependencies"] = {
                name: [each.format(version=stated) for each in packages]
                for name, packages in extras.items()
            }
        settings = read(checkout)["tool"]["tictactoe"]
        author = {"name": settings["authors"], "email": settings["contact"]}
        metadata["authors"] = [{key: value for key, value in author.items() if value}]
        address = settings["address"].rstrip("/")
        changelog = f"{address}/blob/{tag_of(version)}/CHANGELOG.md"
        urls = {"Source": address, "Issues": f"{address}/issues", "Changelog": changelog}
        metadata["urls"] = urls if address else {}
        if "readme" in dynamic:
            text = readme_text(root, checkout, address, tag_of(version))
            text += changes(checkout, version)
            metadata["readme"] = {"content-type": "text/markdown", "text": text}


class Files(BuildHookInterface[Any]):
    """The files of a source distribution that have their place elsewhere in the checkout."""

    def initialize(self, version: str, build_data: dict[str, Any]) -> None:
        """Add the changes, this file, and the tests of the library; leave out what Git ignores."""
        root = Path(self.root)
        checkout = checkout_of(root)
        if checkout is None:
            return
        included = build_data["force_include"]
        for path, name in list(included.items()):
            if name in (".gitignore", "hatch_build.py"):
                del included[path]
        included[str(checkout / "library" / "hatch_build.py")] = "hatch_build.py"
        included[str(checkout / "CHANGELOG.md")] = "CHANGELOG.md"
        if root.name == "library":
            for pattern in (*(f"tests/{room}/**/*.*" for room in ROOMS), *BESIDE):
                for path in sorted(checkout.glob(pattern)):
                    if path.suffix != ".pyc" and path.name not in LEFT_OUT:
                        included[str(path)] = path.relative_to(checkout).as_posix()


def checkout_of(root: Path) -> Path | None:
    """Return the checkout that a project is built in; None in a source distribution."""
    if (root / "PKG-INFO").exists():
        return None
    return next((path for path in (root, root.parent) if (path / "CHANGELOG.md").exists()), None)


def read(folder: Path) -> dict[str, Any]:
    """Return the settings in a folder's pyproject.toml."""
    settings: dict[str, Any] = tomllib.loads((folder / "pyproject.toml").read_text("utf-8"))
    return settings


def version_of(checkout: Path) -> str:
    """Return the version; it says as well where tracked files differ from the commit."""
    path = checkout / "library" / "src" / "tic_tac_toe" / "version.py"
    version: str = runpy.run_path(str(path))["__version__"]
    command = ["git", "-C", str(checkout), "status", "--porcelain", "--untracked-files=no"]
    if "+" in version:
        try:
            changed = subprocess.run(command, capture_output=True, check=True).stdout
        except (OSError, subprocess.CalledProcessError):  # no Git, or not the owner's
            changed = b""
        version += ".dirty" if changed else ""
    return version


def tag_of(version: str) -> str:
    """Return what the repository calls a version: a tag, or the commit."""
    public, _, commit = version.partition("+g")
    return commit.partition(".")[0] or (f"v{public}" if ".dev" not in public else "HEAD")


def required_by(project: Path) -> tuple[list[str], dict[str, list[str]]]:
    """Return what a project requires, and by its extras."""
    settings = read(project)
    hook = settings["tool"]["hatch"]["metadata"]["hooks"]["custom"]
    table = hook if "dependencies" in hook else settings["project"]
    return table["dependencies"], table["optional-dependencies"]


def both(checkout: Path) -> tuple[list[str], dict[str, list[str]]]:
    """Return what both projects in one require, and by all their extras."""
    needed: list[str] = []
    extras: dict[str, list[str]] = {}
    for project in ("library", "frontends"):
        own, optional = required_by(checkout / project)
        needed += [each for each in own if not OWN.fullmatch(each)]
        for name, packages in optional.items():
            extras[name] = [OWN.sub(rf"{BOTH}\1", each) for each in packages]
    return needed, extras


def readme_text(root: Path, checkout: Path, address: str, tag: str) -> str:
    """Return a README whose links lead to the repository.

    Without an address pictures are left out, and links are their words alone.
    """

    def absolute(link: re.Match[str]) -> str:
        picture, words, target = link.groups()
        if not address:
            return "" if picture else words
        path = (root / target).resolve().relative_to(checkout.resolve()).as_posix()
        return f"{picture}[{words}]({address}/{'raw' if picture else 'blob'}/{tag}/{path})"

    text = LINK.sub(absolute, (root / "README.md").read_text("utf-8"))
    return re.sub(r"\n{3,}", "\n\n", text)


def changes(checkout: Path, version: str) -> str:
    """Return what the release brings, as CHANGELOG.md says; an empty text between releases."""
    text = (checkout / "CHANGELOG.md").read_text("utf-8")
    heading = rf"(?ms)^## \[?{re.escape(version)}\b.*?(?=^## |\Z)"
    found = re.search(heading, text)
    return f"\n{found[0].rstrip()}\n" if found else ""
