"""The game in a window of its own, with Tkinter: nothing to install."""
