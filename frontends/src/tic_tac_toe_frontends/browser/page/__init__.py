"""What runs in the page itself, in Python for browsers.

Only `dom` and what imports it need a browser; all else runs, and is tested, anywhere.
"""
