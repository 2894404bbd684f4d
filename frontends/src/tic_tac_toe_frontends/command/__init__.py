"""The ``tic-tac-toe`` command, with a module for each subcommand other than the front ends."""
