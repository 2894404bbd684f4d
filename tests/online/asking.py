"""The names of `world` where they were before."""

from tests.online.world import Page as Page
from tests.online.world import ask as ask
from tests.online.world import ask_async as ask_async

Reply = Page
