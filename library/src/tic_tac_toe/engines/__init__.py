"""Strong play where nothing can be solved: large boards, and Monte Carlo for the rest.

Each engine thinks within a `Budget` and returns a `Thought`. Compiled engines need NumPy and Numba;
beside each stands one in plain Python with the same interface, for where there is no Numba.
"""
