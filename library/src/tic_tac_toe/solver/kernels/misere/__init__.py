"""The kernel for misère play, with gravity and without."""
