"""The game of any screen: its state, its driver and its advice."""
