"""What is told of a place, and the lines that show it."""
