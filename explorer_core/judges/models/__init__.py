"""Model clients: one turn's request, reply and cost, and the ways to reach a model."""
