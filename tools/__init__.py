"""What the Makefile calls: environments, interpreters, wheels, import rules."""
