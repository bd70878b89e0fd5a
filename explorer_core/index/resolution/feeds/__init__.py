"""Edges from what hands something over to what receives it, with no call between them."""
