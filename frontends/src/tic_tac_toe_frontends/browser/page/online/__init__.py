"""Online play: the lobby, a game, and news of the player's other games.

`view` says what is to be seen, as values made by pure functions; the other modules show it.
"""
