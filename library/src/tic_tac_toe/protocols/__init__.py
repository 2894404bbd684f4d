"""Text protocols as state machines without input and output: text goes in, events come out."""
