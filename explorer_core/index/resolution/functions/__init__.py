"""What functions take, and what those without a name are given."""
