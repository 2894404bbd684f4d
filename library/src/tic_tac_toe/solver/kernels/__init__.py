"""The compiled searches, one package a family of games, and once what all of them share.

`control` has the words that steer a search and the loop around each kernel's `search`, `compiling`
the machine code. `solver.kernel` has the objects that the solver works with, and chooses among the
kernels.
"""
