"""The compiled searches, one package a family of games, and once what all of them share.

`control` has the words that steer a search, `driver` the loop around each kernel's `search`,
`kernel` the objects that the solver works with, `compiling` the machine code. Kernels import
nothing of the solver outside this package; `solver.kernel_factory` chooses among them.
"""
