"""The names of `world` where they were before."""

from tests.online.world import *  # noqa: F403
