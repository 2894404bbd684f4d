"""Play on the full screen on a bare checkout with Textual: ``cd frontends && python3 -m tui``."""

import _checkout

if __name__ == "__main__":
    _checkout.run("tui")
