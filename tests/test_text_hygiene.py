"""No file of the project names a place on somebody's machine or the address of a package index."""

import re
import subprocess
from pathlib import Path

import pytest

pytestmark = pytest.mark.tooling

ROOT = Path(__file__).resolve().parents[1]
GENERATED = {"__pycache__", "build", "dist"}

# One letter of each word is in brackets, so that this file does not match itself.
MACHINE_PATH = re.compile(r"/wor[k]/|/far[m]/|/roo[t]/|/hom[e]/[a-z]+/|/User[s]/|/tm[p]/[a-z]")
INDEX_ADDRESS = re.compile(
    r"pyp[i]\.org|pythonhoste[d]\.org|registr[y]\.npm|npmj[s]\.org/|de[b]\.debian\.org"
    r"|--inde[x]-url|extr[a]-index-url|\"resolved\": *\"http"
)


def list_files(root: Path) -> list[Path]:
    """Return the files that are in git or could be; without git, all that no tool has generated."""
    command = ["git", "ls-files", "-z", "--cached", "--others", "--exclude-standard"]
    try:
        output = subprocess.run(command, cwd=root, capture_output=True, check=True).stdout
        names = [Path(name) for name in output.decode().split("\0") if name]
    except (OSError, subprocess.CalledProcessError):
        names = [
            name
            for name in (path.relative_to(root) for path in root.rglob("*"))
            if GENERATED.isdisjoint(name.parts)
            and not any(part.startswith(".") or part.endswith("info") for part in name.parts[:-1])
        ]
    return [path for name in names if (path := root / name).is_file() and not path.is_symlink()]


def find_lines(root: Path, pattern: re.Pattern[str]) -> list[str]:
    """Return each line of a text file that matches, as `file:line: text`."""
    found: list[str] = []
    for path in list_files(root):
        content = path.read_bytes()
        if b"\0" in content:
            continue
        for number, line in enumerate(content.decode("utf-8").splitlines(), 1):
            if pattern.search(line):
                found.append(f"{path.relative_to(root).as_posix()}:{number}: {line.strip()}")
    return found


def test_this_file_is_among_those_that_are_read() -> None:
    assert Path(__file__).resolve() in list_files(ROOT)


@pytest.mark.parametrize("pattern", [MACHINE_PATH, INDEX_ADDRESS], ids=["paths", "addresses"])
def test_no_file_names_a_place_that_only_one_machine_knows(pattern: re.Pattern[str]) -> None:
    assert find_lines(ROOT, pattern) == []


@pytest.mark.parametrize(
    ("pattern", "parts"),
    [
        (MACHINE_PATH, ["", "work", "main"]),
        (MACHINE_PATH, ["", "home", "someone", "file"]),
        (MACHINE_PATH, ["", "tmp", "scratch"]),
        (INDEX_ADDRESS, ["https:", "", ".".join(["pypi", "org"])]),
    ],
)
def test_such_a_place_is_found_at_its_line(
    tmp_path: Path, pattern: re.Pattern[str], parts: list[str]
) -> None:
    place = "/".join(parts)
    (tmp_path / "page.md").write_text(f"first\nsee {place}\n", encoding="utf-8")

    assert find_lines(tmp_path, pattern) == [f"page.md:2: see {place}"]


def test_a_file_that_is_not_text_is_passed_over(tmp_path: Path) -> None:
    (tmp_path / "messages.mo").write_bytes(b"\0" + "/".join(["", "work", "main"]).encode())

    assert find_lines(tmp_path, MACHINE_PATH) == []
