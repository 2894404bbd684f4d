"""Pure rules of k-in-a-row games: no input, no output, no clock, no hidden randomness."""
