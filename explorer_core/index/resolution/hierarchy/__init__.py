"""Supertypes and subtypes, and the members found along them."""
