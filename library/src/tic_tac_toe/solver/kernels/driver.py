"""The loop around a kernel's search: which question is asked, when it pauses, when tables grow.

It is the same for all kernels. A kernel hands over its own functions as `Parts` and gets the
functions that are compiled and called from Python as `Code`.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NamedTuple

import numpy as np

from tic_tac_toe.solver.kernels.compiling import Compiled
from tic_tac_toe.solver.kernels.control import (
    ALPHA,
    ASKING,
    DEPTH,
    FINISHED,
    GROW_AT,
    HIGH,
    LOW,
    NEXT,
    NODES,
    PAUSED,
    TABLE_BITS,
    TABLE_START,
    choose_question,
    may_grow,
    settle,
)
from tic_tac_toe.solver.kernels.inlining import Word, Words, called, inlined


class Parts(NamedTuple):
    """What differs from kernel to kernel.

    ``shared`` is an array of the kernel's own that all workers use.

    Attributes:
        name: of the kernel, for the files of its machine code.
        begin: sets the search to a position that is not over, and its range to what is seen at
            once: ``begin(first, second, frames, numbers, shared, game, control)``.
        search: answers the question or pauses: ``search(frames, numbers, shared, table, game,
            control, until)``.
        grow: makes the table larger: ``grow(frames, table, spare, game, control)``.
        grows_at: returns the count of nodes at which a table of ``2**bits`` buckets is too small.
        pose: fills the first frame with the question in ``control[ALPHA]``: ``pose(frames, numbers,
            shared, game, control)``.
        answer: takes the search's answer in ``control[VALUE]``, and either narrows the range or
            poses a harder question; arguments as for ``pose``.
        bucket_words: how many words of the table a bucket takes.
        clears_table: whether a batch begins each position with an empty table.
        choose: returns the alpha to ask about next: ``choose(control)``; `choose_outcome` where
            questions look for short wins by themselves.
    """

    name: str
    begin: Callable[..., Any]
    search: Callable[..., Any]
    grow: Callable[..., Any]
    grows_at: Callable[..., Any]
    pose: Callable[..., Any]
    answer: Callable[..., Any]
    bucket_words: int
    clears_table: bool
    choose: Callable[..., Any] = choose_question


class Code(NamedTuple):
    """The functions of a kernel, as machine code or as they stand."""

    begin: Callable[..., Any]
    narrow: Callable[..., int]
    solve_batch: Callable[..., int]
    fill_table: Callable[..., Any]
    grows_at: Callable[[int], int]

    def compiled(self, name: str, game: tuple[Any, ...] | None = None) -> Code:
        """Return them as machine code, which is made or loaded when they are called.

        Args:
            name: of the kernel.
            game: parameters that are compiled in: the code is faster, and is for that game alone.
        """
        begin, narrow, solve_batch = (
            Compiled(function, game, f"{name}-{function.__name__}") for function in self[:3]
        )
        fill_table = Compiled(self.fill_table, None, f"{name}-fill_table")
        return Code(begin, narrow, solve_batch, fill_table, self.grows_at)


@inlined
def pose_alpha(frames: Words, numbers: Words, shared: Words, game: Word, control: Words) -> None:
    """Pose a question to alpha-beta search: alpha stands first in the first frame of numbers."""
    numbers[0] = control[ALPHA]
    control[DEPTH] = 0


@inlined
def answer_alpha(frames: Words, numbers: Words, shared: Words, game: Word, control: Words) -> None:
    """Take the answer of alpha-beta search, whose value is a score."""
    settle(control)


def assemble(parts: Parts) -> Code:
    """Return the functions of a kernel, as they stand."""
    narrow = _narrow(parts)
    solve_batch = _solve_batch(parts, narrow)
    return Code(parts.begin, narrow, solve_batch, _fill_table(parts), parts.grows_at)


def _narrow(parts: Parts) -> Callable[..., int]:
    search, grow, pose, answer = parts.search, parts.grow, parts.pose, parts.answer
    choose = parts.choose

    @inlined
    def narrow(
        frames: Words,
        numbers: Words,
        shared: Words,
        table: Words,
        spare: Words,
        game: Word,
        control: Words,
        until: Word,
    ) -> Word:
        """Ask questions until the range holds one score, or pause; the table grows as it fills."""
        while control[LOW] < control[HIGH]:
            if control[ASKING] == 0:
                control[ALPHA] = choose(control)
                control[ASKING] = 1
                pose(frames, numbers, shared, game, control)
            stop = min(until, control[GROW_AT])
            if search(frames, numbers, shared, table, game, control, stop) == FINISHED:
                answer(frames, numbers, shared, game, control)
            elif control[NODES] >= control[GROW_AT]:
                if may_grow(control):
                    grow(frames, table, spare, game, control)
            else:
                return PAUSED
        return FINISHED

    return narrow


def _solve_batch(parts: Parts, narrow: Callable[..., int]) -> Callable[..., int]:
    begin, grows_at = parts.begin, parts.grows_at
    bucket_words, clears_table = parts.bucket_words, parts.clears_table

    @inlined
    def solve_batch(
        firsts: Words,
        seconds: Words,
        lows: Words,
        highs: Words,
        frames: Words,
        numbers: Words,
        shared: Words,
        table: Words,
        spare: Words,
        game: Word,
        control: Words,
        until: Word,
    ) -> Word:
        """Solve positions one after the other; or pause, to be called again.

        Args:
            lows: what is asked of each score, and then what is known of it, together with `highs`.
        """
        while control[NEXT] < firsts.size:
            index = control[NEXT]
            if control[ASKING] == 0:
                if clears_table:
                    control[TABLE_BITS] = bits = control[TABLE_START]
                    for word in range(np.int64(bucket_words) << bits):
                        table[word] = np.uint64(0)
                    control[GROW_AT] = control[NODES] + grows_at(bits)
                control[LOW], control[HIGH] = lows[index], highs[index]
                begin(firsts[index], seconds[index], frames, numbers, shared, game, control)
            status = narrow(frames, numbers, shared, table, spare, game, control, until)
            lows[index], highs[index] = control[LOW], control[HIGH]
            if status == PAUSED:
                return PAUSED
            control[NEXT] += 1
        return FINISHED

    return solve_batch


def _fill_table(parts: Parts) -> Callable[..., None]:
    grow = parts.grow

    @called
    def fill_table(frames: Words, table: Words, spare: Words, game: Word, control: Words) -> None:
        """Let the table be as large as it may be, for good."""
        while may_grow(control):
            grow(frames, table, spare, game, control)

    return fill_table
