"""When a search saves its state to a checkpoint, what it saves, and what it takes from there."""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Mapping
from functools import lru_cache
from pathlib import Path
from typing import Any, NamedTuple, Protocol

import numpy as np
from numpy.typing import NDArray

from tic_tac_toe.limits import MEBIBYTE
from tic_tac_toe.logic.exceptions import Message, message
from tic_tac_toe.logic.positions import Position
from tic_tac_toe.logic.rules import Rules
from tic_tac_toe.logic.rules.catalogue import variant_name
from tic_tac_toe.solver.checkpoint import (
    Arrays,
    Checkpoint,
    InvalidCheckpoint,
    SavedState,
)
from tic_tac_toe.solver.kernel_factory import kernel_for
from tic_tac_toe.solver.kernels.control import (
    DEPTH,
    GROW_AT,
    NEVER,
    NODES,
    TABLE_BITS,
    TABLE_LIMIT,
)
from tic_tac_toe.solver.kernels.kernel import WORD_BYTES, Kernel, Worker

FORMAT = "tictactoe-engine checkpoint 2"
#: The modules beside the kernels that give saved arrays their meaning.
_SEARCH = ("saving", "scale", "session")


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


#: The most seconds from the end of one save to the next, however long saving takes.
LONGEST_PAUSE = 55.0
#: The seconds that saving a byte takes until it is measured.
GUESSED_SECONDS_A_BYTE = 1 / (200 * MEBIBYTE)
#: Saving may take this many times what the last save took, and these seconds.
MARGIN, LEAST_SECONDS = 1.25, 0.05

#: A position, and the scores between which its score is looked for.
Question = tuple[Position, int, int]


class Savable(Protocol):
    """What is saved: a solver."""

    rules: Rules

    @property
    def nodes(self) -> int:
        """How many positions have been looked at so far."""
        ...

    @property
    def table(self) -> NDArray[Any]:
        """The transposition table."""
        ...

    def give_state(self, question: Question | None) -> tuple[Mapping[str, Any], Arrays]:
        """Return what is saved: something for JSON, and arrays."""
        ...

    def take_state(self, saved: SavedState) -> Question | None:
        """Take over a saved state, the table apart; return the question it was saved at."""

    def take_search(self, arrays: Arrays) -> None:
        """Set the search to where it was when its arrays were saved."""


class Saving:
    """Saves the state of a solver now and then, and gives a new solver the newest.

    Args:
        checkpoint: where to.
        solver: a new one. It is given what the last one had learnt, the table apart.

    Raises:
        InvalidCheckpoint: the checkpoint has states, and none can be used.
    """

    def __init__(self, checkpoint: Checkpoint, solver: Savable) -> None:
        self.checkpoint: Checkpoint = checkpoint
        self._solver = solver
        self._clock = checkpoint.clock
        self._saved = self._clock()
        self._pause = checkpoint.interval
        self._generation = 0
        self._nodes = 0  # of the state that was read or saved last
        self._seconds_a_byte = GUESSED_SECONDS_A_BYTE
        self._told: int | None = None  # the number of the error that was told last
        self._pending: tuple[Question, Arrays] | None = None
        #: The newest first; empty once the table is read.
        self._states, self._errors = checkpoint.load(identity(solver.rules))
        self._take_newest()

    def _take_newest(self) -> None:
        """Give the solver the newest state that is left; the table is still to be read."""
        while self._states:
            saved = self._states[0]
            try:
                seconds_a_byte = saved.seconds_a_byte(self.checkpoint.large_bytes)
                question = self._solver.take_state(saved)
            except (ArithmeticError, LookupError, MemoryError, TypeError, ValueError):
                self._errors.append(
                    InvalidCheckpoint(
                        "{file} holds what no search has saved",
                        "checkpoint_state",
                        file=saved.path.name,
                    )
                )
                self._states.pop(0)
                continue
            self._generation, self._nodes = saved.generation, self._solver.nodes
            self._seconds_a_byte = seconds_a_byte or GUESSED_SECONDS_A_BYTE
            self._pending = None if question is None else (question, saved.arrays)
            break
        if self._errors and not self._states:
            raise self._errors[0]
        for damage in self._errors:
            self.checkpoint.tell(
                message("{reason}; the older state is used", "older_state", reason=damage.message)
            )
        self._errors.clear()

    def read_table(
        self, limit_reached: Callable[[], Message | None] = lambda: None
    ) -> Message | None:
        """Read the table of the state that the solver was given, unless it is read already.

        It may take seconds, so that it is only done when there is something to search for, and in
        pieces; what is known is known without it. Until it is read nothing is searched or saved.

        Args:
            limit_reached: asked after each piece; what it returns ends the reading.

        Returns:
            The limit, if one was reached.

        Raises:
            InvalidCheckpoint: the table is damaged, and so is the older generation.
        """
        reached: list[Message] = []

        def stop() -> bool:
            if limit := limit_reached():
                reached.append(limit)
            return bool(reached)

        while self._states and not reached:
            self._read_newest_table(stop)
        return reached[0] if reached else None

    def _read_newest_table(self, stop: Callable[[], bool]) -> None:
        """Read the newest state's table, or give the solver the other state if it is damaged."""
        try:
            if self.checkpoint.read_table(self._states[0], self._solver.table, stop):
                self._states.clear()
        except InvalidCheckpoint as error:
            self._errors.append(error)
            self._states.pop(0)
            self._take_newest()

    def seconds_to_save(self, size: int) -> float:
        """Return how many seconds saving ``size`` bytes may take, judged by the last save."""
        return LEAST_SECONDS + MARGIN * self._seconds_a_byte * size

    def resume(self, question: Question) -> bool:
        """Set the solver's search to where it was saved, if this is the question it was saved at.

        Only the first question can be: any other one changes the table that the search relies on.
        """
        pending, self._pending = self._pending, None
        if pending is None or pending[0] != question:
            return False
        self._solver.take_search(pending[1])
        return True

    def is_due(self) -> bool:
        """Return whether it is time to save the state in the middle of a search."""
        return self._clock() - self._saved >= self._pause

    def save_in_passing(self, question: Question) -> None:
        """Save the state in the middle of a question; the next time is due a while later.

        Raises:
            OSError: it cannot be saved, and the checkpoint has nobody to tell it.
        """
        before = self._clock()
        self._saved = before  # should it fail, the next time is no sooner than otherwise
        try:
            self.save(question)
        except OSError as error:
            if self.checkpoint.failed is None:
                raise
            if error.errno != self._told:
                self.checkpoint.failed(error)
            self._told = error.errno
            return
        self._saved = self._clock()
        self._pause = min(self.checkpoint.interval + 3 * (self._saved - before), LONGEST_PAUSE)

    def save_news(self) -> None:
        """Save the state at the end, unless nothing has been searched since it was read or saved.

        Raises:
            OSError: it cannot be written; both generations are unchanged.
        """
        if self._solver.nodes != self._nodes:
            self.save()

    def save(self, question: Question | None = None) -> None:
        """Save the state, in the middle of a question or of the one that a limit has ended.

        Raises:
            OSError: it cannot be written; both generations are unchanged.
        """
        self.read_table()
        began = self._clock()
        state, arrays = self._solver.give_state(question)
        generation = self._generation + 1
        self.checkpoint.save(identity(self._solver.rules), generation, state, arrays)
        self._generation = generation  # now, and not before: the newest is never written over
        self._nodes, self._told = self._solver.nodes, None
        if (size := arrays["table"].nbytes) >= self.checkpoint.large_bytes:
            self._seconds_a_byte = (self._clock() - began) / size


# What a saved state of a search consists of; it is checked, for a file may hold anything.

#: log2 of more buckets than any table has.
MOST_TABLE_BITS = 48

#: By position, what is proved of its score in marks: at least, at most.
Known = dict[Position, tuple[int, int]]


class RestoredSearch(NamedTuple):
    """A search as it was saved, the table apart.

    Attributes:
        earlier_nodes: positions that other processes looked at before.
        question: the one that it was saved in the middle of.
    """

    kernel: Kernel
    workers: list[Worker]
    known: Known
    earlier_nodes: int
    question: Question | None


def pack(
    kernel: Kernel, lead: Worker, nodes: int, known: Known, question: Question | None
) -> tuple[dict[str, Any], Arrays]:
    """Return what a checkpoint saves: something for JSON, and arrays."""
    state = {
        "nodes": nodes,
        "question": question and [*question[0].stones, question[0].turn, *question[1:]],
    }
    stones = np.array([position.stones for position in known], np.uint64)
    values = np.array([(position.turn, *seen) for position, seen in known.items()], np.int64)
    used = kernel.table[: kernel.words_in_use(lead)]
    arrays = {"known stones": stones.ravel(), "known values": values.ravel()}
    return state, {**arrays, **lead.arrays(), "table": used}


def unpack(
    saved: SavedState, rules: Rules, kernel: Kernel, workers: list[Worker]
) -> RestoredSearch:
    """Return a saved search, on the given kernel and workers if the table is large enough.

    Raises:
        ValueError, TypeError, LookupError, ArithmeticError: not a state of a search of this game;
            the workers are unchanged.
    """
    state, arrays, size = saved.header["state"], saved.arrays, saved.table_size
    if kernel.table.size < size:  # what was learnt is worth more than the memory
        kernel = kernel_for(rules, WORD_BYTES * size)
        workers = [kernel.worker()]
    lead, control, nodes = workers[0], arrays["control"], int(state["nodes"])
    _check_arrays(saved, kernel, lead)
    inside = 0 <= control[DEPTH] < rules.shape.cells + 2
    if not inside or not 0 <= control[TABLE_BITS] <= MOST_TABLE_BITS:
        raise ValueError
    known = _known(arrays)
    question = None
    if state["question"] is not None:
        crosses, naughts, turn, floor, ceiling = state["question"]
        question = Position((crosses, naughts), turn), floor, ceiling
    before = lead.control.copy()
    take_control(lead, control)
    if size != kernel.words_in_use(lead) or size > kernel.table.size:
        lead.control[:] = before
        raise ValueError
    return RestoredSearch(kernel, workers, known, nodes - int(control[NODES]), question)


def take_arrays(worker: Worker, arrays: Arrays) -> None:
    """Set a worker to where it was when its arrays were saved."""
    take_control(worker, arrays["control"])
    for name, array in worker.arrays().items():
        if array is not worker.control:
            array[:] = arrays[name]


def take_control(worker: Worker, control: Any) -> None:
    """Set the control words to saved ones; how large the table may become is the worker's own."""
    worker.make_room()
    limit = int(worker.control[TABLE_LIMIT])
    worker.control[:] = control
    worker.control[TABLE_LIMIT] = limit
    if worker.control[GROW_AT] == NEVER:  # there was no room, or a team, which grows otherwise
        worker.control[GROW_AT] = worker.control[NODES]


def _check_arrays(saved: SavedState, kernel: Kernel, lead: Worker) -> None:
    if saved.table_dtype != kernel.table.dtype:
        raise TypeError
    for name, array in lead.arrays().items():
        if saved.arrays[name].dtype != array.dtype:
            raise TypeError
        if saved.arrays[name].shape != array.shape:
            raise ValueError


def _known(arrays: Mapping[str, Any]) -> Known:
    stones = arrays["known stones"].reshape(-1, 2).tolist()
    values = arrays["known values"].reshape(-1, 3).tolist()
    return {
        Position((crosses, naughts), turn): (low, high)
        for (crosses, naughts), (turn, low, high) in zip(stones, values, strict=True)
    }
