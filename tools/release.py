"""Makes a release, all but its upload: changelog, version, packages and their tests.

``python -m tools.release 0.2.0`` commits the release and the beginning of the next version, leaves
the packages in ``dist/``, and says which tag to push: .github/workflows/release.yml uploads. With
``--dry-run`` it does so in a copy, without the tests on several Pythons, and changes nothing here.
``--verify v0.2.0`` only says whether a tag fits the checkout.
"""

from __future__ import annotations

import re
import shutil
import subprocess
import sys
import tempfile
from argparse import ArgumentParser
from collections.abc import Sequence
from datetime import datetime, timezone
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
#: The version in the modules that state it, and in the citation.
STATED = re.compile(r'(?m)^STATED = "(.*)"$')
CITED = re.compile(r"(?m)^version: .*\ndate-released: .*$")


class Refused(Exception):
    """A release that cannot be made, with the reason."""


class Release:
    """A release in a checkout.

    Args:
        root: of the checkout.
        version: such as ``0.2.0``.
    """

    def __init__(self, root: Path, version: str) -> None:
        self.root, self.version = root, version
        self._module = root / "library" / "src" / "tic_tac_toe" / "version.py"

    def prepare(self) -> None:
        """Commit changelog, version and citation of the release.

        Raises:
            Refused: the version or the checkout does not fit.
        """
        if not re.fullmatch(r"\d+\.\d+\.\d+", self.version):
            raise Refused(f"a version is three numbers, such as 0.2.0, and not {self.version}")
        if self._git("status", "--porcelain"):
            raise Refused("there are changes that are not committed")
        if self._git("tag", "--list", f"v{self.version}"):
            raise Refused(f"there is a tag v{self.version} already")
        stated = self.stated()
        if stated != f"{self.version}.dev0":
            raise Refused(f"the tree is on the way to another version: {stated}")
        if not [*self.root.glob("changes/*.*.md")]:
            raise Refused("nothing has changed: there are no files in changes/")
        today = datetime.now(timezone.utc).date().isoformat()
        towncrier = [sys.executable, "-m", "towncrier", "build", "--yes"]
        self._run(*towncrier, "--version", self.version, "--date", today)
        self._state(self.version)
        citation = self.root / "CITATION.cff"
        said = f'version: {self.version}\ndate-released: "{today}"'
        citation.write_text(CITED.sub(said, citation.read_text("utf-8")), encoding="utf-8")
        self._commit(f"Release {self.version}")

    def verify(self, tag: str) -> None:
        """Raise `Refused` unless tag, version and changelog are of the same release."""
        if tag != f"v{self.stated()}":
            raise Refused(f"the tag is {tag}, and the version {self.stated()}")
        if not re.search(rf"(?m)^## {re.escape(tag[1:])} - ", self._read("CHANGELOG.md")):
            raise Refused(f"CHANGELOG.md has no section for {tag[1:]}")
        if left := [path.name for path in self.root.glob("changes/*.*.md")]:
            raise Refused(f"changes are not in CHANGELOG.md: {', '.join(sorted(left))}")

    def build(self, *, tested: bool) -> Path:
        """Build and check the packages, and return their folder.

        Args:
            tested: whether the wheels are tested on all Pythons as well, by Make.
        """
        folder = self.root / "dist"
        shutil.rmtree(folder, ignore_errors=True)
        if tested:
            self._run("make", "--no-print-directory", "packages", "wheels")
            shutil.copytree(self.root / ".venv" / "wheels", folder)
        else:
            for task in ("build", "check"):
                self._run(sys.executable, "-m", "tools.packages", task, str(folder))
        return folder

    def go_on(self) -> str:
        """Commit the beginning of the next version, and return the commit of the release."""
        released = self._git("rev-parse", "HEAD")
        major, minor, _ = self.version.split(".")
        following = f"{major}.{int(minor) + 1}.0"
        self._state(f"{following}.dev0")
        self._commit(f"Go on towards {following}")
        return released

    def stated(self) -> str:
        """Return the version that the library states."""
        found = STATED.search(self._module.read_text("utf-8"))
        assert found is not None
        return found[1]

    def _state(self, version: str) -> None:
        text = STATED.sub(f'STATED = "{version}"', self._module.read_text("utf-8"))
        self._module.write_text(text, encoding="utf-8")

    def _commit(self, message: str) -> None:
        self._git("add", "--all")
        self._git("commit", "--quiet", "--message", message)

    def _read(self, name: str) -> str:
        return (self.root / name).read_text("utf-8")

    def _git(self, *arguments: str) -> str:
        command = ["git", "-C", str(self.root), *arguments]
        done = subprocess.run(command, check=True, stdout=subprocess.PIPE, text=True)
        return done.stdout.strip()

    def _run(self, *command: str) -> None:
        if subprocess.run(command, cwd=self.root, check=False).returncode:
            raise Refused(f"{' '.join(command)} failed; what is committed stays: git log -2")


def main(arguments: Sequence[str] | None = None) -> None:
    """Make a release, or verify a tag."""
    parser = ArgumentParser(prog="python -m tools.release", description="Make a release.")
    parser.add_argument("version", nargs="?", help="the version, such as 0.2.0")
    parser.add_argument("--dry-run", action="store_true", help="make it in a copy")
    parser.add_argument("--verify", metavar="TAG", help="only compare a tag with the checkout")
    args = parser.parse_args(arguments)
    try:
        if args.verify:
            Release(ROOT, args.verify[1:]).verify(args.verify)
        elif not args.version:
            parser.error("which version?")
        elif args.dry_run:
            with tempfile.TemporaryDirectory() as folder:
                copy = Path(folder, "checkout")
                subprocess.run(["git", "clone", "--quiet", str(ROOT), str(copy)], check=True)
                _make(Release(copy, args.version), tested=False)
        else:
            _make(Release(ROOT, args.version), tested=True)
    except Refused as refusal:
        sys.exit(f"No release: {refusal}.")


def _make(release: Release, *, tested: bool) -> None:
    release.prepare()
    tag = f"v{release.version}"
    release.verify(tag)
    folder = release.build(tested=tested)
    commit = release.go_on()
    print(*(path.name for path in sorted(folder.iterdir())), sep="\n")
    print(f"To upload:\n  git tag {tag} {commit}\n  git push --atomic origin HEAD {tag}")


if __name__ == "__main__":
    main()
