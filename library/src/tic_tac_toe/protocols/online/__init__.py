"""Online play: what a game server and its clients say to each other, and what a game is to both.

Nothing here opens a socket, reads a clock or throws dice of its own::

    events        what happens in a game: the entries of its log, also as JSON
    game          a game after some events, and a copy of one whose events become known
    clocks        how much time is left
    judge         the authority: the event that a request leads to, or a refusal
    messages      what messages are made of: the protocol's limits, and the bounds of fields
    requests      what clients ask, and the texts they send it as
    replies       what servers say, the texts they send it as, and why they refuse requests
    client        one player's side: asks, resumes after a loss, and follows a game
    game_copy     what that side knows of its game, and whether the server agrees
    news          what that side tells the front end that shows the game
    seat_book     a player's seats, with what is known of the games and who is muted
    addresses     tokens of seats and addresses of games
"""
