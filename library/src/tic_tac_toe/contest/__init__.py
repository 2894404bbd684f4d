"""Matches between computer players: pairs of games, what they show, and whether it is enough.

Nothing here reads a file, starts a process or looks at a clock that it was not given.
"""
