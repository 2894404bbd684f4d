"""Saving a long search so that it can be stopped at any instant and go on.

A checkpoint is a folder with two generations of the state. Each is written to a temporary file,
synced and renamed over the older of the two, so that whenever the machine stops one of them is
whole. A file is a line of JSON, with what the state belongs to and a checksum, and then the arrays.
"""

from __future__ import annotations

import contextlib
import hashlib
import json
import os
import tempfile
import time
from collections.abc import Callable, Mapping
from functools import lru_cache
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from tic_tac_toe.logic.exceptions import quoted
from tic_tac_toe.logic.positions import Position
from tic_tac_toe.logic.rules.catalogue import variant_name

if TYPE_CHECKING:
    from tic_tac_toe.solver.session import FastSolver

FORMAT = "tictactoe-engine checkpoint 1"
TRIED, UNFINISHED = ".try-", ".new-"
GENERATIONS = ("state-a.checkpoint", "state-b.checkpoint")
#: The state is saved this often, in seconds, and less often where saving itself takes long.
INTERVAL_SECONDS = 30.0
#: Saving lasts longer with a larger table; even so it is never longer than this until the next.
LONGEST_PAUSE = 55.0
LONGEST_HEADER = 1 << 16
#: What arrays may consist of. Nothing else is read, and objects least of all.
WORDS = {one: np.dtype(one) for one in ("<u8", "<i8", ">u8", ">i8")}

Arrays = Mapping[str, NDArray[Any]]
#: A position, and the scores between which its score is looked for.
Question = tuple[Position, int, int]


class InvalidCheckpoint(ValueError):
    """A checkpoint that cannot be used: damaged, or of another game or program."""


class Checkpoint:
    """The folder in which a `FastSolver` saves its state.

    Args:
        folder: made unless it exists.
        notice: called with a sentence where a damaged generation is passed over.
        interval: the state is saved so often, in seconds.
        clock: tells the seconds.

    Raises:
        OSError: the folder cannot be made or written to.
    """

    def __init__(
        self,
        folder: str | os.PathLike[str],
        *,
        notice: Callable[[str], None] | None = None,
        interval: float = INTERVAL_SECONDS,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        self.folder: Path = Path(folder)
        self.folder.mkdir(parents=True, exist_ok=True)
        # A folder that cannot be written to is better found out now than after half a minute.
        descriptor, _ = tempfile.mkstemp(dir=self.folder, prefix=TRIED)
        os.close(descriptor)
        for rest in self.folder.glob(".*-*"):  # of processes that were killed while they saved
            if rest.name.startswith((TRIED, UNFINISHED)):
                rest.unlink(missing_ok=True)
        self._notice = notice
        self._clock = clock
        self._saved = clock()
        self._interval = self._pause = interval
        self._generation = 0
        self._pending: tuple[Question, Arrays] | None = None

    def restore(self, solver: FastSolver) -> None:
        """Give a new solver what the last one of this folder had learnt.

        Raises:
            InvalidCheckpoint: neither generation can be used.
        """
        found: list[tuple[int, Path, dict[str, Any], dict[str, NDArray[Any]]]] = []
        errors: list[InvalidCheckpoint] = []
        for name in GENERATIONS:
            path = self.folder / name
            if path.exists():
                try:
                    header, arrays = read_state(path, identity(solver))
                    found.append((header["generation"], path, header, arrays))
                except InvalidCheckpoint as error:
                    errors.append(error)
        used = False
        for self._generation, path, header, arrays in sorted(found, key=newest_first):
            try:
                question = solver.take_state(header["state"], arrays)
            except (ArithmeticError, LookupError, MemoryError, TypeError, ValueError):
                errors.append(InvalidCheckpoint(f"{path.name} holds what no search has saved"))
                continue
            if question is not None:
                self._pending = question, arrays
            used = True
            break
        if errors and not used:
            raise errors[0]
        for damage in errors:
            if self._notice is not None:
                self._notice(f"{damage}; the older state is used")

    def resume(self, solver: FastSolver, question: Question) -> bool:
        """Set the solver's search to where it was saved, if this is the question it was saved at.

        Only the first question can be: any other one changes the table that the search relies on.
        """
        pending, self._pending = self._pending, None
        if pending is None or pending[0] != question:
            return False
        solver.take_search(pending[1])
        return True

    def is_due(self) -> bool:
        """Return whether the last time that the state was saved is long ago."""
        return self._clock() - self._saved >= self._pause

    def save_in_passing(self, solver: FastSolver, question: Question) -> None:
        """Save the state in the middle of a question; the next time is due a while later."""
        before = self._clock()
        self._saved = before  # should it fail, the next time is no sooner than otherwise
        self.save(solver, question)
        self._saved = self._clock()
        self._pause = min(self._interval + 3 * (self._saved - before), LONGEST_PAUSE)

    def save(self, solver: FastSolver, question: Question | None = None) -> None:
        """Save the state, in the middle of a question or of the one that a limit has ended.

        Raises:
            OSError: it cannot be written; both generations are as they were.
        """
        state, arrays = solver.give_state(question)
        generation = self._generation + 1
        path = self.folder / GENERATIONS[generation % 2]
        write_state(path, identity(solver), generation, state, arrays)
        self._generation = generation  # now, and not before: the newest is never written over


def identity(solver: FastSolver) -> dict[str, str]:
    """Return what a state belongs to: the format, the game, and the program that made it."""
    return {"format": FORMAT, "game": variant_name(solver.rules), "code": code_digest()}


@lru_cache(maxsize=1)
def code_digest() -> str:
    """Return a digest of the solver's own source, for arrays mean nothing to another version."""
    sources = sorted(Path(__file__).parent.glob("*.py"))
    return hashlib.sha256(b"".join(path.read_bytes() for path in sources)).hexdigest()[:16]


def write_state(
    path: Path, identity: Mapping[str, str], generation: int, state: object, arrays: Arrays
) -> None:
    """Write a state so that the file is either the old one or the new one, whatever happens."""
    shapes = {name: [array.dtype.str, array.size] for name, array in arrays.items()}
    checksum = hashlib.blake2b(digest_size=16)
    for array in arrays.values():
        checksum.update(array.data)
    header = {**identity, "generation": generation, "state": state, "arrays": shapes}
    header["checksum"] = _header_checksum(header, checksum.hexdigest())
    descriptor, name = tempfile.mkstemp(dir=path.parent, prefix=UNFINISHED)
    try:
        with os.fdopen(descriptor, "wb") as file:
            file.write(json.dumps(header).encode() + b"\n")
            for array in arrays.values():
                file.write(array.data)
            file.flush()
            os.fsync(file.fileno())
        Path(name).replace(path)
    except BaseException:
        with contextlib.suppress(OSError):
            Path(name).unlink()
        raise
    _sync_folder(path.parent)


def read_state(
    path: Path, identity: Mapping[str, str]
) -> tuple[dict[str, Any], dict[str, NDArray[Any]]]:
    """Return the header and the arrays of a state.

    Raises:
        InvalidCheckpoint: it is damaged, or belongs to something else.
    """
    try:
        with path.open("rb") as file:
            line = file.readline(LONGEST_HEADER)
            try:
                header = json.loads(line)
                expected, generation = header.pop("checksum"), header["generation"]
                shapes = [(n, WORDS[kind], size) for n, (kind, size) in header["arrays"].items()]
                numbers = [generation, *(size for _, _, size in shapes)]
                if any(type(number) is not int or number < 0 for number in numbers):
                    raise ValueError
            except (ValueError, TypeError, LookupError, AttributeError, RecursionError):
                raise InvalidCheckpoint(f"{path.name} is no checkpoint, or is damaged") from None
            for name, value in identity.items():
                if (other := header.get(name)) != value:
                    raise InvalidCheckpoint(
                        f"{path.name} belongs to another {name}: {quoted(str(other))}, "
                        f"not {quoted(value)}"
                    )
            left = os.fstat(file.fileno()).st_size - file.tell()
            if left != sum(dtype.itemsize * size for _, dtype, size in shapes):
                raise InvalidCheckpoint(f"{path.name} is cut off, or too long")
            arrays = {name: np.fromfile(file, dtype, size) for name, dtype, size in shapes}
    except OSError as error:
        raise InvalidCheckpoint(f"{path.name} cannot be read: {error.strerror}") from None
    checksum = hashlib.blake2b(digest_size=16)
    for array in arrays.values():
        checksum.update(array.data)
    if _header_checksum(header, checksum.hexdigest()) != expected:
        raise InvalidCheckpoint(f"{path.name} is damaged: its checksum is wrong")
    return header, arrays


def newest_first(found: tuple[int, Path, Any, Any]) -> int:
    """Return the key that sorts states by their generation."""
    return -found[0]


def _header_checksum(header: Mapping[str, Any], payload: str) -> str:
    text = json.dumps(dict(header), sort_keys=True) + payload
    return hashlib.blake2b(text.encode(), digest_size=16).hexdigest()


def _sync_folder(folder: Path) -> None:
    """Make a rename last; systems on which a folder cannot be opened do without."""
    with contextlib.suppress(OSError):
        descriptor = os.open(folder, os.O_RDONLY)
        try:
            os.fsync(descriptor)
        finally:
            os.close(descriptor)
