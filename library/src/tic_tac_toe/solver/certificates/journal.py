"""What has been found for a proof so far: each finding goes to a file at once, to go on from there.

A file of text. Its first line names the game and the position. Each other one is a finding about a
position, which begins with the prover, X or O, and what it is::

    X leaf aXb/bOa/aaX          a theorem that rests on no other: a plan, or an answer with a reason
    X none .X./.O./..X          no such theorem has been found
    X node .X./.O./..X A3       the answer after which the proof goes on
"""

from __future__ import annotations

import os
import re
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import BinaryIO

from tic_tac_toe.logic.exceptions import GameError

TITLE = "tic-tac-toe proof in progress 1"
LEAF, NONE, NODE = "leaf", "none", "node"
FINDING = re.compile(
    rf"[XO] (?:(?:{LEAF}|{NONE}) [A-Za-z0-9./]+(?: [ -~]+)?|{NODE} [XO./]+ [A-Z][0-9]{{1,2}})"
)


class InvalidJournal(GameError, ValueError):
    """A file that holds no findings for this proof."""


class Journal:
    """The findings about positions.

    Args:
        file: gets each new one; unless given they are kept in memory alone.
        findings: those of before.
        progress: is called with the count of findings after each new one.
    """

    def __init__(
        self,
        file: BinaryIO | None = None,
        findings: Iterable[str] = (),
        progress: Callable[[int], None] | None = None,
    ) -> None:
        self._file, self._progress = file, progress
        self._found: dict[tuple[str, str], str] = {}
        for finding in findings:
            self._keep(finding)

    def __len__(self) -> int:
        return len(self._found)

    def node(self, prover: str, position: str) -> str | None:
        """Return the theorem about a position that rests on other ones, if there is one."""
        return self._found.get((f"{prover} {NODE}", position))

    def leaf(self, prover: str, position: str) -> str | None:
        """Return the theorem about a position that rests on no other one.

        It is empty if none is found, and ``None`` if none has been looked for.
        """
        return self._found.get((f"{prover} {LEAF}", position))

    def note(self, finding: str) -> None:
        """Add a finding, as a line of the file without its end."""
        self._keep(finding)
        if self._file is not None:
            self._file.write(f"{finding}\n".encode("ascii"))
            self._file.flush()
        if self._progress is not None:
            self._progress(len(self._found))

    def _keep(self, finding: str) -> None:
        prover, kind, theorem = finding.split(" ", 2)
        board = re.sub("[^XO/]", ".", theorem.split(" ", 1)[0])
        key = f"{prover} {NODE if kind == NODE else LEAF}", board
        self._found[key] = "" if kind == NONE else theorem


def journal_beside(path: str | os.PathLike[str]) -> Path | None:
    """Return where a certificate has its journal; ``None`` beside a device or a pipe."""
    target = Path(path)
    if target.exists() and not target.is_file():
        return None
    return target.with_name(f"{target.name}.part")


@contextmanager
def open_journal(
    path: Path, subject: str, progress: Callable[[int], None] | None = None
) -> Iterator[Journal]:
    """Give the findings in a file, which is made if it is missing.

    Args:
        path: of the file. A last line that was not written to its end is passed over.
        subject: the game and the position, which the first line names.
        progress: as in `Journal`.

    Raises:
        InvalidJournal: it is another file, or the file of another game or position.
        OSError: it cannot be read or written.
    """
    head = f"{TITLE} {subject}"
    with path.open("a+b") as file:
        file.seek(0)
        *lines, unfinished = file.read().decode("ascii", "replace").split("\n")
        if not lines and head.startswith(unfinished):
            lines, unfinished = [head], head
            file.truncate(0)
            file.write(f"{head}\n".encode("ascii"))
        for number, line in enumerate(lines or [unfinished], 1):
            if not (FINDING.fullmatch(line) if number > 1 else line == head):
                raise InvalidJournal(
                    "line {line} of {path} is not of this proof: move the file away to begin anew",
                    "other_journal",
                    line=number,
                    path=path.name,
                )
        file.truncate(sum(len(line) + 1 for line in lines))
        yield Journal(file, lines[1:], progress)
