"""``tic-tac-toe serve admin``: what an operator asks of a server at work."""
ADMIN = "admin"
