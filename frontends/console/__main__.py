"""Play at the console on a bare checkout: ``cd frontends && python3 -m console``."""

import _checkout

if __name__ == "__main__":
    _checkout.run("console")
