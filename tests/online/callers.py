"""The name of `bots` where it was before."""

from tests.online.bots import Caller as Caller
