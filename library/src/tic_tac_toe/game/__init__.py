"""Playing: the loop, players, strategies, and the match that front ends push moves into."""
