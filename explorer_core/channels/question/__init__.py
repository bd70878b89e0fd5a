"""What a question is made of, by the shapes in its text."""
