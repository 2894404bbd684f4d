"""Searches in plain Python over positions, for all rules; they do not change the game.

`evaluation` says what scores and evaluations mean. `tables` solves small games whole, `exact`
single positions of larger ones, and both give best moves. `deepening` and `mcts` look at what
cannot be solved; `threats` finds wins that are forced on a `line_board`.
"""
