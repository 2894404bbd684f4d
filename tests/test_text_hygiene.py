"""No file of the project says what only one machine knows, or what must be said elsewhere."""

import subprocess
from pathlib import Path

import pytest

pytestmark = pytest.mark.tooling

ROOT = Path(__file__).resolve().parents[1]
#: Extended regular expressions and the paths that they are for. One letter of a word is in brackets
#: where this file would match itself.
FORBIDDEN = {
    "a path of one machine": (
        r"/wor[k]/|/far[m]/|/roo[t]/|/hom[e]/[a-z]+/|/User[s]/|/tm[p]/[a-z]",
    ),
    "the address of a package index": (
        r"pyp[i]\.org|pythonhoste[d]\.org|registr[y]\.npm|npmj[s]\.org/|de[b]\.debian\.org"
        r"|--inde[x]-url|extr[a]-index-url|\"resolved\": *\"http",
    ),
    # It would install the package of a stranger, should anybody register the name.
    "this project in an index": (r"pip instal[l].*[[:space:]'\"“`]tictactoe-(engine|frontends)",),
    "a search for optional programs": (
        r"shutil\.whic[h]\(|importorski[p]\(",
        "tests",
        ":!tests/machine.py",
    ),
}


@pytest.mark.parametrize(
    ("pattern", "paths"), [(p, q) for p, *q in FORBIDDEN.values()], ids=FORBIDDEN
)
def test_no_file_holds_it(pattern: str, paths: list[str]) -> None:
    command = ["git", "grep", "--untracked", "--line-number", "-I", "-E", "-e", pattern, "--"]
    done = subprocess.run([*command, *paths], cwd=ROOT, capture_output=True, text=True, check=False)

    assert (done.returncode, done.stdout, done.stderr) == (1, "", "")
