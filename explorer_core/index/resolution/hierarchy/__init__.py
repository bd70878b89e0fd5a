"""Supertypes and subtypes, and the members that are found along them."""
