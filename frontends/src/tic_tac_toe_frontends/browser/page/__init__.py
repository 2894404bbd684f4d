"""The code that runs in the page itself, in Python for browsers.

Only `dom` and the modules that import it need a browser; tests run the others anywhere.

In every class here the argument `language` returns the messages to speak with.
"""
