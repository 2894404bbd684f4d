def draw(root, words, *, styled=True): return ""
