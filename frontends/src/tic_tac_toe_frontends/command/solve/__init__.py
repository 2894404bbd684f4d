"""``tic-tac-toe solve``: exact answers of the fast solver, about one position or many."""

from .subcommand import main

__all__ = ["main"]
