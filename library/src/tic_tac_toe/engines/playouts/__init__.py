"""Monte Carlo tree search in machine code: ultimate, boards with gravity, games of letters.

Importing it needs NumPy; machine code that is not in the cache needs Numba.
"""

from tic_tac_toe.engines.playouts.engine import CompiledPlayouts

__all__ = ["CompiledPlayouts"]
