"""Builds the packages, and checks what is built.

``python -m tools.packages build FOLDER`` puts source distributions and wheels of both projects into
a folder, and ``python -m tools.packages check FOLDER`` checks those in one. The package of the
root, which holds both projects and is never uploaded, is not among them.
"""

from __future__ import annotations

import os
import re
import subprocess
import sys
import tempfile
from collections.abc import Sequence
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
PROJECTS = ("library", "frontends")
#: What Pyroma misses while there is no address and no contact.
WITHOUT_SETTINGS = {
    "Your package does not have author-email data.",
    "Your package should have a 'url' field with a link to the project home page, or a "
    "'project_urls' field, with a dictionary of links, or both.",
}
#: Settings for a trial of what the packages say once there are some.
TRIAL = {"address": "https://example.org/owner/name", "contact": "authors@example.org"}


def build(folder: Path, source: Path = ROOT) -> list[Path]:
    """Build source distributions, and wheels from these; return the paths of all, sorted.

    Equal commits give equal bytes: the time in the files is that of the commit.

    Args:
        source: the root of a checkout.
    """
    when = _output("git", "-C", str(ROOT), "log", "-1", "--format=%ct").strip()
    environment = {**os.environ, "SOURCE_DATE_EPOCH": os.environ.get("SOURCE_DATE_EPOCH", when)}
    command = [sys.executable, "-m", "build", "--no-isolation", f"--outdir={folder}"]
    for project in PROJECTS:
        subprocess.run(
            [*command, str(source / project)], check=True, capture_output=True, env=environment
        )
    return packages_in(folder)


def packages_in(folder: Path) -> list[Path]:
    """Return the source distributions and wheels in a folder, sorted."""
    return sorted([*folder.glob("*.tar.gz"), *folder.glob("*.whl")])


def check(paths: Sequence[Path]) -> None:
    """Print what the checkers say about built packages; end the process if one is not content."""
    scripts = Path(sys.executable).parent
    wheels = [str(path) for path in paths if path.suffix == ".whl"]
    _run(str(scripts / "twine"), "check", "--strict", *map(str, paths))
    _run(str(scripts / "check-wheel-contents"), *wheels)
    for path in paths:
        if path.suffix == ".gz":
            _rate(path, WITHOUT_SETTINGS)
    with tempfile.TemporaryDirectory() as folder:
        copy = Path(folder, "checkout")
        _run("git", "clone", "--quiet", "--depth=1", f"file://{ROOT}", str(copy))
        settings = copy / "pyproject.toml"
        text = settings.read_text("utf-8")
        for name, value in TRIAL.items():
            text = re.sub(rf'(?m)^{name} = ".*"$', f'{name} = "{value}"', text)
        settings.write_text(text, encoding="utf-8")
        for path in build(Path(folder), copy):
            if path.suffix == ".gz":
                _rate(path, set())


def _rate(path: Path, known: set[str]) -> None:
    """Have Pyroma rate a source distribution, and refuse what is missing and not known."""
    done = subprocess.run(
        [str(Path(sys.executable).parent / "pyroma"), str(path)],
        capture_output=True,
        check=False,
        text=True,
    )
    before, _, after = done.stdout.partition("Final rating: ")
    said = [line for line in before.splitlines()[4:] if not line.startswith("---")]
    wrong = [line for line in said if line not in known]
    rating = after.partition("\n")[0]
    print(f"pyroma: {path.name}: {rating}", *said, sep="\n  ")
    if wrong or not rating:
        sys.exit("\n".join(wrong) or done.stderr)


def _run(*command: str) -> None:
    if subprocess.run(command, check=False).returncode:
        sys.exit(1)


def _output(*command: str) -> str:
    return subprocess.run(command, check=True, capture_output=True, text=True).stdout


def main(task: str, folder: str) -> None:
    """Build packages into a folder, or check those in it."""
    paths = build(Path(folder)) if task == "build" else packages_in(Path(folder))
    for path in paths:
        print(f"{path.name}: {path.stat().st_size:,} bytes")
    if task == "check":
        check(paths)


if __name__ == "__main__":
    main(*sys.argv[1:])
