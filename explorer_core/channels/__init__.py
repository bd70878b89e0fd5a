"""What looks at the code: typed observations of what was seen, and diagnostics apart."""
