"""Processes that parse, and what is said to them."""
