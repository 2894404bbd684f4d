"""Strong play where nothing can be solved: large boards, and Monte Carlo for the rest.

Each engine thinks within `Limits` and returns an `Evaluation`. Compiled engines need NumPy, Numba;
beside each stands one in plain Python with the same interface, for where there is no Numba.
"""
