"""The game in a window of its own, by Tkinter: nothing to install."""
