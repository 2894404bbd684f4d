"""The table at which a game is played, whatever the screen: its state, its driver, advice."""
