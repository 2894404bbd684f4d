"""The game on the full screen of a terminal, by keys and mouse; needs Textual."""
