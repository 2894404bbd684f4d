"""What commands print, as people see it: each session of transcripts.txt is had again.

In that file ``#`` begins a session, ``%`` names a package that is not installed, ``$`` a command,
``<`` a line of its standard input, ``!`` a line of standard error, and ``?`` an exit status other
than 0; what is indented is standard output. Commands and input may have Python's escapes, and
``<any>`` stands for anything.
"""

from __future__ import annotations

import codecs
import lzma
import re
import shlex
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

import pytest

from tests.frontends.solving import Command
from tests.test_certificate_check import DRAW, HALF, WIN, changed
from tests.theorems import sealed
from tic_tac_toe.logic.models import Mark
from tic_tac_toe.logic.records import Record, format_records
from tic_tac_toe.logic.rules.catalogue import VARIANTS
from tic_tac_toe_frontends.command.check import MOST_BYTES

#: One worker compiles the kernels, and the others need not wait for it.
pytestmark = [
    pytest.mark.medium,
    pytest.mark.xdist_group("solve"),
    pytest.mark.usefixtures("compiled"),
]

#: A file that takes 256 MiB to be read.
HUNGRY = [{"id": lzma.FILTER_LZMA2, "preset": 0, "dict_size": 256 << 20}]


class Step(NamedTuple):
    """A command, what is typed, and how it ends."""

    command: str
    typed: bytes
    status: int
    out: str
    err: str


def unescaped(text: str) -> bytes:
    return bytes(codecs.escape_decode(text.encode())[0])


def read_step(text: str) -> Step:
    command, *lines = text.splitlines()
    by_sign: dict[str, list[str]] = {sign: [] for sign in "<! ?"}
    for line in lines:
        by_sign[line[:1] or " "].append(line[2:] + "\n")
    typed, err, out, status = map("".join, by_sign.values())
    return Step(unescaped(command).decode(), unescaped(typed), int(status or 0), out, err)


def sessions() -> Iterator[tuple[str, list[str], list[Step]]]:
    """Yield the titles, what is not installed, and the steps."""
    text = Path(__file__).with_name("transcripts.txt").read_text(encoding="utf-8")
    for session in re.split(r"^# ", text, flags=re.MULTILINE)[1:]:
        head, *steps = re.split(r"^\$ ", session.rstrip("\n"), flags=re.MULTILINE)
        title, *missing = head.splitlines()
        yield title, [line[2:] for line in missing], [read_step(step) for step in steps]


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Path]:
    """Give a folder with files that are good and bad, none of which a command may change."""
    compressed = lzma.compress(sealed(WIN))
    contents = {
        "win": sealed(WIN),
        "draw": sealed(DRAW),
        "half": sealed(HALF),
        "false": sealed(changed(WIN, 6)),
        "cut": sealed(WIN)[:-20],
        "\x1b[31m\u202e": sealed(WIN),
        "win.xz": compressed,
        "cut.xz": compressed[:-30],
        "plain.xz": sealed(WIN),
        "zeros.xz": lzma.compress(bytes(MOST_BYTES + 1), preset=0),
        "hungry.xz": lzma.compress(sealed(WIN), filters=HUNGRY),
        "proof.part": b"hello\n",
        "wild.txt": format_records([Record(VARIANTS["wild"], moves=(4,))]).encode(),
        "later.txt": format_records([Record(starting_mark=Mark.NAUGHT)]).encode(),
        "over.txt": format_records([Record(moves=(0, 3, 1, 4, 2))]).encode(),
        "none.txt": b"",
        "letter": b"Dear Ann",
    }
    folder = tmp_path_factory.mktemp("files")
    for name, content in contents.items():
        (folder / name).write_bytes(content)
    yield folder
    assert {name: (folder / name).read_bytes() for name in contents} == contents


def like(text: str) -> re.Pattern[str]:
    return re.compile(re.escape(text).replace("<any>", ".*"), re.DOTALL)


@pytest.mark.parametrize(
    ("missing", "steps"), [pytest.param(*rest, id=title) for title, *rest in sessions()]
)
def test_each_command_prints_what_the_transcript_shows(
    missing: list[str],
    steps: list[Step],
    in_process: Command,
    folder: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.chdir(folder)
    for package in missing:
        monkeypatch.setitem(sys.modules, package, None)
    for step in steps:
        ended = in_process(*shlex.split(step.command), typed=step.typed)

        assert like(step.out).fullmatch(ended.out), ended.out
        assert like(step.err).fullmatch(ended.err), ended.err
        assert ended.status == step.status, step.command
