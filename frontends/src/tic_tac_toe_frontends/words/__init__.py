"""What front ends say: translation, and texts about games, rules, online play and trees."""
