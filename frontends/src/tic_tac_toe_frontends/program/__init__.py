"""What every program of the front ends needs: options, files, terminal, process."""
