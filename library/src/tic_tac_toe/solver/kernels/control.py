"""The control words of a search, the scale of its scores, and which question it asks next.

A kernel narrows the score of one position by questions with a null window, "is it more than
alpha?", until it is known. Inside the solver a score counts the marks that the winner has left when
it wins (the scale of Pons, https://github.com/PascalPons/connect4, one more for a larger board)::

    top = (cells + 1) // 2 + 1          worth(top, marks) = top - (marks + 1) // 2

where ``marks`` are those on the board when the line is complete. It is 1 for a win with the very
last mark, 0 for a draw, and the same with a minus sign for a loss. Who moves when is known, so
this tells the ply: `logic.search.evaluation` and this scale hold the same facts.
"""

from __future__ import annotations

from tic_tac_toe.solver.kernels.inlining import Word, Words, called, inlined

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
