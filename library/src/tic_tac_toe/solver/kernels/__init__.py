"""The compiled searches, one package or module a family of games, and their common parts.

`control` has the words that steer a search and the loop around each kernel's `search`, `compiling`
the machine code. `solver.kernel` has the objects that the solver works with, and chooses among the
kernels.
"""
