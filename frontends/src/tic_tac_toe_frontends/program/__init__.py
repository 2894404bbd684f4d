"""The parts of every program here: options, files, terminal, signals and exit statuses."""
