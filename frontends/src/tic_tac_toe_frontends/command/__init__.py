"""The ``tic-tac-toe`` command: one module a subcommand."""
