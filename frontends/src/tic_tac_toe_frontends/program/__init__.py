"""Parts of all programs: options, files, terminal, signals and exit statuses."""
