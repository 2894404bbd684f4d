"""The kernel for games with gravity in normal play: Connect Four and its relatives."""
