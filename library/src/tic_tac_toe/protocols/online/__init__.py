"""Online play: what a game server and its clients say to each other, and what a game is to both.

Nothing here opens a socket, reads a clock or throws dice of its own::

    events        what happens in a game: the entries of its log, from which boards are replayed
    standing      how a game stands after some events; questions about it
    game          the same, and how each event changes it
    replica       a game as far as its events are known, in a client or a server
    clocks        how much time is left
    judge         the authority: the event that a request leads to, or a refusal
    reasons       why requests are refused
    requests      what clients ask, and the texts they send it as
    fields        how the fields of requests are read
    replies       what servers say, and the texts they send it as
    event_json    events and setups as JSON
    client        one player's side: what people do
    conversation  what goes on by itself on that side: greets, resumes, repeats nothing
    following     the game on that side: missing events, the clock
    outbox        the requests of that side until they are answered
    surroundings  what that side is told beside the game: presence, talk, the lobby
    link          the states of its connection
    news          what that side tells the front end that shows the game
    addresses     tokens of seats and addresses of games
    limits        the limits of sizes and numbers, for both sides
"""
