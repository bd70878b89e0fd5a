"""Evaluates expressions, part by part from the left."""
