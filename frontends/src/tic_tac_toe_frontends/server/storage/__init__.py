"""Where games are kept: the log of events, in SQLite or another database."""
