"""``tic-tac-toe match``: computer players against each other, in pairs of games."""

from .subcommand import main

__all__ = ["main"]
