"""The game in a web browser: Python in the page, and no server behind it."""
