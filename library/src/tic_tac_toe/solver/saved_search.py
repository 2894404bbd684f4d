"""What a saved state of a search consists of; it is checked, for a file may hold anything."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, NamedTuple

import numpy as np

from tic_tac_toe.logic.positions import Position
from tic_tac_toe.logic.rules import Rules
from tic_tac_toe.solver.checkpoint_file import Arrays, SavedState
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
from tic_tac_toe.solver.saving import Question

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
