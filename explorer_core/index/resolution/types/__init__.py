"""Evaluates declared types, and what variables and collections hold."""
