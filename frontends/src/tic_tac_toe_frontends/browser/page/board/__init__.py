"""The board of the page: its layout, and the buttons and pictures that show it."""
