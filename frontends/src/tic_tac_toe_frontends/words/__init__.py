"""The texts of the front ends and their translation: games, rules, online play, trees."""
