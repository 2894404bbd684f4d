"""Connections: how many there may be, how much is read from them, and their protocols."""
