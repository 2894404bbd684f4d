"""The game server: online play over WebSockets, which loses nothing that it has acknowledged."""
