"""Edges from what hands something over to what takes it, with no call between them."""
