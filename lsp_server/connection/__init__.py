"""How messages come and go, and the answer to the first, where that differs from pygls."""
