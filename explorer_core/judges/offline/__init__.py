"""The judge that needs no model: it states what an edge proves or a text says."""
