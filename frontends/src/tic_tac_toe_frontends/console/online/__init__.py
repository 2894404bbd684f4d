"""Online play at the console: connect, choose a game in the lobby, play it."""
