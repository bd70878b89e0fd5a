"""How well a unit answers a question, which units are looked at, and which of their lines."""
