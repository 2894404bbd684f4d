"""The game at the console: drawn on a terminal, or in plain text."""
