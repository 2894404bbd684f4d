"""Computer players by name: strategies, also by the clock, and other people's programs."""
