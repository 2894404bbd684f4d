"""Online play: what a game server and its clients say to each other, and what a game is to both.

Nothing here opens a socket, reads a clock or throws dice of its own::

    requests      what clients ask, and the texts they send it as
    replies       what servers say, and the texts they send it as
    events        what happens in a game: the lines of its log, of which boards are replays
    game          a game as its events made it, and the same for everybody who has them
    judge         the authority: what a request leads to, an event or a refusal
    reasons       why it refuses
    clocks        how much time is left
    addresses     tokens of seats and addresses of games
    client        one player's side: asks again, resumes, repeats nothing
    news          what that side tells whoever shows the game
    limits        how much of everything is too much
"""
