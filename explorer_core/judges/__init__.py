"""Judges: they decide which observed places matter, and name them by their ids."""
