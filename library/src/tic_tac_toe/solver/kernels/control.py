"""The common parts of kernels: control words, scale of scores, rows of moves, the outer loop.

A kernel narrows the score of one position by questions with a null window, "is it more than
alpha?", until it is known. Inside the solver a score counts the marks that the winner has left when
it wins (the scale of Pons, https://github.com/PascalPons/connect4, one more for a larger board)::

    top = (cells + 1) // 2 + 1          worth(top, marks) = top - (marks + 1) // 2

where ``marks`` are those on the board when the line is complete. It is 1 for a win with the very
last mark, 0 for a draw, and the same with a minus sign for a loss. Who moves when is known, so
this tells the ply: `logic.search.evaluation` and this scale hold the same facts.

The loop around a kernel's search decides which question is asked, when it pauses, when tables grow.
A kernel hands over its own functions as `Parts` and gets the functions that are compiled and called
from Python as `Code`.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NamedTuple

import numpy as np

from tic_tac_toe.solver.kernels.bits import U1, Word, Words, called, inlined
from tic_tac_toe.solver.kernels.compiling import Compiled

# Where the control words of a search are, in one array of int64.
LOW = 0  # what is proved: the score is at least this
HIGH = 1  # and at most this
ALPHA = 2  # the question: is the score more than this?
ASKING = 3  # 1 while a question is being asked
NODES = 4  # positions looked at in all
SINCE = 5  # NODES when this position was begun
OTHER_END = 6  # which end of the range the next quick question is about
DEPTH = 7  # how many frames lie below the one where the search stands
VALUE = 8  # the answer to the last question
GROW_AT = 9  # the count of nodes at which the table becomes larger
TABLE_BITS = 10  # log2 of the buckets in use
TABLE_LIMIT = 11  # log2 of the buckets that may come into use
TABLE_START = 12  # log2 of the buckets that a search begins with
NEXT = 13  # of a batch: the index of the position to go on with
VARIATION = 14  # without gravity, threads that share a table try moves in different orders
SYMMETRIC_UNTIL = 15  # below this ply, positions and their reflections are looked up as one
SHARING = 16  # 1 when other threads search the same position on the same table
CONTROLS = 17

FINISHED, PAUSED = 0, 1
NEVER = (1 << 63) - 1  # a count of nodes that no search reaches

#: Tables grow eightfold.
GROWTH_BITS = 3
#: Nodes that go into looking for quick wins and losses before it is asked who wins, and by how many
#: scores each of these questions narrows the range.
QUICK_NODES, QUICK_STEP = 1_500, 3

# A frame of signed numbers in the alpha-beta kernels. What it holds of a node:
ALPHA_AT = np.uint64(0)  # the question: is the score more than this?
BEST_AT = np.uint64(1)  # the highest score of a move so far
TRIED_AT = np.uint64(2)  # how many moves of the row have been tried
COUNT_AT = np.uint64(3)  # how many moves the row has
PLY_AT = np.uint64(4)  # the marks on the board
SINCE_AT = np.uint64(5)  # the count of nodes when the node was entered
QUEUE_AT = np.uint64(8)  # the row of moves


@inlined
def top_of(cells: Word) -> Word:
    """Return a score that is higher than any on a board with this number of cells."""
    return ((cells + 1) >> 1) + 1


@inlined
def worth(top: Word, marks: Word) -> Word:
    """Return the score of a win that is complete with this number of marks on the board."""
    return top - ((marks + 1) >> 1)


@called
def choose_question(control: Words) -> Word:
    """Return the alpha to ask about next.

    Short wins and losses come first, for "within n plies?" is cheap when n is small; then who wins
    at all, and by how much.
    """
    low, high = control[LOW], control[HIGH]
    if low < 0 and high > 0 and control[NODES] - control[SINCE] < QUICK_NODES:
        other_end = control[OTHER_END]
        control[OTHER_END] = 1 - other_end
        if other_end == 0 and high > 1:
            return max(0, high - QUICK_STEP)
        if low < -1:
            return min(-1, low + QUICK_STEP - 1)
    return choose_outcome(control)


@called
def choose_outcome(control: Words) -> Word:
    """Return the alpha to ask about next: who wins, and then by how much, by halving the range."""
    low, high = control[LOW], control[HIGH]
    if low <= 0 and high > 0:
        return 0
    if low < 0 and high == 0:
        return -1
    return low + ((high - low) >> 1)


@called
def settle(control: Words) -> None:
    """Narrow the range by the answer to the question that was asked."""
    value = control[VALUE]
    if value > control[ALPHA]:
        control[LOW] = min(value, control[HIGH])
    else:
        control[HIGH] = max(value, control[LOW])
    control[ASKING] = 0


@called
def open_range(control: Words, low: Word, high: Word) -> None:
    """Begin a position whose score is seen at once to lie in a range; the caller's range is cut."""
    control[LOW] = max(low, min(control[LOW], high))
    control[HIGH] = min(high, max(control[HIGH], low))
    control[ASKING] = control[OTHER_END] = control[DEPTH] = 0
    control[SINCE] = control[NODES]


@called
def may_grow(control: Words) -> Word:
    """Return whether there is room for a larger table; if not, it is never asked for again."""
    if control[TABLE_BITS] + GROWTH_BITS <= control[TABLE_LIMIT]:
        return True
    control[GROW_AT] = NEVER
    return False


@inlined
def enqueue(numbers: Words, first: Word, count: Word, promise: Word) -> None:
    """Put a move into the row of ``count`` moves that begins at ``first``, the best first."""
    at = first + np.uint64(count)
    while at > first and numbers[at - U1] < promise:
        numbers[at] = numbers[at - U1]
        at -= U1
    numbers[at] = promise


class Parts(NamedTuple):
    """The functions and numbers that differ from kernel to kernel.

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
        numbers: how many signed numbers a level of the stack takes.
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
    numbers: int
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
