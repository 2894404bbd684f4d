"""What a server answers to plain HTTP: pages, records, and how it is doing."""
