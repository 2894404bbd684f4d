"""Bounded attacks by one address, and what the other players notice of them."""
