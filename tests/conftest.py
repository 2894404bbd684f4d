"""Set up what all tests share."""

from hypothesis import settings

# A loaded machine is no bug, and a test passes or fails the same everywhere.
settings.register_profile("project", deadline=None, derandomize=True)
settings.load_profile("project")
