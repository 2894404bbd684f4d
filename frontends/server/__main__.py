"""Serve games on a bare checkout: ``cd frontends && python3 -m server``."""

import _checkout

if __name__ == "__main__":
    _checkout.run("server")
