"""Random numbers in compiled code: the generator xorshift64 (George Marsaglia, 2003).

It has one word of state, an array of one uint64 that is not zero, and needs no arithmetic that
NumPy would refuse where kernels run uncompiled.
"""

from __future__ import annotations

import numpy as np

from tic_tac_toe.solver.kernels.inlining import Word, Words, inlined

_LEFT, _RIGHT, _LEFT_AGAIN = map(np.uint64, (13, 7, 17))
#: The number is made of the upper 31 bits, which are the most random.
_UNUSED, _USED = map(np.uint64, (33, 31))


@inlined
def below(dice: Words, count: Word) -> Word:
    """Return a number from 0 to ``count`` - 1, each as likely as the others, and go on."""
    state = dice[0]
    state ^= state << _LEFT
    state ^= state >> _RIGHT
    state ^= state << _LEFT_AGAIN
    dice[0] = state
    return np.int64(((state >> _UNUSED) * np.uint64(count)) >> _USED)
