"""Functions: their parameters, overloads and overrides, and what anonymous ones are given."""
