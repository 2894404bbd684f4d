"""The game at the console: drawn on a terminal, or told in words."""
