"""Play in the browser on a bare checkout: ``cd frontends && python3 -m browser``."""

import _checkout

if __name__ == "__main__":
    _checkout.run("browser")
