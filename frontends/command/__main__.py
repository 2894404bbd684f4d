"""The ``tic-tac-toe`` command on a bare checkout: ``cd frontends && python3 -m command``."""

import _checkout

if __name__ == "__main__":
    _checkout.run("command")
