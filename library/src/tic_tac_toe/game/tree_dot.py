def write_dot(root, words): return ""
