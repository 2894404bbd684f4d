"""The game on the full screen of a terminal, with keys and mouse; needs Textual."""
