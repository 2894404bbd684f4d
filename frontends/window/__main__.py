"""Play in a window on a bare checkout: ``cd frontends && python3 -m window``."""

import _checkout

if __name__ == "__main__":
    _checkout.run("window")
