"""Full-text search over units."""
