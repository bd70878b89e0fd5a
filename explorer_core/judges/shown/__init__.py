"""Renders a ranking for a model: the best places, in pieces, each under its id."""
