"""The kernel for m,n,k games without gravity, in normal play.

A question with a null window has one attacker: "does it complete a line with at most n more marks
of its own, whatever the defender does?" So the search is an AND/OR search, and a node holds
the lines that still matter: the attacker's open lines, and those of the defender that it could
complete in time and so force the attacker to answer.

First the question is asked of the *weak* game, where the defender's lines count for nothing (the
maker-breaker game; Beck, "Combinatorial Games", 2008). Its no is a no for the real game, and it
is much smaller, for all that matters of a position are the attacker's open lines. Only after a yes
is the real game searched.

Most nodes are decided without a search by the potential of Erdős and Selfridge ("On a combinatorial
game", Journal of Combinatorial Theory A 14, 1973): an open line that misses n marks weighs 2**-n,
and where the lines together weigh less than 1 with the defender to move, it only ever needs to take
the heaviest cell. Where that is not enough, `pairing` looks for pairs of cells.
"""

from __future__ import annotations

import numpy as np

from tic_tac_toe.solver.kernels.bits import U0
from tic_tac_toe.solver.kernels.control import (
    DEPTH,
    FINISHED,
    NODES,
    PAUSED,
    TABLE_BITS,
    VALUE,
    VARIATION,
    choose_outcome,
)
from tic_tac_toe.solver.kernels.driver import Parts
from tic_tac_toe.solver.kernels.inlining import Word, Words, inlined
from tic_tac_toe.solver.kernels.mnk.board import (
    Game,
    make_move,
)
from tic_tac_toe.solver.kernels.mnk.frame import (
    BEGUN,
    BEST,
    FRAME,
    KEY_HIGH,
    KEY_LOW,
    LEFT,
    NUMBERS,
    STRONG,
    TABLED,
    TURN,
    ZONE,
)
from tic_tac_toe.solver.kernels.mnk.moves import (
    next_move,
    steps_back,
    take_attack,
    take_defence,
)
from tic_tac_toe.solver.kernels.mnk.node import enter
from tic_tac_toe.solver.kernels.mnk.question import answer, begin, pose
from tic_tac_toe.solver.kernels.wide_table import (
    UNWON,
    bucket_of,
    grow,
    grows_at,
    store,
)


@inlined
def keep(
    frames: Words,
    frame: Word,
    numbers: Words,
    number: Word,
    table: Words,
    table_bits: Word,
    value: Word,
    nodes: Word,
) -> None:
    """Put the answer of a node that was searched into the table, unless its move was forced."""
    if numbers[number + TABLED] == 1:
        store(
            table,
            bucket_of(frames[frame + KEY_LOW], table_bits),
            frames[frame + KEY_LOW],
            frames[frame + KEY_HIGH],
            np.uint64(numbers[number + LEFT]) if value == 0 else U0,
            np.uint64(value) if value > 0 else UNWON,
            nodes - numbers[number + BEGUN],
        )


@inlined
def search(
    frames: Words,
    numbers: Words,
    constants: Words,
    table: Words,
    game: Game,
    control: Words,
    until: Word,
) -> Word:
    """Answer the question of the first frame, or pause when ``until`` nodes have been looked at.

    The answer is in control[VALUE]: the attacker's marks with which it wins, or 0.
    """
    table_bits = np.uint64(control[TABLE_BITS])
    variation, by_lines = np.uint64(control[VARIATION]), numbers[STRONG] == 0
    depth, nodes = control[DEPTH], control[NODES]
    frame, number = FRAME * np.uint64(depth), np.uint64(NUMBERS * depth)
    while True:
        if nodes >= until:
            control[DEPTH], control[NODES] = depth, nodes
            return PAUSED
        nodes += 1
        known, value, zone = enter(
            frames,
            frame,
            numbers,
            number,
            constants,
            table,
            table_bits,
            by_lines,
            variation,
            nodes,
            game,
        )
        searched = False
        back = steps_back(numbers, number, depth, known)
        depth -= back
        frame -= FRAME * np.uint64(back)
        number -= np.uint64(NUMBERS * back)
        # Answers go up to the parent until one does not decide there; then its next move is made.
        while True:
            if not known:
                bit = next_move(frames, frame, numbers, number)
                if bit != U0:
                    make_move(frames, frame, numbers, number, bit, game)
                    depth += 1
                    frame += FRAME
                    number += np.uint64(NUMBERS)
                    break
                value, zone = np.int64(0), U0
                if numbers[number + TURN] == 1:
                    value, zone = numbers[number + BEST], frames[frame + ZONE]
                searched = True
            if searched:
                keep(frames, frame, numbers, number, table, table_bits, value, nodes)
            depth -= 1
            if depth < 0:
                control[DEPTH], control[NODES], control[VALUE] = 0, nodes, value
                return FINISHED
            below = frame
            frame -= FRAME
            number -= np.uint64(NUMBERS)
            if numbers[number + TURN] == 0:
                known, value, zone = take_attack(frames, frame, below, value, zone, game.board)
            else:
                known = take_defence(frames, frame, numbers, number, value, zone)
            searched = known


PARTS = Parts(
    "mnk",
    begin,
    search,
    grow,
    grows_at,
    pose,
    answer,
    bucket_words=4,
    clears_table=False,
    choose=choose_outcome,
)
