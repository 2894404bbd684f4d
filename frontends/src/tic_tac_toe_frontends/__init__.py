"""Front ends of the `tic_tac_toe` library: the console game and the ``tic-tac-toe`` command."""
