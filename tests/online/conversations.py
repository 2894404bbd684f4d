"""The name of `console` where it was before."""

from tests.online.console import Conversation as Conversation
