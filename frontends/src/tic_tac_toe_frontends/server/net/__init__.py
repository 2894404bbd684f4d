"""Connections: how many there may be, how much is read of them, and what is spoken on them."""
