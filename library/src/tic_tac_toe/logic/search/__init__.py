"""Searches in plain Python over positions, for all rules; they do not change the game.

From the slow and obvious to the quick: `negamax` is the textbook, `table` solves small games whole,
`alphabeta` solves larger ones, `deepening` and `mcts` look at what cannot be solved. `verdict` puts
exact scores, explained in `scores`, into an answer for people.
"""
