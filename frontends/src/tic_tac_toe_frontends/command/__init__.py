"""The ``tic-tac-toe`` command: a module for each subcommand that is not a front end."""
