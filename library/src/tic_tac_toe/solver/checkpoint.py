"""A folder that keeps the newest state of a long search, whenever the machine stops.

It is saved now and then; a new solver takes it from there and goes on. The folder has two
generations of the state, each a file: a line of JSON with a checksum, small arrays, and at last the
table. Each replaces the older of the two as a whole, so that one of them can be read at any moment.

The table may take seconds to read and is not always needed. So it has a checksum of its own, and is
read later and in pieces. The line is written last, over a line of zeros: it tells how long it took
to write what follows it.
"""

from __future__ import annotations

import hashlib
import json
import math
import os
import tempfile
import time
from collections import deque
from collections.abc import Callable, Mapping
from concurrent.futures import Future, ThreadPoolExecutor
from functools import lru_cache
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from tic_tac_toe.files import UNFINISHED, atomic_write
from tic_tac_toe.limits import MEBIBYTE, usable_processors
from tic_tac_toe.logic.exceptions import GameError, Message, message, quoted
from tic_tac_toe.logic.positions import Position
from tic_tac_toe.logic.rules import Rules
from tic_tac_toe.logic.rules.catalogue import variant_name
from tic_tac_toe.solver.kernel import WORD_BYTES, Worker, kernel_for
from tic_tac_toe.solver.kernels.control import (
    DEPTH,
    GROW_AT,
    NEVER,
    NODES,
    TABLE_BITS,
    TABLE_LIMIT,
)

FORMAT = "tictactoe-engine checkpoint 2"
#: The modules beside the kernels that give saved arrays their meaning.
_SEARCH = ("checkpoint", "kernel", "session", "support")
TRIED = ".try-"
GENERATIONS = ("state-a.checkpoint", "state-b.checkpoint")
#: Seconds between two saves; more where saving itself takes long.
INTERVAL_SECONDS = 30.0
TABLE = "table"
LONGEST_HEADER = 1 << 16
#: The table is read, written and checked in pieces of `PIECE_BYTES`, on at most `MOST_THREADS`
#: threads; its checksum is the checksum of the checksums of its pieces.
PIECE_BYTES, MOST_THREADS = 16 * MEBIBYTE, 4
#: The types of arrays. No others are read, and objects least of all.
WORDS = {one: np.dtype(one) for one in ("<u8", "<i8", ">u8", ">i8")}
#: log2 of more buckets than any table has.
MOST_TABLE_BITS = 48

Arrays = Mapping[str, NDArray[Any]]
#: A position, and the scores between which its score is looked for.
Question = tuple[Position, int, int]
#: By position, the proved bounds of its score in marks: at least, at most.
Known = dict[Position, tuple[int, int]]


class InvalidCheckpoint(GameError, ValueError):
    """A checkpoint that cannot be used: damaged, or of another game or program."""


class Checkpoint:
    """The folder in which a `FastSolver` saves its state, every half minute and at the end.

    Example::

        >>> from tempfile import TemporaryDirectory
        >>> from tic_tac_toe import GameState, find_rules
        >>> from tic_tac_toe.solver import Checkpoint, solve
        >>> start = GameState.new(find_rules("mnk:5,5,4,gravity"))
        >>> with TemporaryDirectory() as folder:
        ...     first = solve(start, checkpoint=Checkpoint(folder))
        ...     again = solve(start, checkpoint=Checkpoint(folder))  # reads what it has found
        >>> first == again
        True

    Args:
        folder: made unless it exists.
        notice: called with a `Message` where a damaged generation is passed over, or where the time
            limit is too short to search.
        failed: called with the error that keeps the state from being saved in the middle of a
            search, once until it can be saved again; the search goes on. Unless given, the error is
            raised.
        interval: seconds between two saves in the middle of a search.
        clock: returns the time in seconds.
        piece_bytes: how much of the table is read or written at once; a state can be read only with
            the size that it was written with.
        large_bytes: the size from which on a table tells how long saving takes.

    Raises:
        OSError: the folder cannot be made or written to.
    """

    def __init__(
        self,
        folder: str | os.PathLike[str],
        *,
        notice: Callable[[Message], None] | None = None,
        failed: Callable[[OSError], None] | None = None,
        interval: float = INTERVAL_SECONDS,
        clock: Callable[[], float] = time.monotonic,
        piece_bytes: int = PIECE_BYTES,
        large_bytes: int = MEBIBYTE,
    ) -> None:
        self.folder: Path = Path(folder)
        self.folder.mkdir(parents=True, exist_ok=True)
        # A folder that cannot be written to is better found out now than after half a minute.
        descriptor, _ = tempfile.mkstemp(dir=self.folder, prefix=TRIED)
        os.close(descriptor)
        for rest in self.folder.glob(".*-*"):  # of processes that were killed while they saved
            if rest.name.startswith((TRIED, UNFINISHED)):
                rest.unlink(missing_ok=True)
        self.failed: Callable[[OSError], None] | None = failed
        self.interval: float = interval
        self.clock: Callable[[], float] = clock
        self.piece_bytes: int = piece_bytes
        self.large_bytes: int = large_bytes
        self._notice = notice
        self._told_notices: set[Message] = set()

    def load(self, identity: Mapping[str, str]) -> tuple[list[SavedState], list[InvalidCheckpoint]]:
        """Return the states that can be read, the newest first, and what is wrong with the others.

        The tables are not read; see `read_table`.

        Args:
            identity: the format, game and program that a state has to belong to.
        """
        states: list[SavedState] = []
        errors: list[InvalidCheckpoint] = []
        for name in GENERATIONS:
            path = self.folder / name
            if path.exists():
                try:
                    states.append(read_state(path, identity))
                except InvalidCheckpoint as error:
                    errors.append(error)
        states.sort(key=lambda saved: saved.generation, reverse=True)
        return states, errors

    def read_table(
        self, saved: SavedState, table: NDArray[Any], stop: Callable[[], object]
    ) -> bool:
        """Read the table of a state into ``table``; see the function `read_table`."""
        return read_table(saved, table, stop, piece_bytes=self.piece_bytes)

    def save(
        self, identity: Mapping[str, str], generation: int, state: object, arrays: Arrays
    ) -> None:
        """Write a state over the older generation.

        Args:
            generation: the number of the newest state that can be read, plus 1.

        Raises:
            OSError: it cannot be written; both generations are unchanged.
        """
        path = self.folder / GENERATIONS[generation % 2]
        write_state(
            path, identity, generation, state, arrays, self.clock, piece_bytes=self.piece_bytes
        )

    def tell(self, notice: Message) -> None:
        """Call ``notice`` with a message, once."""
        if self._notice is not None and notice not in self._told_notices:
            self._notice(notice)
        self._told_notices.add(notice)


# The file.


class SavedState(NamedTuple):
    """The content of a file without the table, which `read_table` reads.

    Attributes:
        arrays: the small ones.
        table_dtype, table_size, table_at: the type and number of the table's words, and where in
            the file it begins.
    """

    path: Path
    header: dict[str, Any]
    arrays: dict[str, NDArray[Any]]
    table_dtype: np.dtype[Any]
    table_size: int
    table_at: int

    @property
    def generation(self) -> int:
        """The higher, the newer."""
        return int(self.header["generation"])

    def seconds_a_byte(self, large_bytes: int) -> float | None:
        """Return how long it took to write a byte; ``None`` for a table below ``large_bytes``.

        Raises:
            ValueError, TypeError, KeyError: the file does not say.
        """
        size, seconds = self.table_size * self.table_dtype.itemsize, float(self.header["seconds"])
        if not 0 <= seconds < math.inf:
            raise ValueError
        return seconds / size if size >= large_bytes else None


class _Digest:
    """The checksum of an array whose pieces come one by one; several processors share the work."""

    def __init__(self) -> None:
        self._threads = min(MOST_THREADS, usable_processors())
        self._pool = ThreadPoolExecutor(self._threads)
        self._pending: deque[Future[bytes]] = deque()
        self._whole = hashlib.blake2b(digest_size=16)

    def __enter__(self) -> _Digest:
        return self

    def __exit__(self, *_: object) -> None:
        self._pool.shutdown()

    def add(self, piece: memoryview) -> None:
        """Take the next piece, which must not change; wait if many are not done."""
        self._pending.append(self._pool.submit(_digest_of, piece))
        if len(self._pending) > self._threads:
            self._whole.update(self._pending.popleft().result())

    def hexdigest(self) -> str:
        """Return the checksum of all."""
        while self._pending:
            self._whole.update(self._pending.popleft().result())
        return self._whole.hexdigest()


def write_state(
    path: Path,
    identity: Mapping[str, str],
    generation: int,
    state: object,
    arrays: Arrays,
    clock: Callable[[], float] = time.monotonic,
    *,
    piece_bytes: int = PIECE_BYTES,
) -> None:
    """Write a state so that the file is either the old one or the new one, whatever happens."""
    small = {name: array for name, array in arrays.items() if name != TABLE}
    table = arrays[TABLE]
    shapes = {
        name: [array.dtype.str, array.size] for name, array in (*small.items(), (TABLE, table))
    }
    checksum = hashlib.blake2b(digest_size=16)
    for array in small.values():
        checksum.update(array.data)
    header = {**identity, "generation": generation, "state": state, "arrays": shapes}

    def line(table_checksum: str, seconds: float) -> bytes:
        """Return the header, which is equally long whatever the table."""
        told = {**header, "table checksum": table_checksum, "seconds": f"{seconds:012.3f}"}
        told["checksum"] = header_checksum(told, checksum.hexdigest())
        return json.dumps(told).encode() + b"\n"

    began = clock()
    with atomic_write(path, mode=0o600) as file, _Digest() as digest:
        file.write(line("0" * 32, 0.0))
        for array in small.values():
            file.write(array.data)
        for piece in _pieces(table, piece_bytes):
            digest.add(piece)
            file.write(piece)
        file.flush()
        os.fsync(file.fileno())  # first: the header tells how long it took
        file.seek(0)
        file.write(line(digest.hexdigest(), clock() - began))


def read_state(path: Path, identity: Mapping[str, str]) -> SavedState:
    """Return a state without its table.

    Raises:
        InvalidCheckpoint: it is damaged, or belongs to something else.
    """
    arrays, table_dtype, table_size, table_at = {}, WORDS["<u8"], 0, 0
    try:
        with path.open("rb") as file:
            header, expected, shapes = _read_header(path, file.readline(LONGEST_HEADER), identity)
            left = os.fstat(file.fileno()).st_size - file.tell()
            if left != sum(dtype.itemsize * size for _, dtype, size in shapes):
                raise _cut_off(path)
            for name, dtype, size in shapes:
                if name == TABLE:
                    table_dtype, table_size, table_at = dtype, size, file.tell()
                    file.seek(dtype.itemsize * size, os.SEEK_CUR)
                else:
                    arrays[name] = np.fromfile(file, dtype, size)
    except OSError as error:
        raise _unreadable(path, error) from None
    checksum = hashlib.blake2b(digest_size=16)
    for array in arrays.values():
        checksum.update(array.data)
    if header_checksum(header, checksum.hexdigest()) != expected:
        raise _damaged(path)
    return SavedState(path, header, arrays, table_dtype, table_size, table_at)


def _read_header(
    path: Path, line: bytes, identity: Mapping[str, str]
) -> tuple[dict[str, Any], object, list[tuple[str, np.dtype[Any], int]]]:
    """Read the first line: return the header, its checksum, and the arrays that follow."""
    try:
        header = json.loads(line)
        expected, generation = header.pop("checksum"), header["generation"]
        shapes = [(n, WORDS[kind], size) for n, (kind, size) in header["arrays"].items()]
        numbers = [generation, *(size for _, _, size in shapes)]
        if any(type(number) is not int or number < 0 for number in numbers):
            raise ValueError
    except (ValueError, TypeError, LookupError, AttributeError, RecursionError):
        raise InvalidCheckpoint(
            "{file} is no checkpoint, or is damaged", "checkpoint_header", file=path.name
        ) from None
    for name, value in identity.items():
        if (other := header.get(name)) != value:
            raise InvalidCheckpoint(
                "{file} belongs to another {name}: {found_value}, not {value}",
                "checkpoint_other",
                file=path.name,
                name=name,
                found_value=quoted(str(other)),
                value=quoted(value),
            )
    return header, expected, shapes


def read_table(
    saved: SavedState,
    table: NDArray[Any],
    stop: Callable[[], object],
    *,
    piece_bytes: int = PIECE_BYTES,
) -> bool:
    """Read the table of a state; return whether it is there and was not stopped.

    Args:
        table: where to put it; all zeros, and zeros again unless it is there at the end.
        stop: asked after each piece.

    Raises:
        InvalidCheckpoint: it is damaged.
    """
    path, whole = saved.path, False
    try:
        with path.open("rb") as file, _Digest() as digest:
            file.seek(saved.table_at)
            for piece in _pieces(table[: saved.table_size], piece_bytes):
                if stop():
                    return False
                if file.readinto(piece) != len(piece):
                    raise _cut_off(path)
                digest.add(piece)
            whole = digest.hexdigest() == saved.header.get("table checksum")
            if not whole:
                raise _damaged(path)
    except OSError as error:
        raise _unreadable(path, error) from None
    finally:
        if not whole:
            table[: saved.table_size] = 0
    return True


def header_checksum(header: Mapping[str, Any], payload: str) -> str:
    """Return the checksum of a header and of the arrays after it, without the table."""
    text = json.dumps(dict(header), sort_keys=True) + payload
    return hashlib.blake2b(text.encode(), digest_size=16).hexdigest()


def _digest_of(piece: memoryview) -> bytes:
    return hashlib.blake2b(piece, digest_size=32).digest()


def _pieces(array: NDArray[Any], size: int) -> list[memoryview]:
    """Return the bytes of an array, cut up."""
    if not array.size:
        return []
    octets = array.data.cast("B")
    return [octets[at : at + size] for at in range(0, len(octets), size)]


def _cut_off(path: Path) -> InvalidCheckpoint:
    return InvalidCheckpoint("{file} is cut off, or too long", "checkpoint_size", file=path.name)


def _damaged(path: Path) -> InvalidCheckpoint:
    return InvalidCheckpoint(
        "{file} is damaged: its checksum is wrong", "checkpoint_damaged", file=path.name
    )


def _unreadable(path: Path, error: OSError) -> InvalidCheckpoint:
    return InvalidCheckpoint(
        "{file} cannot be read: {detail}",
        "checkpoint_unreadable",
        file=path.name,
        detail=message(error.strerror or str(error)),
    )


# The content of a saved search. It is checked, for a file may hold anything.


def identity(rules: Rules) -> dict[str, str]:
    """Return the format, the game, and the digest of the program, as a saved state names them."""
    return {"format": FORMAT, "game": variant_name(rules), "code": code_digest()}


@lru_cache(maxsize=1)
def code_digest() -> str:
    """Return a digest of the source of the search: arrays mean nothing to another version."""
    folder = Path(__file__).parent
    sources = sorted(folder.joinpath("kernels").rglob("*.py"))
    sources += (folder / f"{name}.py" for name in _SEARCH)
    return hashlib.sha256(b"".join(path.read_bytes() for path in sources)).hexdigest()[:16]


def pack(
    lead: Worker, nodes: int, known: Known, question: Question | None
) -> tuple[dict[str, Any], Arrays]:
    """Return the state of a search for a checkpoint: something for JSON, and arrays."""
    state = {
        "nodes": nodes,
        "question": question and [*question[0].stones, question[0].turn, *question[1:]],
    }
    stones = np.array([position.stones for position in known], np.uint64)
    values = np.array([(position.turn, *seen) for position, seen in known.items()], np.int64)
    used = lead.kernel.table[: lead.kernel.words_in_use(lead)]
    arrays = {"known stones": stones.ravel(), "known values": values.ravel()}
    return state, {**arrays, **lead.arrays(), "table": used}


def unpack(
    saved: SavedState, rules: Rules, lead: Worker
) -> tuple[Worker, Known, int, Question | None]:
    """Return a saved search, the table apart.

    Args:
        lead: the worker that is to go on with it; another one does where its table is too small.

    Returns:
        the worker, the bounds that are known, how many positions other processes looked at before,
        and the question that it was saved in the middle of.

    Raises:
        ValueError, TypeError, LookupError, ArithmeticError: not a state of a search of this game;
            the worker is unchanged.
    """
    state, arrays, size = saved.header["state"], saved.arrays, saved.table_size
    if lead.kernel.table.size < size:  # what was learnt is worth more than the memory
        lead = kernel_for(rules, WORD_BYTES * size).worker()
    kernel, control, nodes = lead.kernel, arrays["control"], int(state["nodes"])
    if saved.table_dtype != kernel.table.dtype:
        raise TypeError
    for name, array in lead.arrays().items():
        if arrays[name].dtype != array.dtype:
            raise TypeError
        if arrays[name].shape != array.shape:
            raise ValueError
    inside = 0 <= control[DEPTH] < rules.shape.cells + 2
    if not inside or not 0 <= control[TABLE_BITS] <= MOST_TABLE_BITS:
        raise ValueError
    stones = arrays["known stones"].reshape(-1, 2).tolist()
    values = arrays["known values"].reshape(-1, 3).tolist()
    known = {
        Position((crosses, naughts), turn): (low, high)
        for (crosses, naughts), (turn, low, high) in zip(stones, values, strict=True)
    }
    question = None
    if state["question"] is not None:
        crosses, naughts, turn, floor, ceiling = state["question"]
        question = Position((crosses, naughts), turn), floor, ceiling
    before = lead.control.copy()
    restore_control(lead, control)
    if size != kernel.words_in_use(lead) or size > kernel.table.size:
        lead.control[:] = before
        raise ValueError
    return lead, known, nodes - int(control[NODES]), question


def restore_worker(worker: Worker, arrays: Arrays) -> None:
    """Set a worker to where it was when its arrays were saved."""
    restore_control(worker, arrays["control"])
    for name, array in worker.arrays().items():
        if array is not worker.control:
            array[:] = arrays[name]


def restore_control(worker: Worker, control: Any) -> None:
    """Set the control words to saved ones; how large the table may become is the worker's own."""
    worker.make_room()
    limit = int(worker.control[TABLE_LIMIT])
    worker.control[:] = control
    worker.control[TABLE_LIMIT] = limit
    if worker.control[GROW_AT] == NEVER:  # there was no room, or a team, which grows otherwise
        worker.control[GROW_AT] = worker.control[NODES]
