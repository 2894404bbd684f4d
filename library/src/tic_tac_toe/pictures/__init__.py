"""Pictures of boards and of game trees, as SVG and as lines of text."""
